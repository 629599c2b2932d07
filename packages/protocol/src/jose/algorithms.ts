/** JOSE names: signature algorithms and types of tokens. */

export type SigningAlg = 'ES256' | 'RS256' | 'PS256' | 'EdDSA' | 'ML-DSA-44' | 'ML-DSA-65' | 'ML-DSA-87'

export const signingAlgs: readonly SigningAlg[] = Object.freeze([
  'ES256',
  'RS256',
  'PS256',
  'EdDSA',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
])

/**
 * JOSE `typ` values: RFC 9068 §2.1, OIDC Back-Channel Logout §2.4, RFC 9449 §4.2, RFC 9701 §5,
 * draft-ietf-oauth-identity-assertion-authz-grant §3, draft-ietf-oauth-status-list §5.1. JARM has none of its own.
 */
export const jwtType = Object.freeze({
  access: 'at+jwt',
  id: 'JWT',
  logout: 'logout+jwt',
  securityEvent: 'secevent+jwt',
  dpop: 'dpop+jwt',
  introspection: 'token-introspection+jwt',
  idJag: 'oauth-id-jag+jwt',
  statusList: 'statuslist+jwt',
  authorizationResponse: 'JWT',
})
