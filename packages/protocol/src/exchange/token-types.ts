/** The token types of exchanges: RFC 8693 §3, draft-ietf-oauth-identity-assertion-authz-grant §4.3. */
export const tokenTypes = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  refresh: 'urn:ietf:params:oauth:token-type:refresh_token',
  idJag: 'urn:ietf:params:oauth:token-type:id-jag',
} as const
