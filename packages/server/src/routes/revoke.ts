/** POST /revoke (RFC 7009). Success is an empty 200 (§2.2). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const revoke = clientEndpoint({
  path: endpointPath.revocation,
  // RFC 7009 §2: browser applications revoke their tokens themselves.
  cors: true,
  ask: ({ authority }, asked) => authority.revoke(asked),
})
