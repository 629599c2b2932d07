/**
 * The user directory as the authority sees it. The built-in one is one implementation; another source can take its
 * place.
 */
import type { Person } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'

/** What a successful sign-in has proven. */
export interface Proof {
  readonly person: Person
  readonly acr: string
  readonly amr: readonly string[]
}

/** The person whose sign-in failed, for the log alone. */
export interface Unproven {
  readonly person: null
  readonly subject: string | null
}

export interface People {
  find(tenant: TenantId, id: string): Promise<Person | null>
  /** A wrong password, an unknown name and a disabled person get the same refusal after the same work. */
  byPassword(tenant: TenantId, username: string, password: string): Promise<Proof | Unproven>
}
