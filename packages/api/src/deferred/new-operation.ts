/** The record of a request for deferred work, and the names of its kinds. */
import type { Instant } from '@grantor/protocol/types'
import type { Collection } from '../collection/collection.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import type { Route, ServedVersion } from '../serve/routes.ts'
import { keptCaller, ownerOf } from './caller.ts'
import type { NewOperation } from './operation-store.ts'

/** Milliseconds after which unfinished work is forgotten, whoever holds it. */
const longestLife = 7 * 24 * 3_600_000

export function newOperation({ route, input, context }: OperationRequest): NewOperation {
  const { collection, version, action, scope: need, id: item, path } = route
  const { requestId, intent, caller, tenant, now } = context
  const name = action === null ? null : actionName(collection, action)
  const request = {
    version: version.name,
    collection: collection.name,
    action: name,
    item,
    path,
    body: input.body,
    prefer: [...input.prefer],
    requestId,
    intent,
    caller: keptCaller(caller),
    need,
  }
  return {
    id: operationId(intent),
    owner: ownerOf(context),
    tenant,
    kind: kindOf(collection, name),
    request,
    createdAt: now,
    expiresAt: (now + longestLife) as Instant,
  }
}

/** Derived from the intent, so that a retry finds the existing operation and starts no second one. */
export const operationId = (intent: string): string => `op_${intent.replaceAll('-', '')}`

/** The kinds of work that a process with these versions can do: `orders.create`, `orders.export`. */
export function offeredKinds(versions: ReadonlyMap<string, ServedVersion>): readonly string[] {
  const collections = [...versions.values()].flatMap((served) => [...served.collections.values()])
  const kinds = collections.flatMap((one) => [null, ...one.actions.keys()].map((action) => kindOf(one, action)))
  return [...new Set(kinds)].sort()
}

const kindOf = ({ name }: Collection, action: string | null): string => `${name}.${action ?? 'create'}`

const actionName = ({ actions }: Collection, action: Route['action']): string | null =>
  [...actions].find(([, one]) => one === action)?.[0] ?? null
