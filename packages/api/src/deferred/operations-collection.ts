/** The operations of a caller as a collection of the API: listed, read, canceled, and their results. */
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Caller, ScopeNeed } from '@grantor/resource'
import { apiResponse, type Reply } from '@grantor/resource/http'
import { Type } from 'typebox'
import { collection, type Collection } from '../collection/collection.ts'
import type { RequestContext, StoredResource } from '../collection/handlers.ts'
import { ownerOf } from './caller.ts'
import { mayLook } from './may-look.ts'
import { type DeferredRequest, hasEnded, type OperationRecord, type OperationStore } from './operation-store.ts'

const time = Type.String({ format: 'date-time', readOnly: true })
const statuses = ['pending', 'running', 'succeeded', 'failed', 'canceled']

const Operation = Type.Object({
  id: Type.String({ readOnly: true, pattern: '^op_[0-9a-f]{32}$' }),
  kind: Type.String({ readOnly: true, description: 'What is done: `orders.create`' }),
  status: Type.Enum(statuses, { readOnly: true }),
  progress: Type.Union(
    [
      Type.Object({
        done: Type.Number(),
        total: Type.Union([Type.Number(), Type.Null()]),
        note: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ],
    { readOnly: true },
  ),
  created_at: time,
  started_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { readOnly: true }),
  ended_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { readOnly: true }),
  expires_at: time,
  cancel_requested: Type.Boolean({ readOnly: true }),
  error: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    readOnly: true,
    description: 'The problem it failed with',
  }),
  links: Type.Object({ self: Type.String(), result: Type.String() }, { readOnly: true }),
})

const example = {
  id: 'op_0192f0c40000700080000000000000ab',
  kind: 'orders.create',
  status: 'running',
  progress: { done: 2, total: 10, note: null },
  created_at: '2026-11-15T10:00:00.000Z',
  started_at: '2026-11-15T10:00:01.000Z',
  ended_at: null,
  expires_at: '2026-11-22T10:00:00.000Z',
  cancel_requested: false,
  error: null,
  links: {
    self: '/v1/operations/op_0192f0c40000700080000000000000ab',
    result: '/v1/operations/op_0192f0c40000700080000000000000ab/result',
  },
} as const

export interface OperationsPlan {
  readonly store: OperationStore
  /**
   * Scopes of all work that can be deferred: a caller needs one of them here; each operation is then checked by
   * `mayLook`.
   */
  readonly scopes: readonly string[]
  /** Further scopes that allow reading and canceling; null for none. */
  readonly also: { readonly read: string; readonly write: string } | null
  /** `/t/acme/v1` */
  readonly base: string
  /** Milliseconds for which an operation is kept after its end. */
  readonly keep: number
  /** Tells the worker of this process at once that an operation was canceled. */
  canceled(id: string): void
}

/** Seconds after which a client should read an unfinished operation again. */
export const lookAgain = 2

export function operationsCollection(plan: OperationsPlan): Collection {
  const { store, base } = plan
  const need = (also: string | undefined): ScopeNeed => ({
    any: [...new Set([...plan.scopes, ...(also === undefined ? [] : [also])])].sort(),
  })
  const may = (also: string | undefined, caller: Caller, asked: DeferredRequest): boolean =>
    (also !== undefined && caller.scope.has(also)) || mayLook(asked, caller)
  const stored = (record: OperationRecord, { tenant }: RequestContext) => storedOperation(record, tenant, base)
  return collection({
    name: 'operations',
    description: 'Work that is done later: where it stands, and what came of it',
    schema: Operation,
    example,
    scopes: { read: need(plan.also?.read), delete: need(plan.also?.write) },
    list: { filter: { status: ['eq', 'ne', 'in'], kind: ['eq', 'in'] }, sort: ['created_at'], order: '-created_at' },
    concurrency: 'off',
    // Not filtered in `list`: the next page begins where the store stopped, whatever is hidden of this one.
    can: {
      read: (caller, value) => may(plan.also?.read, caller, requestOf(value)),
      delete: (caller, value) => may(plan.also?.write, caller, requestOf(value)),
    },
    hideExistence: true,
    removal: 'accepted',
    cacheControl: 'private, no-cache',
    handlers: {
      async list(query, context) {
        const found = await store.page(ownerOf(context), query, context.now)
        return found.map((record) => stored(record, context))
      },
      async get(id, context) {
        const found = await store.find(ownerOf(context), id, context.now)
        return found === null ? null : stored(found, context)
      },
      async remove(id, _version, context) {
        const end = { at: context.now, expiresAt: (context.now + plan.keep) as Instant }
        const found = await store.cancel(ownerOf(context), id, end)
        if (found === null) return problem('not-found', 'There is no such resource.')
        if (found.status === 'succeeded' || found.status === 'failed')
          return problem('conflict', 'The operation has ended already.', { code: 'operation_ended' })
        plan.canceled(id)
        return stored(found, context)
      },
    },
    views: {
      result: {
        summary: 'What came of it, with its own status',
        async show(id, context) {
          const found = await store.find(ownerOf(context), id, context.now)
          const isShown = found !== null && may(plan.also?.read, context.caller, found.request)
          return isShown ? resultOf(found) : err(problem('not-found', 'There is no such resource.'))
        },
      },
    },
  })
}

/** The outcome has the status that a direct answer would have had, so that no failure hides behind a 200. */
export function resultOf(record: OperationRecord): Reply {
  if (!hasEnded(record)) {
    const headers = { 'retry-after': String(lookAgain) }
    return err(problem('conflict', 'The operation has not ended yet.', { code: 'operation_running', headers }))
  }
  if (record.outcome === null)
    return err(problem('conflict', 'The operation was canceled: it has no result.', { code: 'operation_canceled' }))
  const { status, headers, body } = record.outcome
  return ok(apiResponse(status, { ...headers, 'cache-control': 'private, no-cache' }, body))
}

function storedOperation(record: OperationRecord, tenant: string, base: string): StoredResource<never> {
  const lookAgainAfter = hasEnded(record) ? {} : { lookAgainAfter: lookAgain }
  const value = { ...shownOperation(record, base), request: record.request }
  return { tenant, version: record.version, ...lookAgainAfter, value: value as never }
}

/** The request, which the schema does not show, but which decides who may see the operation. */
const requestOf = (value: object): DeferredRequest => (value as { readonly request: DeferredRequest }).request

export function shownOperation(record: OperationRecord, base: string): JsonObject {
  const self = `${base}/operations/${record.id}`
  const when = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString())
  return {
    id: record.id,
    kind: record.kind,
    status: record.status,
    progress: record.progress === null ? null : { ...record.progress },
    created_at: new Date(record.createdAt).toISOString(),
    started_at: when(record.startedAt),
    ended_at: when(record.endedAt),
    expires_at: new Date(record.expiresAt).toISOString(),
    cancel_requested: record.cancelRequestedAt !== null,
    error: record.status === 'failed' ? (JSON.parse(record.outcome?.body ?? 'null') as JsonObject | null) : null,
    links: { self, result: `${self}/result` },
  }
}
