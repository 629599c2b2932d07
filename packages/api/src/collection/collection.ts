/** A collection: the declaration from which routes, checks, types and the OpenAPI description are derived. */
import { checkedPolicy, type ListRules, type QuotaPolicy } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import type { ScopeNeed, StalePolicy } from '@grantor/resource'
import { checkedScopeNeed } from '@grantor/resource/http'
import type { Static, TObject } from 'typebox'
import { type ListPlan, listRules } from '../list/list-rules.ts'
import type { ActionPlan, Handlers, Permissions, ViewPlan } from './handlers.ts'
import {
  bodyParser,
  closeSchema,
  plainSchema,
  type SchemaNode,
  type ResourceSchema,
  resourceSchema,
  sentByClients,
} from './resource-schema.ts'

export interface StalePolicies {
  readonly read?: StalePolicy
  readonly write?: StalePolicy
}

/** Members of the schema with `readOnly: true` are set by the server, and not part of the schema for writing. */
export interface CollectionPlan<S extends TObject, W = Partial<Static<S>>> {
  readonly name: string
  readonly description: string
  readonly schema: S
  /** A representation, for the description; it must fit the schema. */
  readonly example: Static<S>
  /** `delete` falls back to `write`. */
  readonly scopes: { readonly read?: ScopeNeed; readonly write?: ScopeNeed; readonly delete?: ScopeNeed }
  readonly list?: ListPlan
  /** `required`: a change without If-Match is 428. `off`: preconditions of writes are ignored. */
  readonly concurrency?: 'off' | 'optional' | 'required'
  /**
   * `false` from one of these is 403; with `hideExistence` it is 404. A resource that `read` refuses cannot be changed
   * or acted on either, nor deleted where there is no `delete`.
   */
  readonly can?: Permissions<Static<S>, W>
  readonly hideExistence?: boolean
  readonly cacheControl?: string
  /** What to do when the revocation state is too old to judge by; left out, the policy of the validator. */
  readonly onStale?: StalePolicies
  /** Every write may carry an Idempotency-Key. */
  readonly idempotency?: {
    /** A create without a key is 400. */
    readonly required?: boolean
    /** Handlers may run again after a crash, because they name what they create by `context.intent`. */
    readonly rerun?: boolean
  }
  /** In addition to the quota of the whole API. */
  readonly quota?: { readonly read?: QuotaPolicy; readonly write?: QuotaPolicy }
  /** Creates are deferred: where the client prefers it (`Prefer: respond-async`), or always. */
  readonly deferred?: 'preferred' | 'always'
  /** `accepted` where `remove` only begins the removal and returns the resource, which still exists (202). */
  readonly removal?: 'immediate' | 'accepted'
  /**
   * Where a client can follow the effects of a change, or of a removal (`after` is null): path and query below the
   * version, `deliveries?order=42`. Sent as `Link` with the relation `status` (RFC 8631 §3); null where there are none.
   */
  statusLink?(before: Static<S>, after: Static<S> | null): string | null
  readonly handlers: Handlers<Static<S>, W>
  readonly views?: Readonly<Record<string, ViewPlan>>
  readonly actions?: Readonly<Record<string, ActionPlan<Static<S>>>>
}

export interface Action {
  readonly plan: ActionPlan<JsonObject>
  readonly schema: SchemaNode
  readonly parseBody: ResourceSchema['parseBody']
}

/** A checked declaration; the types of its schema are erased, because the core serves any schema. */
export interface Collection {
  readonly name: string
  readonly description: string
  readonly example: JsonObject
  readonly schema: ResourceSchema
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
  readonly onStale: StalePolicies
  readonly idempotency: { readonly required: boolean; readonly rerun: boolean }
  readonly quota: { readonly read?: QuotaPolicy; readonly write?: QuotaPolicy }
  readonly deferred: 'preferred' | 'always' | null
  readonly removal: 'immediate' | 'accepted'
  readonly statusLink: ((before: JsonObject, after: JsonObject | null) => string | null) | null
  readonly handlers: Handlers<JsonObject, JsonObject>
  readonly views: ReadonlyMap<string, ViewPlan>
  readonly actions: ReadonlyMap<string, Action>
}

export function collection<S extends TObject, W = Partial<Static<S>>>(plan: CollectionPlan<S, W>): Collection {
  const { name, handlers } = plan
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw new Error(`${name}: a collection is named in lower case`)
  const schema = resourceSchema(plan.schema)
  if (!schema.readOnly.includes('id')) throw new Error(`${name}: the schema needs a read-only member id`)
  const writes = [handlers.create, handlers.insert, handlers.update].some((handler) => handler !== undefined)
  if ((handlers.update ?? handlers.remove ?? handlers.insert) !== undefined && handlers.get === undefined) {
    throw new Error(`${name}: to change or remove a resource, get must be handled`)
  }
  const reads = handlers.get !== undefined || handlers.list !== undefined
  const example = plan.example as unknown as JsonObject
  const fits = bodyParser(schema.read)(example, false)
  if (fits.kind === 'error') {
    throw new Error(`${name}: the example does not fit the schema: ${JSON.stringify(fits.error)}`)
  }
  Object.values(plan.quota ?? {}).forEach(checkedPolicy)
  return {
    name,
    description: plan.description,
    example,
    schema,
    scopes: {
      read: reads ? checkedScopeNeed(plan.scopes.read, `GET /${name}`) : null,
      write: writes ? checkedScopeNeed(plan.scopes.write, `POST /${name}`) : null,
      delete:
        handlers.remove === undefined
          ? null
          : checkedScopeNeed(plan.scopes.delete ?? plan.scopes.write, `DELETE /${name}`),
    },
    list: listRules(plan.list ?? {}, schema.read, name),
    concurrency: plan.concurrency ?? 'optional',
    can: (plan.can ?? {}) as Permissions<JsonObject, JsonObject>,
    hideExistence: plan.hideExistence ?? false,
    cacheControl: plan.cacheControl ?? 'private, no-cache',
    onStale: plan.onStale ?? {},
    idempotency: { required: plan.idempotency?.required ?? false, rerun: plan.idempotency?.rerun ?? false },
    quota: plan.quota ?? {},
    deferred: plan.deferred ?? null,
    removal: plan.removal ?? 'immediate',
    statusLink: (plan.statusLink ?? null) as Collection['statusLink'],
    handlers: handlers as unknown as Handlers<JsonObject, JsonObject>,
    views: new Map(Object.entries(plan.views ?? {})),
    actions: new Map(
      Object.entries(plan.actions ?? {}).map(([of, action]) => [of, checkedAction(action, `/${name}/${of}`)]),
    ),
  }
}

function checkedAction(plan: ActionPlan<never>, route: string): Action {
  checkedScopeNeed(plan.scope, `POST ${route}`)
  const schema = sentByClients(closeSchema(plainSchema(plan.body)))
  const parseBody = bodyParser(schema)
  if (parseBody(plan.example, false).kind === 'error')
    throw new Error(`${route}: the example does not fit the schema of the body`)
  return { plan, schema, parseBody }
}
