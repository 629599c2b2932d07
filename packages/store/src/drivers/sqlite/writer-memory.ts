/** What the writer remembers, all of a tenant in one place: an entry then costs one search among thousands of tenants. */
import type { TenantId } from '@grantor/protocol/types'
import type { Row } from '../../verbs/verb.ts'

/** Where a tenant's log stands, the open group included. */
export interface Head {
  seq: number
  hash: Uint8Array
}

/** A basis as it was last looked at. */
export interface Look {
  /** Null where the look was at the tenant alone. */
  readonly client: string | null
  readonly revision: number
  readonly version: number
  readonly rows: readonly Row[]
  /** What was seen before the last change is not believed. */
  readonly age: number
}

export interface TenantMemory {
  head: Head | null
  /** Most tenants are asked by one client many times over; the others are in the map. */
  last: Look | null
  readonly looks: Map<string | null, Look>
}

/** Tenants, and looks in all of them; beyond that the writer reads again. */
const most = 20_000

export class WriterMemory {
  readonly #tenants = new Map<TenantId, TenantMemory>()
  #looks = 0
  #age = 0

  of(tenant: TenantId): TenantMemory {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const memory: TenantMemory = { head: null, last: null, looks: new Map() }
    this.#tenants.set(tenant, memory)
    return memory
  }

  get age(): number {
    return this.#age
  }

  keep(memory: TenantMemory, look: Look): void {
    if (!memory.looks.has(look.client)) this.#looks += 1
    memory.looks.set(look.client, look)
    memory.last = look
  }

  /** Between groups, so that no head of an open one is lost. */
  makeRoom(): void {
    if (this.#tenants.size > most || this.#looks > most) this.forgetAll()
  }

  forgetLooks(): void {
    this.#age += 1
  }

  forgetAll(): void {
    this.#tenants.clear()
    this.#looks = 0
  }
}
