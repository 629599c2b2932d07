/** The clients beside the web client: one that acts for itself and exchanges tokens, and a device. RFC 7591 names. */
import { clientId, clientSecret, exchangeGrant } from './client.ts'

/** An API whose tokens are opaque. */
export const opaqueAudience = 'https://opaque.bench.example'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const confidential = { redirect_uris: [], response_types: [], token_endpoint_auth_method: 'client_secret_basic' }

export const service = {
  ...confidential,
  client_id: clientId,
  client_secret: clientSecret,
  grant_types: ['client_credentials', exchangeGrant],
}

export const device = {
  ...confidential,
  client_id: 'bench-device',
  client_secret: 'bench-device-secret-of-32-or-more-characters',
  grant_types: [deviceGrant],
}
