/** The interfaces that a collection's author implements: handlers, permissions, actions, views, and their arguments. */
import type { FilterTerm, Problem, Scalar, SortKey } from '@grantor/protocol/http'
import type { Instant, Json } from '@grantor/protocol/types'
import type { Caller, ScopeNeed } from '@grantor/resource'
import type { Reply } from '@grantor/resource/http'
import type { TSchema } from 'typebox'

/** What a handler knows of a request. `tenant` owns the caller's data; every query must be restricted to it. */
export interface RequestContext {
  readonly caller: Caller
  readonly tenant: string
  readonly now: Instant
  readonly requestId: string
  /** The id of the client's intention: the same for every retry with the same Idempotency-Key. A good source of ids. */
  readonly intent: string
  /** Aborted when deferred work must stop: it was canceled, took too long, or its process stops. */
  readonly signal: AbortSignal
  /** Reports the progress of deferred work; `total` where known. No effect where the client waits for the answer. */
  progress(done: number, total?: number | null, note?: string | null): void
}

/** A stored resource. The toolkit compares `tenant` with the caller's before it shows or changes the resource. */
export interface StoredResource<T> {
  readonly tenant: string
  /** Changes with every change of `value`, and is never reused: the ETag is made of it. */
  readonly version: string | number
  readonly modifiedAt?: Instant
  /** Where work on the resource is under way: seconds after which to read it again, sent as `Retry-After`. */
  readonly lookAgainAfter?: number
  readonly value: T
}

export interface UnreadableResource {
  readonly id: string
  readonly detail: string
}

export interface PageQuery {
  /** Most items to return: one more than the page has, so that the toolkit sees whether there is a next page. */
  readonly take: number
  readonly sort: readonly SortKey[]
  readonly filter: readonly FilterTerm[]
  /** The sort keys of the last item of the previous page; null for the first page. */
  readonly after: readonly Scalar[] | null
}

/** The result of a search cut short: the next page begins after these sort keys, even if this page is empty. */
export interface PartOfList<T> {
  readonly items: readonly StoredResource<T>[]
  readonly resumesAfter: readonly Scalar[]
}

type Awaitable<T> = T | Promise<T>
/** `changed`: the resource is no longer at the version that was expected (or, for `insert`, exists by now). */
export type VersionChanged = 'changed'

export interface Handlers<T, W> {
  list?(query: PageQuery, context: RequestContext): Awaitable<readonly StoredResource<T>[] | PartOfList<T> | Problem>
  /** Resources of the tenant that exist but cannot be shown: a list leaves them out, and names them. */
  unreadable?(context: RequestContext): Awaitable<readonly UnreadableResource[]>
  get?(id: string, context: RequestContext): Awaitable<StoredResource<T> | Problem | null>
  create?(body: W, context: RequestContext): Awaitable<StoredResource<T> | Problem>
  /** PUT on an id that is free. */
  insert?(id: string, body: W, context: RequestContext): Awaitable<StoredResource<T> | VersionChanged | Problem>
  /**
   * PUT and PATCH, both with the whole writable state. Must change it atomically, only if the version is `expected`.
   */
  update?(
    id: string,
    change: ResourceChange<T, W>,
    context: RequestContext,
  ): Awaitable<StoredResource<T> | VersionChanged | Problem>
  /**
   * Must remove it atomically, only if the version is `expected`. Returns the resource where it is removed later: 202.
   */
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

/** POST /v1/{collection}/{action} or /v1/{collection}/{id}/{action}: any change but create, replace and delete. */
export interface ActionPlan<T> {
  readonly on: 'collection' | 'item'
  readonly scope: ScopeNeed
  readonly summary: string
  readonly body: TSchema
  readonly example: Json
  /** Deferred: where the client prefers it (`Prefer: respond-async`), or always. The answer is then 202. */
  readonly deferred?: 'preferred' | 'always'
  /** Like `statusLink` of a collection; `result` is what `run` returned. */
  statusLink?(body: never, result: Json, entry: StoredResource<T> | null): string | null
  /**
   * null is answered with 204, any other result with 200. `entry` is the item; null for an action on the collection.
   */
  run(body: never, context: RequestContext, entry: StoredResource<T> | null): Awaitable<Json | Problem | null>
}

/**
 * GET /v1/{collection}/{id}/{view}: another representation of an item. `show` decides whether the caller may see it.
 */
export interface ViewPlan {
  readonly summary: string
  /** The media type of answers other than problems; left out, `application/json`. */
  readonly type?: string
  /** The schema of `{id}` in the description where that is not the id of an item; `show` gets it unchecked. */
  readonly id?: TSchema
  show(id: string, context: RequestContext): Awaitable<Reply>
}
