/** The reading operations: one resource, a view of one, and a page of a list. */
import { evaluateConditions, listIdentity, type Scalar } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { type ApiResponse, apiResponse, jsonResponse, type Reply } from '@grantor/resource/http'
import type { OperationRequest } from './operation-request.ts'
import { preconditionFailed } from './preconditions.ts'
import {
  assertTenant,
  forbidden,
  handlerResult,
  loadResource,
  notFound,
  representation,
  type Resource,
  resourceResponse,
  selectedRepresentation,
  validators,
} from './resource.ts'

export async function read(request: OperationRequest): Promise<Reply> {
  const { collection } = request.route
  const found = await loadResource(request)
  if (found.kind === 'error') return found
  const resource = found.value
  if (resource === null) return err(notFound)
  if (collection.can.read?.(request.context.caller, resource.value) === false) return err(forbidden(collection))
  const outcome = evaluateConditions(request.method, request.input.conditions, selectedRepresentation(resource))
  if (outcome === 'failed') return err(preconditionFailed(resource))
  if (outcome === 'not-modified') return ok(apiResponse(304, validators(collection, resource)))
  return ok(resourceResponse(request, 200, resource))
}

export async function view({ route, context }: OperationRequest): Promise<Reply> {
  if (route.view === null) throw new Error('a view was routed without its plan')
  return route.view.show(route.id ?? '', context)
}

export async function list(request: OperationRequest): Promise<Reply> {
  const { route, context, cursors, input } = request
  const { collection } = route
  const { query } = input
  if (query === null || collection.handlers.list === undefined) throw new Error('a list was routed without its query')
  const binding = { tenant: context.tenant, collection: collection.name, list: listIdentity(query) }
  const after = query.cursor === null ? ok(null) : cursors.open(query.cursor, binding, context.now)
  if (after.kind === 'error') return after
  const { sort, filter } = query
  const page = { take: query.limit + 1, sort, filter, after: after.value }
  const found = handlerResult(await collection.handlers.list(page, context))
  if (found.kind === 'error') return found
  const part = 'resumesAfter' in found.value ? found.value : { items: found.value, resumesAfter: null }
  for (const resource of part.items) assertTenant(resource, context, `${collection.name}: a list`)
  const items = part.items.slice(0, query.limit)
  const last = items.at(-1)
  const more = part.items.length > query.limit && last !== undefined
  const keys = ({ value }: Resource): Scalar[] => sort.map(({ field }) => sortValue(value, field))
  const seen = more ? keys(last) : part.resumesAfter
  const next = seen === null ? null : cursors.seal(seen, binding, context.now)
  return ok(pageResponse(request, { items, next, unreadable: await unreadableOf(request) }))
}

async function unreadableOf({ route, context }: OperationRequest): Promise<Page['unreadable']> {
  const them = (await route.collection.handlers.unreadable?.(context)) ?? []
  return them.length === 0 ? {} : { unreadable: them.map(({ id, detail }) => ({ id, detail })) }
}

interface Page {
  readonly items: readonly Resource[]
  readonly next: string | null
  readonly unreadable: { readonly unreadable?: JsonObject[] }
}

/** Body and Link header have the same links, for clients that read only one of them (RFC 8288). */
function pageResponse({ route, search, context }: OperationRequest, { items, next, unreadable }: Page): ApiResponse {
  const { collection } = route
  const visible = items.filter(({ value }) => collection.can.read?.(context.caller, value) !== false)
  const first = `${route.path}${withCursor(search, null)}`
  const onward = next === null ? null : `${route.path}${withCursor(search, next)}`
  const links = [...(onward === null ? [] : [`<${onward}>; rel="next"`]), `<${first}>; rel="first"`]
  const body = {
    items: visible.map(({ value }) => representation(collection, value)),
    next_cursor: next,
    self: `${route.path}${search}`,
    first,
    ...(onward === null ? {} : { next: onward }),
    ...unreadable,
  }
  return jsonResponse(200, body, { 'cache-control': collection.cacheControl, link: links.join(', ') })
}

function withCursor(search: string, cursor: string | null): string {
  const kept = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^cursor(=|$)/.test(pair))
  const all = cursor === null ? kept : [...kept, `cursor=${cursor}`]
  return all.length === 0 ? '' : `?${all.join('&')}`
}

function sortValue(value: JsonObject, field: string): Scalar {
  const key = value[field]
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return key
  throw new TypeError(`the sort key ${field} has no value`)
}
