/**
 * Hands the feed on to further validators, from the one connection that a validator has. Messages pass as they came, and
 * the snapshot as the issuer signed it; how fresh they are is said anew, by a clock of this process.
 *
 * What was heard is complete up to `knownUpTo` (monotonic, see staleness.ts), whatever became of the connection since. A
 * heartbeat to a reader names that moment, and `hello` the present one, by the same clock: so a reader finds what it is
 * told as old as it is, and where the issuer is away it stops accepting when it would without a relay.
 */
import type { FeedCursor, FeedFrame, FeedMessage } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import type { WholeResponse } from '../issuer/outbound.ts'
import { systemTime, type Time } from '../time.ts'
import type { Freshness, RevocableToken, RevocationSource } from './revocation-source.ts'

/** What a relay reads from: the feed of a validator. */
interface RelayedFeed extends Required<RevocationSource> {
  /** As it was signed; null where it cannot be had. */
  fetchSnapshot(): Promise<string | null>
}

/** Hands an acknowledgement on, as the validator sent it and with its own token. */
type HandOn = (query: string, authorization: string) => Promise<WholeResponse | null>

type SendFrames = (frames: readonly FeedFrame[]) => void

interface Reader {
  /** Up to here it was told everything. */
  pos: number
  readonly send: SendFrames
}

/** Beyond this the oldest are forgotten; a reader that asks for them starts over with a snapshot. */
const mostEvents = 100_000
/** Milliseconds that a reader waits whose snapshot is ahead of what was heard here. */
const longestCatchUp = 5000
/** Milliseconds: thousands that start over at once cost the issuer one snapshot. */
const snapshotKept = 5000

export class FeedRelay implements RevocationSource {
  readonly #time: Time
  /** Added to monotonic time gives a time of day that never steps. */
  readonly #origin: number
  readonly #readers = new Set<Reader>()
  readonly #waiting = new Set<() => void>()
  #upstream: RelayedFeed | null = null
  #handOn: HandOn | null = null
  /** Added to the revision of the feed, so that it stays a new number when another feed is attached. */
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

  /** Done by the validator that it is given to. */
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

  /** A snapshot was read: what lies before it is not known here one by one. */
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

  /** A frame that left no gap. */
  take(frame: FeedFrame): void {
    if (frame.kind === 'hello') this.#hello = { heartbeat: frame.heartbeat, retention: frame.retention }
    if (frame.kind === 'hello' || frame.kind === 'reset' || frame.pos <= this.#head) return
    if (frame.kind === 'event') this.#events.push({ pos: frame.pos, message: frame.message })
    this.#head = frame.pos
  }

  /** All frames that came together are taken: readers are told. */
  flush(knownUpTo: number): void {
    const isFresher = knownUpTo > this.#knownUpTo
    this.#knownUpTo = knownUpTo
    // Nearly all stand at the same place, and get the same frames.
    const byPosition = new Map<number, readonly FeedFrame[]>()
    for (const reader of this.#readers) {
      const frames = byPosition.get(reader.pos) ?? this.#framesAfter(reader.pos, isFresher)
      byPosition.set(reader.pos, frames)
      if (frames.length > 0) reader.send(frames)
      reader.pos = this.#lastOf(frames) ?? reader.pos
    }
    // After the readers were sent theirs: one that is behind would otherwise miss the forgotten ones without knowing.
    if (this.#events.length > mostEvents) this.#forget(mostEvents / 2)
    for (const wake of this.#waiting) wake()
  }

  /** Frames from there on, until the returned function is called or a `reset` was sent. */
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

  /** The same as a page: at once where there is something, else within `wait` milliseconds. */
  async page(after: FeedCursor | null, wait: number): Promise<readonly FeedFrame[] | 'unavailable'> {
    if (!(await this.#reaches(after))) return 'unavailable'
    const greeting = this.#greeting()
    const begun = this.#start
    if (after !== null && this.#resetFor(after) === null && wait > 0)
      await this.#until(() => this.#start !== begun || this.#framesAfter(after.pos, false).length > 0, wait)
    const reset = this.#resetFor(after)
    return reset === null && after !== null ? [...greeting, ...this.#framesAfter(after.pos, true)] : [reset ?? lost]
  }

  /** As the issuer signed it. */
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
    // Rounded up, so that what is known is never taken for younger than it is.
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

  /** Whether there is anything to tell, up to where the reader stands: its snapshot may be younger than what was heard here. */
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
