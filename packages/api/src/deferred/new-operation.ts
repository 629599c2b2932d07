/** What is kept of a request whose work is done later, and what such work is called. */
import type { Instant } from '@grantor/protocol/types'
import type { Collection } from '../collection/collection.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import type { Route, ServedVersion } from '../serve/routes.ts'
import { keptCaller, ownerOf } from './caller.ts'
import type { NewOperation } from './operation-store.ts'

/** Unfinished work is given up after this, whatever holds it. */
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

/** Made of the intent: a retry of what was cut off finds the operation that is there, and begins no second one. */
export const operationId = (intent: string): string => `op_${intent.replaceAll('-', '')}`

/** `orders.create`, `orders.export`: what a process that serves these versions can do. */
export function offeredKinds(versions: ReadonlyMap<string, ServedVersion>): readonly string[] {
  const collections = [...versions.values()].flatMap((served) => [...served.collections.values()])
  const kinds = collections.flatMap((one) => [null, ...one.actions.keys()].map((action) => kindOf(one, action)))
  return [...new Set(kinds)].sort()
}

const kindOf = ({ name }: Collection, action: string | null): string => `${name}.${action ?? 'create'}`

const actionName = ({ actions }: Collection, action: Route['action']): string | null =>
  [...actions].find(([, one]) => one === action)?.[0] ?? null
