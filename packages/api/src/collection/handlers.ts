/** What the owner of a collection writes: handlers, permissions and actions, and what they are given. */
import type { FilterTerm, Problem, Scalar, SortKey } from '@grantor/protocol/http'
import type { Instant, Json } from '@grantor/protocol/types'
import type { Caller, ScopeNeed } from '@grantor/resource'
import type { Reply } from '@grantor/resource/http'
import type { TSchema } from 'typebox'

/** What a handler knows of a request. `tenant` is where the caller's data is kept; every query must be bound to it. */
export interface RequestContext {
  readonly caller: Caller
  readonly tenant: string
  readonly now: Instant
  readonly requestId: string
  /** One per intention: the same for every retry with the same Idempotency-Key. A good source of ids. */
  readonly intent: string
  /** Fires where the work is to be given up: deferred work that was canceled, took too long, or whose process stops. */
  readonly signal: AbortSignal
  /** How far deferred work has come; `total` where it is known. Without effect where the client waits for the answer. */
  progress(done: number, total?: number | null, note?: string | null): void
}

/** A stored resource. The toolkit compares `tenant` with the caller's before anything of it is shown or changed. */
export interface StoredResource<T> {
  readonly tenant: string
  /** Changes with every change of `value`, and never returns to an earlier one: the ETag is made of it. */
  readonly version: string | number
  readonly modifiedAt?: Instant
  /** Something is under way with it: seconds after which it is worth another look, told as `Retry-After`. */
  readonly lookAgainAfter?: number
  readonly value: T
}

export interface UnreadableResource {
  readonly id: string
  readonly detail: string
}

export interface PageQuery {
  /** How many to give at most: one more than the page has, so that the toolkit sees whether there is a next one. */
  readonly take: number
  readonly sort: readonly SortKey[]
  readonly filter: readonly FilterTerm[]
  /** The sort keys of the last item of the page before; null for the first page. */
  readonly after: readonly Scalar[] | null
}

/** What a search that has to read found so far: the next page begins after these sort keys, also where this one is empty. */
export interface PartOfList<T> {
  readonly items: readonly StoredResource<T>[]
  readonly resumesAfter: readonly Scalar[]
}

type Awaitable<T> = T | Promise<T>
/** `changed`: the resource is no longer at the version that was expected (or, for `insert`, exists by now). */
export type VersionChanged = 'changed'

export interface Handlers<T, W> {
  list?(query: PageQuery, context: RequestContext): Awaitable<readonly StoredResource<T>[] | PartOfList<T> | Problem>
  /** Those of the tenant that are there and cannot be shown: a list goes on without them, and names them. */
  unreadable?(context: RequestContext): Awaitable<readonly UnreadableResource[]>
  get?(id: string, context: RequestContext): Awaitable<StoredResource<T> | Problem | null>
  create?(body: W, context: RequestContext): Awaitable<StoredResource<T> | Problem>
  /** PUT on an id that is free. */
  insert?(id: string, body: W, context: RequestContext): Awaitable<StoredResource<T> | VersionChanged | Problem>
  /** PUT and PATCH: both arrive as the whole writable state. Must hold in one step that the version is `expected`. */
  update?(
    id: string,
    change: ResourceChange<T, W>,
    context: RequestContext,
  ): Awaitable<StoredResource<T> | VersionChanged | Problem>
  /** Must hold in one step that the version is `expected`. What is given back is still there, and its end under way: 202. */
  remove?(
    id: string,
    expected: string | number,
    context: RequestContext,
  ): Awaitable<'removed' | StoredResource<T> | VersionChanged | Problem>
}

export interface ResourceChange<T, W> {
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
  /** Done later: where the client prefers it (`Prefer: respond-async`), or always. The answer is then 202. */
  readonly deferred?: 'preferred' | 'always'
  /** As `statusLink` of a collection; `result` is what `run` gave. */
  statusLink?(body: never, result: Json, entry: StoredResource<T> | null): string | null
  /** null answers 204, anything else 200 with it. `entry` is the item, or null for an action on the collection. */
  run(body: never, context: RequestContext, entry: StoredResource<T> | null): Awaitable<Json | Problem | null>
}

/** GET /v1/{collection}/{id}/{view}: another sight of an item. Whether the caller may have it is for `show` to say. */
export interface ViewPlan {
  readonly summary: string
  /** What it answers with, problems aside; `application/json` where left out. */
  readonly type?: string
  /** What stands for `{id}` where that is not the id of an item: for the description, `show` gets whatever came. */
  readonly id?: TSchema
  show(id: string, context: RequestContext): Awaitable<Reply>
}
