/** What a validator knows about revocations. An entry is kept exactly as long as any token that it can end. */
import type { CutoffDimension, CutoffMessage, RevokeMessage } from '@grantor/protocol/feed'
import { covers, type Cutoff, hits, isNews, merged, wholeSecond } from './cutoff.ts'
import type { RevocableToken } from './revocation-source.ts'

type KeyedDimension = Exclude<CutoffDimension, 'tenant' | 'issuer'>

/** The entries of one tenant. A dimension that is empty costs one comparison. */
class TenantView {
  readonly token = new Map<string, Cutoff>()
  readonly grant = new Map<string, Cutoff>()
  readonly session = new Map<string, Cutoff>()
  readonly subject = new Map<string, Cutoff>()
  readonly client = new Map<string, Cutoff>()
  whole: Cutoff | null = null

  get maps(): readonly Map<string, Cutoff>[] {
    return [this.token, this.grant, this.session, this.subject, this.client]
  }

  get size(): number {
    return this.maps.reduce((sum, map) => sum + map.size, this.whole === null ? 0 : 1)
  }

  isRevoked(token: RevocableToken): boolean {
    const { issuedAt } = token
    // All dimensions are checked. To stop at the first one with an entry would let a mild entry hide a strict one
    // (CVE-2026-18218, CVE-2026-8922).
    return (
      (this.token.size > 0 && this.token.has(token.jti)) ||
      covers(this.whole, issuedAt) ||
      hits(this.grant, token.grantId, issuedAt) ||
      hits(this.session, token.sessionId, issuedAt) ||
      hits(this.subject, token.subject, issuedAt) ||
      hits(this.client, token.clientId, issuedAt) ||
      // A token without a grant has a client as its subject: after an exchange not the client it was issued to.
      (token.grantId === null && hits(this.client, token.subject, issuedAt))
    )
  }

  hasNewsOf(token: RevocableToken, since: number): boolean {
    return (
      isNews(this.whole, since) ||
      isNews(this.token.get(token.jti), since) ||
      isNews(this.subject.get(token.subject), since) ||
      isNews(this.client.get(token.clientId), since) ||
      isNews(this.client.get(token.subject), since)
    )
  }
}

export interface RevocationViewOptions {
  /** Milliseconds that a token is accepted beyond its `exp`, and so may still have to be refused as revoked. */
  readonly leeway: number
  /** Most entries; beyond, the view revokes more tokens than asked rather than forget an entry. */
  readonly capacity: number
  /** Whether tokens of the tenant are accepted here; messages about other tenants are not remembered. */
  readonly concerns?: (tenant: string | null) => boolean
  /** The wall clock, for freeing expired entries before escalating. */
  readonly now: () => number
  readonly onEscalation?: () => void
}

export class RevocationView {
  readonly #options: RevocationViewOptions
  readonly #tenants = new Map<string | null, TenantView>()
  #deployment: Cutoff | null = null
  #entries = 0
  #revision = 0
  /** Monotonic: when all entries were last forgotten. */
  #forgotAt = -Infinity
  /** Ids of the events that say that the issuer's clock was set back: very few. */
  readonly #setBacks = new Set<string>()
  #sweeper: Generator<void, void> | null = null
  #sweeping = { now: 0, monotonic: 0, slice: 0 }

  constructor(options: RevocationViewOptions) {
    this.#options = options
  }

  get entries(): number {
    return this.#entries
  }

  /** Rises with every message, whether or not it ends a token that was seen here. */
  get revision(): number {
    return this.#revision
  }

  isRevoked(token: RevocableToken): boolean {
    return covers(this.#deployment, token.issuedAt) || this.#tenants.get(token.tenant)?.isRevoked(token) === true
  }

  /** For API keys, which belong to clients, so grants and sessions are not checked. */
  hasNewsOf(token: RevocableToken, since: number): boolean {
    return (
      this.#forgotAt >= since ||
      isNews(this.#deployment, since) ||
      this.#tenants.get(token.tenant)?.hasNewsOf(token, since) === true
    )
  }

  /** Idempotent, and indifferent to order. `monotonic` is the time of arrival. */
  apply(message: RevokeMessage | CutoffMessage, monotonic: number): void {
    const { leeway, capacity, concerns } = this.#options
    this.#revision += 1
    if (message.kind === 'cutoff' && message.supersedes !== undefined)
      return this.#forgetBefore(message.supersedes, monotonic)
    const until = message.until + leeway
    const entry = {
      upTo: message.kind === 'revoke' ? message.at : message.issuedUpTo,
      at: message.at,
      until,
      monotonicUntil: monotonic + (until - message.at),
      heardAt: monotonic,
    }
    if (message.kind === 'cutoff' && message.dimension === 'issuer') {
      this.#deployment = merged(this.#deployment, entry)
      return
    }
    if (concerns?.(message.tenant) === false) return
    const tenant = this.#tenant(message.tenant)
    if (message.kind === 'revoke') this.#put(tenant.token, message.jti, entry)
    else if (message.key === null) this.#cover(tenant, entry)
    else this.#put(tenant[message.dimension as KeyedDimension], message.key, entry)
    if (this.#entries > capacity) this.#makeRoom(monotonic)
  }

  /**
   * The issuer's clock was set back, and the keys of all tokens issued until then are dropped; so no entry is
   * needed for them. The same event a second time changes nothing: a late page must not make us forget later
   * revocations.
   */
  #forgetBefore(event: string, monotonic: number): void {
    if (this.#setBacks.has(event)) return
    this.#forgotAt = monotonic
    this.#setBacks.add(event)
    this.#tenants.clear()
    this.#deployment = null
    this.#entries = 0
    this.#sweeper = null
  }

  /** Frees entries that can end no token any more: a slice per call, so that a full view never delays a request. */
  sweep(now: number, monotonic: number, slice = 2000 + this.#entries / 100): void {
    this.#sweeping = { now, monotonic, slice }
    if (this.#deployment !== null && this.#isOver(this.#deployment)) this.#deployment = null
    this.#sweeper ??= this.#everything()
    if (this.#sweeper.next().done === true) this.#sweeper = null
  }

  #isOver(entry: Cutoff): boolean {
    return entry.until <= this.#sweeping.now && entry.monotonicUntil <= this.#sweeping.monotonic
  }

  /** Iterators of maps allow changes in between, so this can pause between two slices. */
  *#everything(): Generator<void, void> {
    let examined = 0
    for (const [name, tenant] of this.#tenants) {
      for (const map of tenant.maps) {
        for (const [key, entry] of map) {
          if (this.#isOver(entry) && map.delete(key)) this.#entries -= 1
          examined += 1
          if (examined >= this.#sweeping.slice) {
            examined = 0
            yield
          }
        }
      }
      if (tenant.whole !== null && this.#isOver(tenant.whole)) {
        tenant.whole = null
        this.#entries -= 1
      }
      if (tenant.size === 0 && this.#tenants.get(name) === tenant) this.#tenants.delete(name)
    }
  }

  #tenant(name: string | null): TenantView {
    const known = this.#tenants.get(name)
    if (known !== undefined) return known
    const fresh = new TenantView()
    this.#tenants.set(name, fresh)
    return fresh
  }

  #put(map: Map<string, Cutoff>, key: string, entry: Cutoff): void {
    const known = map.get(key)
    if (known === undefined) this.#entries += 1
    map.set(key, merged(known, entry))
  }

  #cover(tenant: TenantView, entry: Cutoff): void {
    if (tenant.whole === null) this.#entries += 1
    tenant.whole = merged(tenant.whole, entry)
  }

  /**
   * Reduces the entries when there are too many. First expired ones go. Then all tokens of the fullest tenants are
   * revoked (their clients get new ones), and if that is not enough, all tokens of the deployment. This revokes too
   * much, never too little, and frees half of the capacity so that it does not happen again soon.
   */
  #makeRoom(monotonic: number): void {
    const { capacity, now, onEscalation } = this.#options
    this.#sweeper = null
    this.sweep(now(), monotonic, Infinity)
    if (this.#entries <= 0.9 * capacity) return
    onEscalation?.()
    const enough = capacity / 2
    const fullest = [...this.#tenants.values()].sort((a, b) => b.size - a.size)
    for (const tenant of fullest) {
      if (this.#entries <= enough || tenant.size <= 1) break
      this.#entries -= tenant.size
      for (const map of tenant.maps) {
        for (const entry of map.values()) tenant.whole = merged(tenant.whole, wholeSecond(entry))
        map.clear()
      }
      this.#entries += 1
    }
    if (this.#entries <= enough) return
    for (const tenant of fullest) {
      for (const map of tenant.maps)
        for (const entry of map.values()) this.#deployment = merged(this.#deployment, wholeSecond(entry))
      if (tenant.whole !== null) this.#deployment = merged(this.#deployment, tenant.whole)
    }
    this.#tenants.clear()
    this.#entries = 0
  }
}
