/** POST /introspect (RFC 7662; signed, RFC 9701). For resource servers, not for browsers. */
import { endpointPath } from '@grantor/protocol/documents'
import { asksFor } from '@grantor/protocol/http'
import { jwtType } from '@grantor/protocol/jose'
import { clientEndpoint } from './client-endpoint.ts'

/** RFC 9701 §4. */
const signedType = `application/${jwtType.introspection}`

export const introspect = clientEndpoint({
  path: endpointPath.introspection,
  cors: false,
  textType: signedType,
  ask: ({ authority }, asked, { headers }) =>
    asksFor(headers.accept ?? null, signedType, 'application/json')
      ? authority.introspectSigned(asked)
      : authority.introspect(asked),
})
