/** A write that carries an Idempotency-Key happens once, however often it is sent (DECISIONS §4). */
import { createHash } from 'node:crypto'
import {
  fingerprintOf,
  isProblem,
  keptAnswer,
  type KeptAnswer,
  parseIdempotencyKey,
  parseMediaType,
  problem,
  type Problem,
} from '@grantor/protocol/http'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { type Answer, answer, type Headers, type Reply } from '@grantor/resource/http'
import type { Call } from '../operations/operation-call.ts'
import type { IdempotencyStore } from './idempotency-store.ts'

const lease = 30_000
const life = 24 * 3_600_000

export interface Once {
  readonly store: IdempotencyStore
  readonly headers: Headers
  /** A store that is away while something is to be noted down. */
  fault(error: unknown): void
}

/** Runs the operation, or answers with what the same request was answered before. Everyone who gets here may do it. */
export async function once(call: Call, around: Once, run: (call: Call) => Promise<Reply>): Promise<Reply> {
  const key = keyOf(call, around.headers)
  if (key.kind === 'error') return key.error
  if (key.value === null) return run(call)
  const { store } = around
  const { rerun } = call.route.collection.idempotency
  const { now, intent } = call.context
  const times = { now, leaseUntil: (now + lease) as Instant, expiresAt: (now + life) as Instant }
  const fingerprint = fingerprintFor(call, around.headers)
  let found
  try {
    found = await store.begin(key.value, { fingerprint, intent, rerun, ...times })
  } catch (error) {
    around.fault(error)
    // To run it unprotected would break the promise that the client relies on.
    return problem('temporary-reduced-capacity', 'Idempotency keys cannot be looked up.', {
      headers: { 'retry-after': '1' },
    })
  }
  if (found.is === 'done') return replayed(found.answer)
  if (found.is === 'reused') return problem('idempotency-key-reused', 'This key was used for another request.')
  if (found.is === 'running') return inProgress('A request with this key is running.')
  if (found.is === 'lost' && !rerun)
    return inProgress('A request with this key was cut off; its outcome is unknown.', 'outcome_unknown')
  const mine = found.is === 'lost' ? found.intent : intent
  const reply = await run({ ...call, context: { ...call.context, intent: mine } })
  await settle(reply, { ...around, key: key.value, intent: mine })
  return reply
}

/** The work is done by now: a store that is away costs the replay, not the answer. */
async function settle(
  reply: Reply,
  { store, key, intent, fault }: Once & { key: string; intent: string },
): Promise<void> {
  const kept = isProblem(reply) ? null : keptAnswer(reply)
  try {
    if (kept === null) await store.release(key, intent)
    else await store.complete(key, intent, kept)
  } catch (error) {
    fault(error)
  }
}

function replayed({ status, headers, body }: KeptAnswer): Answer {
  return answer(status, { ...headers, 'idempotency-replayed': 'true' }, body)
}

/** null: no key, and none needed. Reads ignore it. A key belongs to who sent it and what for, never to anyone else. */
function keyOf({ route, method, context }: Call, headers: Headers): Result<string | null, Problem> {
  const { operation, collection, template } = route
  if (operation === 'list' || operation === 'read') return ok(null)
  const value = headers.get('idempotency-key')
  if (value === null) {
    return operation === 'create' && collection.idempotency.required
      ? refused('idempotency_key_missing', 'Send an Idempotency-Key.')
      : ok(null)
  }
  const key = parseIdempotencyKey(value)
  if (key === null)
    return refused('idempotency_key_malformed', 'An Idempotency-Key is a string of 1 to 255 characters.')
  const { issuer, clientId, subject, tenant } = context.caller
  const sender = JSON.stringify([issuer, clientId, subject, tenant, method, template, key])
  return ok(createHash('sha256').update(sender).digest('base64url'))
}

function fingerprintFor({ route, method, input }: Call, headers: Headers): string {
  const type = headers.get('content-type')
  const mediaType = type === null ? '' : (parseMediaType(type)?.essence ?? '')
  const more = ['if-match', 'if-none-match', 'prefer'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return fingerprintOf({ method, path: route.path, mediaType, body: input.body, more })
}

function refused(code: string, detail: string): Err<Problem> {
  const errors = [{ header: 'idempotency-key', code, detail }]
  return err(problem('idempotency-key-missing', detail, { code, errors }))
}

function inProgress(detail: string, code = 'idempotency_in_progress'): Problem {
  return problem('idempotency-in-progress', detail, { code, headers: { 'retry-after': '1' } })
}
