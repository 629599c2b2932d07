/** A person, and how they proved who they are. */
import type { Instant, JsonObject, TenantId } from '../types.ts'
import type { AdministratorKind } from './administrator.ts'

/** A person as the user directory knows them. Claims carry the names of OIDC Core §5.1. */
export interface Person {
  readonly tenant: TenantId
  /** The `sub` of this person: never reused, never changed. */
  readonly id: string
  readonly username: string
  readonly claims: JsonObject
  readonly createdAt: Instant
  readonly disabledAt: Instant | null
  /** What they administer of their tenant; the tenant `default` is the deployment. */
  readonly administrator: AdministratorKind | null
  /** Their password was made for them: nothing goes on before they have chosen one. */
  readonly mustChangePassword: boolean
  /** Another at every new password, also one set in the same moment; left out by directories that keep no passwords. */
  readonly passwordChangedAt?: Instant | null
  /** The version of the terms of use they last agreed to, and when; left out, none. */
  readonly terms?: AcceptedTerms
  /** They asked for their account to be deleted, and it is from then on; left out, they did not. */
  readonly deletionDueAt?: Instant
  /** The roles they hold, by themselves or by a group; left out: none. */
  readonly roles?: readonly string[]
  /** Those of them that they were given themselves. */
  readonly ownRoles?: readonly string[]
  /** The names of their groups; no more than one beyond what a token has room for (`groupLimits`). */
  readonly groups?: readonly string[]
  /** What their tenant knows of them beside the claims of OIDC: for mapped claims. */
  readonly attributes?: JsonObject
}

export interface AcceptedTerms {
  readonly version: string
  readonly at: Instant
}

/** How a person proved who they are, when, and in which session. */
export interface Authentication {
  readonly subject: string
  readonly sessionId: string
  readonly at: Instant
  readonly acr: string
  readonly amr: readonly string[]
}
