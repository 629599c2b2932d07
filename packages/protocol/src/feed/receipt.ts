/**
 * The receipt of a revocation: which validators have said that they heard of it, and when the others stop by themselves.
 *
 * A validator's state is no older than what it last heard, and the feed is in order: whoever has not heard of a
 * revocation has heard of nothing after it. So it refuses every token, for want of news, at the latest when the
 * revocation is as old as the staleness that it allows itself.
 */
import { type FeedCursor } from './feed.ts'
import { parseFeedCursor } from './wire.ts'
import type { Instant } from '../types.ts'

/** POST, under the issuer, with feedScope: `?validator=…&position=…&delay=…&closes_after=…`. */
export const acknowledgementPath = '/revocations/acknowledgements'
/** Request header of the stream by which a validator that acknowledges says who it is. */
export const validatorHeader = 'grantor-validator'

/** Milliseconds between two acknowledgements of a validator that has heard nothing: so long, it counts as there. */
export const presenceEvery = 60_000
/** Beyond this without a word, and beyond its own bound, a validator is none any more. */
export const presenceKept = 90_000
/** Milliseconds that a receipt can be had for: as long as the longest bound that a validator may name. */
export const receiptKept = 86_400_000
/** Seconds: the longest that a validator of this feed goes on without news unless it says otherwise. */
export const longestStaleness = 55

export interface Acknowledgement {
  /** Of one process, made up by it. */
  readonly validator: string
  /** Up to here it has applied everything. */
  readonly position: FeedCursor
  /** Milliseconds ago that it had. */
  readonly delay: number
  /** Milliseconds without news after which it accepts nothing more. */
  readonly closesAfter: number
  /** It goes, and is to be waited for no longer. */
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

/** The name of the parameter that cannot be read, where one cannot. */
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

/** One validator, or several connections that never acknowledge, as far as they bear on one revocation. */
export interface KnownValidator {
  readonly connections: number
  /** False where nothing was ever acknowledged: an older validator, or another reader. */
  readonly acknowledges: boolean
  readonly hasHeard: boolean
  /** When it had, at the latest; null where it has not said so, or so long ago that this is not kept. */
  readonly heardAt: Instant | null
  readonly closesAfter: number
}

export interface RevocationReceipt {
  /** All that read the feed when it was revoked. */
  readonly validators: number
  readonly acknowledged: number
  /** Milliseconds until the last of these had heard or refused everything; null where none has, or it is not known any more. */
  readonly slowest: number | null
  /** Have not acknowledged, and may still go by what they knew. */
  readonly waiting: number
  /** Have not acknowledged, and refuse everything by now: their own bound is over. */
  readonly closed: number
  /** Of those two, the ones that never acknowledge anything. */
  readonly notAcknowledging: number
  /** When the last of those that have not acknowledged refuses everything; null where all have. */
  readonly closesAt: Instant | null
}

export function revocationReceipt(
  revokedAt: Instant,
  known: readonly KnownValidator[],
  now: Instant,
): RevocationReceipt {
  const count = (those: readonly KnownValidator[]): number => those.reduce((sum, it) => sum + it.connections, 0)
  const heard = known.filter(({ hasHeard }) => hasHeard)
  // Who wakes up late has refused everything by its own bound meanwhile.
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
