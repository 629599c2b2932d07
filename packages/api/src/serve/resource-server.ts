/** An API: collections in versions behind one validator, as one function from request to answer. */
import { randomBytes, randomUUID } from 'node:crypto'
import { plannedVersion, problem, type VersionPlan } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { Caller, CorsPlan, RoutePolicy, StalePolicy, Validator } from '@grantor/resource'
import {
  type ApiRequest,
  type ApiResponse,
  checkedCors,
  checkedStalePolicy,
  defaultSizes,
  metadataPath,
  metadataUrl,
  renderResponse,
  resourceMetadata,
  scopesOf,
  statusOfReply,
  type SizeLimits,
  reportToConsole,
} from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import { type Deferral, openDeferral } from '../deferred/deferral.ts'
import type { OperationStore } from '../deferred/operation-store.ts'
import type { WorkerTiming } from '../deferred/worker.ts'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'
import { createCursors } from '../list/cursor.ts'
import { type ApiMetrics, createApiMetrics } from '../metrics.ts'
import { openApiDocument } from '../openapi/document.ts'
import { KeyedMutex } from '../operations/keyed-mutex.ts'
import type { QuotaStore } from '../quotas/quota-store.ts'
import { createQuotas, defaultQuotaLimits, type QuotaLimits } from '../quotas/quotas.ts'
import { memoryOperations } from '../stores/memory-operations.ts'
import { memoryIdempotency } from '../stores/memory-idempotency.ts'
import { memoryQuotas } from '../stores/memory-quotas.ts'
import type { ApiContext } from './api-context.ts'
import { createOperationalPages, type OperationalPagesPlan } from './operational-pages.ts'
import { checkRequest } from './request-checks.ts'
import type { ServedVersion } from './routes.ts'

export interface ApiVersion extends VersionPlan {
  readonly collections: readonly Collection[]
}

export interface ResourceServerOptions {
  readonly name: string
  readonly description?: string
  /** The resource identifier that `aud` of tokens must name, an https URL; also the URL of the API. */
  readonly audience: string
  /** The prefix of every path, where the API is not at the root: `/t/acme`. */
  readonly basePath?: string
  /** The issuers of its tokens; tenants of the first keep their plain names (see `partition`). */
  readonly issuers: readonly [string, ...string[]]
  readonly validator: Validator
  readonly versions: readonly [ApiVersion, ...ApiVersion[]]
  /** 401 by docs/conventions.md; 403 for readers of RFC 6750. */
  readonly insufficientScopeStatus?: 401 | 403
  /**
   * A policy service that is asked about every operation once token and scope suffice; left out, none is. By default,
   * `action` is the operation, and `resource` the collection with the id, or `*`.
   */
  readonly policy?: RoutePolicy
  readonly sizes?: Partial<SizeLimits>
  readonly quotas?: QuotaStore
  /** Left out, in memory: then a restart forgets the keys. */
  readonly idempotency?: IdempotencyStore
  /** The store of deferred work; left out, in memory: then a restart forgets it. */
  readonly operations?: OperationStore
  /** Scopes that allow callers to read and to cancel their operations, in addition to those of the deferred work. */
  readonly operationScopes?: { readonly read: string; readonly write: string }
  /** How many deferred operations this process runs at once: 2. 0 leaves them to others. */
  readonly workers?: number
  readonly workTiming?: Partial<WorkerTiming>
  readonly limits?: Partial<QuotaLimits>
  /** Shared by all nodes of this API; left out, random for each process. */
  readonly cursorSecret?: Uint8Array
  readonly cors?: CorsPlan
  readonly pages?: OperationalPagesPlan
  readonly metrics?: ApiMetrics
  /** The key of the data that a caller's tenant owns. By default the tenant; for other issuers, issuer and tenant. */
  readonly partition?: (caller: Caller) => string
  readonly now?: () => Instant
  /** Called for errors of the server, because the answer has only the id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

export interface ResourceServer {
  handle(request: ApiRequest): Promise<ApiResponse>
  /** The OpenAPI document, as served at /openapi.json: the same declaration gives the same bytes. */
  readonly openapi: string
  /** For adapters: the paths of the API; a `*` at the end stands for any suffix. */
  readonly paths: readonly string[]
  readonly sizes: SizeLimits
  readonly audience: string
  readonly issuers: readonly [string, ...string[]]
  /** Stops deferred work, which then waits for another process. Adapters call it when their server closes. */
  close(): Promise<void>
  /** The same API with another validator: for tests (testClient). */
  with(validator: Validator): ResourceServer
}

export function resourceServer(options: ResourceServerOptions): ResourceServer {
  const metrics = options.metrics ?? createApiMetrics()
  const { origin } = new URL(options.audience)
  const basePath = checkedBasePath(options.basePath ?? '')
  const deferral = openDeferral({
    store: options.operations ?? memoryOperations(),
    concurrency: options.workers ?? 2,
    timing: options.workTiming ?? {},
    basePath,
    scopes: options.operationScopes ?? null,
  })
  const versions = servedVersions(options.versions, deferral)
  const stalePolicies = [...versions.values()].flatMap((served) => checkedPolicies(served, options.validator))
  const openapi = `${JSON.stringify(openApiDocument({ ...options, served: [...versions.values()] }), null, 2)}\n`
  const onError = options.onError ?? reportToConsole
  const pages = createOperationalPages({
    plan: options.pages ?? {},
    basePath,
    openapi,
    metadata: { path: metadataPath(options.audience), document: JSON.stringify(metadataOf(options)) },
    metrics,
    validator: options.validator,
    stalePolicies,
  })
  const api: ApiContext = {
    name: options.name,
    origin,
    validator: options.validator,
    policy: options.policy ?? null,
    challenge: {
      realm: options.name,
      resourceMetadata: metadataUrl(options.audience),
      insufficientScopeStatus: options.insufficientScopeStatus ?? 401,
    },
    versions,
    basePath,
    sizes: { ...defaultSizes, ...options.sizes },
    quotas: createQuotas(options.quotas ?? memoryQuotas(), { ...defaultQuotaLimits, ...options.limits }, metrics),
    cursors: createCursors(options.cursorSecret ?? randomBytes(32)),
    locks: new KeyedMutex(),
    deferral,
    idempotency: options.idempotency ?? memoryIdempotency(),
    cors: checkedCors(options.cors ?? { origins: [] }),
    pages,
    metrics,
    partition: options.partition ?? partitionByIssuer(options.issuers[0]),
    now: options.now ?? (() => Date.now() as Instant),
    internalError(error, requestId) {
      onError(error, requestId)
      return problem('internal', 'Something went wrong on our side.')
    },
  }
  if ([...versions.values()].some(({ collections }) => collections.has('operations'))) deferral.begin(api)
  return {
    handle: (request) => respond(request, api),
    openapi,
    paths: [...pages.paths, ...[...versions.keys()].map((name) => `${basePath}/${name}/*`)],
    sizes: api.sizes,
    audience: options.audience,
    issuers: options.issuers,
    close: () => deferral.close(),
    with: (validator) => resourceServer({ ...options, metrics, validator }),
  }
}

function checkedPolicies({ collections }: ServedVersion, validator: Validator): readonly StalePolicy[] {
  return [...collections.values()].flatMap(({ name, onStale }) =>
    Object.values(onStale).map((policy) => checkedStalePolicy(validator, policy, name)),
  )
}

async function respond(request: ApiRequest, api: ApiContext): Promise<ApiResponse> {
  const requestId = randomUUID()
  const started = performance.now()
  const { reply, template } = await checkRequest(request, api, requestId).catch((error: unknown) => ({
    reply: err(api.internalError(error, requestId)),
    template: null,
  }))
  const route = template ?? 'none'
  api.metrics.count('rs_requests_total', {
    method: knownMethod(request.method),
    route,
    status: String(statusOfReply(reply)),
  })
  api.metrics.observe('rs_request_seconds', (performance.now() - started) / 1000, { route })
  return renderResponse(reply, request.method, { origin: api.origin, requestId })
}

function servedVersions(plans: readonly ApiVersion[], deferral: Deferral): ReadonlyMap<string, ServedVersion> {
  const versions = new Map<string, ServedVersion>()
  for (const plan of plans) {
    if (versions.has(plan.name)) throw new Error(`version ${plan.name} is declared twice`)
    const operations = deferral.collectionFor(plan.name, plan.collections)
    const all = operations === null ? plan.collections : [...plan.collections, operations]
    const collections = new Map(all.map((collection) => [collection.name, collection]))
    if (collections.size !== all.length) throw new Error(`version ${plan.name} has two collections of one name`)
    versions.set(plan.name, { version: plannedVersion(plan), collections })
  }
  return versions
}

function checkedBasePath(path: string): string {
  if (!/^(?:\/[\w.~-]+)*$/.test(path))
    throw new Error(`basePath ${path}: begins with a slash and does not end with one`)
  return path
}

function metadataOf(options: ResourceServerOptions) {
  const { audience, name, issuers } = options
  return resourceMetadata({
    resource: audience,
    name,
    issuers,
    scopes: allScopes(options.versions),
    // RFC 9728 §2: documentation for people.
    documentation: `${new URL(audience).origin}${options.basePath ?? ''}/${options.pages?.docs === false ? 'openapi.json' : 'docs'}`,
  })
}

/** Every scope an API asks for, sorted. */
function allScopes(versions: readonly { readonly collections: Iterable<Collection> }[]): readonly string[] {
  const needs = versions.flatMap(({ collections }) =>
    [...collections].flatMap(({ scopes, actions }) => [
      ...[scopes.read, scopes.write, scopes.delete].filter((need) => need !== null),
      ...[...actions.values()].map(({ plan }) => plan.scope),
    ]),
  )
  return [...new Set(needs.flatMap(scopesOf))].sort()
}

/** Separates tenants by issuer; `default` is a reserved name, so no tenant can have it. */
function partitionByIssuer(home: string): (caller: Caller) => string {
  return ({ issuer, tenant }) =>
    issuer === home || issuer.startsWith(`${home.replace(/\/$/, '')}/t/`)
      ? (tenant ?? 'default')
      : `${issuer}#${tenant ?? ''}`
}

/** Clients choose the method, so unknown ones share a label: the number of labels must stay bounded. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other'
}
