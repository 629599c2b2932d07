/** `grantor token` alone: an access token for scripts. The refresh token is never shown. */
import type { Instant } from '@grantor/protocol/types'
import { done, type Ending, failure } from '../../program/exit.ts'
import {
  caOption,
  endedLogin,
  issuerOption,
  type LoginPlace,
  notSignedIn,
  placeOfLogin,
  reaching,
} from '../../login/target.ts'
import { freshLogin } from '../../login/tokens.ts'
import { timestamp } from '../../output/time.ts'
import type { Call, Verb } from '../../program/command.ts'

export const accessToken: Verb = {
  name: 'token',
  says: 'print a living access token of the login, refreshed if it is near its end',
  options: [issuerOption, caOption],
  run: async (call) => {
    const place = placeOfLogin(call, { kept: true })
    return 'kind' in place ? place : reaching(place.issuer, () => print(call, place))
  },
}

async function print(call: Call, { issuer, folder, ask }: LoginPlace): Promise<Ending> {
  const fresh = await freshLogin(folder, issuer, ask)
  if (fresh.ok) {
    const { accessToken: token, expiresAt, scope } = fresh.login
    await call.out.line({ access_token: token, expires_at: timestamp(expiresAt as Instant), scope }, token)
    return done
  }
  if (fresh.why === 'refused') return failure('failed', `${issuer} cannot be used: ${fresh.what}`)
  return fresh.why === 'absent' ? notSignedIn(issuer) : endedLogin(issuer)
}
