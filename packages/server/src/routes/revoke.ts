/** POST /revoke (RFC 7009). The answer to success is 200 with nothing in it (§2.2). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const revoke = clientEndpoint({
  path: endpointPath.revocation,
  // RFC 7009 §2: browser applications give their tokens back themselves.
  cors: true,
  ask: ({ authority }, asked) => authority.revoke(asked),
})
