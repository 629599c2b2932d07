/** The order of checks. Read downwards: the first that fails answers, so a client never learns what a later one would say. */
import { problem, type Problem, quotaHeaders, versionHeaders } from '@grantor/protocol/http'
import { err, type Result } from '@grantor/protocol/result'
import type { Caller, ScopeNeed } from '@grantor/resource'
import {
  type Answer,
  answer,
  type ApiRequest,
  corsHeaders,
  hasScope,
  type Headers,
  insufficientScope,
  isPreflight,
  preflight,
  readHead,
  rejectionProblem,
  type Reply,
  scopeProblem,
  withHeaders,
} from '@grantor/resource/http'
import type { Context } from '../collection/handlers.ts'
import { once } from '../idempotency/run-once.ts'
import type { Call } from '../operations/operation-call.ts'
import { list, read } from '../operations/read.ts'
import { act, change, create, remove } from '../operations/write.ts'
import type { Api } from './api-context.ts'
import { acceptPatch, acceptPost, type Arrived, readInput } from './request-input.ts'
import { allowOf, findPlace, type Operation, type Place, type Route, routeAt } from './routes.ts'

export interface Outcome {
  readonly reply: Reply
  /** `/v1/orders/{id}`; null for what is not ours. */
  readonly template: string | null
}

/** 1. Sizes and syntax (414, 431, 400). 2. Pages. 3. Route (404), version (410), method (405). */
export async function outcomeOf(request: ApiRequest, api: Api, requestId: string): Promise<Outcome> {
  const head = readHead(request, api.sizes)
  if (head.kind === 'error') return { reply: head.error, template: null }
  const headers = head.value
  const [path, search] = splitTarget(request.target)
  const arrived: Arrived = { request, headers, search }
  const found = (await pageAt(path, arrived, api)) ?? (await placed(path, arrived, { api, requestId }))
  return { ...found, reply: withHeaders(found.reply, corsHeaders(api.cors, headers)) }
}

interface Around {
  readonly api: Api
  readonly requestId: string
}

async function placed(path: string, arrived: Arrived, around: Around): Promise<Outcome> {
  const found = findPlace(path, around.api, around.api.now())
  if (found.kind === 'error') return { reply: found.error, template: null }
  const place = found.value
  const { version, template } = place
  const { method } = arrived.request
  const route = method === 'OPTIONS' ? null : routeAt(place, method)
  const reply =
    route === null
      ? options(place, arrived.headers, around.api)
      : route.kind === 'error'
        ? route.error
        : await guarded(route.value, arrived, around)
  if (version.deprecatedAt !== null) around.api.metrics.count('rs_deprecated_requests_total', { version: version.name })
  return { reply: withHeaders(reply, versionHeaders(version, place.around)), template }
}

/** 4. Addresses that failed too often (429). 5. Token (401, 400, 503). 6. Quota of the client (429). 7. Scope. */
async function guarded(route: Route, arrived: Arrived, around: Around): Promise<Reply> {
  const { api } = around
  const authentication = await authenticated(arrived, api)
  if (authentication.kind === 'error') return authentication.error
  const caller = authentication.value
  const writing = route.operation !== 'list' && route.operation !== 'read'
  const taken = await api.quotas.take(caller, writing ? route.collection.quota.write : route.collection.quota.read)
  const reply = taken.refused ?? (await permitted(route, arrived, { ...around, caller }))
  if (reply.status !== 304) return withHeaders(reply, quotaHeaders(taken.decisions))
  await api.quotas.giveBack(caller, taken)
  return reply
}

/** 4 and 5, also for pages that need a token. */
export async function authenticated({ request, headers, search }: Arrived, api: Api): Promise<Result<Caller, Problem>> {
  const barred = await api.quotas.beforeToken(request.ip)
  if (barred !== null) return err(barred)
  const proof = headers.get('dpop')
  const { certificateThumbprint } = request
  const verdict = await api.validator.validate({
    authorization: headers.lines('authorization'),
    // RFC 6750 §2.3: a token in the query is a second method, and none we take.
    tokenElsewhere: /[?&]access_token=/.test(search),
    request: {
      method: request.method,
      url: api.origin + request.target,
      ...(proof === null ? {} : { proof }),
      ...(certificateThumbprint === undefined ? {} : { certificateThumbprint }),
    },
  })
  if (verdict.kind === 'ok') return verdict
  if (verdict.error.status === 401) await api.quotas.failed(request.ip)
  return err(rejectionProblem(verdict.error, api.challenge))
}

/** 7. Scope (401 or 403 by the switch; 429 for who asks over and over). */
export async function scoped(need: ScopeNeed, caller: Caller, api: Api): Promise<Problem | null> {
  if (hasScope(need, caller.scope)) return null
  api.validator.record(insufficientScope, caller)
  return (await api.quotas.scopeFailed(caller)) ?? scopeProblem(need, caller, api.challenge)
}

interface AroundCaller extends Around {
  readonly caller: Caller
}

/** 8. Accept (406). 9. Media type (415), size (413), JSON, query (400). 10. Idempotency-Key (400, 409, 422, replay). */
async function permitted(route: Route, arrived: Arrived, { api, requestId, caller }: AroundCaller): Promise<Reply> {
  const unscoped = await scoped(route.scope, caller, api)
  if (unscoped !== null) return unscoped
  const input = await readInput(route, arrived, api.sizes.body)
  if (input.kind === 'error') return input.error
  const context: Context = { caller, tenant: api.partition(caller), now: api.now(), requestId, intent: requestId }
  const { method } = arrived.request
  const { cursors, turns } = api
  const call: Call = { method, route, input: input.value, context, cursors, turns, search: arrived.search }
  const fault = (error: unknown): Problem => api.fault(error, requestId)
  const run = (call: Call): Promise<Reply> => operations[route.operation](call).catch(fault)
  const reply = await once(call, { store: api.idempotency, headers: arrived.headers, fault }, run)
  return withHeaders(reply, { vary: 'Authorization, Accept' })
}

/**
 * 11. Schema (400). 12. Object (404, 403). 13. Conditions (428, 412, 304), last: RFC 9110 §13.2.1. 14. The handler.
 */
const operations: Readonly<Record<Operation, (call: Call) => Promise<Reply>>> = {
  list,
  read,
  create,
  replace: change,
  patch: change,
  remove,
  act,
}

function options(place: Place, headers: Headers, api: Api): Answer {
  const allow = allowOf(place)
  if (isPreflight('OPTIONS', headers)) return preflight(api.cors, headers, allow)
  return answer(204, {
    allow,
    ...(place.methods.has('PATCH') ? { 'accept-patch': acceptPatch } : {}),
    ...(place.methods.has('POST') ? { 'accept-post': acceptPost } : {}),
  })
}

/** A page that stands beside the collections: description, metadata, problems, metrics, health. */
async function pageAt(path: string, arrived: Arrived, api: Api): Promise<Outcome | null> {
  const page = api.pages.find(path)
  if (page === null) return null
  const { method } = arrived.request
  if (method === 'OPTIONS') {
    const allow = 'GET, HEAD, OPTIONS'
    const reply = isPreflight(method, arrived.headers)
      ? preflight(api.cors, arrived.headers, allow)
      : answer(204, { allow })
    return { reply, template: page.template }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const allow = { allow: 'GET, HEAD, OPTIONS' }
    return {
      reply: problem('method-not-allowed', 'This page is only read.', { headers: allow }),
      template: page.template,
    }
  }
  if (page.scope === null) return { reply: page.show(), template: page.template }
  const caller = await authenticated(arrived, api)
  const refused = caller.kind === 'error' ? caller.error : await scoped(page.scope, caller.value, api)
  return { reply: refused ?? page.show(), template: page.template }
}

function splitTarget(target: string): readonly [path: string, search: string] {
  // RFC 9112 §3.2.2: a proxy may send the absolute form.
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? ''
  const [local = ''] = target.slice(origin.length).split('#')
  const cut = local.indexOf('?')
  return cut < 0 ? [local, ''] : [local.slice(0, cut), local.slice(cut)]
}
