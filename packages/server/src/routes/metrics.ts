/** GET /metrics on the main listener, for tokens with the scope metrics:read. */
import { admit } from '../http/bearer.ts'
import { defaultTenant } from '../issuer.ts'
import { metricsContentType } from '../metrics/meters.ts'
import type { Route } from './route.ts'

const plain = { 'content-type': metricsContentType, 'cache-control': 'no-store' }

export const metrics: Route = {
  path: '/metrics',
  methods: ['GET'],
  cors: false,
  at: 'root',
  handler:
    ({ responder, authority, certificates, issuer, metrics }) =>
    async (request, reply) => {
      const [audience, alias] = [issuer.origin(), issuer.mtlsOf(defaultTenant)]
      const needs = { tenant: defaultTenant, scope: 'metrics:read', audience, alias }
      const admission = await admit(request.raw, needs, { authority, certificates })
      if (admission.kind === 'ok') return responder.send(reply, 200, await metrics(), plain)
      return responder.send(reply, admission.error.status, null, {
        ...admission.error.headers,
        'cache-control': 'no-store',
      })
    },
}
