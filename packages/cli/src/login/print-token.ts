/** Prints an access token that is still valid. */
import type { Instant } from '@grantor/protocol/types'
import { timestamp } from '../output/time.ts'
import type { CommandContext } from '../program/command.ts'
import { done, type ExitResult } from '../program/exit.ts'
import { withIssuer } from './issuer-client.ts'
import { freshLogin } from './tokens.ts'

export const printToken = (context: CommandContext): Promise<ExitResult> =>
  withIssuer(context, { stored: true }, async (target) => {
    const login = await freshLogin(target)
    if (login.kind === 'error') return login
    const { accessToken, expiresAt, scope } = login.value
    const document = { access_token: accessToken, expires_at: timestamp(expiresAt as Instant), scope }
    await context.out.line(document, accessToken)
    return done
  })
