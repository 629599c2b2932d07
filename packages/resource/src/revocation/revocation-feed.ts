/** The client of the revocation feed: keeps a view fresh by stream, catches up by page, starts over by snapshot. */
import { type FeedFrame, feedPaths, formatFeedCursor, parseFeedPage, validatorHeader } from '@grantor/protocol/feed'
import { parseJsonObject } from '@grantor/protocol/http'
import { pause } from '../time.ts'
import type { RevocationFeedOptions } from './feed-options.ts'
import { FeedReader, type FrameReading } from './feed-reader.ts'
import { readSnapshot } from './feed-snapshot.ts'
import { SseFrames } from './feed-sse.ts'
import type { Freshness, RevocableToken, RevocationSource } from './revocation-source.ts'
import { RevocationView } from './revocation-view.ts'
import { Staleness } from './staleness.ts'

export { FeedAcknowledgements, sendAcknowledgement } from './acknowledgements.ts'

const headTimeout = 5000
const snapshotLimit = { bytes: 64 * 1024 * 1024, milliseconds: 30_000 }
const pageBytes = 16 * 1024 * 1024
const longPoll = 20
/** Two clocks drift less than a second apart in this time. Then the stream is opened anew, and with it calibrated. */
const longestStream = 60 * 60 * 1000

type ConnectionEnd = FrameReading | 'failed' | 'ended'

export class RevocationFeed implements RevocationSource {
  readonly #options: RevocationFeedOptions
  readonly #view: RevocationView
  readonly #staleness: Staleness
  readonly #reader: FeedReader
  readonly #closing = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: RevocationFeedOptions) {
    const { time, metrics, issuer, leeway, capacity, concerns } = options
    this.#options = options
    const onEscalation = () => metrics.count('rs_revocation_escalations_total', { issuer })
    this.#view = new RevocationView({ leeway, capacity, concerns, onEscalation, now: () => time.now() })
    this.#staleness = new Staleness(() => time.monotonic(), options.limits)
    const onArrival = (at: number) => metrics.observe('rs_revocation_lag_seconds', Math.max(0, time.now() - at) / 1000)
    this.#reader = new FeedReader({
      view: this.#view,
      staleness: this.#staleness,
      onKeyMessage: options.onKeyMessage,
      onArrival,
    })
    metrics.gauge('rs_revocation_staleness_seconds', { issuer }, () => this.#staleness.age() / 1000)
    metrics.gauge('rs_revocation_entries', { issuer }, () => this.#view.entries)
  }

  isRevoked(token: RevocableToken): boolean {
    return this.#view.isRevoked(token)
  }

  revision(): number {
    return this.#view.revision
  }

  hasNewsOf(token: RevocableToken, since: number): boolean {
    return this.#view.hasNewsOf(token, since)
  }

  freshness(): Freshness {
    return this.#staleness.freshness()
  }

  age(): number {
    return this.#staleness.age()
  }

  start(): void {
    this.#running = Promise.all([this.#follow(), this.#attend()])
    this.#options.acknowledgements?.start()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#options.acknowledgements?.close()
  }

  /** Keeps the main connection open. Full jitter, so that a thousand validators do not come back at once. */
  async #follow(): Promise<void> {
    const { time, metrics, random, issuer, transport } = this.#options
    let failures = 0
    while (!this.#closing.signal.aborted) {
      const before = this.#staleness.knownUpTo
      const result = await this.#connect(transport)
      metrics.count('rs_feed_connections_total', { issuer, result })
      failures = this.#staleness.knownUpTo > before ? 0 : failures + 1
      await pause(time, random() * Math.min(2000, 100 * 2 ** Math.min(failures, 6)), this.#closing.signal)
    }
  }

  /** Sweeps the view, and reads pages on another connection while the main one is silent. */
  async #attend(): Promise<void> {
    const { time } = this.#options
    while (!this.#closing.signal.aborted) {
      await pause(time, 2500, this.#closing.signal)
      this.#view.sweep(time.now(), time.monotonic())
      const { cursor } = this.#reader
      if (cursor !== null && this.freshness() !== 'live') await this.#page(0)
    }
  }

  async #connect(transport: 'stream' | 'poll'): Promise<ConnectionEnd> {
    if (this.#reader.cursor === null && !(await this.#snapshot())) return 'failed'
    return transport === 'stream' ? this.#stream() : this.#page(longPoll)
  }

  /** The signed snapshot as text; null where it cannot be had. */
  async fetchSnapshot(): Promise<string | null> {
    const { address, outbound } = this.#options
    const headers = await this.#headers('application/jwt')
    if (headers === null) return null
    const ask = { url: address + feedPaths.snapshot, headers, signal: this.#closing.signal }
    const answer = await outbound.fetchWhole(ask, snapshotLimit)
    if (answer?.status === 200) return answer.text
    this.#refused(answer?.status)
    return null
  }

  async #snapshot(): Promise<boolean> {
    const { issuer, address, outbound, time, keys, refreshKeys } = this.#options
    const text = await this.fetchSnapshot()
    if (text === null) return false
    const snapshot = await readSnapshot(text, { issuer, keys, now: time.now() })
    if (snapshot.kind === 'error') {
      const url = address + feedPaths.snapshot
      outbound.unusable(url, `the snapshot of the revocation feed cannot be used (${snapshot.error})`)
      return false
    }
    await refreshKeys()
    this.#reader.loadSnapshot(snapshot.value, time.monotonic())
    this.#options.relay?.begin({ epoch: snapshot.value.epoch, pos: snapshot.value.pos })
    this.#heard(true)
    return true
  }

  async #stream(): Promise<ConnectionEnd> {
    const { address, outbound, time } = this.#options
    const headers = await this.#headers('text/event-stream')
    const { cursor } = this.#reader
    if (headers === null || cursor === null) return 'failed'
    const cut = new AbortController()
    const signal = AbortSignal.any([cut.signal, this.#closing.signal])
    const take = this.#reader.connection(time.monotonic())
    const ask = {
      url: address + feedPaths.stream,
      headers: { ...headers, 'last-event-id': formatFeedCursor(cursor) },
      signal,
    }
    const answer = await outbound.fetchStream(ask, headTimeout)
    if (answer === null) return 'failed'
    if (answer.status !== 200) {
      answer.discard()
      this.#refused(answer.status)
      return 'failed'
    }
    const cancelAge = time.after(longestStream, () => cut.abort())
    let cancelSilence = () => {}
    const sse = new SseFrames()
    try {
      for (const body = answer.body[Symbol.asyncIterator](); ;) {
        // After three missed heartbeats the connection is cut: it may be dead without an error.
        cancelSilence = time.after(this.#options.limits.lagging, () => cut.abort())
        const { done, value } = await body.next()
        cancelSilence()
        if (done === true) return 'ended'
        const frames = sse.read(value)
        const reading = frames === null ? 'gap' : this.#take(take, frames)
        if (reading !== 'ok') return reading
      }
    } catch {
      return 'ended'
    } finally {
      cancelSilence()
      cancelAge()
      cut.abort()
    }
  }

  /** The long poll: a page is a short stream. */
  async #page(wait: number): Promise<ConnectionEnd> {
    const { address, outbound, time } = this.#options
    const headers = await this.#headers('application/json')
    const { cursor } = this.#reader
    if (headers === null || cursor === null) return 'failed'
    const take = this.#reader.connection(time.monotonic())
    const query = new URLSearchParams({ after: formatFeedCursor(cursor), wait: String(wait) }).toString()
    const ask = { url: `${address}${feedPaths.changes}?${query}`, headers, signal: this.#closing.signal }
    const answer = await outbound.fetchWhole(ask, { bytes: pageBytes, milliseconds: wait * 1000 + headTimeout })
    if (answer?.status !== 200) {
      this.#refused(answer?.status)
      return 'failed'
    }
    const page = parseFeedPage(parseJsonObject(answer.text))
    return page === null ? 'failed' : this.#take(take, page.frames)
  }

  #take(take: (frame: FeedFrame, receivedAt: number) => FrameReading, frames: readonly FeedFrame[]): FrameReading {
    const receivedAt = this.#options.time.monotonic()
    const { relay } = this.#options
    for (const frame of frames) {
      const reading = take(frame, receivedAt)
      if (reading !== 'ok') return reading
      relay?.take(frame)
    }
    relay?.flush(this.#staleness.knownUpTo)
    this.#heard(frames.some(({ kind }) => kind === 'event'))
    return 'ok'
  }

  #heard(news: boolean): void {
    const { cursor } = this.#reader
    if (cursor !== null) this.#options.acknowledgements?.heard(cursor, news)
  }

  async #headers(accept: string): Promise<Record<string, string> | null> {
    const token = await this.#options.token.get()
    const validator = this.#options.acknowledgements?.validator
    if (token === null) return null
    const identity = validator === undefined ? {} : { [validatorHeader]: validator }
    return { accept, authorization: `Bearer ${token}`, 'cache-control': 'no-cache', ...identity }
  }

  #refused(status: number | undefined): void {
    if (status === 401 || status === 403) this.#options.token.forget()
  }
}
