/** The user directory as the authority sees it. Ours is one implementation; another identity source can stand here. */
import type { Person, TenantId } from '@grantor/protocol'

/** What a successful sign-in proved. */
export interface Proof {
  readonly person: Person
  readonly acr: string
  readonly amr: readonly string[]
}

export interface People {
  find(tenant: TenantId, id: string): Promise<Person | null>
  /** Null for a wrong password, an unknown name, a disabled person: the same answer after the same work. */
  byPassword(tenant: TenantId, username: string, password: string): Promise<Proof | null>
}
