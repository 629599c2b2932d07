/**
 * The writer's cache, with everything about a tenant in one object: an entry then costs one lookup among thousands of
 * tenants.
 */
import type { TenantId } from '@grantor/protocol/types'
import type { Row } from '../../verbs/verb.ts'

/** The head of a tenant's log, including the open group. */
export interface Head {
  seq: number
  hash: Uint8Array
}

/** A basis as it was last read. */
export interface KnownBasis {
  /** Null where the basis is the tenant alone. */
  readonly client: string | null
  readonly revision: number
  readonly version: number
  readonly rows: readonly Row[]
  /** The directory's generation when it was read; after a change it is not valid. */
  readonly generation: number
}

export interface TenantMemory {
  head: Head | null
  /** Most tenants have one client that asks many times over; the other bases are in the map. */
  last: KnownBasis | null
  readonly bases: Map<string | null, KnownBasis>
}

/** The most tenants, and the most bases in all of them; beyond, the cache is emptied. */
const mostRemembered = 20_000

export class WriterMemory {
  readonly #tenants = new Map<TenantId, TenantMemory>()
  #bases = 0
  #generation = 0

  of(tenant: TenantId): TenantMemory {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const memory: TenantMemory = { head: null, last: null, bases: new Map() }
    this.#tenants.set(tenant, memory)
    return memory
  }

  get generation(): number {
    return this.#generation
  }

  keep(memory: TenantMemory, basis: KnownBasis): void {
    if (!memory.bases.has(basis.client)) this.#bases += 1
    memory.bases.set(basis.client, basis)
    memory.last = basis
  }

  /** Called between groups, so that no head of an open group is lost. */
  makeRoom(): void {
    if (this.#tenants.size > mostRemembered || this.#bases > mostRemembered) this.forgetAll()
  }

  forgetBases(): void {
    this.#generation += 1
  }

  forgetAll(): void {
    this.#tenants.clear()
    this.#bases = 0
  }
}
