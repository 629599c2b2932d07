/** `grantor whoami` */
import { done, type Ending, failure } from '../../program/exit.ts'
import { textIn } from '../../login/ask.ts'
import { endpointsOf } from '../../login/metadata.ts'
import {
  caOption,
  endedLogin,
  issuerArg,
  type LoginPlace,
  notSignedIn,
  placeOfLogin,
  reaching,
} from '../../login/target.ts'
import { freshLogin } from '../../login/tokens.ts'
import type { Call, Verb } from '../../program/command.ts'

export const whoami: Verb = {
  name: 'whoami',
  says: 'show who is signed in, as the authorization server knows them',
  args: [issuerArg],
  options: [caOption],
  run: async (call) => {
    const place = placeOfLogin(call, { kept: true })
    return 'kind' in place ? place : reaching(place.issuer, () => tell(call, place))
  },
}

async function tell(call: Call, { issuer, folder, ask }: LoginPlace): Promise<Ending> {
  const fresh = await freshLogin(folder, issuer, ask)
  if (!fresh.ok) {
    if (fresh.why === 'refused') return failure('failed', `${issuer} cannot be used: ${fresh.what}`)
    return fresh.why === 'absent' ? notSignedIn(issuer) : endedLogin(issuer)
  }
  const endpoints = await endpointsOf(issuer, ask)
  if (typeof endpoints === 'string' || endpoints.userinfo === null)
    return failure('failed', `${issuer} does not tell who is signed in`)
  const { status, body } = await ask(endpoints.userinfo, { bearer: fresh.login.accessToken })
  if (status === 401) return endedLogin(issuer)
  if (status !== 200)
    return failure('failed', `${issuer} does not tell who is signed in: it answered ${status}`, {
      fix: 'sign in again with openid among the scopes',
    })
  const { clientId, scope } = fresh.login
  await call.out.record({ issuer, client_id: clientId, scope, ...body }, [
    ['issuer', issuer],
    ['subject', textIn(body, 'sub')],
    ['name', textIn(body, 'name') ?? textIn(body, 'preferred_username')],
    ['email', textIn(body, 'email')],
    ['client', clientId],
    ['scope', scope],
  ])
  return done
}
