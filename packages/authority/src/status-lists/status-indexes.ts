/**
 * Allocates entries in status lists. A process leases a block of indexes in one commit and gives each away once, in
 * random order: no row is contended, no token waits for another's index, and an index only reveals its block of a
 * thousand. Indexes that are unused when the process ends are lost; there are enough.
 */
import { randomInt } from 'node:crypto'
import type { Catalogue, Policy } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { StatusPlace, Store } from '@grantor/store'
import { BoundedCache } from '../bounded-cache.ts'
import { ignoreOutage } from '../outage.ts'
import type { Clock, Ids } from '../ports/environment.ts'

export interface StatusIndexes {
  /** An index for a token of this tenant with that expiry, which no other token gets. */
  take(catalogue: Catalogue, expiresAt: Instant): Promise<StatusPlace> | StatusPlace
  /** Waits for a lease that is being taken. */
  close(): Promise<void>
}

export interface StatusIndexDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'salt'>
  readonly policy: Policy
  readonly store: Pick<Store, 'statusLists'>
}

/** Indexes per block: a thousand tokens for one commit, and an index is one of a thousand. */
export const blockSize = 1024
/** With this many left the next block is fetched, so that no token waits for it. */
const low = blockSize / 4
/** Milliseconds for which a block is used: the life of a list depends on it. */
const leaseLife = 60 * 60_000
/** Tenants whose block is in memory; the remaining indexes of a forgotten one are lost. */
const mostTenants = 1_000

interface Lease {
  readonly list: string
  /** Given out from the end. */
  readonly indexes: number[]
  readonly until: Instant
  /** The revision of the tenant. It changes when lists are ended, and when a token lifetime changes. */
  readonly revision: number
}

interface TenantLeases {
  current: Lease | null
  next: Promise<Lease> | null
}

export function openStatusIndexes({ clock, ids, policy, store }: StatusIndexDependencies): StatusIndexes {
  const tenants = new BoundedCache<TenantId, TenantLeases>(mostTenants)
  const pending = new Set<Promise<unknown>>()

  async function lease({ tenant, resources }: Catalogue): Promise<Lease> {
    const lives = resources.filter((it) => it.statusList === true).map((it) => it.accessTtl ?? policy.accessTtl)
    const until = (clock.now() + leaseLife + Math.max(...lives, 0) * 1000) as Instant
    const newList = Buffer.from(ids.salt()).toString('base64url').slice(0, 12)
    const { list, first } = await store.statusLists.lease({ tenant: tenant.id, size: blockSize, until, newList })
    return { list, indexes: shuffled(first, blockSize), until, revision: tenant.revision }
  }

  function fetchNext(held: TenantLeases, catalogue: Catalogue): Promise<Lease> {
    if (held.next !== null) return held.next
    const next = lease(catalogue).finally(() => pending.delete(next))
    pending.add(next)
    held.next = next
    return next
  }

  const fits = (it: Lease | null, { tenant }: Catalogue, expiresAt: Instant): it is Lease =>
    it !== null && it.indexes.length > 0 && it.revision === tenant.revision && expiresAt <= it.until

  function give(held: TenantLeases, it: Lease, catalogue: Catalogue): StatusPlace {
    const idx = it.indexes.pop() as number
    // If fetching in advance fails, it is tried again by the token that needs it.
    if (it.indexes.length < low && held.next === null) fetchNext(held, catalogue).catch(() => (held.next = null))
    return { list: it.list, idx }
  }

  async function wait(held: TenantLeases, catalogue: Catalogue, expiresAt: Instant): Promise<StatusPlace> {
    for (;;) {
      const { current } = held
      if (fits(current, catalogue, expiresAt)) return give(held, current, catalogue)
      const coming = fetchNext(held, catalogue)
      const fresh = await coming.finally(() => {
        if (held.next === coming) held.next = null
      })
      // The first of several waiters stores the lease; the others find it there.
      if (held.current !== fresh && !fits(held.current, catalogue, expiresAt)) held.current = fresh
    }
  }

  return {
    take(catalogue, expiresAt) {
      const { id } = catalogue.tenant
      let held = tenants.get(id)
      if (held === undefined) {
        held = { current: null, next: null }
        tenants.set(id, held)
      }
      const { current } = held
      return fits(current, catalogue, expiresAt) ? give(held, current, catalogue) : wait(held, catalogue, expiresAt)
    },
    async close() {
      for (const one of pending) await one.catch(ignoreOutage)
    },
  }
}

/** Fisher-Yates: `size` numbers from `first` on, in random order. */
function shuffled(first: number, size: number): number[] {
  const indexes = Array.from({ length: size }, (_, i) => first + i)
  for (let i = size - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    const swapped = indexes[i] as number
    indexes[i] = indexes[j] as number
    indexes[j] = swapped
  }
  return indexes
}
