/** GET /status-lists and /status-lists/{id}: Token Status Lists (draft-ietf-oauth-status-list §8.1, §9), public. */
import { endpointPath } from '@grantor/protocol/documents'
import { parseForm } from '@grantor/protocol/oauth'
import { statusListMediaType, statusListTtl } from '@grantor/protocol/status-list'
import type { Route } from './route.ts'

const shared = { methods: ['GET'], cors: true, at: 'every issuer' } as const

export const statusListAggregation: Route = {
  ...shared,
  path: endpointPath.statusLists,
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const answer = await authority.statusLists.aggregation(tenant.value)
      return answer.kind === 'ok'
        ? responder.document(reply, answer.value, statusListTtl)
        : responder.refuse(reply, answer.error)
    },
}

export const statusList: Route = {
  ...shared,
  path: `${endpointPath.statusLists}/:list`,
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const query = parseForm((request.raw.url ?? '').split('?').slice(1).join('?'))
      if (query.kind === 'error') return responder.refuse(reply, query.error)
      // §8.4: past lists are not kept.
      if (query.value.get('time') !== undefined) return responder.refuse(reply, { reason: 'status_time_unsupported' })
      const { list } = request.params as { readonly list: string }
      const answer = await authority.statusLists.list(tenant.value, list)
      if (answer.kind === 'error') return responder.refuse(reply, answer.error)
      const { token, etag, maxAge } = answer.value
      const headers = { 'content-type': statusListMediaType, 'cache-control': `public, max-age=${maxAge}`, etag }
      return responder.tagged(reply, token, headers)
    },
}
