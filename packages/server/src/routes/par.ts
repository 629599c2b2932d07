/** POST /par (RFC 9126 §2). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const par = clientEndpoint({
  path: endpointPath.pushedAuthorization,
  // As at /token: clients in a browser push requests, too, and no cookie is read.
  cors: true,
  // §2.2: a request URI was created.
  status: 201,
  ask: ({ authority }, asked) => authority.pushedAuthorization(asked),
})
