/** A tenant, and what is declared in it: resources, scopes and roles. */
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
  /**
   * Changes with every change of the tenant, its resources, scopes, roles and keys, and with rights that people lost by
   * a role; see Basis in the store's contract.
   */
  readonly revision: number
  readonly disabledAt: Instant | null
  /** Overrides of the deployment's policy. */
  readonly registration?: Partial<RegistrationPolicy>
  /** Issuers whose tokens are accepted here; left out, none. */
  readonly trustedIssuers?: readonly TrustedIssuer[]
  /** Other providers by which its people may sign in, in the order of their buttons; left out, none. */
  readonly providers?: readonly StoredProvider[]
  /** Overrides `Policy.requirePushed`. */
  readonly requirePushed?: boolean
  /** The profile that all its clients must meet; left out, each only its own. */
  readonly profile?: TenantProfile
  /** The branding of its pages and mails, where it differs from the deployment's. */
  readonly branding?: Branding
  /** Who may create an account, and the terms they accept; left out, nobody and none. */
  readonly accounts?: AccountPolicy
  /** Tokens of the tenant issued up to this second are revoked; a new one must name a later second. */
  readonly tokensDeadUpTo?: Instant
}

/** An API that tokens are issued for (RFC 8707). */
export interface Resource {
  readonly identifier: string
  readonly name: string
  readonly tokenFormat: 'jwt' | 'opaque'
  /** The `typ` header of its JWTs: that of RFC 9068, or the one that older readers require. */
  readonly tokenTyp: 'at+jwt' | 'JWT'
  /** Seconds; null means the policy's. */
  readonly accessTtl: number | null
  /** Whether its tokens have an entry in a status list; left out, they do not. */
  readonly statusList?: true
  /** Whether people hold its scopes only by a role; left out, whatever a client requests and they agree to. */
  readonly requireRoles?: true
  /** Additional claims of its access tokens; left out, none. */
  readonly claimMappings?: readonly ClaimMapping[]
  /** The policy service that decides whether a token may be issued; left out, none. */
  readonly policyService?: PolicyService
  /** The hook that is asked afterwards, and may change the token within bounds; left out, none. */
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

/** Everything declared in a tenant except its clients, read on one snapshot. */
export interface Catalogue {
  readonly tenant: Tenant
  readonly resources: readonly Resource[]
  readonly scopes: readonly ScopeEntry[]
  /** RFC 9396 §2.1; absent where there are none. */
  readonly authorizationDetailTypes?: readonly AuthorizationDetailType[]
  /** Absent where there are none. */
  readonly roles?: readonly Role[]
  /** The claims that its clients map; absent where there are none. */
  readonly mappedClaims?: readonly string[]
}
