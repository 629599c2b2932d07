/**
 * The order of checks. Read downwards: the first that fails answers, so a client never learns what a later one would
 * say.
 */
import { originForm, problem, type Problem, quotaHeaders, versionHeaders } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type Caller, presentedCredentials, presentedScheme, type ScopeNeed, type StalePolicy } from '@grantor/resource'
import {
  type ApiRequest,
  type ApiResponse,
  apiResponse,
  corsHeaders,
  isFulfilled,
  type RequestHeaders,
  insufficientScope,
  isPreflight,
  preflight,
  readRequestHead,
  rejectionProblem,
  type Reply,
  replyWithHeaders,
  scopeProblem,
  statusOfReply,
} from '@grantor/resource/http'
import type { RequestContext } from '../collection/handlers.ts'
import { isDeferred } from '../deferred/policy.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { list, read, view } from '../operations/read.ts'
import { act, change, create, remove } from '../operations/write.ts'
import type { ApiContext } from './api-context.ts'
import { checkPolicy } from './check-policy.ts'
import type { OperationalPage } from './operational-pages.ts'
import { acceptPatch, acceptPost, type ParsedHead, readRequestInput } from './request-input.ts'
import { allowedMethods, findPath, type Operation, type ApiPath, type Route, routeFor } from './routes.ts'

export interface RoutedReply {
  readonly reply: Reply
  /** `/v1/orders/{id}`; null for a path that the API does not have. */
  readonly template: string | null
}

/** 1. Sizes and syntax (414, 431, 400). 2. Pages. 3. Route (404), version (410), method (405). */
export async function checkRequest(request: ApiRequest, api: ApiContext, requestId: string): Promise<RoutedReply> {
  const headers = readRequestHead(request, api.sizes)
  if (headers.kind === 'error') return { reply: headers, template: null }
  const [path, search] = splitTarget(request.target)
  const head: ParsedHead = { request, headers: headers.value, search }
  const found = (await operationalPage(path, head, api)) ?? (await checkPath(path, head, { api, requestId }))
  return { ...found, reply: replyWithHeaders(found.reply, corsHeaders(api.cors, headers.value)) }
}

interface RequestScope {
  readonly api: ApiContext
  readonly requestId: string
}

async function checkPath(path: string, head: ParsedHead, scope: RequestScope): Promise<RoutedReply> {
  const { api } = scope
  const found = findPath(path, api, api.now())
  if (found.kind === 'error') return { reply: found, template: null }
  const { version, template, around } = found.value
  const reply = await checkMethod(found.value, head, scope)
  if (version.deprecatedAt !== null) api.metrics.count('rs_deprecated_requests_total', { version: version.name })
  return { reply: replyWithHeaders(reply, versionHeaders(version, around)), template }
}

async function checkMethod(path: ApiPath, head: ParsedHead, scope: RequestScope): Promise<Reply> {
  const { method } = head.request
  if (method === 'OPTIONS') return ok(optionsResponse(path, head.headers, scope.api))
  const route = routeFor(path, method)
  return route.kind === 'error' ? route : checkCaller(route.value, head, scope)
}

/** 4. Addresses that failed too often (429). 5. Token (401, 400, 503). 6. Quota of the client (429). 7. Scope. */
async function checkCaller(route: Route, head: ParsedHead, scope: RequestScope): Promise<Reply> {
  const { api } = scope
  const doing = ['list', 'read', 'view'].includes(route.operation) ? 'read' : 'write'
  const authenticated = await authenticate(head, api, route.collection.onStale[doing])
  if (authenticated.kind === 'error') return authenticated
  const caller = authenticated.value
  const charge = await api.quotas.charge(caller, route.collection.quota[doing])
  const scoped = charge.refused === null ? await checkScope(route.scope, caller, { api, charge }) : charge
  const reply = scoped.refused === null ? await checkInput(route, head, { ...scope, caller }) : err(scoped.refused)
  if (statusOfReply(reply) !== 304) return replyWithHeaders(reply, quotaHeaders(scoped.decisions))
  await api.quotas.refund(caller, charge)
  return reply
}

/** Checks 4 and 5, also for pages that need a token. */
async function authenticate(
  head: ParsedHead,
  api: ApiContext,
  onStale?: StalePolicy,
): Promise<Result<Caller, Problem>> {
  const { request, headers } = head
  const barred = await api.quotas.checkAddress(request.ip)
  if (barred !== null) return err(barred)
  const { method, target, ip, peer, certificate } = request
  const lines = { method, target, lines: headers.lines, address: () => ip, peer, certificate }
  const presented = presentedCredentials(lines, api.origin)
  const verdict = await api.validator.validate(onStale === undefined ? presented : { ...presented, onStale })
  if (verdict.kind === 'ok') return verdict
  if (verdict.error.status === 401) await api.quotas.countFailure(request.ip)
  return err(rejectionProblem(verdict.error, api.challenge, presentedScheme(presented)))
}

type Charge = Awaited<ReturnType<ApiContext['quotas']['charge']>>

/** 7. Scope (401 or 403 as configured; 429 for a client that fails too often). */
async function checkScope(
  need: ScopeNeed,
  caller: Caller,
  { api, charge }: { readonly api: ApiContext; readonly charge: Charge },
): Promise<Charge> {
  if (isFulfilled(need, caller)) return charge
  api.validator.record(insufficientScope, caller)
  const { decisions, refused } = await api.quotas.countScopeFailure(caller, charge)
  return { decisions, refused: refused ?? scopeProblem(need, caller, api.challenge) }
}

/** For work that is not deferred: it has no progress to report, and cannot be canceled. */
const unhurried = { signal: new AbortController().signal, progress: () => {} }

interface CallerScope extends RequestScope {
  readonly caller: Caller
}

/**
 * 7a. Policy (403). 8. Accept (406). 9. Media type (415), size (413), JSON, query (400). 10. Idempotency-Key (400, 409,
 * 422, replay).
 */
async function checkInput(route: Route, head: ParsedHead, { api, requestId, caller }: CallerScope): Promise<Reply> {
  const refused = await checkPolicy(route, head.request, { policy: api.policy, origin: api.origin, caller })
  if (refused !== null) return err(refused)
  const input = await readRequestInput(route, head, api.sizes.body)
  if (input.kind === 'error') return input
  const context: RequestContext = {
    caller,
    tenant: api.partition(caller),
    now: api.now(),
    requestId,
    intent: requestId,
    ...unhurried,
  }
  const { method } = head.request
  const { cursors, locks } = api
  const operation = { method, route, input: input.value, context, cursors, locks, search: head.search }
  const onError = (error: unknown): Reply => err(api.internalError(error, requestId))
  const run = (operation: OperationRequest): Promise<Reply> =>
    (isDeferred(operation) ? api.deferral.defer : operations[route.operation])(operation).catch(onError)
  const around = { store: api.idempotency, headers: head.headers, now: api.now, onError }
  const reply = await runOnce(operation, around, run)
  return replyWithHeaders(reply, { vary: 'Authorization, Accept' })
}

/**
 * 11. Schema (400). 12. Resource (404, 403). 13. Conditions (428, 412, 304), last: RFC 9110 §13.2.1. 14. The handler.
 */
const operations: Readonly<Record<Operation, (operation: OperationRequest) => Promise<Reply>>> = {
  list,
  read,
  view,
  create,
  replace: change,
  patch: change,
  remove,
  act,
}

function optionsResponse(path: ApiPath, headers: RequestHeaders, api: ApiContext): ApiResponse {
  const allow = allowedMethods(path)
  if (isPreflight('OPTIONS', headers)) return preflight(api.cors, headers, allow)
  return apiResponse(204, {
    allow,
    ...(path.methods.has('PATCH') ? { 'accept-patch': acceptPatch } : {}),
    ...(path.methods.has('POST') ? { 'accept-post': acceptPost } : {}),
  })
}

/** A page other than the collections: description, metadata, problems, metrics, health. */
async function operationalPage(path: string, head: ParsedHead, api: ApiContext): Promise<RoutedReply | null> {
  const page = api.pages.find(path)
  if (page === null) return null
  return { reply: await pageReply(page, head, api), template: page.template }
}

async function pageReply(page: OperationalPage, head: ParsedHead, api: ApiContext): Promise<Reply> {
  const { method } = head.request
  const allow = 'GET, HEAD, OPTIONS'
  if (isPreflight(method, head.headers)) return ok(preflight(api.cors, head.headers, allow))
  if (method === 'OPTIONS') return ok(apiResponse(204, { allow }))
  if (method !== 'GET' && method !== 'HEAD') {
    return err(problem('method-not-allowed', 'This page is only read.', { headers: { allow } }))
  }
  if (page.scope === null) return page.show()
  const caller = await authenticate(head, api)
  if (caller.kind === 'error') return caller
  const { decisions, refused } = await checkScope(page.scope, caller.value, {
    api,
    charge: { decisions: [], refused: null },
  })
  return refused === null ? page.show() : replyWithHeaders(err(refused), quotaHeaders(decisions))
}

/**
 * Characters that RFC 3986 §2 excludes from addresses. Some clients send them unencoded; links and locations encode
 * them.
 */
const notInAddresses = /["<>\\^`{|}]/g

function splitTarget(target: string): readonly [path: string, search: string] {
  const [local = ''] = originForm(target).replaceAll(notInAddresses, encodeURIComponent).split('#')
  const cut = local.indexOf('?')
  return cut < 0 ? [local, ''] : [local.slice(0, cut), local.slice(cut)]
}
