/** The names of the client authentication methods (RFC 7591 §2, RFC 8705 §2). */

export type AuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none'

export const authMethods: readonly AuthMethod[] = Object.freeze([
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
])
