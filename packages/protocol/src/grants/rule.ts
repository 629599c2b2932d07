/** The interface of a grant type: a pure rule. The authority reads and writes for it. */
import type { Possession } from '../oauth/confirmation.ts'
import type { AuthorizationDetail } from '../authorization-details/detail.ts'
import type { Policy } from '../oauth/policy.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Form } from '../oauth/form.ts'
import type { Scope } from '../oauth/scope.ts'
import type { Catalogue, Resource } from '../oauth/tenant.ts'
import type { Person } from '../people/person.ts'
import type { Client } from '../registration/client.ts'
import type { GrantId, Handle, Instant, JsonObject, Secret } from '../types.ts'
import type { Result } from '../result.ts'
import type { CodeFacts, DeviceFacts, ForeignToken, Grant, RefreshFacts, TokenFacts } from './grant.ts'

/** The facts that can be looked up for a grant, by kind; null where nothing was found. */
export interface FactsByKind {
  code: CodeFacts | null
  refresh: RefreshFacts | null
  device: DeviceFacts | null
  token: TokenFacts | null
  foreign: ForeignToken | null
}

/** The key by which each kind is looked up: the handle of a secret, or a token as it was presented. */
interface FoundBy {
  code: Handle
  refresh: Handle
  device: Handle
  token: string
  foreign: string
}

export type Lookup<K extends keyof FactsByKind = keyof FactsByKind> = {
  [N in K]: { readonly find: N; readonly by: FoundBy[N] }
}[K]

/** The lookups of a rule: the kind of each fact, by the name that the rule gives it. */
export type Lookups = Readonly<Record<string, keyof FactsByKind>>

/** All inputs of a decision. */
export interface GrantInput<P, L extends Lookups> {
  readonly params: P
  readonly facts: { readonly [N in keyof L]: FactsByKind[L[N]] }
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: Policy
  readonly now: Instant
  /** The person of the grant as the user directory has them now. If absent, a grant of a person is refused. */
  readonly person?: Person | null
  /** The keys that the request has proven; absent: none. */
  readonly possession?: Possession
}

/** What an issuance uses up; a retry uses up nothing, but requires that the successor is unused. */
export type SpendOrder =
  | { readonly kind: 'code'; readonly handle: Handle }
  | { readonly kind: 'refresh'; readonly handle: Handle; readonly spentFor: string }
  | { readonly kind: 'retry'; readonly handle: Handle }
  | { readonly kind: 'device'; readonly handle: Handle; readonly spentFor: string }
  | { readonly kind: 'device-retry'; readonly handle: Handle }

/** The refresh token to issue. */
export interface RefreshOrder {
  readonly scope: Scope
  readonly expiresAt: Instant
  /** The token it is derived from (tokens/successor.ts); null for a fresh random one, the first of its chain. */
  readonly successorOf: { readonly token: Secret; readonly salt: Uint8Array } | null
}

/** A grant without a page: when and according to whom the person signed in. */
export interface NewGrantOrder {
  readonly person: Person
  readonly signedInAt: Instant
  readonly expiresAt: Instant
}

/** The decision to issue. `resource: null` means the audience is the issuer itself. */
export interface IssueDecision {
  readonly do: 'issue'
  readonly grantId: GrantId | null
  readonly subject: string
  readonly scope: Scope
  readonly resource: Resource | null
  /** The details of the token and of its response (RFC 9396 §7, §9); absent where there are none. */
  readonly details?: readonly AuthorizationDetail[]
  /** Additional claims of the access token. */
  readonly claims: JsonObject
  readonly spend: SpendOrder | null
  readonly refresh: RefreshOrder | null
  /** The ID token to issue with it (OIDC Core §3.1.3.3, §12.2). */
  readonly idToken: { readonly grant: Grant; readonly nonce: string | null } | null
  /** The latest expiry of the access token, whatever the usual lifetime. */
  readonly expiresBy?: Instant
  /** The assertion of another issuer that this issuance uses up. */
  readonly assertion?: { readonly id: string; readonly expiresAt: Instant }
  /** The grant to open with this issuance, for a person for whom another issuer vouches; `grantId` is null then. */
  readonly opens?: NewGrantOrder
  /** Instead of an access token, an identity assertion grant for another server, which knows the client by this id. */
  readonly idJag?: { readonly audience: string; readonly clientId: string }
  /** Additional data of the event of this issuance. */
  readonly eventData?: JsonObject
  /** Additional members of the token response; those of RFC 6749 §5.1 cannot be replaced. */
  readonly response?: JsonObject
}
export interface RefuseDecision {
  readonly do: 'refuse'
  readonly refusal: Refusal
  /** The grant to revoke with this refusal (a replay), if any. */
  readonly revoke: GrantId | null
  /** The code for which a wrong verifier is counted, if any. */
  readonly strike: Handle | null
  /** The device code whose polling interval grows, if any. */
  readonly slower: Handle | null
}
export type GrantDecision = IssueDecision | RefuseDecision

export interface GrantRule<P, L extends Lookups> {
  readonly type: string
  /** Which credential of a grant it redeems; absent where it redeems none. */
  readonly redeems?: 'code' | 'device' | 'refresh'
  parse(form: Form, handleOf: (secret: string) => Handle): Result<P, Refusal>
  /**
   * The facts to be looked up before the decision. The first determines the person of the new token. Null for what the
   * request does not present.
   */
  lookups(params: P): { readonly [N in keyof L]: Lookup<L[N]> | null }
  decide(input: GrantInput<P, L>): GrantDecision
}

/** A rule without its type parameters: its driver only passes its parameters and facts from `parse` to `decide`. */
export type AnyGrantRule = GrantRule<unknown, Lookups>

export const refuse = (
  refusal: Refusal,
  also: { readonly revoke?: GrantId; readonly strike?: Handle; readonly slower?: Handle } = {},
): RefuseDecision => ({
  do: 'refuse',
  refusal,
  revoke: also.revoke ?? null,
  strike: also.strike ?? null,
  slower: also.slower ?? null,
})
