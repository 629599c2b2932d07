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
  /** The resource identifier that tokens must be meant for, an https URL; also where the API is reached. */
  readonly audience: string
  /** What every path begins with, where the API does not stand at the root: `/t/acme`. */
  readonly basePath?: string
  /** Who issues tokens for it; the first is at home here (see `partition`). */
  readonly issuers: readonly [string, ...string[]]
  readonly validator: Validator
  readonly versions: readonly [ApiVersion, ...ApiVersion[]]
  /** 401 by docs/conventions.md; 403 for readers of RFC 6750. */
  readonly insufficientScopeStatus?: 401 | 403
  /**
   * A policy service that is asked of every operation once token and scope suffice; left out, none is. Where it does not
   * say otherwise, `action` is the operation and `resource` the collection with the id, or `*`.
   */
  readonly policy?: RoutePolicy
  readonly sizes?: Partial<SizeLimits>
  readonly quotas?: QuotaStore
  /** In memory where left out: then a restart forgets the keys. */
  readonly idempotency?: IdempotencyStore
  /** Where deferred work is kept; in memory where left out: then a restart forgets it. */
  readonly operations?: OperationStore
  /** What else may look at one's own operations, beside the scopes of what is deferred; and cancel them. */
  readonly operationScopes?: { readonly read: string; readonly write: string }
  /** How much deferred work this process does at once: 2. 0 leaves it to others. */
  readonly workers?: number
  readonly workTiming?: Partial<WorkerTiming>
  readonly limits?: Partial<QuotaLimits>
  /** Shared by all nodes of this API; made up by the process where left out. */
  readonly cursorSecret?: Uint8Array
  readonly cors?: CorsPlan
  readonly pages?: OperationalPagesPlan
  readonly metrics?: ApiMetrics
  /** Which data a caller's tenant has. By default the tenant; tenants of other issuers are kept apart by issuer. */
  readonly partition?: (caller: Caller) => string
  readonly now?: () => Instant
  /** A fault of ours: the answer has the id and nothing else, so this is where the error goes. */
  readonly onError?: (error: unknown, requestId: string) => void
}

export interface ResourceServer {
  handle(request: ApiRequest): Promise<ApiResponse>
  /** The description, as served at /openapi.json: the same declaration gives the same bytes. */
  readonly openapi: string
  /** For adapters: the paths that belong to it, `*` at the end meaning any rest. */
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
    // RFC 9728 §2: for people.
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

/** The tenants of an issuer are kept apart; `default` is a reserved name, so it cannot be another tenant's. */
function partitionByIssuer(home: string): (caller: Caller) => string {
  return ({ issuer, tenant }) =>
    issuer === home || issuer.startsWith(`${home.replace(/\/$/, '')}/t/`)
      ? (tenant ?? 'default')
      : `${issuer}#${tenant ?? ''}`
}

/** A client chooses the method it sends; a label must not grow with its fancy. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other'
}
