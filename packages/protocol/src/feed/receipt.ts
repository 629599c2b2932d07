/**
 * The receipt of a revocation: which validators have acknowledged it, and when the others stop by themselves.
 *
 * A validator's state is no older than its last message, and the feed is in order: a validator that lacks a
 * revocation lacks everything after it. So it refuses every token, because its state is too old, at the latest when the
 * revocation is as old as the staleness that it allows itself.
 */
import { type FeedCursor } from './feed.ts'
import { parseFeedCursor } from './wire.ts'
import type { Instant } from '../types.ts'

/** POST, under the issuer, with feedScope: `?validator=…&position=…&delay=…&closes_after=…`. */
export const acknowledgementPath = '/revocations/acknowledgements'
/** Request header of the stream in which an acknowledging validator names itself. */
export const validatorHeader = 'grantor-validator'

/** Milliseconds between two acknowledgements of a validator without new messages: for so long it counts as present. */
export const presenceEvery = 60_000
/** Without an acknowledgement for longer than this, and longer than its own bound, a validator no longer counts. */
export const presenceKept = 90_000
/** Milliseconds for which a receipt is available: as long as the longest bound that a validator may name. */
export const receiptKept = 86_400_000
/** Seconds: the longest time that a validator of this feed accepts tokens without news, unless it states another. */
export const longestStaleness = 55

export interface Acknowledgement {
  /** The name of one process, made up by it. */
  readonly validator: string
  /** It has applied everything up to here. */
  readonly position: FeedCursor
  /** Milliseconds since it had. */
  readonly delay: number
  /** Milliseconds without news after which it accepts no more tokens. */
  readonly closesAfter: number
  /** It signs off, and no longer counts. */
  readonly leaves: boolean
}

export const isValidatorName = (text: string): boolean => /^[\w-]{16,64}$/.test(text)

export function encodeAcknowledgement(it: Acknowledgement): URLSearchParams {
  return new URLSearchParams({
    validator: it.validator,
    position: `${it.position.epoch}.${it.position.pos}`,
    delay: String(Math.round(it.delay)),
    closes_after: String(Math.round(it.closesAfter / 1000)),
    ...(it.leaves ? { leaves: 'true' } : {}),
  })
}

/** Returns the name of the first parameter that cannot be read, if any. */
export function parseAcknowledgement(read: (name: string) => string | undefined): Acknowledgement | string {
  const count = (name: string, most: number): number | null => {
    const text = read(name) ?? ''
    return /^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : null
  }
  const validator = read('validator') ?? ''
  const position = parseFeedCursor(read('position') ?? '')
  const delay = count('delay', 3_600_000)
  const seconds = count('closes_after', receiptKept / 1000)
  if (!isValidatorName(validator)) return 'validator'
  if (position === null) return 'position'
  if (delay === null) return 'delay'
  if (seconds === null) return 'closes_after'
  return { validator, position, delay, closesAfter: seconds * 1000, leaves: read('leaves') === 'true' }
}

/** One validator, or several connections that never acknowledge, with their state regarding one revocation. */
export interface KnownValidator {
  readonly connections: number
  /** False if it never acknowledged anything: an older validator, or another reader. */
  readonly acknowledges: boolean
  readonly hasHeard: boolean
  /**
   * When it applied the revocation, at the latest; null where it has not acknowledged it, or so long ago that the time
   * is not kept.
   */
  readonly heardAt: Instant | null
  readonly closesAfter: number
}

export interface RevocationReceipt {
  /** All validators that read the feed at the time of the revocation. */
  readonly validators: number
  readonly acknowledged: number
  /**
   * Milliseconds until the last of these had applied it or refused everything; null where none has, or the time is no
   * longer known.
   */
  readonly slowest: number | null
  /** Have not acknowledged it, and may still use their old state. */
  readonly waiting: number
  /** Have not acknowledged it, and refuse everything now, because their own bound has passed. */
  readonly closed: number
  /** Of those two groups, the ones that never acknowledge anything. */
  readonly notAcknowledging: number
  /** When the last of those that have not acknowledged refuses everything; null where all have acknowledged. */
  readonly closesAt: Instant | null
}

export function revocationReceipt(
  revokedAt: Instant,
  known: readonly KnownValidator[],
  now: Instant,
): RevocationReceipt {
  const count = (those: readonly KnownValidator[]): number => those.reduce((sum, it) => sum + it.connections, 0)
  const heard = known.filter(({ hasHeard }) => hasHeard)
  // A validator that acknowledges late has meanwhile refused everything by its own bound.
  const delays = heard.flatMap(({ heardAt, closesAfter }) =>
    heardAt === null ? [] : [Math.min(Math.max(0, heardAt - revokedAt), closesAfter)],
  )
  const silent = known.filter(({ hasHeard }) => !hasHeard)
  const ends = silent.map(({ closesAfter }) => revokedAt + closesAfter)
  const waiting = silent.filter(({ closesAfter }) => revokedAt + closesAfter > now)
  return {
    validators: count(known),
    acknowledged: count(heard),
    slowest:
      delays.length < heard.length || heard.length === 0 ? null : delays.reduce((one, other) => Math.max(one, other)),
    waiting: count(waiting),
    closed: count(silent) - count(waiting),
    notAcknowledging: count(silent.filter(({ acknowledges }) => !acknowledges)),
    closesAt: ends.length === 0 ? null : (ends.reduce((one, other) => Math.max(one, other)) as Instant),
  }
}
