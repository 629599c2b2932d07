/** A person, and how they authenticated. */
import type { Instant, JsonObject, TenantId } from '../types.ts'
import type { AdministratorKind } from './administrator.ts'

/** A person in the user directory. Claims have the names of OIDC Core §5.1. */
export interface Person {
  readonly tenant: TenantId
  /** The `sub` of this person: never reused, never changed. */
  readonly id: string
  readonly username: string
  readonly claims: JsonObject
  readonly createdAt: Instant
  readonly disabledAt: Instant | null
  /** Their kind of administrator in their tenant; in the tenant `default`, of the deployment. */
  readonly administrator: AdministratorKind | null
  /** Whether their password is temporary: they must choose another before anything else. */
  readonly mustChangePassword: boolean
  /** Different for every new password, even two set at the same moment; left out by directories without passwords. */
  readonly passwordChangedAt?: Instant | null
  /** The version of the terms of use that they last accepted, and when; left out, none. */
  readonly terms?: AcceptedTerms
  /** When their account will be removed, as they requested; left out, they did not. */
  readonly deletionDueAt?: Instant
  /** The roles they hold, directly or by a group; left out: none. */
  readonly roles?: readonly string[]
  /** Of these, the roles given to them directly. */
  readonly ownRoles?: readonly string[]
  /** The names of their groups; at most one more than fits into a token (`groupLimits`). */
  readonly groups?: readonly string[]
  /** Attributes besides the claims of OIDC, for mapped claims. */
  readonly attributes?: JsonObject
}

export interface AcceptedTerms {
  readonly version: string
  readonly at: Instant
}

/** How a person authenticated, when, and in which session. */
export interface Authentication {
  readonly subject: string
  readonly sessionId: string
  readonly at: Instant
  readonly acr: string
  readonly amr: readonly string[]
}
