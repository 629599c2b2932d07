/** Who calls, as the token says. */
import type { AuthorizationDetail } from '@grantor/protocol/authorization-details'
import type { Instant, JsonObject } from '@grantor/protocol/types'

export interface Caller {
  /** What was presented: an access token, or an API key, whose id is then the `jti`. */
  readonly credential: 'access_token' | 'api_key'
  readonly issuer: string
  /** null for the default tenant and for issuers without tenants. */
  readonly tenant: string | null
  readonly subject: string
  readonly clientId: string
  readonly scope: ReadonlySet<string>
  /** RFC 9396: what was granted beyond scopes, at this API; empty where there is nothing. */
  readonly authorizationDetails: readonly AuthorizationDetail[]
  readonly jti: string
  readonly grantId: string | null
  readonly claims: JsonObject
  /** Of an API key without an end, the last moment that a Date can tell. */
  readonly expiresAt: Instant
  /** When the issuer was last asked about it; left out where a signature vouches. */
  readonly askedOn?: Instant
}
