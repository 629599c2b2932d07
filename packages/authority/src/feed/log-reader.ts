/**
 * The tail of the log that every reader of the feed on this node shares: read once, however many listen. It also holds
 * every message that still matters, which is what a snapshot is made of.
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
  /** Everything committed before `asOf` is at or below it. */
  readonly head: number
  /** When the reading that found `head` began. */
  readonly asOf: Instant
}

export interface LogReader {
  /** From now on reads whenever something was committed, and at every heartbeat anyway. */
  follow(): void
  /** Reads on; callers at the same time share one reading that began after the first of them called. */
  advance(): Promise<LogPosition>
  state(): LogPosition | null
  /** The messages in (after, head], in order; null when the tail does not reach back that far. */
  since(after: number): readonly FeedEntry[] | null
  /** What still kills something at `now`. */
  living(now: Instant): readonly (RevokeMessage | CutoffMessage)[]
  /** Called after every advance. */
  listen(heard: () => void): () => void
  close(): Promise<void>
}

/** Milliseconds. */
export const heartbeat = 5_000
/** Under load every commit wakes us; reading the log more often than this tells nobody anything sooner. */
export const restBetweenReadings = 10
const pageSize = 500
/** Messages kept for readers that fall a little behind; who needs more reads the log. */
const maxRecent = 20_000
/** Validators may accept a token this long beyond its end (their leeway goes up to it), so long its revocation matters. */
const longestLeeway = 300_000

/** A sweep looks at all that is remembered, so it is not done at every step. */
const sweepEvery = 10_000

export interface LogReaderDependencies {
  readonly store: Pick<Store, 'events' | 'epoch'>
  readonly rule: FeedRule
  /** A clock that does not step (see protocol/feed.ts): by it a reading is dated. */
  monotonicClock(): Instant
  /** The time that events are dated by. */
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
   * Reads from the newest event backwards, until nothing older can still end a token: either that is too long ago,
   * or the clock was set back there and all older keys were dropped. Down to that point the log is in the order of
   * time, give or take what clocks may waver.
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
    // The database was restored or replaced, so this is another log, and nothing read of the old one counts.
    if (epoch !== from.epoch || head < from.head) return begin()
    const found: FeedEntry[] = []
    for (let after = from.head; after < head;) {
      const page = await store.events.feed({ pos: after, tenant: null, limit: pageSize })
      found.push(...page.filter((event) => event.pos <= head).flatMap(messageOf))
      after = page.length < pageSize ? head : (page.at(-1)?.pos ?? head)
    }
    const isSetBack = found.some(({ message }) => supersedes(message))
    // Added only now that all is read: a reading that fails half way is made again from the same place.
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

/** `entries` in the order of the log. Those before the clock was set back are about tokens whose keys are dropped. */
function livingOf(entries: readonly FeedEntry[], now: Instant): FeedEntry[] {
  const setBack = entries.findLastIndex(({ message }) => supersedes(message))
  return entries.slice(Math.max(0, setBack)).filter(({ message }) => matters(message, now))
}

/** Key messages do not: keys are read anew with every snapshot. All else does while its tokens could be accepted. */
const matters = (message: FeedMessage, now: Instant): message is RevokeMessage | CutoffMessage =>
  message.kind !== 'key' && message.until + longestLeeway > now
