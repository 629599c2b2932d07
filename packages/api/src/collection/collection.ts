/** A collection: one declaration from which routes, checks, types and the description of an API follow. */
import {
  checkedPolicy,
  type FilterTerm,
  type ListRules,
  type Problem,
  type QuotaPolicy,
  type Scalar,
  type SortKey,
} from '@grantor/protocol/http'
import type { Instant, Json, JsonObject } from '@grantor/protocol/types'
import type { Static, TObject, TSchema } from 'typebox'
import { checkedNeed, type ScopeNeed } from '../../../resource/src/protect/challenge.ts'
import { type ListPlan, listRules } from '../list/list-rules.ts'
import { admission, closed, plain, type SchemaNode, type Shape, shapeOf } from './resource-schema.ts'
import type { Caller } from '../../../resource/src/validate/validator.ts'

/** What a handler knows of a request. `tenant` is where the caller's data is kept; every query must be bound to it. */
export interface Context {
  readonly caller: Caller
  readonly tenant: string
  readonly now: Instant
  readonly requestId: string
  /** One per intention: the same for every retry with the same Idempotency-Key. A good source of ids. */
  readonly intent: string
}

/** A stored resource. The toolkit compares `tenant` with the caller's before anything of it is shown or changed. */
export interface Entry<T> {
  readonly tenant: string
  /** Changes with every change of `value`, and never returns to an earlier one: the ETag is made of it. */
  readonly version: string | number
  readonly modifiedAt?: Instant
  readonly value: T
}

export interface PageQuery {
  /** How many to give at most: one more than the page has, so that the toolkit sees whether there is a next one. */
  readonly take: number
  readonly sort: readonly SortKey[]
  readonly filter: readonly FilterTerm[]
  /** The sort keys of the last item of the page before; null for the first page. */
  readonly after: readonly Scalar[] | null
}

type Maybe<T> = T | Promise<T>
/** `changed`: the resource is no longer at the version that was expected (or, for `insert`, exists by now). */
export type Changed = 'changed'

export interface Handlers<T, W> {
  list?(query: PageQuery, context: Context): Maybe<readonly Entry<T>[] | Problem>
  get?(id: string, context: Context): Maybe<Entry<T> | Problem | null>
  create?(body: W, context: Context): Maybe<Entry<T> | Problem>
  /** PUT on an id that is free. */
  insert?(id: string, body: W, context: Context): Maybe<Entry<T> | Changed | Problem>
  /** PUT and PATCH: both arrive as the whole writable state. Must hold in one step that the version is `expected`. */
  update?(id: string, change: Change<T, W>, context: Context): Maybe<Entry<T> | Changed | Problem>
  /** Must hold in one step that the version is `expected`. */
  remove?(id: string, expected: string | number, context: Context): Maybe<'removed' | Changed | Problem>
}

export interface Change<T, W> {
  readonly body: W
  readonly expected: string | number
  readonly before: T
}

export interface Permissions<T, W> {
  create?(caller: Caller, body: W): boolean
  read?(caller: Caller, value: T): boolean
  update?(caller: Caller, value: T): boolean
  delete?(caller: Caller, value: T): boolean
}

/** POST /v1/{collection}/{action} or /v1/{collection}/{id}/{action}: what is no create, replace or delete. */
export interface ActionPlan<T> {
  readonly on: 'collection' | 'item'
  readonly scope: ScopeNeed
  readonly summary: string
  readonly body: TSchema
  readonly example: Json
  /** null answers 204, anything else 200 with it. `entry` is the item, or null for an action on the collection. */
  run(body: never, context: Context, entry: Entry<T> | null): Maybe<Json | Problem | null>
}

/** Members of the schema marked `readOnly: true` are the server's: absent from what a client writes. */
export interface CollectionPlan<S extends TObject, W = Partial<Static<S>>> {
  readonly name: string
  readonly description: string
  readonly schema: S
  /** A representation, for the description; it must fit the schema. */
  readonly example: Static<S>
  /** `delete` falls back to `write`. */
  readonly scopes: { readonly read?: ScopeNeed; readonly write?: ScopeNeed; readonly delete?: ScopeNeed }
  readonly list?: ListPlan
  /** `required`: a change without If-Match is 428. `off`: conditions of writes are not looked at. */
  readonly concurrency?: 'off' | 'optional' | 'required'
  /** `false` from one of these is 403; with `hideExistence` it is 404. */
  readonly can?: Permissions<Static<S>, W>
  readonly hideExistence?: boolean
  readonly cacheControl?: string
  /** Every write may carry an Idempotency-Key. */
  readonly idempotency?: {
    /** A create without a key is 400. */
    readonly required?: boolean
    /** Handlers may run again after a crash, because what they make is named by `context.intent`. */
    readonly rerun?: boolean
  }
  /** Beside the quota of the whole API. */
  readonly quota?: { readonly read?: QuotaPolicy; readonly write?: QuotaPolicy }
  readonly handlers: Handlers<Static<S>, W>
  readonly actions?: Readonly<Record<string, ActionPlan<Static<S>>>>
}

export interface Action {
  readonly plan: ActionPlan<JsonObject>
  readonly schema: SchemaNode
  readonly admit: Shape['admit']
}

/** A declaration that was checked; the types of its schema are erased, because the core serves any. */
export interface Collection {
  readonly name: string
  readonly description: string
  readonly example: JsonObject
  readonly shape: Shape
  readonly scopes: {
    readonly read: ScopeNeed | null
    readonly write: ScopeNeed | null
    readonly delete: ScopeNeed | null
  }
  readonly list: ListRules
  readonly concurrency: 'off' | 'optional' | 'required'
  readonly can: Permissions<JsonObject, JsonObject>
  readonly hideExistence: boolean
  readonly cacheControl: string
  readonly idempotency: { readonly required: boolean; readonly rerun: boolean }
  readonly quota: { readonly read?: QuotaPolicy; readonly write?: QuotaPolicy }
  readonly handlers: Handlers<JsonObject, JsonObject>
  readonly actions: ReadonlyMap<string, Action>
}

export function collection<S extends TObject, W = Partial<Static<S>>>(plan: CollectionPlan<S, W>): Collection {
  const { name, handlers } = plan
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw new Error(`${name}: a collection is named in lower case`)
  const shape = shapeOf(plan.schema)
  if (!shape.readOnly.includes('id')) throw new Error(`${name}: the schema needs a read-only member id`)
  const writes = [handlers.create, handlers.insert, handlers.update].some((handler) => handler !== undefined)
  if ((handlers.update ?? handlers.remove ?? handlers.insert) !== undefined && handlers.get === undefined) {
    throw new Error(`${name}: to change or remove a resource, get must be handled`)
  }
  const reads = handlers.get !== undefined || handlers.list !== undefined
  const example = plan.example as unknown as JsonObject
  const faults = admission(shape.read)(example, false)
  if ('faults' in faults)
    throw new Error(`${name}: the example does not fit the schema: ${JSON.stringify(faults.faults)}`)
  Object.values(plan.quota ?? {}).forEach(checkedPolicy)
  return {
    name,
    description: plan.description,
    example,
    shape,
    scopes: {
      read: reads ? checkedNeed(plan.scopes.read, `GET /${name}`) : null,
      write: writes ? checkedNeed(plan.scopes.write, `POST /${name}`) : null,
      delete:
        handlers.remove === undefined ? null : checkedNeed(plan.scopes.delete ?? plan.scopes.write, `DELETE /${name}`),
    },
    list: listRules(plan.list ?? {}, shape.read, name),
    concurrency: plan.concurrency ?? 'optional',
    can: (plan.can ?? {}) as Permissions<JsonObject, JsonObject>,
    hideExistence: plan.hideExistence ?? false,
    cacheControl: plan.cacheControl ?? 'private, no-cache',
    idempotency: { required: plan.idempotency?.required ?? false, rerun: plan.idempotency?.rerun ?? false },
    quota: plan.quota ?? {},
    handlers: handlers as unknown as Handlers<JsonObject, JsonObject>,
    actions: new Map(
      Object.entries(plan.actions ?? {}).map(([of, action]) => [of, checkedAction(action, `/${name}/${of}`)]),
    ),
  }
}

function checkedAction(plan: ActionPlan<never>, route: string): Action {
  checkedNeed(plan.scope, `POST ${route}`)
  const schema = closed(plain(plan.body))
  const admit = admission(schema)
  if ('faults' in admit(plan.example, false))
    throw new Error(`${route}: the example does not fit the schema of the body`)
  return { plan, schema, admit }
}
