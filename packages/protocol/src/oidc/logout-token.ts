/**
 * The claims of a logout token: Back-Channel Logout 1.0 §2.4. It has no nonce, so that it cannot be taken for an ID
 * token.
 */
import type { Instant, JsonObject } from '../types.ts'
import { seconds } from '../oauth/access-token.ts'

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Seconds. §4: "preferably at most two minutes in the future". */
const life = 120

export interface LogoutTokenInput {
  readonly issuer: string
  readonly clientId: string
  /** Both as the client knows them. */
  readonly sub: string
  readonly sid: string
  /** The same for every try, so that a client recognises a repeated token. */
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
