/**
 * The tail of the log, read once for all readers of the feed on this node. It also keeps every message that still
 * matters, from which a snapshot is made.
 */
import type { SealedEvent } from '@grantor/protocol/events'
import {
  type CutoffMessage,
  type FeedMessage,
  type FeedRule,
  feedMessage,
  type RevokeMessage,
} from '@grantor/protocol/feed'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { openLoop } from '../background/loop.ts'
import type { Clock } from '../ports/environment.ts'

export interface FeedEntry {
  readonly pos: number
  readonly message: FeedMessage
}

export interface LogPosition {
  readonly epoch: string
  /** The position of the last event read: everything committed before `asOf` is at or below it. */
  readonly head: number
  /** When the read that found `head` began. */
  readonly asOf: Instant
}

export interface LogReader {
  /** From now on reads whenever an event was committed, and at every heartbeat. */
  follow(): void
  /** Reads the new events; concurrent callers share one read that began after the first of them called. */
  advance(): Promise<LogPosition>
  state(): LogPosition | null
  /** The messages in (after, head], in order; null when the tail does not reach back that far. */
  since(after: number): readonly FeedEntry[] | null
  /** The messages that still revoke something at `now`. */
  living(now: Instant): readonly (RevokeMessage | CutoffMessage)[]
  /** Called after every advance. */
  listen(heard: () => void): () => void
  close(): Promise<void>
}

/** Milliseconds. */
export const heartbeat = 5_000
/** Under load every commit wakes the loop; reading the log more often than this would inform nobody sooner. */
export const restBetweenReadings = 10
const pageSize = 500
/** Messages kept for readers that are slightly behind; readers further behind read the log. */
const maxRecent = 20_000
/**
 * Validators may accept a token this long after it expired (their leeway goes up to it), so its revocation matters
 * until then.
 */
const longestLeeway = 300_000

/** A sweep checks every remembered message, so it does not run at every read. */
const sweepEvery = 10_000

export interface LogReaderDependencies {
  readonly store: Pick<Store, 'events' | 'epoch'>
  readonly rule: FeedRule
  /** A clock that does not step (see protocol/feed.ts), which dates the reads. */
  monotonicClock(): Instant
  /** The clock that dates the events. */
  readonly clock: Pick<Clock, 'now'>
}

export function openLogReader({ store, rule, clock, monotonicClock }: LogReaderDependencies): LogReader {
  let state: LogPosition | null = null
  let recent: FeedEntry[] = []
  let recentFrom = 0
  let living: FeedEntry[] = []
  let sweptAt = 0
  const listeners = new Set<() => void>()
  const watch = (wake: () => void) => store.events.watch(wake)
  const loop = openLoop(read, { every: heartbeat, watch, rest: restBetweenReadings })

  const messageOf = (event: SealedEvent): readonly FeedEntry[] => {
    const message = feedMessage(event, rule)
    return message === null ? [] : [{ pos: event.pos, message }]
  }

  /**
   * Reads from the newest event backwards, until no older one can still affect a token: either it is too old, or the
   * clock was set back there and all older keys were dropped. Down to that point the log is in the order of time,
   * within the tolerated skew.
   */
  async function begin(): Promise<LogPosition> {
    const asOf = monotonicClock()
    const head = await store.events.position()
    const oldest = clock.now() - rule.longestTokenLife * 1000 - longestLeeway - mostSkew
    const found: FeedEntry[] = []
    for (let pos = head; ;) {
      const page = await store.events.feedBefore({ pos, limit: pageSize })
      found.push(...page.flatMap(messageOf))
      const last = page.at(-1)
      if (last === undefined || last.at < oldest || page.some(({ name }) => name === 'clock.set_back')) break
      pos = last.pos - 1
    }
    living = livingOf(found.toReversed(), clock.now())
    recent = []
    recentFrom = head
    return { epoch: await store.epoch(), head, asOf }
  }

  async function readOn(from: LogPosition): Promise<LogPosition> {
    const asOf = monotonicClock()
    const epoch = await store.epoch()
    const head = await store.events.position()
    // The database was restored or replaced: this is another log, and everything read of the old one is discarded.
    if (epoch !== from.epoch || head < from.head) return begin()
    const found: FeedEntry[] = []
    for (let after = from.head; after < head;) {
      const page = await store.events.feed({ pos: after, tenant: null, limit: pageSize })
      found.push(...page.filter((event) => event.pos <= head).flatMap(messageOf))
      after = page.length < pageSize ? head : (page.at(-1)?.pos ?? head)
    }
    const isSetBack = found.some(({ message }) => supersedes(message))
    // Added only when everything is read: a read that fails halfway is repeated from the same position.
    for (const message of found) {
      recent.push(message)
      living.push(message)
    }
    if (recent.length > maxRecent) {
      recent = recent.slice(-maxRecent / 2)
      recentFrom = (recent[0]?.pos ?? head) - 1
    }
    if (isSetBack || asOf > sweptAt + sweepEvery) {
      living = livingOf(living, clock.now())
      sweptAt = asOf
    }
    return { epoch, head, asOf }
  }

  async function read(): Promise<void> {
    state = state === null ? await begin() : await readOn(state)
    for (const heard of listeners) heard()
  }

  return {
    follow: loop.begin,
    async advance() {
      await loop.run()
      if (state === null) throw new Error('the log is read no more')
      return state
    },
    state: () => state,
    // Searched from the end: there may be thousands of readers, and nearly all are close behind.
    since: (after) => (after < recentFrom ? null : recent.slice(recent.findLastIndex(({ pos }) => pos <= after) + 1)),
    living: (now) => living.map(({ message }) => message).filter((message) => matters(message, now)),
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    close() {
      listeners.clear()
      return loop.close()
    },
  }
}

const supersedes = (message: FeedMessage): boolean => message.kind === 'cutoff' && message.supersedes !== undefined

/**
 * The messages that still matter, in the order of the log. Messages before a set-back of the clock concern tokens whose
 * keys are dropped.
 */
function livingOf(entries: readonly FeedEntry[], now: Instant): FeedEntry[] {
  const setBack = entries.findLastIndex(({ message }) => supersedes(message))
  return entries.slice(Math.max(0, setBack)).filter(({ message }) => matters(message, now))
}

/**
 * Whether a message must be kept. Key messages need not: keys are read anew for every snapshot. Others must, while the
 * tokens they concern could be accepted.
 */
const matters = (message: FeedMessage, now: Instant): message is RevokeMessage | CutoffMessage =>
  message.kind !== 'key' && message.until + longestLeeway > now
