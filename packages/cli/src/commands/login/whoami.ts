/** `grantor whoami` */
import { done, type ExitResult, failure } from '../../program/exit.ts'
import { textIn } from '../../login/ask.ts'
import { endpointsOf } from '../../login/metadata.ts'
import {
  caOption,
  loginEnded,
  issuerArgument,
  type LoginTarget,
  notSignedIn,
  loginTarget,
  orUnreachable,
} from '../../login/target.ts'
import { freshLogin } from '../../login/tokens.ts'
import type { CommandContext, Command } from '../../program/command.ts'

export const whoami: Command = {
  name: 'whoami',
  description: 'show who is signed in, as the authorization server knows them',
  args: [issuerArgument],
  options: [caOption],
  run: async (context) => {
    const target = loginTarget(context, { stored: true })
    if (target.kind === 'error') return target
    return orUnreachable(target.value.issuer, () => showIdentity(context, target.value))
  },
}

async function showIdentity(context: CommandContext, { issuer, folder, ask }: LoginTarget): Promise<ExitResult> {
  const fresh = await freshLogin(folder, issuer, ask)
  if (!fresh.ok) {
    if (fresh.why === 'refused') return failure('failed', `${issuer} cannot be used: ${fresh.what}`)
    return fresh.why === 'absent' ? notSignedIn(issuer) : loginEnded(issuer)
  }
  const endpoints = await endpointsOf(issuer, ask)
  if (typeof endpoints === 'string' || endpoints.userinfo === null)
    return failure('failed', `${issuer} does not tell who is signed in`)
  const { status, body } = await ask(endpoints.userinfo, { bearer: fresh.login.accessToken })
  if (status === 401) return loginEnded(issuer)
  if (status !== 200)
    return failure('failed', `${issuer} does not tell who is signed in: it answered ${status}`, {
      fix: 'sign in again with openid among the scopes',
    })
  const { clientId, scope } = fresh.login
  await context.out.record({ issuer, client_id: clientId, scope, ...body }, [
    ['issuer', issuer],
    ['subject', textIn(body, 'sub')],
    ['name', textIn(body, 'name') ?? textIn(body, 'preferred_username')],
    ['email', textIn(body, 'email')],
    ['client', clientId],
    ['scope', scope],
  ])
  return done
}
