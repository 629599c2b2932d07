/** The user directory as the authority sees it. Ours is one implementation; another identity source can stand here. */
import type { Person } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'

/** What a successful sign-in proved. */
export interface Proof {
  readonly person: Person
  readonly acr: string
  readonly amr: readonly string[]
}

/** Who it would have been, for the log alone. */
export interface Unproven {
  readonly person: null
  readonly subject: string | null
}

export interface People {
  find(tenant: TenantId, id: string): Promise<Person | null>
  /** A wrong password, an unknown name, a disabled person: the same refusal after the same work. */
  byPassword(tenant: TenantId, username: string, password: string): Promise<Proof | Unproven>
}
