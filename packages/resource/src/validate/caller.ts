/** The caller of an API, as its token describes it. */
import type { AuthorizationDetail } from '@grantor/protocol/authorization-details'
import type { Instant, JsonObject } from '@grantor/protocol/types'

export interface Caller {
  /** The kind of credential: an access token, or an API key, whose id is then the `jti`. */
  readonly credential: 'access_token' | 'api_key'
  readonly issuer: string
  /** null for the default tenant and for issuers without tenants. */
  readonly tenant: string | null
  readonly subject: string
  readonly clientId: string
  readonly scope: ReadonlySet<string>
  /** RFC 9396: the authorization details granted at this API; empty where there are none. */
  readonly authorizationDetails: readonly AuthorizationDetail[]
  readonly jti: string
  readonly grantId: string | null
  readonly claims: JsonObject
  /** For an API key that does not expire, the last moment that a Date can represent. */
  readonly expiresAt: Instant
  /** When the issuer was last asked about the token; left out where it was verified by its signature. */
  readonly askedOn?: Instant
}
