/** What a client says of itself (RFC 7591 §2, OIDC Registration §2). */
import type { JsonObject } from '../types.ts'
import type { AuthMethod } from '../client-auth/method.ts'

/**
 * What a client says of itself, in the names of RFC 7591 and OpenID Connect Registration: one vocabulary for the
 * declaration file, the admin API and dynamic registration.
 */
export interface ClientMetadata {
  readonly client_name?: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: AuthMethod
  /** The one algorithm of its assertions; any that its keys allow where left out. */
  readonly token_endpoint_auth_signing_alg?: string
  readonly scope: string
  readonly application_type?: 'web' | 'native'
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly policy_uri?: string
  readonly tos_uri?: string
  readonly contacts?: readonly string[]
  readonly jwks?: JsonObject
  readonly jwks_uri?: string
  readonly subject_type?: 'public' | 'pairwise'
  readonly sector_identifier_uri?: string
  readonly id_token_signed_response_alg?: string
  readonly userinfo_signed_response_alg?: string
  readonly default_max_age?: number
  readonly require_auth_time?: boolean
  readonly default_acr_values?: readonly string[]
  readonly initiate_login_uri?: string
  readonly post_logout_redirect_uris?: readonly string[]
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required?: boolean
  readonly frontchannel_logout_uri?: string
  readonly frontchannel_logout_session_required?: boolean
  readonly software_id?: string
  readonly software_version?: string
  /** Ours: the resource asked for when a request names none. */
  readonly default_resource?: string
  /** Ours: this client is the resource server of that identifier and may introspect its tokens. */
  readonly resource_server?: string
  /** Ours: PKCE policy of this client; never weaker than its type allows. */
  readonly pkce?: 'always' | 'public_clients'
}
