/**
 * Serves the feed to further validators, from the one connection that a validator has. Messages are passed on
 * unchanged, as is the issuer's signed snapshot; only their freshness is stated anew, by the clock of this process.
 *
 * The events are complete up to `knownUpTo` (monotonic, see staleness.ts), whatever became of the connection since. A
 * heartbeat to a reader names that moment, and `hello` the present one, by the same clock: so a reader knows the true
 * age of the events, and when the issuer is away it stops accepting tokens as soon as it would without a relay.
 */
import type { FeedCursor, FeedFrame, FeedMessage } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import type { WholeResponse } from '../issuer/outbound.ts'
import { systemTime, type Time } from '../time.ts'
import type { Freshness, RevocableToken, RevocationSource } from './revocation-source.ts'

/** The feed that a relay reads: that of a validator. */
interface RelayedFeed extends Required<RevocationSource> {
  /** The signed snapshot as text; null where it cannot be had. */
  fetchSnapshot(): Promise<string | null>
}

/** Hands on an acknowledgement unchanged, with the token of the validator that sent it. */
type HandOn = (query: string, authorization: string) => Promise<WholeResponse | null>

type SendFrames = (frames: readonly FeedFrame[]) => void

interface Reader {
  /** The position up to which it was sent everything. */
  pos: number
  readonly send: SendFrames
}

/** Beyond this the oldest events are forgotten; a reader that asks for them starts over with a snapshot. */
const mostEvents = 100_000
/** Milliseconds that a reader waits if its snapshot is ahead of the events that arrived here. */
const longestCatchUp = 5000
/** Milliseconds: so thousands of readers that start over at once cost the issuer one snapshot. */
const snapshotKept = 5000

export class FeedRelay implements RevocationSource {
  readonly #time: Time
  /** Added to monotonic time, it gives a time of day that never steps. */
  readonly #origin: number
  readonly #readers = new Set<Reader>()
  readonly #waiting = new Set<() => void>()
  #upstream: RelayedFeed | null = null
  #handOn: HandOn | null = null
  /** Added to the revision of the feed, so that the sum is a new number when another feed is attached. */
  #revisionsBefore = 0
  #hello: { readonly heartbeat: number; readonly retention: number } | null = null
  #start: FeedCursor | null = null
  #head = 0
  #events: { readonly pos: number; readonly message: FeedMessage }[] = []
  #knownUpTo = -Infinity
  #snapshot: { readonly at: number; readonly text: Promise<string | null> } | null = null

  constructor(time: Time = systemTime) {
    this.#time = time
    this.#origin = time.now() - time.monotonic()
  }

  /** Called by the validator that is given this relay. */
  attach(upstream: RelayedFeed, handOn: HandOn): void {
    this.#revisionsBefore = this.revision() + 1
    this.#upstream = upstream
    this.#handOn = handOn
  }

  isRevoked(token: RevocableToken): boolean {
    return this.#upstream?.isRevoked(token) === true
  }

  revision(): number {
    return this.#revisionsBefore + (this.#upstream?.revision() ?? 0)
  }

  hasNewsOf(token: RevocableToken, since: number): boolean {
    return this.#upstream?.hasNewsOf(token, since) === true
  }

  freshness(): Freshness {
    return this.#upstream?.freshness() ?? 'cold'
  }

  age(): number {
    return this.#upstream?.age() ?? Infinity
  }

  /** The feed starts over at a snapshot, so single events from before it are not known here. */
  begin(cursor: FeedCursor): void {
    const reason = this.#start?.epoch === cursor.epoch ? 'retention' : 'epoch'
    this.#start = cursor
    this.#head = cursor.pos
    this.#events = []
    this.#snapshot = null
    const readers = [...this.#readers]
    this.#readers.clear()
    for (const { send } of readers) send([{ kind: 'reset', reason }])
  }

  /** Keeps a frame that left no gap. */
  take(frame: FeedFrame): void {
    if (frame.kind === 'hello') this.#hello = { heartbeat: frame.heartbeat, retention: frame.retention }
    if (frame.kind === 'hello' || frame.kind === 'reset' || frame.pos <= this.#head) return
    if (frame.kind === 'event') this.#events.push({ pos: frame.pos, message: frame.message })
    this.#head = frame.pos
  }

  /** Sends readers the frames that were taken since the last call. */
  flush(knownUpTo: number): void {
    const isFresher = knownUpTo > this.#knownUpTo
    this.#knownUpTo = knownUpTo
    // Nearly all readers are at the same position, and get the same frames.
    const byPosition = new Map<number, readonly FeedFrame[]>()
    for (const reader of this.#readers) {
      const frames = byPosition.get(reader.pos) ?? this.#framesAfter(reader.pos, isFresher)
      byPosition.set(reader.pos, frames)
      if (frames.length > 0) reader.send(frames)
      reader.pos = this.#lastOf(frames) ?? reader.pos
    }
    // Events are forgotten only after readers were sent theirs: a reader behind would miss them without knowing.
    if (this.#events.length > mostEvents) this.#forget(mostEvents / 2)
    for (const wake of this.#waiting) wake()
  }

  /** Sends frames from `after` on, until the returned function is called or a `reset` was sent. */
  async open(after: FeedCursor | null, send: SendFrames): Promise<(() => void) | 'unavailable'> {
    if (!(await this.#reaches(after))) return 'unavailable'
    const reset = this.#resetFor(after)
    if (reset !== null || after === null) {
      send([reset ?? lost])
      return () => {}
    }
    const frames = this.#framesAfter(after.pos, true)
    const reader: Reader = { pos: this.#lastOf(frames) ?? after.pos, send }
    send([...this.#greeting(), ...frames])
    this.#readers.add(reader)
    return () => void this.#readers.delete(reader)
  }

  /** The same as a page: returned at once where there are events, else within `wait` milliseconds. */
  async page(after: FeedCursor | null, wait: number): Promise<readonly FeedFrame[] | 'unavailable'> {
    if (!(await this.#reaches(after))) return 'unavailable'
    const greeting = this.#greeting()
    const begun = this.#start
    if (after !== null && this.#resetFor(after) === null && wait > 0)
      await this.#until(() => this.#start !== begun || this.#framesAfter(after.pos, false).length > 0, wait)
    const reset = this.#resetFor(after)
    return reset === null && after !== null ? [...greeting, ...this.#framesAfter(after.pos, true)] : [reset ?? lost]
  }

  /** The snapshot as the issuer signed it. */
  async snapshot(): Promise<string | null> {
    const now = this.#time.monotonic()
    if (this.#snapshot === null || now - this.#snapshot.at > snapshotKept)
      this.#snapshot = { at: now, text: this.#upstream?.fetchSnapshot() ?? Promise.resolve(null) }
    const asked = this.#snapshot
    const text = await asked.text
    if (text === null && this.#snapshot === asked) this.#snapshot = null
    return text
  }

  acknowledge(query: string, authorization: string): Promise<WholeResponse | null> {
    return this.#handOn?.(query, authorization) ?? Promise.resolve(null)
  }

  #forget(count: number): void {
    const last = this.#events[count - 1]
    if (this.#start === null || last === undefined) return
    this.#start = { epoch: this.#start.epoch, pos: last.pos }
    this.#events = this.#events.slice(count)
  }

  #asOf(monotonic: number): Instant {
    return Math.floor(this.#origin + monotonic) as Instant
  }

  #greeting(): readonly FeedFrame[] {
    if (this.#hello === null || this.#start === null) return []
    // Rounded up, so that the events never appear younger than they are.
    const asOf = (this.#asOf(this.#time.monotonic()) + 1) as Instant
    return [{ kind: 'hello', epoch: this.#start.epoch, head: this.#head, asOf, ...this.#hello }]
  }

  #framesAfter(pos: number, withHeartbeat: boolean): readonly FeedFrame[] {
    const epoch = this.#start?.epoch
    if (epoch === undefined) return []
    let first = this.#events.length
    while (first > 0 && (this.#events[first - 1]?.pos ?? 0) > pos) first -= 1
    let after = pos
    const frames: FeedFrame[] = []
    for (const event of this.#events.slice(first)) {
      frames.push({ kind: 'event', epoch, pos: event.pos, after, message: event.message })
      after = event.pos
    }
    if (withHeartbeat && this.#knownUpTo > -Infinity)
      frames.push({ kind: 'hb', epoch, pos: this.#head, after, asOf: this.#asOf(this.#knownUpTo) })
    return frames
  }

  #lastOf(frames: readonly FeedFrame[]): number | null {
    const last = frames.at(-1)
    return last !== undefined && 'pos' in last ? last.pos : null
  }

  #resetFor(after: FeedCursor | null): FeedFrame | null {
    if (after === null || this.#start === null) return lost
    if (after.epoch !== this.#start.epoch) return { kind: 'reset', reason: 'epoch' }
    return after.pos < this.#start.pos ? lost : null
  }

  /**
   * Whether the relay has events up to the reader's position. Waits a while, as its snapshot may be ahead of this
   * relay.
   */
  async #reaches(after: FeedCursor | null): Promise<boolean> {
    const isThere = () =>
      this.#hello !== null &&
      this.#start !== null &&
      (after === null || after.epoch !== this.#start.epoch || after.pos <= this.#head)
    if (!isThere() && this.#start !== null) await this.#until(isThere, longestCatchUp)
    return isThere()
  }

  async #until(isTrue: () => boolean, milliseconds: number): Promise<void> {
    if (isTrue()) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        if (isTrue()) done()
      }
      const done = (): void => {
        cancel()
        this.#waiting.delete(wake)
        resolve()
      }
      const cancel = this.#time.after(milliseconds, done)
      this.#waiting.add(wake)
    })
  }
}

const lost: FeedFrame = { kind: 'reset', reason: 'retention' }
