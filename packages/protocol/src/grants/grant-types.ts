/** The names of the grant types (RFC 6749, RFC 8628 and their successors). */

/** RFC 8628 §3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Whether the device flow is on: its endpoints are served if its grant is. */
export const servesDevices = ({ grantTypes }: { readonly grantTypes: readonly string[] }): boolean =>
  grantTypes.includes(deviceGrant)

/** OpenID Connect CIBA Core 1.0 §10.1. */
export const cibaGrant = 'urn:openid:params:grant-type:ciba'

/** Whether CIBA is on: its endpoints and pages are served if its grant is. */
export const servesBackchannel = ({ grantTypes }: { readonly grantTypes: readonly string[] }): boolean =>
  grantTypes.includes(cibaGrant)

/** RFC 7523 §2.1. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** RFC 8693 §2.1. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
