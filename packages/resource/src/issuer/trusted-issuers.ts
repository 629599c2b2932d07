/** The issuers that the validator trusts: the configured ones, and the tenants of their deployments. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { Lru } from '../lru.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { StatusLists } from '../status-list/status-lists.ts'
import type { Time } from '../time.ts'
import { TokenBucket } from '../token-bucket.ts'
import type { Introspector } from './introspector.ts'
import { tenantOfIssuer } from './issuer-metadata.ts'
import type { ForeignClaims } from '../validate/foreign-claims.ts'
import type { KeySource } from './key-source.ts'

/** One issuer that tokens may name. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly keys: KeySource
  /** null: revocation of this issuer's tokens is not followed, by the owner's explicit choice. */
  readonly revocation: RevocationSource | null
  /** A second source beside `revocation`, or the only one where that is null; null where lists are not read. */
  readonly statusLists: StatusLists | null
  readonly introspector: Introspector | null
  /** Whether API keys of this issuer are accepted, if it can be asked about them. */
  readonly apiKeys: boolean
  /** How to read tokens of an issuer that is not Grantor; null for a Grantor. */
  readonly foreign: ForeignClaims | null
  /** Accepted `typ`, lower case, without `application/`. */
  readonly types: ReadonlySet<string | null>
  /** The tenant a token of this issuer belongs to; undefined when it claims another than its issuer has. */
  readonly tenantOf: (claims: JsonObject) => string | null | undefined
  /** Whether tokens of its deployment were seen here that name a status list, or that were introspected. */
  readonly seen: { listed: boolean; asked: boolean }
  /** Whether its host cannot be reached, so that neither status lists nor introspection are available. */
  readonly isAway: () => boolean
}

export interface NamedIssuer extends TrustedIssuer {
  /** Makes the trust of a tenant of this deployment; null where tenants are not trusted. */
  readonly trustTenant: ((tenant: string, issuer: string) => TrustedIssuer) | null
}

const mostTenants = 1000
const absentFor = 30_000

export class TrustedIssuers {
  readonly #named: ReadonlyMap<string, NamedIssuer>
  readonly #time: Time
  readonly #tenants = new Lru<string, TrustedIssuer>(mostTenants)
  /** Tenant issuers that do not exist, and until when (monotonic) we believe that. */
  readonly #absent = new Lru<string, number>(4096)
  /** Limits how many tenant names, which strangers can make up, cost the issuer a request. */
  readonly #bucket: TokenBucket

  constructor(named: readonly NamedIssuer[], time: Time) {
    this.#named = new Map(named.map((trust) => [trust.issuer, trust]))
    this.#time = time
    this.#bucket = new TokenBucket(time, 50, 100)
  }

  find(issuer: string): Result<TrustedIssuer, 'untrusted' | 'unavailable'> {
    const known = this.#named.get(issuer) ?? this.#tenants.get(issuer)
    if (known !== undefined) return ok(known)
    const root = this.#rootOf(issuer)
    if (root === null) return err('untrusted')
    if ((this.#absent.get(issuer) ?? 0) > this.#time.monotonic()) return err('untrusted')
    if (!this.#bucket.tryTake()) return err('unavailable')
    const trust = root.trust(issuer)
    if (this.#tenants.size >= mostTenants) this.#makeRoom()
    this.#tenants.set(issuer, trust)
    return ok(trust)
  }

  /** The trusted issuer whose revocations cover this issuer's tokens: itself, or its deployment. Makes no request. */
  revokerOf(issuer: string): TrustedIssuer | null {
    return this.#named.get(issuer) ?? this.#tenants.get(issuer) ?? this.#rootOf(issuer)?.named ?? null
  }

  #rootOf(issuer: string): { readonly named: NamedIssuer; trust(issuer: string): TrustedIssuer } | null {
    for (const named of this.#named.values()) {
      const { trustTenant } = named
      const tenant = trustTenant === null ? null : tenantOfIssuer(named.issuer, issuer)
      if (tenant !== null && trustTenant !== null) return { named, trust: (address) => trustTenant(tenant, address) }
    }
    return null
  }

  /** Evicts the tenant unused for longest, but first those without keys, which may not exist. */
  #makeRoom(): void {
    const [oldest, ...others] = this.#tenants.values()
    const gone = [oldest, ...others].find((trust) => trust?.keys.ready() === false) ?? oldest
    if (gone !== undefined) this.#drop(gone)
  }

  #drop(trust: TrustedIssuer): void {
    trust.keys.close()
    this.#tenants.delete(trust.issuer)
  }

  /** Forgets a tenant that the deployment says does not exist. False for a named issuer, which stays. */
  forget(trust: TrustedIssuer): boolean {
    if (this.#named.has(trust.issuer)) return false
    this.#drop(trust)
    this.#absent.set(trust.issuer, this.#time.monotonic() + absentFor)
    return true
  }

  /** The key sources of the deployment at `root` for messages of its feed: those of one tenant, or all. */
  keysOf(root: string, tenant?: string | null): readonly KeySource[] {
    const all = [...this.#named.values(), ...this.#tenants.values()]
    const issuer = tenant === undefined ? undefined : tenant === null ? root : `${root}/t/${tenant}`
    return all
      .filter((trust) =>
        issuer === undefined
          ? trust.issuer === root || tenantOfIssuer(root, trust.issuer) !== null
          : trust.issuer === issuer,
      )
      .map((trust) => trust.keys)
  }

  namedIssuers(): IterableIterator<NamedIssuer> {
    return this.#named.values()
  }

  close(): void {
    for (const trust of [...this.#named.values(), ...this.#tenants.values()]) trust.keys.close()
  }
}
