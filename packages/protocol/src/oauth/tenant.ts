/** A tenant, and what is declared of it: resources, scopes and roles. */
import type { AuthorizationDetailType } from '../authorization-details/detail-type.ts'
import type { Branding } from '../branding/branding.ts'
import type { ClaimMapping } from '../claims/claim-mapping.ts'
import type { IssuanceHook, PolicyService } from '../decisions/decision-point.ts'
import type { Role } from '../people/role.ts'
import type { Instant, TenantId } from '../types.ts'
import type { AccountPolicy } from '../people/account-policy.ts'
import type { StoredProvider } from '../providers/provider.ts'
import type { RegistrationPolicy } from '../registration/policy.ts'
import type { TenantProfile } from '../registration/tenant-profile.ts'
import type { TrustedIssuer } from '../trust/trusted-issuer.ts'

export interface Tenant {
  readonly id: TenantId
  readonly name: string
  /** Counts every change to the tenant, its resources, scopes, roles and keys, and what people lost by a role; see Basis in the store's contract. */
  readonly revision: number
  readonly disabledAt: Instant | null
  /** Where it differs from the deployment's policy. */
  readonly registration?: Partial<RegistrationPolicy>
  /** Issuers whose tokens are believed here; left out, none. */
  readonly trustedIssuers?: readonly TrustedIssuer[]
  /** Others that its people may sign in by, in the order of their buttons; left out, none. */
  readonly providers?: readonly StoredProvider[]
  /** The same of `Policy.requirePushed`. */
  readonly requirePushed?: boolean
  /** What every client of it is held to; left out, each to its own. */
  readonly profile?: TenantProfile
  /** How its pages and mails look, where that is not the deployment's way. */
  readonly branding?: Branding
  /** Who may make an account, and the terms they agree to; left out, nobody and none. */
  readonly accounts?: AccountPolicy
  /** Tokens of it that were issued up to this second are dead: a new one says a later second. */
  readonly tokensDeadUpTo?: Instant
}

/** An API that tokens are issued for (RFC 8707). */
export interface Resource {
  readonly identifier: string
  readonly name: string
  readonly tokenFormat: 'jwt' | 'opaque'
  /** What the header of its JWTs says: RFC 9068's type, or the one that readers from before it insist on. */
  readonly tokenTyp: 'at+jwt' | 'JWT'
  /** Seconds; null means the policy's. */
  readonly accessTtl: number | null
  /** Whether its tokens have a place in a status list; left out, they have none. */
  readonly statusList?: true
  /** Whether people get no scope of it but by a role; left out, whatever a client asks and they agree to. */
  readonly requireRoles?: true
  /** What its access tokens say beside what the protocol does; left out, nothing. */
  readonly claimMappings?: readonly ClaimMapping[]
  /** Who is asked whether a token of it may be issued; left out, nobody. */
  readonly policyService?: PolicyService
  /** What is asked after that, and may change the token within bounds; left out, nothing. */
  readonly issuanceHook?: IssuanceHook
}

/** A scope of the catalogue. `resource: null` means it belongs to the issuer itself. */
export interface ScopeEntry {
  readonly name: string
  readonly description: string | Readonly<Record<string, string>>
  readonly resource: string | null
  readonly sensitivity: 'low' | 'normal' | 'high'
  readonly mode: 'default' | 'optional'
}

/** All that is declared of a tenant but its clients, read in one snapshot. */
export interface Catalogue {
  readonly tenant: Tenant
  readonly resources: readonly Resource[]
  readonly scopes: readonly ScopeEntry[]
  /** RFC 9396 §2.1; absent where there are none. */
  readonly authorizationDetailTypes?: readonly AuthorizationDetailType[]
  /** Absent where there are none. */
  readonly roles?: readonly Role[]
  /** The claims that its clients have declared for themselves; absent where there are none. */
  readonly mappedClaims?: readonly string[]
}
