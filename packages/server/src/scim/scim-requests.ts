/** Handles one request to the SCIM service: finds its destination, admits the caller, answers. */
import type { IncomingMessage } from 'node:http'
import type { Origin } from '@grantor/authority'
import { type QuotaDecision, retryAfter } from '@grantor/protocol/http'
import { refusalResponse } from '@grantor/protocol/oauth'
import { scimPath } from '@grantor/protocol/scim'
import { defaultSizes, readRequestHead } from '@grantor/resource/http'
import { readNodeRequest } from '@grantor/resource/node'
import { actorOf } from '../admin/admin-problem.ts'
import { admit, type ReceivedScim, type ScimContext } from './admission.ts'
import { answerScim } from './answer-request.ts'
import { servedCollections } from './collections.ts'
import { discovered } from './discovery-requests.ts'
import { destinationOf } from './routing.ts'
import { belowScim } from './scim-path.ts'
import { type ScimAnswer, scimRefusal, withQuota } from './scim-responder.ts'

type ScimService = (raw: IncomingMessage, origin: Origin) => Promise<ScimAnswer>

export function scimService(context: ScimContext): ScimService {
  const { authority, issuer } = context
  const collections = servedCollections(authority)

  return async (raw, { tenant, ip, traceId }) => {
    const request = readNodeRequest(raw, ip)
    const head = readRequestHead(request, defaultSizes)
    if (head.kind === 'error') return scimRefusal(head.error)
    const root = `${issuer.of(tenant)}${scimPath}`
    const { path, search } = belowScim(request.target)
    const destination = destinationOf(request.method, path, collections)
    if (destination.kind === 'error') return destination.error
    const to = destination.value
    if (to.kind === 'document') return discovered(to.path, { root, search })
    const received: ReceivedScim = { raw, request, headers: head.value, tenant }
    const admitted = await admit(received, to.scope, context)
    if (admitted.kind === 'error') return admitted.error
    const caller = admitted.value
    const quota = await authority.scim.take(tenant, caller.clientId)
    if (quota !== null && !quota.allowed) return withQuota(overLimit(quota), quota)
    const call = { by: actorOf(caller), origin: { tenant, ip, traceId } }
    const answer = await answerScim(to, { received, search, root, call, collections })
    return withQuota(answer, quota)
  }
}

const overLimit = (quota: QuotaDecision): ScimAnswer => {
  const { status, error_description: detail } = refusalResponse({
    reason: 'limit_reached',
    limit: quota.policy,
    retryAfter: retryAfter(quota),
  })
  return scimRefusal({ status, detail }, { 'retry-after': String(retryAfter(quota)) })
}
