/** A refusal is a value. Every reason stands here once, and wire() is the only place a reason becomes status + error. */

export type Refusal =
  | { readonly reason: 'parameter_missing'; readonly name: string }
  | { readonly reason: 'parameter_repeated'; readonly name: string }
  | { readonly reason: 'parameter_malformed'; readonly name: string }
  | { readonly reason: 'form_malformed' }
  | { readonly reason: 'content_type_unsupported' }
  | { readonly reason: 'body_too_large' }
  | { readonly reason: 'method_not_allowed'; readonly allow: string }
  | { readonly reason: 'not_found' }
  | { readonly reason: 'client_unauthenticated'; readonly challenge: boolean }
  | { readonly reason: 'client_auth_ambiguous' }
  | { readonly reason: 'client_auth_malformed' }
  | { readonly reason: 'grant_type_unknown' }
  | { readonly reason: 'grant_type_not_allowed' }
  | { readonly reason: 'public_client_has_no_credentials' }
  | { readonly reason: 'scope_malformed' }
  | { readonly reason: 'scope_unknown' }
  | { readonly reason: 'scope_exceeds_client' }
  | { readonly reason: 'resource_malformed' }
  | { readonly reason: 'resource_unknown' }
  | { readonly reason: 'resource_ambiguous' }
  | { readonly reason: 'scope_of_another_resource' }
  | { readonly reason: 'token_type_unsupported' }
  | { readonly reason: 'token_of_another_client' }
  | { readonly reason: 'tenant_unknown' }
  | { readonly reason: 'unavailable'; readonly retryAfter: number }

export interface Wire {
  readonly status: number
  readonly error: string
  /** RFC 6749 §5.2: ASCII without quotes or backslashes; says nothing about our insides. */
  readonly error_description: string
  readonly headers?: Readonly<Record<string, string>>
}
