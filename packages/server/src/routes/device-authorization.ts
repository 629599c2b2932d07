/** POST /device_authorization (RFC 8628 §3.1). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const deviceAuthorization = clientEndpoint({
  path: endpointPath.deviceAuthorization,
  // As at /token, no cookie is read, so any origin may call.
  cors: true,
  ask: ({ authority }, asked, { headers }) =>
    authority.deviceAuthorization({ ...asked, userAgent: headers['user-agent'] ?? null }),
})
