/** The outcome of an attempt to deliver an event: delivered, to be tried again, given up, or the receiver disabled. */
import type { Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { type DeliveryOutcome, failuresTolerated, type ReceiverHealth, type TakenDelivery } from '@grantor/store'
import type { OutboundError, PostAnswer } from '../ports/outbound.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The pause before the second try, the third and so on: three days in all. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour,
] as const
export const mostTries = pauses.length + 1
/** An older delivery gets no further try, and a receiver that fails for so long is disabled. */
export const longestTrying = 3 * day
const longestRetryAfter = day
const longestRest = 10 * minute
/** How long the record of a delivery is kept. */
const keeping = { delivered: 7 * day, dead: 30 * day }

export interface Attempt {
  readonly answer: Result<PostAnswer, OutboundError | 'unopened' | 'client_disabled'>
  readonly now: Instant
  readonly latency: number | null
  /** Between 0 and 1. */
  readonly random: number
}

const well: ReceiverHealth = { failures: 0, failingSince: null, restUntil: 0 as Instant }

export function judgeAttempt(delivery: TakenDelivery, attempt: Attempt): DeliveryOutcome {
  const { answer, now: at, latency } = attempt
  const status = answer.kind === 'ok' ? answer.value.status : null
  const error = answer.kind === 'error' ? answer.error : null
  const outcome = { at, status, latency, dueAt: null, keepUntil: null, disable: null }
  if (status !== null && status >= 200 && status < 300)
    return { ...outcome, error, state: 'delivered', keepUntil: after(at, keeping.delivered), health: well }
  // The receiver was not called, so it did not fail.
  if (error === 'client_disabled')
    return { ...outcome, error, state: 'dead', keepUntil: after(at, keeping.dead), health: delivery.to }
  const failure = { ...outcome, error: error ?? 'status', health: failing(delivery, attempt) }
  // 410: the receiver is disabled. Its waiting deliveries are kept in case it is enabled again.
  if (status === 410) return { ...failure, state: 'waiting', dueAt: at, disable: 'gone' }
  // RFC 8935 §2.3: a token that is refused would be refused again. But a receiver that refuses all of them refuses us
  // (§2.4).
  const isFutile = delivery.to.kind === 'stream' && status === 400 && delivery.to.failures < failuresTolerated
  const disable = at - (failure.health.failingSince ?? at) >= longestTrying ? 'failing' : null
  if (isFutile || delivery.tries >= mostTries || at - delivery.queuedAt >= longestTrying)
    return { ...failure, disable, state: 'dead', keepUntil: after(at, keeping.dead) }
  const pause = spread(pauses[delivery.tries - 1] ?? day, attempt.random)
  return { ...failure, disable, state: 'waiting', dueAt: after(at, Math.max(pause, askedFor(attempt))) }
}

function failing({ to }: TakenDelivery, attempt: Attempt): ReceiverHealth {
  const failures = to.failures + 1
  const asked = askedFor(attempt)
  // A few failures may be caused by the content; then other deliveries pass. Further ones are caused by the receiver.
  const rest =
    failures < failuresTolerated ? 0 : Math.min(5 * second * 2 ** (failures - failuresTolerated), longestRest)
  return {
    failures,
    failingSince: to.failingSince ?? attempt.now,
    restUntil: after(attempt.now, Math.max(spread(rest, attempt.random), Math.min(asked, longestRest))),
  }
}

/** The milliseconds of the receiver's Retry-After, up to our maximum. */
const askedFor = ({ answer }: Attempt): number =>
  answer.kind === 'ok' ? Math.min((answer.value.retryAfter ?? 0) * second, longestRetryAfter) : 0

/** Varies a pause by a fifth, so that deliveries that failed together are not repeated together. */
export const spread = (pause: number, random: number): number => Math.round(pause * (0.8 + 0.4 * random))

const after = (at: Instant, pause: number): Instant => (at + pause) as Instant
