/** The keys of one issuer: read ahead, kept while it is away, and read once for all who wait for an unknown key. */
import type { VerificationKey } from '@grantor/protocol/jose'
import { err, ok } from '@grantor/protocol/result'
import { parseJsonObject } from '@grantor/protocol/http'
import { Lru } from '../lru.ts'
import type { Metrics } from '../metrics.ts'
import type { Time } from '../time.ts'
import { TokenBucket } from '../token-bucket.ts'
import type { IssuerDiscovery } from './issuer-metadata.ts'
import { importKeySet, replaceKeys } from './key-set.ts'
import type { KeySource, KeyLookup } from './key-source.ts'
import type { Concern, Outbound } from './outbound.ts'

export interface RemoteKeysOptions {
  readonly discovery: IssuerDiscovery
  readonly outbound: Outbound
  readonly time: Time
  readonly metrics: Metrics
  /** In [0, 1); spreads the refreshes of many validators. */
  readonly random: () => number
}

const limit = { bytes: 256 * 1024, milliseconds: 5000 }
const minute = 60_000
/** How long a set is used while its issuer cannot be reached. */
const longestStale = 24 * 60 * minute
const longestWait = 1000
/**
 * All requests with an unknown key wait for the next read and share it. So strangers who make up key ids can neither
 * raise the number of reads, nor keep a token with a new key from being accepted.
 */
const readsAtOnce = 3
const readEvery = 500
/** Most requests that wait at once; further ones are told to come back. */
const mostWaiting = 10_000

type ReadOutcome = 'ok' | 'failed' | 'no-issuer'

export class RemoteKeys implements KeySource {
  readonly #options: RemoteKeysOptions
  readonly #bucket: TokenBucket
  readonly #concern: Concern
  /** kids that the issuer did not have, and until when (monotonic) we believe that. */
  readonly #unknown = new Lru<string, number>(1024)
  /** kids that were dropped: a cache in between may still serve them. A kid is never used again. */
  readonly #dropped = new Lru<string, true>(1024)
  #keys: readonly VerificationKey[] = []
  #etag: string | null = null
  #readAt: number | null = null
  #pending: Promise<ReadOutcome> | null = null
  /** The read that begins when there is budget for it. */
  #next: Promise<ReadOutcome> | null = null
  #waiting = 0
  #cancel: () => void = () => {}
  #failures = 0
  #closed = false

  constructor(options: RemoteKeysOptions) {
    this.#options = options
    this.#concern = { issuer: options.discovery.issuer, part: 'keys' }
    this.#bucket = new TokenBucket(options.time, readsAtOnce, readEvery)
  }

  ready(): boolean {
    return this.age() < longestStale
  }

  /** Milliseconds since the set was read. */
  age(): number {
    return this.#readAt === null ? Infinity : this.#options.time.monotonic() - this.#readAt
  }

  find(kid: string | undefined, alg: string): VerificationKey | undefined {
    if (!this.ready()) return undefined
    const matching = this.#keys.filter((key) => key.algs.includes(alg) && (kid === undefined || key.kid === kid))
    // RFC 7515 §4.1.4 makes kid optional; without one only a lone key is unambiguous.
    return kid === undefined && matching.length > 1 ? undefined : matching[0]
  }

  has(kid: string): boolean {
    return this.ready() && this.#keys.some((key) => key.kid === kid)
  }

  async seek(kid: string | undefined, alg: string): Promise<KeyLookup> {
    const known = this.find(kid, alg)
    if (known !== undefined) return ok(known)
    const now = this.#options.time.monotonic()
    const cold = !this.ready()
    if (!cold && (kid === undefined || this.#dropped.get(kid) !== undefined)) return err('absent')
    if (!cold && kid !== undefined && (this.#unknown.get(kid) ?? 0) > now) return err('absent')
    if (this.#waiting >= mostWaiting) return err('unavailable')
    this.#waiting += 1
    const outcome = await this.#within(
      this.#readFor(() => this.find(kid, alg) !== undefined),
      cold ? limit.milliseconds : longestWait,
    ).finally(() => (this.#waiting -= 1))
    const found = this.find(kid, alg)
    if (found !== undefined) return ok(found)
    // An issuer that had keys is away, whatever its host says.
    if (outcome === 'no-issuer' && this.#keys.length === 0) return err('no-issuer')
    if (outcome !== 'ok') return err('unavailable')
    if (kid !== undefined) this.#unknown.set(kid, this.#options.time.monotonic() + 30_000)
    return err('absent')
  }

  /** A read under way may have been answered before the key was made: if it lacks the key, one more read follows. */
  async #readFor(found: () => boolean): Promise<ReadOutcome> {
    if (this.#pending !== null) {
      const outcome = await this.#pending
      if (outcome !== 'ok' || found()) return outcome
    }
    return this.#pending ?? (this.#bucket.tryTake() ? this.#read() : this.#nextRead())
  }

  #nextRead(): Promise<ReadOutcome> {
    this.#next ??= new Promise<void>((begin) => this.#options.time.after(this.#bucket.wait(), begin)).then(() => {
      this.#next = null
      this.#bucket.tryTake()
      return this.#read()
    })
    return this.#next
  }

  async refresh(): Promise<boolean> {
    // A read under way may have been answered before the event that made the caller ask, so one more follows.
    await this.#pending
    return (await this.#read()) === 'ok'
  }

  distrust(): void {
    this.#readAt = null
    this.#etag = null
  }

  drop(kid: string): void {
    this.#dropped.set(kid, true)
    this.#replace(this.#keys)
  }

  close(): void {
    this.#closed = true
    this.#cancel()
    this.#options.outbound.over(this.#concern)
    this.#replace([])
  }

  #read(): Promise<ReadOutcome> {
    if (this.#closed) return Promise.resolve('failed')
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #within<T>(work: Promise<T>, milliseconds: number): Promise<T | 'late'> {
    const { promise, resolve } = Promise.withResolvers<'late'>()
    const cancel = this.#options.time.after(milliseconds, () => resolve('late'))
    return Promise.race([work, promise]).finally(cancel)
  }

  async #fetch(): Promise<ReadOutcome> {
    const { outbound, discovery, time, metrics } = this.#options
    const askedAt = time.monotonic()
    const metadata = await discovery.read()
    if (metadata.kind === 'error') return this.#settle(metadata.error === 'absent' ? 'no-issuer' : 'failed', null)
    const headers = {
      accept: 'application/json, application/jwk-set+json',
      // A cache on the way may still serve a key that was dropped.
      'cache-control': 'no-cache',
      ...(this.#etag === null ? {} : { 'if-none-match': this.#etag }),
    }
    const answer = await outbound.fetchWhole({ url: metadata.value.jwksUri, concern: this.#concern, headers }, limit)
    if (answer?.status === 304 && this.#readAt !== null) {
      this.#readAt = askedAt
      metrics.count('rs_jwks_fetch_total', { result: 'unchanged' })
      return this.#settle('ok', answer.header('cache-control'))
    }
    const keys = answer?.status === 200 ? readKeySet(answer.text) : null
    if (answer === null || keys === null) {
      if (answer?.status === 200) outbound.unusable(this.#concern, 'the key set holds no key that can be used')
      discovery.forget()
      return this.#settle('failed', null)
    }
    this.#replace(keys)
    this.#etag = answer.header('etag')
    this.#readAt = askedAt
    metrics.count('rs_jwks_fetch_total', { result: 'ok' })
    return this.#settle('ok', answer.header('cache-control'))
  }

  #replace(read: readonly VerificationKey[]): void {
    const alive = read.filter((key) => key.kid === undefined || this.#dropped.get(key.kid) === undefined)
    this.#keys = replaceKeys(this.#keys, alive)
  }

  #settle(outcome: ReadOutcome, cacheControl: string | null): typeof outcome {
    const { outbound, time, metrics, random } = this.#options
    // An issuer that does not exist is no fault of its keys, and after `close` no later read would end the fault.
    if (outcome !== 'failed' || this.#closed) outbound.over(this.#concern)
    if (outcome === 'ok') this.#failures = 0
    else {
      this.#failures += 1
      metrics.count('rs_jwks_fetch_total', { result: 'failed' })
    }
    if (this.#closed) return outcome
    const jitter = 0.9 + 0.2 * random()
    // Before the set's lifetime ends; after failures, with exponential backoff.
    const wait =
      outcome === 'ok' ? 0.75 * lifeOf(cacheControl) : Math.min(minute, 1000 * 2 ** Math.min(this.#failures, 6))
    this.#cancel()
    this.#cancel = time.after(wait * jitter, () => void this.#read())
    return outcome
  }
}

/** Seconds of `max-age` (RFC 9111 §5.2.2.1) as milliseconds, within reason; five minutes when unsaid. */
function lifeOf(cacheControl: string | null): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl ?? '') ?? []
  return seconds === undefined ? 5 * minute : Math.min(Math.max(Number(seconds) * 1000, minute), 60 * minute)
}

function readKeySet(text: string): readonly VerificationKey[] | null {
  const document = parseJsonObject(text)
  return document === null ? null : importKeySet(document)
}
