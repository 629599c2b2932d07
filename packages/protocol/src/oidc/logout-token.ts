/** What a logout token says: Back-Channel Logout 1.0 §2.4. It has no nonce, so that it is never taken for an ID token. */
import type { Instant, JsonObject } from '../types.ts'
import { seconds } from '../oauth/access-token.ts'

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Seconds. §4: "preferably at most two minutes in the future". */
const life = 120

export interface LogoutTokenInput {
  readonly issuer: string
  readonly clientId: string
  /** As the client knows both. */
  readonly sub: string
  readonly sid: string
  /** The same for every try to deliver it, so that a client which heard it knows it again. */
  readonly jti: string
  readonly now: Instant
}

export const logoutTokenClaims = (it: LogoutTokenInput): JsonObject => ({
  iss: it.issuer,
  sub: it.sub,
  aud: it.clientId,
  iat: seconds(it.now),
  exp: seconds(it.now) + life,
  jti: it.jti,
  events: { [logoutEvent]: {} },
  sid: it.sid,
})
