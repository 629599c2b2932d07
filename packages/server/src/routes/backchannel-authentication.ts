/** POST /backchannel_authentication (CIBA §7). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const backchannelAuthentication = clientEndpoint({
  path: endpointPath.backchannelAuthentication,
  // Of servers alone: every client authenticates.
  cors: false,
  ask: ({ authority }, asked, { headers }) =>
    authority.backchannelAuthentication({ ...asked, userAgent: headers['user-agent'] ?? null }),
})
