/** The names of the grant types (RFC 6749, RFC 8628 and their successors). */

/** RFC 8628 §3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** What a client may register for; which of them work is a matter of capabilities (documents/metadata.ts). */
export const registrableGrantTypes = Object.freeze([
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceGrant,
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:openid:params:grant-type:ciba',
])
