/** Asking the issuer about a token (RFC 7662): one question at a time per token, remembered briefly, with a breaker. */
import { hash, randomBytes } from 'node:crypto'
import { err, ok, type Result } from '@grantor/protocol/result'
import { parseJsonObject } from '@grantor/protocol/http'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { Lru } from '../lru.ts'
import type { Metrics } from '../metrics.ts'
import type { Time } from '../time.ts'
import { basicAuthorization, type ClientCredentials } from './client-token.ts'
import type { IssuerDiscovery } from './issuer-metadata.ts'
import type { Outbound, WholeResponse } from './outbound.ts'

export interface Introspection {
  /** The response where the token is active; null where it is not. */
  readonly claims: JsonObject | null
  /** Monotonic: when the request left. The state in the answer is no older than this. */
  readonly askedAt: number
  /** The same moment on the wall clock. */
  readonly askedOn: Instant
}

export interface IntrospectorOptions {
  readonly discovery: IssuerDiscovery
  readonly credentials: ClientCredentials
  readonly outbound: Outbound
  readonly time: Time
  readonly metrics: Metrics
  /** Milliseconds an active answer is used; well under the bound of 60 s, as it delays revocation where there is no feed. */
  readonly activeFor: number
}

const limit = { bytes: 64 * 1024, milliseconds: 5000 }
const inactiveFor = 5000
const failuresToOpen = 5
const openFor = 2000
/** Seconds: at most this long is `Retry-After` of an issuer that answers 429 heeded. */
const mostRest = 30

export class Introspector {
  readonly #options: IntrospectorOptions
  /** Tokens are not kept, not even in memory: only their mac under a key of this process. */
  readonly #secret = randomBytes(32).toString('base64')
  readonly #active = new Lru<string, Introspection>(10_000)
  /** Apart from the active ones, so that any number of made-up tokens evicts no good one. */
  readonly #inactive = new Lru<string, Introspection>(10_000)
  readonly #pending = new Map<string, Promise<Result<Introspection, 'unavailable'>>>()
  #failures = 0
  #openUntil = -Infinity

  constructor(options: IntrospectorOptions) {
    this.#options = options
  }

  /** The issuer that is asked. */
  get issuer(): string {
    return this.#options.discovery.issuer
  }

  /** The remembered answer, if it is at most `within` milliseconds old and may still be used. */
  recall(token: string, within = Infinity): Introspection | undefined {
    const mac = this.#mac(token)
    return (
      this.#fresh(this.#active.get(mac), Math.min(this.#options.activeFor, within)) ??
      this.#fresh(this.#inactive.get(mac), Math.min(inactiveFor, within))
    )
  }

  #fresh(answer: Introspection | undefined, life: number): Introspection | undefined {
    const { time } = this.#options
    if (answer === undefined || time.monotonic() - answer.askedAt >= life) return undefined
    // RFC 7662 §4: no answer is used beyond `exp`. From then on the issuer is asked, whose clock decides.
    const end = answer.claims?.['exp']
    return typeof end === 'number' && time.now() >= 1000 * end ? undefined : answer
  }

  /** Whether the last remembered answer called the token active, however old that answer is. */
  wasActive(token: string): boolean {
    return this.#active.get(this.#mac(token)) !== undefined
  }

  /** Discards all answers for the token, also that of a request under way. `wasActive` still remembers it. */
  outdate(token: string): void {
    const mac = this.#mac(token)
    const answer = this.#active.get(mac)
    if (answer !== undefined) this.#active.set(mac, { ...answer, askedAt: -Infinity })
    this.#pending.delete(mac)
  }

  async recallOrAsk(token: string, within?: number): Promise<Result<Introspection, 'unavailable'>> {
    const known = this.recall(token, within)
    return known === undefined ? this.#askOnce(token) : ok(known)
  }

  #askOnce(token: string): Promise<Result<Introspection, 'unavailable'>> {
    const mac = this.#mac(token)
    const pending = this.#pending.get(mac)
    if (pending !== undefined) return pending
    if (this.#options.time.monotonic() < this.#openUntil) return Promise.resolve(err('unavailable'))
    const fresh = this.#ask(token).then((answer) => {
      if (this.#pending.get(mac) === fresh) this.#pending.delete(mac)
      if (answer.kind === 'ok') this.#remember(mac, answer.value)
      return answer
    })
    this.#pending.set(mac, fresh)
    return fresh
  }

  /** The answer to the later request counts, whichever arrives first. */
  #remember(mac: string, answer: Introspection): void {
    const [same, other] = answer.claims === null ? [this.#inactive, this.#active] : [this.#active, this.#inactive]
    const before = Math.max(same.get(mac)?.askedAt ?? -Infinity, other.get(mac)?.askedAt ?? -Infinity)
    if (before > answer.askedAt) return
    other.delete(mac)
    same.set(mac, answer)
  }

  #mac(token: string): string {
    // One hash call costs half as much as an HMAC. Nobody sees the result, so no length extension is possible.
    return hash('sha256', this.#secret + token, 'base64')
  }

  async #ask(token: string): Promise<Result<Introspection, 'unavailable'>> {
    const { discovery, credentials, outbound, time, metrics } = this.#options
    const asked = { askedAt: time.monotonic(), askedOn: time.now() }
    const metadata = await discovery.read()
    const url = metadata.kind === 'error' ? null : metadata.value.introspectionEndpoint
    const concern = { issuer: discovery.issuer, part: 'introspection' } as const
    const ask = url === null ? null : { ...introspectionRequest(url, credentials, token), concern }
    const answer = ask === null ? null : await outbound.fetchWhole(ask, limit)
    const claims = answer?.status === 200 ? parseJsonObject(answer.text) : null
    if (typeof claims?.['active'] !== 'boolean') {
      this.#leaveAlone(answer)
      metrics.count('rs_introspection_total', { result: 'failed' })
      return err('unavailable')
    }
    this.#failures = 0
    outbound.over(concern)
    metrics.count('rs_introspection_total', { result: claims['active'] ? 'active' : 'inactive' })
    return ok({ claims: claims['active'] ? claims : null, ...asked })
  }

  /** Counts a failure. A 401 is one, too: wrong credentials of our own say nothing about the caller's token. */
  #leaveAlone(answer: WholeResponse | null): void {
    const now = this.#options.time.monotonic()
    const asked = answer?.status === 429 ? Number(/^\d{1,9}$/.exec(answer.header('retry-after') ?? '')?.[0] ?? 0) : 0
    if (asked > 0) {
      this.#openUntil = now + 1000 * Math.min(asked, mostRest)
      return
    }
    this.#failures += 1
    if (this.#failures >= failuresToOpen) this.#openUntil = now + openFor
  }
}

function introspectionRequest(url: string, credentials: ClientCredentials, token: string) {
  return {
    url,
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: basicAuthorization(credentials),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
  } as const
}
