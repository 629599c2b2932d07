/** Reads frames of the feed into the view, and finds out whether any were missed. No network, no clock of its own. */
import type { FeedCursor, FeedFrame, FeedSnapshot, KeyMessage } from '@grantor/protocol/feed'
import type { RevocationView } from './revocation-view.ts'
import type { Calibration, Staleness } from './staleness.ts'

export interface FeedReaderOptions {
  readonly view: RevocationView
  readonly staleness: Staleness
  onKeyMessage(message: KeyMessage): void
  /** Milliseconds between a revocation and its arrival, by two wall clocks: for metrics only. */
  onArrival?(at: number): void
}

/** 'gap': resume from the cursor. 'reset': start over with a snapshot. 'recalibrate': connect again. */
export type FrameReading = 'ok' | 'gap' | 'reset' | 'recalibrate'

export class FeedReader {
  readonly #options: FeedReaderOptions
  #cursor: FeedCursor | null = null

  constructor(options: FeedReaderOptions) {
    this.#options = options
  }

  /** The position up to which nothing is missing; null where a snapshot is needed. */
  get cursor(): FeedCursor | null {
    return this.#cursor
  }

  /**
   * A reader for one stream or page, whose frames share a calibration. `askedAt`: when its request left (monotonic).
   */
  connection(askedAt: number): (frame: FeedFrame, receivedAt: number) => FrameReading {
    let calibration: Calibration | null = null
    return (frame, receivedAt) => {
      if (frame.kind === 'hello') calibration = { askedAt, asOf: frame.asOf }
      // Every stream begins with `hello`, which sets the calibration; without it no heartbeat can be dated.
      return calibration === null && frame.kind !== 'reset' ? 'gap' : this.#take(frame, calibration, receivedAt)
    }
  }

  /**
   * Merges a snapshot into the view: it adds entries, and removes only those made void when the issuer's clock was set
   * back. A snapshot proves no freshness; the frames that follow do.
   */
  loadSnapshot({ messages, ...snapshot }: FeedSnapshot, receivedAt: number): void {
    const supersedes = (message: FeedSnapshot['messages'][number]) =>
      message.kind === 'cutoff' && message.supersedes !== undefined
    // Messages that supersede come first, because they make the view forget all entries applied before.
    const ordered = [...messages.filter(supersedes), ...messages.filter((message) => !supersedes(message))]
    for (const message of ordered) this.#options.view.apply(message, receivedAt)
    this.#cursor = { epoch: snapshot.epoch, pos: snapshot.pos }
  }

  #take(frame: FeedFrame, calibration: Calibration | null, receivedAt: number): FrameReading {
    const cursor = this.#cursor
    if (frame.kind === 'reset' || cursor === null || frame.epoch !== cursor.epoch) return this.#reset()
    if (frame.kind === 'hello') {
      // The log of this epoch ends before our cursor, so it is another log.
      return frame.head < cursor.pos ? this.#reset() : 'ok'
    }
    // Applied even across a gap: to know of a revocation early does no harm.
    if (frame.kind === 'event') this.#apply(frame.message, receivedAt)
    if (frame.after > cursor.pos) return 'gap'
    if (frame.pos > cursor.pos) this.#cursor = { epoch: frame.epoch, pos: frame.pos }
    if (frame.kind === 'event' || calibration === null) return 'ok'
    return this.#options.staleness.claim(frame.asOf, calibration, receivedAt) ? 'ok' : 'recalibrate'
  }

  #apply(message: Extract<FeedFrame, { kind: 'event' }>['message'], receivedAt: number): void {
    this.#options.onArrival?.(message.at)
    if (message.kind === 'key') this.#options.onKeyMessage(message)
    else this.#options.view.apply(message, receivedAt)
  }

  #reset(): 'reset' {
    this.#cursor = null
    return 'reset'
  }
}
