/** GET /jwks (RFC 7517 §5): may be cached for as long as no new key can begin to sign. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Route } from './route.ts'

export const jwks: Route = {
  path: endpointPath.jwks,
  methods: ['GET'],
  cors: true,
  at: 'every issuer',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const answer = await authority.keySet(tenant.value)
      if (answer.kind === 'error') return responder.refuse(reply, answer.error)
      return responder.document(reply, answer.value.body, answer.value.maxAge)
    },
}
