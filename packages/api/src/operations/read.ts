/** Reading: one resource, and a page of many. */
import { evaluateConditions, isProblem, listIdentity, type Scalar } from '@grantor/protocol/http'
import { ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { type Answer, answer, jsonAnswer, type Reply } from '@grantor/resource/http'
import {
  absent,
  type Call,
  forbidden,
  load,
  preconditionFailed,
  representation,
  selectedOf,
  shown,
  type Stored,
  validators,
} from './operation-call.ts'

export async function read(call: Call): Promise<Reply> {
  const { collection } = call.route
  const found = await load(call)
  if (found.kind === 'error') return found.error
  const entry = found.value
  if (entry === null) return absent
  if (collection.can.read?.(call.context.caller, entry.value) === false) return forbidden(collection)
  const outcome = evaluateConditions(call.method, call.input.conditions, selectedOf(entry))
  if (outcome === 'failed') return preconditionFailed(entry)
  return outcome === 'not-modified' ? answer(304, validators(collection, entry)) : shown(call, 200, entry)
}

export async function list(call: Call): Promise<Reply> {
  const { route, context, cursors, input } = call
  const { collection } = route
  const { query } = input
  if (query === null || collection.handlers.list === undefined) throw new Error('a list was routed without its query')
  const place = { tenant: context.tenant, collection: collection.name, list: listIdentity(query) }
  const after = query.cursor === null ? ok(null) : cursors.open(query.cursor, place, context.now)
  if (after.kind === 'error') return after.error
  const { sort, filter } = query
  const found = await collection.handlers.list({ take: query.limit + 1, sort, filter, after: after.value }, context)
  if (isProblem(found)) return found
  for (const entry of found) {
    // The caller would see what belongs to another tenant: a fault of the handler, and none the caller may learn of.
    if (entry.tenant !== context.tenant) throw new Error(`${collection.name}: a list crossed the border of its tenant`)
  }
  const items = found.slice(0, query.limit)
  const last = items.at(-1)
  const more = found.length > query.limit && last !== undefined
  const keys = (entry: Stored): Scalar[] => sort.map(({ field }) => sortValue(entry.value, field))
  const next = more ? cursors.seal(keys(last), place, context.now) : null
  return page(call, items, next)
}

/** The body says what the Link header says, for clients that read only one of them (RFC 8288). */
function page({ route, search, context }: Call, items: readonly Stored[], next: string | null): Answer {
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
  }
  return jsonAnswer(200, body, { 'cache-control': collection.cacheControl, link: links.join(', ') })
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
