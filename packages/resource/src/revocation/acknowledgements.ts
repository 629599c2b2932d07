/** Tells the issuer how far this validator has read the feed, so that the issuer knows that a revocation holds here. */
import { randomUUID } from 'node:crypto'
import { acknowledgementPath, encodeAcknowledgement, type FeedCursor, presenceEvery } from '@grantor/protocol/feed'
import type { ClientToken } from '../issuer/client-token.ts'
import type { Outbound, WholeResponse } from '../issuer/outbound.ts'
import { pause, type Time } from '../time.ts'

export interface FeedAcknowledgementOptions {
  /** Where the feed is read: the issuer, or a relay of its feed. */
  readonly address: string
  readonly token: ClientToken
  /** Not observed for faults, as an issuer need not accept acknowledgements. */
  readonly outbound: Outbound
  readonly time: Time
  readonly random: () => number
  /** Milliseconds without news after which this validator accepts no token. */
  readonly closesAfter: number
}

/** Milliseconds between two acknowledgements, however many events arrive. */
const shortestPause = 1000
const pauseAfterFailure = 5000
/** An issuer without this endpoint is not asked again for a while. */
const pauseWhereUnknown = 10 * 60_000
const limit = { bytes: 16 * 1024, milliseconds: 5000 }
const mostDelay = 3_600_000

export class FeedAcknowledgements {
  /** The id of this validator at the issuer, new for each process. */
  readonly validator = randomUUID()
  readonly #options: FeedAcknowledgementOptions
  readonly #closing = new AbortController()
  #cursor: FeedCursor | null = null
  #heardAt = 0
  #news = false
  #isKnown = false
  #wake = () => {}
  #running: Promise<void> = Promise.resolve()

  constructor(options: FeedAcknowledgementOptions) {
    this.#options = options
  }

  /** Everything up to the cursor is applied. `news`: a snapshot or events arrived, and not only heartbeats. */
  heard(cursor: FeedCursor, news: boolean): void {
    this.#cursor = cursor
    if (!news) return
    this.#heardAt = this.#options.time.monotonic()
    this.#news = true
    this.#wake()
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Tells the issuer that this validator leaves, so that receipts do not wait for it. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    await this.#running
    if (this.#isKnown) await this.#send(true)
  }

  async #run(): Promise<void> {
    const { time, random } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      if (!this.#news) await this.#newsOrPresence(presenceEvery * (0.7 + 0.25 * random()))
      if (signal.aborted || this.#cursor === null) continue
      this.#news = false
      await pause(time, await this.#send(false), signal)
    }
  }

  #newsOrPresence(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.time.after(milliseconds, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }

  /** Returns how many milliseconds to wait before the next one. */
  async #send(leaves: boolean): Promise<number> {
    const { address, token, outbound, time, closesAfter } = this.#options
    const access = await token.get()
    const position = this.#cursor
    if (access === null || position === null) return this.#retryAfter(pauseAfterFailure)
    const delay = Math.min(mostDelay, time.monotonic() - this.#heardAt)
    const acknowledgement = encodeAcknowledgement({ validator: this.validator, position, delay, closesAfter, leaves })
    const sent = { address, query: acknowledgement.toString(), authorization: `Bearer ${access}` }
    const answer = await sendAcknowledgement(outbound, sent)
    if (answer?.status === 204) {
      this.#isKnown = true
      return shortestPause
    }
    if (answer?.status === 404 || answer?.status === 405) return pauseWhereUnknown
    if (answer?.status === 401) token.forget()
    const retryAfter = Number(/^\d{1,4}$/.exec(answer?.header('retry-after') ?? '')?.[0] ?? 0)
    return this.#retryAfter(Math.max(pauseAfterFailure, 1000 * retryAfter))
  }

  #retryAfter(milliseconds: number): number {
    this.#news = true
    return milliseconds
  }
}

interface SentAcknowledgement {
  readonly address: string
  readonly query: string
  readonly authorization: string
}

/** Sends this validator's own acknowledgement, or one that a relay hands on. */
export const sendAcknowledgement = (
  outbound: Outbound,
  { address, query, authorization }: SentAcknowledgement,
): Promise<WholeResponse | null> =>
  outbound.fetchWhole(
    { url: `${address}${acknowledgementPath}?${query}`, method: 'POST', headers: { authorization } },
    limit,
  )
