/** POST /backchannel_authentication (CIBA §7). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const backchannelAuthentication = clientEndpoint({
  path: endpointPath.backchannelAuthentication,
  // No CORS: only confidential clients, which are servers, may call.
  cors: false,
  ask: ({ authority }, asked, { headers }) =>
    authority.backchannelAuthentication({ ...asked, userAgent: headers['user-agent'] ?? null }),
})
