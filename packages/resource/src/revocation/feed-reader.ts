/** Reads frames of the feed into the view, and knows whether anything was missed. No network, no clock of its own. */
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

/** 'gap': resume from the cursor. 'reset': only a snapshot helps. 'recalibrate': connect again. */
export type FrameReading = 'ok' | 'gap' | 'reset' | 'recalibrate'

export class FeedReader {
  readonly #options: FeedReaderOptions
  #cursor: FeedCursor | null = null

  constructor(options: FeedReaderOptions) {
    this.#options = options
  }

  /** Up to here nothing is missing. null asks for a snapshot. */
  get cursor(): FeedCursor | null {
    return this.#cursor
  }

  /** One connection, stream or page: its frames share a calibration. `askedAt` is when its request left (monotonic). */
  connection(askedAt: number): (frame: FeedFrame, receivedAt: number) => FrameReading {
    let calibration: Calibration | null = null
    return (frame, receivedAt) => {
      if (frame.kind === 'hello') calibration = { askedAt, asOf: frame.asOf }
      // Every stream begins with `hello`, which sets the calibration; without it nothing can be dated.
      return calibration === null && frame.kind !== 'reset' ? 'gap' : this.#take(frame, calibration, receivedAt)
    }
  }

  /**
   * Merges: a snapshot adds to what is known, and takes away only what a clock that was set back has made void. It claims
   * no freshness; the tail after it does.
   */
  loadSnapshot({ messages, ...snapshot }: FeedSnapshot, receivedAt: number): void {
    const supersedes = (message: FeedSnapshot['messages'][number]) =>
      message.kind === 'cutoff' && message.supersedes !== undefined
    // Those first, because they make the view forget all that was applied before.
    const ordered = [...messages.filter(supersedes), ...messages.filter((message) => !supersedes(message))]
    for (const message of ordered) this.#options.view.apply(message, receivedAt)
    this.#cursor = { epoch: snapshot.epoch, pos: snapshot.pos }
  }

  #take(frame: FeedFrame, calibration: Calibration | null, receivedAt: number): FrameReading {
    const cursor = this.#cursor
    if (frame.kind === 'reset' || cursor === null || frame.epoch !== cursor.epoch) return this.#reset()
    if (frame.kind === 'hello') {
      // The same epoch, but its log is shorter than what was read of it: this is another log.
      return frame.head < cursor.pos ? this.#reset() : 'ok'
    }
    // Applied even across a gap: knowing of a revocation early harms nobody.
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
