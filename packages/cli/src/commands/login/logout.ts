/** `grantor logout` */
import { done, type Ending } from '../../program/exit.ts'
import { forgetLogin, type Login, loginFile, readLogin } from '../../login/stored-login.ts'
import { alone } from '../../login/lock.ts'
import { endpointsOf } from '../../login/metadata.ts'
import { caOption, issuerArg, type LoginPlace, notSignedIn, placeOfLogin, reaching } from '../../login/target.ts'
import type { Call, Verb } from '../../program/command.ts'

export const logout: Verb = {
  name: 'logout',
  says: 'sign out: revoke the tokens that `login` kept, and remove them from this machine',
  args: [issuerArg],
  options: [caOption],
  run: async (call) => {
    const place = placeOfLogin(call, { kept: true })
    return 'kind' in place ? place : reaching(place.issuer, () => signOut(call, place))
  },
}

async function signOut(call: Call, place: LoginPlace): Promise<Ending> {
  const { issuer, folder } = place
  const held = readLogin(folder, issuer)
  if (held === null) return notSignedIn(issuer)
  // Nobody refreshes meanwhile: what is revoked is what there is.
  const revoked = await alone(loginFile(folder, issuer), async () => {
    const now = readLogin(folder, issuer) ?? held
    // They leave this machine whatever the server says; it may be gone for good.
    forgetLogin(folder, issuer)
    return revoke(now, place).catch(() => false)
  })
  if (!revoked) await call.out.remark(`${issuer} could not be told; its tokens live until they expire`)
  await call.out.record({ issuer, revoked }, [
    ['signed out of', issuer],
    ['revoked', revoked ? 'yes' : 'no'],
  ])
  return done
}

async function revoke(login: Login, { issuer, ask }: LoginPlace): Promise<boolean> {
  const endpoints = await endpointsOf(issuer, ask)
  if (typeof endpoints === 'string' || endpoints.revocation === null) return false
  // A refresh token takes its whole grant along.
  const token = login.refreshToken ?? login.accessToken
  const { status } = await ask(endpoints.revocation, { form: { token, client_id: login.clientId } })
  return status === 200
}
