/** `grantor token` alone: an access token for scripts. The refresh token is never shown. */
import type { Instant } from '@grantor/protocol/types'
import { done, type ExitResult, failure } from '../../program/exit.ts'
import {
  caOption,
  loginEnded,
  issuerOption,
  type LoginTarget,
  notSignedIn,
  loginTarget,
  orUnreachable,
} from '../../login/target.ts'
import { freshLogin } from '../../login/tokens.ts'
import { timestamp } from '../../output/time.ts'
import type { CommandContext, Command } from '../../program/command.ts'

export const accessToken: Command = {
  name: 'token',
  description: 'print a living access token of the login, refreshed if it is near its end',
  options: [issuerOption, caOption],
  run: async (context) => {
    const target = loginTarget(context, { stored: true })
    if (target.kind === 'error') return target
    return orUnreachable(target.value.issuer, () => printToken(context, target.value))
  },
}

async function printToken(context: CommandContext, { issuer, folder, ask }: LoginTarget): Promise<ExitResult> {
  const fresh = await freshLogin(folder, issuer, ask)
  if (fresh.ok) {
    const { accessToken: token, expiresAt, scope } = fresh.login
    await context.out.line({ access_token: token, expires_at: timestamp(expiresAt as Instant), scope }, token)
    return done
  }
  if (fresh.why === 'refused') return failure('failed', `${issuer} cannot be used: ${fresh.what}`)
  return fresh.why === 'absent' ? notSignedIn(issuer) : loginEnded(issuer)
}
