/** Writing operations: create, replace, patch, remove, act. A change applies only to the version it was checked on. */
import { problem, type Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type ApiResponse, apiResponse, jsonResponse, type Reply } from '@grantor/resource/http'
import type { JsonObject } from '@grantor/protocol/types'
import type { Action } from '../collection/collection.ts'
import type { VersionChanged } from '../collection/handlers.ts'
import type { OperationRequest } from './operation-request.ts'
import { failedItemCondition, failedPrecondition, isConditional, preconditionFailed } from './preconditions.ts'
import { idProblem, invalidBody, mergedBody, objectBody, wholeBody, writableBody } from './request-body.ts'
import {
  assertTenant,
  forbidden,
  handlerResult,
  idOf,
  loadResource,
  mayChange,
  notFound,
  type Resource,
  resourceResponse,
} from './resource.ts'

/** All checks of a create that come before its handler. */
export function checkCreate(request: OperationRequest): Result<JsonObject, Problem> {
  const { collection } = request.route
  const body = wholeBody(request, null)
  if (body.kind === 'error') return body
  return collection.can.create?.(request.context.caller, body.value) === false ? err(forbidden(collection)) : body
}

export async function create(request: OperationRequest): Promise<Reply> {
  const { collection, path } = request.route
  const body = checkCreate(request)
  if (body.kind === 'error') return body
  const returned = await collection.handlers.create?.(body.value, request.context)
  if (returned === undefined) throw new Error('a create was routed without its handler')
  const created = handlerResult(returned)
  if (created.kind === 'error') return created
  const location = `${path}/${encodeURIComponent(idOf(created.value))}`
  return written(request, 201, created.value, { location })
}

/** PUT and PATCH. */
export async function change(request: OperationRequest): Promise<Reply> {
  const { operation } = request.route
  const early = operation === 'replace' ? writableBody(request, request.input.body) : objectBody(request)
  if (early.kind === 'error') return early
  return retryLostRace(request, async () => {
    const held = await loadResource(request)
    if (held.kind === 'error') return held
    return held.value === null && operation === 'replace' ? insert(request) : update(request, held.value)
  })
}

type WriteAttempt = Result<ApiResponse, Problem | VersionChanged>

/**
 * A change that lost a race is refused with 412 if the client stated conditions; otherwise it is decided again on the
 * present state. Requests of this process retry in turn, so that none starves; against other processes each has five
 * tries.
 */
async function retryLostRace(request: OperationRequest, attempt: () => Promise<WriteAttempt>): Promise<Reply> {
  const first = await attempt()
  if (!lostRace(first)) return first
  const { collection, id } = request.route
  if (collection.concurrency !== 'off' && isConditional(request.input.conditions)) {
    const now = await loadResource(request)
    return now.kind === 'error' ? now : err(preconditionFailed(now.value))
  }
  return request.locks.runExclusive(JSON.stringify([collection.name, request.context.tenant, id]), async () => {
    for (let tries = 0; tries < 5; tries++) {
      const again = await attempt()
      if (!lostRace(again)) return again
    }
    return err(problem('conflict', 'Others keep changing this resource. Try again.'))
  })
}

const lostRace = (attempt: WriteAttempt): attempt is Exclude<WriteAttempt, Reply> =>
  attempt.kind === 'error' && attempt.error === 'changed'

async function update(request: OperationRequest, held: Resource | null): Promise<WriteAttempt> {
  const { collection, operation, id } = request.route
  if (held === null || collection.handlers.update === undefined) return err(notFound)
  if (!mayChange(collection, request.context.caller, held)) return err(forbidden(collection))
  const body = operation === 'replace' ? wholeBody(request, held.value) : mergedBody(request, held.value)
  if (body.kind === 'error') return body
  const failed = failedPrecondition(request, held)
  if (failed !== null) return err(failed)
  const change = { body: body.value, expected: held.version, before: held.value }
  const updated = handlerResult(await collection.handlers.update(id ?? '', change, request.context))
  if (updated.kind === 'error') return updated
  if (updated.value === 'changed') return err('changed')
  const link = collection.statusLink?.(held.value, updated.value.value) ?? null
  return written(request, 200, updated.value, statusHeader(request, link))
}

/** PUT on an absent id creates the resource, where the collection has an `insert` handler. */
async function insert(request: OperationRequest): Promise<WriteAttempt> {
  const { collection, id, path } = request.route
  if (collection.handlers.insert === undefined) return err(notFound)
  const badId = idProblem(collection.schema, id ?? '')
  if (badId !== null) return err(badId)
  const body = wholeBody(request, { id: id ?? '' })
  if (body.kind === 'error') return body
  if (collection.can.create?.(request.context.caller, body.value) === false) return err(forbidden(collection))
  const failed = failedPrecondition(request, null)
  if (failed !== null) return err(failed)
  const inserted = handlerResult(await collection.handlers.insert(id ?? '', body.value, request.context))
  if (inserted.kind === 'error') return inserted
  return inserted.value === 'changed' ? err('changed') : written(request, 201, inserted.value, { location: path })
}

function written(
  request: OperationRequest,
  status: number,
  resource: Resource,
  headers: Record<string, string> = {},
): Reply {
  assertTenant(resource, request.context, `${request.route.collection.name}: a write`)
  return ok(resourceResponse(request, status, resource, headers))
}

/** RFC 8631 §3: the link to effects of this change. Only path and query of the parsed URL get into the header. */
function statusHeader({ route }: OperationRequest, link: string | null): Record<string, string> {
  if (link === null) return {}
  const { pathname, search } = new URL(`${route.root}/${link}`, 'https://api.invalid')
  return { link: `<${pathname}${search}>; rel="status"` }
}

export async function remove(request: OperationRequest): Promise<Reply> {
  const { collection, id } = request.route
  return retryLostRace(request, async () => {
    const held = await loadResource(request)
    if (held.kind === 'error') return held
    if (held.value === null) return err(notFound)
    const mayRemove = collection.can.delete ?? collection.can.read
    if (mayRemove?.(request.context.caller, held.value.value) === false) return err(forbidden(collection))
    const failed = failedPrecondition(request, held.value)
    if (failed !== null) return err(failed)
    const returned = await collection.handlers.remove?.(id ?? '', held.value.version, request.context)
    const removed = handlerResult(returned ?? 'changed')
    if (removed.kind === 'error') return removed
    if (removed.value === 'changed') return err('changed')
    const headers = statusHeader(request, collection.statusLink?.(held.value.value, null) ?? null)
    return removed.value === 'removed' ? ok(apiResponse(204, headers)) : written(request, 202, removed.value, headers)
  })
}

interface CheckedAction {
  readonly plan: Action['plan']
  readonly body: JsonObject
  readonly item: Resource | null
}

/** All checks of an action that come before its handler. */
export async function checkAct(request: OperationRequest): Promise<Result<CheckedAction, Problem>> {
  const { action, id, collection } = request.route
  if (action === null) throw new Error('an action was routed without its plan')
  const body = action.parseBody(request.input.body, request.input.prefer.has('handling=lenient'))
  if (body.kind === 'error') return err(invalidBody(body.error))
  const held = id === null ? ok(null) : await loadResource(request)
  if (held.kind === 'error') return held
  const item = held.value
  if (id !== null && item === null) return err(notFound)
  if (item !== null) {
    if (!mayChange(collection, request.context.caller, item)) return err(forbidden(collection))
    const failed = failedItemCondition(request, item)
    if (failed !== null) return err(failed)
  }
  return ok({ plan: action.plan, body: body.value, item })
}

export async function act(request: OperationRequest): Promise<Reply> {
  const checked = await checkAct(request)
  if (checked.kind === 'error') return checked
  const { plan, body, item } = checked.value
  const result = handlerResult(await plan.run(body as never, request.context, item))
  if (result.kind === 'error') return result
  const headers = statusHeader(request, plan.statusLink?.(body as never, result.value, item) ?? null)
  return ok(
    result.value === null
      ? apiResponse(204, headers)
      : jsonResponse(200, result.value, { 'cache-control': 'no-store', ...headers }),
  )
}
