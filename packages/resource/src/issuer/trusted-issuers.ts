/** Whom the validator believes: named issuers, and with them the tenants of their deployment. */
import type { JsonObject } from '@grantor/protocol/types'
import { Lru } from '../lru.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { Time } from '../time.ts'
import { Budget } from '../token-bucket.ts'
import type { Introspector } from './introspector.ts'
import { tenantOf } from './issuer-metadata.ts'
import type { KeySource } from './key-source.ts'

/** One issuer that tokens may name. */
export interface Trust {
  readonly issuer: string
  readonly keys: KeySource
  /** null: revocation of this issuer's tokens is not followed, by the owner's explicit choice. */
  readonly revocation: RevocationSource | null
  readonly introspector: Introspector | null
  /** Accepted `typ`, lower case, without `application/`. */
  readonly types: ReadonlySet<string>
  /** The tenant a token of this issuer belongs to; undefined when it claims another than its issuer has. */
  readonly tenantIn: (claims: JsonObject) => string | null | undefined
}

export interface NamedTrust extends Trust {
  /** Makes the trust of a tenant of this deployment; null where tenants are not trusted. */
  readonly tenant: ((tenant: string, issuer: string) => Trust) | null
}

const mostTenants = 1000
const absentFor = 30_000

export class Trusts {
  readonly #named: ReadonlyMap<string, NamedTrust>
  readonly #time: Time
  readonly #tenants = new Lru<string, Trust>(mostTenants)
  /** Issuers of the right shape that do not exist, and until when (monotonic) we believe that. */
  readonly #absent = new Lru<string, number>(4096)
  /** Each name that a stranger makes up costs the server a question: not too many of them. */
  readonly #budget: Budget

  constructor(named: readonly NamedTrust[], time: Time) {
    this.#named = new Map(named.map((trust) => [trust.issuer, trust]))
    this.#time = time
    this.#budget = new Budget(time, 50, 100)
  }

  find(issuer: string): Trust | 'untrusted' | 'unavailable' {
    const known = this.#named.get(issuer) ?? this.#tenants.get(issuer)
    if (known !== undefined) return known
    for (const root of this.#named.values()) {
      const tenant = root.tenant === null ? null : tenantOf(root.issuer, issuer)
      if (tenant === null || root.tenant === null) continue
      if ((this.#absent.get(issuer) ?? 0) > this.#time.monotonic()) return 'untrusted'
      if (!this.#budget.take()) return 'unavailable'
      const trust = root.tenant(tenant, issuer)
      this.#tenants.set(issuer, trust)?.keys.close()
      return trust
    }
    return 'untrusted'
  }

  /** The deployment says there is no such tenant. */
  forget(trust: Trust): void {
    if (this.#named.has(trust.issuer)) return
    trust.keys.close()
    this.#tenants.delete(trust.issuer)
    this.#absent.set(trust.issuer, this.#time.monotonic() + absentFor)
  }

  /** The keys in use of the deployment under `root`, for news of its feed: one tenant's, or all. */
  keysOf(root: string, tenant?: string | null): readonly KeySource[] {
    const all = [...this.#named.values(), ...this.#tenants.values()]
    const issuer = tenant === undefined ? undefined : tenant === null ? root : `${root}/t/${tenant}`
    return all
      .filter((trust) =>
        issuer === undefined ? trust.issuer === root || tenantOf(root, trust.issuer) !== null : trust.issuer === issuer,
      )
      .map((trust) => trust.keys)
  }

  named(): IterableIterator<NamedTrust> {
    return this.#named.values()
  }

  close(): void {
    for (const trust of [...this.#named.values(), ...this.#tenants.values()]) trust.keys.close()
  }
}
