/** A person, and how they proved who they are. */
import type { Instant, JsonObject, TenantId } from '../types.ts'

/** A person as the user directory knows them. Claims carry the names of OIDC Core §5.1. */
export interface Person {
  readonly tenant: TenantId
  /** The `sub` of this person: never reused, never changed. */
  readonly id: string
  readonly username: string
  readonly claims: JsonObject
  readonly createdAt: Instant
  readonly disabledAt: Instant | null
}

/** How a person proved who they are, when, and in which session. */
export interface Authentication {
  readonly subject: string
  readonly sessionId: string
  readonly at: Instant
  readonly acr: string
  readonly amr: readonly string[]
}
