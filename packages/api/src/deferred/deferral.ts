/** Deferred work: accepted with 202 after all checks that can refuse the request, and done by a worker. */
import { randomUUID } from 'node:crypto'
import { type KeptAnswer, problem, type Problem } from '@grantor/protocol/http'
import { err, type Err, ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { ScopeNeed, Validator } from '@grantor/resource'
import { jsonResponse, renderResponse, type Reply, scopesOf } from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { act, checkAct, checkCreate, create } from '../operations/write.ts'
import type { Route, ServedVersion } from '../serve/routes.ts'
import { callerOf, ownerOf } from './caller.ts'
import { newOperation, offeredKinds, operationId } from './new-operation.ts'
import { hasEnded, type OperationRecord, type OperationStore } from './operation-store.ts'
import {
  lookAgain,
  operationsCollection,
  type OperationsPlan,
  resultOf,
  shownOperation,
} from './operations-collection.ts'
import { DeferredWorker, type Job, usualTiming, type WorkerTiming } from './worker.ts'

export interface DeferralOptions {
  readonly store: OperationStore
  readonly concurrency: number
  readonly timing: Partial<WorkerTiming>
  readonly basePath: string
  readonly scopes: OperationsPlan['also']
}

/** The parts of the API that deferred work needs. */
export interface WorkContext extends Pick<OperationRequest, 'cursors' | 'locks'> {
  readonly origin: string
  readonly validator: Validator
  readonly versions: ReadonlyMap<string, ServedVersion>
  readonly basePath: string
  now(): Instant
  internalError(error: unknown, requestId: string): Problem
}

export interface Deferral {
  /** The collection `operations` of a version; null where nothing in it can be deferred. */
  collectionFor(version: string, collections: readonly Collection[]): Collection | null
  /** 202, or the outcome where the client waits and the work ends in time. */
  defer(request: OperationRequest): Promise<Reply>
  /** Starts the worker, once the API that does the work exists. */
  begin(api: WorkContext): void
  close(): Promise<void>
}

/** Seconds that a client may wait at most (`Prefer: wait`). */
const longestWait = 30

export function openDeferral({ store, concurrency, timing: given, basePath, scopes: also }: DeferralOptions): Deferral {
  const timing = { ...usualTiming, ...given }
  let worker: DeferredWorker | null = null
  let context: WorkContext | null = null
  return {
    collectionFor(version, collections) {
      const scopes = collections.flatMap(deferringScopes)
      if (scopes.length === 0) return null
      const base = `${basePath}/${version}`
      const canceled = (id: string) => worker?.cancel(id)
      return operationsCollection({ store, scopes, also, base, keep: timing.keep, canceled })
    },
    async defer(request) {
      const report = (error: unknown) => void context?.internalError(error, request.context.requestId)
      const away = (error: unknown): Err<Problem> => {
        report(error)
        const headers = { 'retry-after': '1' }
        return err(problem('temporary-reduced-capacity', 'Work cannot be accepted now.', { headers }))
      }
      const before = await begunBefore(request, store).then(ok, away)
      if (before.kind === 'error') return before
      // Not for an operation that exists already: what it did may itself make the checks fail now.
      const refused = before.value === null ? await refusedAtOnce(request) : null
      if (refused !== null) return err(refused)
      const added = await (async () => store.add(newOperation(request)))().then(ok, away)
      if (added.kind === 'error') return added
      worker?.wake()
      // The work is accepted: if the store fails now, the client does not get the outcome, but still its 202.
      const ended = await waited(request, added.value.id, store).catch(report)
      return ended ?? accepted(request, added.value)
    },
    begin(api) {
      context = api
      worker ??= new DeferredWorker({
        store,
        concurrency,
        kinds: offeredKinds(api.versions),
        timing,
        now: api.now,
        run: (operation, job) => perform(operation, job, api),
        abandoned: (operation, why) => rendered(err(abandonedBecause[why]), operation, api),
        mayWork: () => api.validator.knowsRevocations?.() ?? api.validator.ready(),
        isRevoked: ({ request }) => api.validator.isRevoked?.(callerOf(request.caller)) === true,
        onError: (error, operation) => void api.internalError(error, operation?.request.requestId ?? randomUUID()),
      })
    },
    close: async () => worker?.close(),
  }
}

function deferringScopes({ deferred, scopes, actions }: Collection): readonly string[] {
  const needs: (ScopeNeed | null)[] = [
    deferred === null ? null : scopes.write,
    ...[...actions.values()].map(({ plan }) => (plan.deferred === undefined ? null : plan.scope)),
  ]
  return needs.flatMap((need) => (need === null ? [] : scopesOf(need)))
}

const abandonedBecause: Readonly<Record<'timeout' | 'attempts' | 'revoked', Problem>> = {
  timeout: problem('upstream-timeout', 'The work took too long and was given up.', { code: 'operation_timeout' }),
  attempts: problem('internal', 'The work was begun several times and never came to an end.'),
  revoked: problem('forbidden', 'What allowed this work was revoked before it was done.', {
    code: 'authorization_revoked',
  }),
}

/** The refusal of a request that cannot be accepted; failures during the work are part of its outcome. */
async function refusedAtOnce(request: OperationRequest): Promise<Problem | null> {
  const checked = request.route.operation === 'create' ? checkCreate(request) : await checkAct(request)
  return checked.kind === 'error' ? checked.error : null
}

/** The existing operation, where this is a retry of a request that was cut off: any other has a new intent. */
async function begunBefore({ context }: OperationRequest, store: OperationStore): Promise<OperationRecord | null> {
  const { intent, requestId, now } = context
  return intent === requestId ? null : store.find(ownerOf(context), operationId(intent), now)
}

/** RFC 7240 §4.3. The outcome; null where the client does not wait, or the work takes longer. */
async function waited(request: OperationRequest, id: string, store: OperationStore): Promise<Reply | null> {
  const asked = [...request.input.prefer].find((one) => /^wait=\d{1,9}$/.test(one))
  const until = performance.now() + 1000 * Math.min(longestWait, Number(asked?.slice('wait='.length) ?? 0))
  const { context } = request
  while (performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    const found = await store.find(ownerOf(context), id, context.now)
    if (found !== null && hasEnded(found)) return resultOf(found)
  }
  return null
}

function accepted({ route: { root }, input }: OperationRequest, record: OperationRecord): Reply {
  return ok(
    jsonResponse(202, shownOperation(record, root), {
      location: `${root}/operations/${record.id}`,
      'retry-after': String(lookAgain),
      'cache-control': 'no-store',
      vary: 'Prefer',
      ...(input.prefer.has('respond-async') ? { 'preference-applied': 'respond-async' } : {}),
    }),
  )
}

/** The answer that the same handlers would have given to the request at once. */
async function perform(operation: OperationRecord, job: Job, api: WorkContext): Promise<KeptAnswer> {
  const request = requestOf(operation, job, api)
  if (request === null) return rendered(err(problem('not-found', 'This is not offered any more.')), operation, api)
  const reply = await (request.route.operation === 'create' ? create : act)(request).catch((error: unknown) =>
    err(api.internalError(error, operation.request.requestId)),
  )
  return rendered(reply, operation, api)
}

function requestOf({ request, tenant }: OperationRecord, job: Job, api: WorkContext): OperationRequest | null {
  const served = api.versions.get(request.version)
  const collection = served?.collections.get(request.collection)
  const action = request.action === null ? null : (collection?.actions.get(request.action) ?? undefined)
  if (served === undefined || collection === undefined || action === undefined) return null
  const scope = action === null ? collection.scopes.write : action.plan.scope
  if (scope === null) return null
  const { path, body, prefer, requestId, intent } = request
  const route: Route = {
    operation: action === null ? 'create' : 'act',
    collection,
    version: served.version,
    id: request.item,
    action,
    view: null,
    scope,
    template: path,
    path,
    root: `${api.basePath}/${request.version}`,
  }
  return {
    method: 'POST',
    route,
    input: { query: null, body, conditions: noConditions, prefer: new Set(prefer) },
    context: { caller: callerOf(request.caller), tenant, now: api.now(), requestId, intent, ...job },
    cursors: api.cursors,
    locks: api.locks,
    search: '',
  }
}

const noConditions = { ifMatch: null, ifNoneMatch: null, ifModifiedSince: null, ifUnmodifiedSince: null }

const keptHeaders = new Set(['content-type', 'location', 'etag', 'last-modified', 'link'])

function rendered(reply: Reply, { request }: OperationRecord, { origin }: WorkContext): KeptAnswer {
  const { status, headers, body } = renderResponse(reply, 'POST', { origin, requestId: request.requestId })
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.has(name))
  return { status, headers: Object.fromEntries(kept), body }
}
