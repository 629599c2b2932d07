/** Runs a write with an Idempotency-Key once, however often it is sent (draft-ietf-httpapi-idempotency-key-header). */
import { createHash } from 'node:crypto'
import {
  canonicalJson,
  fingerprintOf,
  keptAnswer,
  type KeptAnswer,
  parseIdempotencyKey,
  parseMediaType,
  problem,
  type Problem,
  problemTypes,
} from '@grantor/protocol/http'
import { err, type Err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { apiResponse, type Reply, type RequestHeaders, statusOfReply } from '@grantor/resource/http'
import { isDeferred, needsKey } from '../deferred/policy.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import { keepLease, leaseFrom } from './kept-lease.ts'

const life = 24 * 3_600_000

export interface RunOnceContext {
  readonly store: IdempotencyStore
  readonly headers: RequestHeaders
  now(): Instant
  /** Called when the store fails. */
  onError(error: unknown): void
}

/** Runs the operation, or repeats the answer to the same request before. The caller's scope was checked already. */
export async function runOnce(
  call: OperationRequest,
  around: RunOnceContext,
  run: (call: OperationRequest) => Promise<Reply>,
): Promise<Reply> {
  const key = keyOf(call, around.headers)
  if (key.kind === 'error') return key
  if (key.value === null) return run(call)
  const { store } = around
  const rerun = mayRunAgain(call)
  const { now, intent } = call.context
  const times = { now, leaseUntil: leaseFrom(now), expiresAt: (now + life) as Instant }
  const fingerprint = fingerprintFor(call, around.headers)
  let found
  try {
    found = await store.begin(key.value, { fingerprint, intent, rerun, ...times })
  } catch (error) {
    around.onError(error)
    await releaseUnconfirmed({ store, key: key.value, holder: intent, next: rerun ? 'lost' : 'new' })
    // To run it unprotected would break the promise that the client relies on.
    const headers = { 'retry-after': '1' }
    return err(problem('temporary-reduced-capacity', 'Idempotency keys cannot be looked up.', { headers }))
  }
  if (found.is === 'done') return replayed(found.answer)
  if (found.is === 'reused')
    return err(problem('idempotency-key-reused', 'This key was used for another request, or with another scope.'))
  if (found.is === 'running') return inProgress('A request with this key is running.')
  if (found.is === 'lost' && !rerun)
    return inProgress('A request with this key was cut off; its outcome is unknown.', 'outcome_unknown')
  const held = { ...around, key: key.value, holder: intent }
  const endLease = keepLease(held)
  // A request that takes over a lost key runs with the intent of the first one.
  const mine = found.is === 'lost' ? found.intent : intent
  const reply = await run({ ...call, context: { ...call.context, intent: mine } }).finally(endLease)
  // A failed or earlier run may have created what the intent names: the next run must get the same intent.
  const mayBeDone = found.is === 'lost' || statusOfReply(reply) >= 500
  await completeOrRelease(reply, { ...held, next: rerun && mayBeDone ? 'lost' : 'new' })
  return reply
}

/**
 * Releases a key whose `begin` failed: the store may have begun it all the same, and only its answer was lost. Nothing
 * was run, so a retry must not find the key in use.
 */
async function releaseUnconfirmed({ store, key, holder, next }: Omit<HeldKey, 'onError'>): Promise<void> {
  try {
    await store.release(key, holder, next)
  } catch {
    // The store is away; the failure of `begin` was reported already.
  }
}

/** Where what is made is named by the intent, it is made once however often it runs: deferred work always is. */
const mayRunAgain = (call: OperationRequest): boolean => call.route.collection.idempotency.rerun || isDeferred(call)

interface HeldKey extends Pick<RunOnceContext, 'store' | 'onError'> {
  readonly key: string
  readonly holder: string
  readonly next: 'new' | 'lost'
}

/** The work is done already: if the store fails, a retry cannot be replayed, but this request is answered. */
async function completeOrRelease(reply: Reply, { store, key, holder, next, onError }: HeldKey): Promise<void> {
  const kept = reply.kind === 'ok' ? keptAnswer(reply.value) : null
  try {
    await (kept === null ? store.release(key, holder, next) : store.complete(key, holder, kept))
  } catch (error) {
    onError(error)
  }
}

function replayed({ status, headers, body }: KeptAnswer): Reply {
  return ok(apiResponse(status, { ...headers, 'idempotency-replayed': 'true' }, body))
}

/** null: no key, and none needed; reads ignore keys. A key is bound to its caller, method and route. */
function keyOf(call: OperationRequest, headers: RequestHeaders): Result<string | null, Problem> {
  const { route, method, context } = call
  const { operation, collection, template } = route
  if (operation === 'list' || operation === 'read' || operation === 'view') return ok(null)
  const value = headers.get('idempotency-key')
  if (value === null) {
    return (operation === 'create' && collection.idempotency.required) || needsKey(call)
      ? refused('idempotency-key-missing', 'Send an Idempotency-Key.')
      : ok(null)
  }
  const key = parseIdempotencyKey(value)
  if (key === null)
    return refused('idempotency-key-malformed', 'An Idempotency-Key is a string of 1 to 255 printable characters.')
  const { issuer, clientId, subject, tenant } = context.caller
  const owner = JSON.stringify([issuer, clientId, subject, tenant, method, template, key])
  return ok(createHash('sha256').update(owner).digest('base64url'))
}

/**
 * Includes the token's scope: a handler may show more to a token of wider scope, and its answer is not for a narrower
 * one. A refreshed token has the same scope; with another scope the key is refused, not run anew, as the work may be
 * done.
 */
function fingerprintFor({ route, method, input, context }: OperationRequest, headers: RequestHeaders): string {
  const type = headers.get('content-type')
  const mediaType = type === null ? '' : (parseMediaType(type)?.essence ?? '')
  const more = ['if-match', 'if-none-match', 'prefer'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  const { scope, authorizationDetails } = context.caller
  more.push(`allowed: ${canonicalJson([[...scope].sort(), authorizationDetails])}`)
  return fingerprintOf({ method, path: route.path, mediaType, body: input.body, more })
}

function refused(slug: 'idempotency-key-missing' | 'idempotency-key-malformed', detail: string): Err<Problem> {
  const [code] = problemTypes[slug].codes
  return err(problem(slug, detail, { errors: [{ header: 'idempotency-key', code, detail }] }))
}

function inProgress(detail: string, code = 'idempotency_in_progress'): Err<Problem> {
  return err(problem('idempotency-in-progress', detail, { code, headers: { 'retry-after': '1' } }))
}
