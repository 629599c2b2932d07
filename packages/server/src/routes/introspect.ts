/** POST /introspect (RFC 7662). For resource servers, so not for browsers. */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const introspect = clientEndpoint({
  path: endpointPath.introspection,
  cors: false,
  ask: ({ authority }, asked) => authority.introspect(asked),
})
