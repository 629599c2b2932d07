/** What every grant type is: a pure rule. The authority reads and writes for it. */
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

/** What can be found for a grant, by kind; null where there is no such thing. */
export interface FactsByKind {
  code: CodeFacts | null
  refresh: RefreshFacts | null
  device: DeviceFacts | null
  token: TokenFacts | null
  foreign: ForeignToken | null
}

/** What each kind is found by: the handle of a secret, or a token as it was presented. */
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

/** What a rule looks up: the kind of each fact, by the name that the rule gives it. */
export type Lookups = Readonly<Record<string, keyof FactsByKind>>

/** Everything a decision may look at. */
export interface GrantInput<P, L extends Lookups> {
  readonly params: P
  readonly facts: { readonly [N in keyof L]: FactsByKind[L[N]] }
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: Policy
  readonly now: Instant
  /** The person of the grant as the user directory knows them now. Not given, a grant of a person is refused. */
  readonly person?: Person | null
  /** What the request proves to have; not given: nothing. */
  readonly possession?: Possession
}

/** What is used up by an issuance; for a retry nothing is, but the successor must still be unused. */
export type SpendOrder =
  | { readonly kind: 'code'; readonly handle: Handle }
  | { readonly kind: 'refresh'; readonly handle: Handle; readonly spentFor: string }
  | { readonly kind: 'retry'; readonly handle: Handle }
  | { readonly kind: 'device'; readonly handle: Handle; readonly spentFor: string }
  | { readonly kind: 'device-retry'; readonly handle: Handle }

/** The refresh token that goes out with this issuance. */
export interface RefreshOrder {
  readonly scope: Scope
  readonly expiresAt: Instant
  /** What it is derived from (tokens/successor.ts); null means a fresh random one, the first of its chain. */
  readonly successorOf: { readonly token: Secret; readonly salt: Uint8Array } | null
}

/** A grant without a page: when and by whose word the person signed in. */
export interface NewGrantOrder {
  readonly person: Person
  readonly signedInAt: Instant
  readonly expiresAt: Instant
}

/** What the authority is told to do. `resource: null` means the audience is the issuer itself. */
export interface IssueDecision {
  readonly do: 'issue'
  readonly grantId: GrantId | null
  readonly subject: string
  readonly scope: Scope
  readonly resource: Resource | null
  /** Of the token and of its response (RFC 9396 §7, §9); absent where there are none. */
  readonly details?: readonly AuthorizationDetail[]
  /** Further claims of the access token. */
  readonly claims: JsonObject
  readonly spend: SpendOrder | null
  readonly refresh: RefreshOrder | null
  /** The ID token to go along (OIDC Core §3.1.3.3, §12.2). */
  readonly idToken: { readonly grant: Grant; readonly nonce: string | null } | null
  /** When the access token ends at the latest, whatever the life of others. */
  readonly expiresBy?: Instant
  /** What somebody else signed and this issuance uses up: once, by whoever comes first. */
  readonly assertion?: { readonly id: string; readonly expiresAt: Instant }
  /** A grant that comes to be with this issuance, because somebody else vouches for the person; `grantId` is null then. */
  readonly opens?: NewGrantOrder
  /** Instead of an access token, an identity assertion grant for another server, where the client has this name. */
  readonly idJag?: { readonly audience: string; readonly clientId: string }
  /** What the event of this issuance says besides. */
  readonly eventData?: JsonObject
  /** Further members of the token response; none of RFC 6749 §5.1 can be replaced. */
  readonly response?: JsonObject
}
export interface RefuseDecision {
  readonly do: 'refuse'
  readonly refusal: Refusal
  /** The grant that dies with this refusal (a replay), if any. */
  readonly revoke: GrantId | null
  /** The code against which a wrong verifier is counted, if any. */
  readonly strike: Handle | null
  /** The device code whose client must poll more slowly from now on, if any. */
  readonly slower: Handle | null
}
export type GrantDecision = IssueDecision | RefuseDecision

export interface GrantRule<P, L extends Lookups> {
  readonly type: string
  /** Which part of a grant it redeems; not given where it redeems none. */
  readonly redeems?: 'code' | 'device' | 'refresh'
  parse(form: Form, handleOf: (secret: string) => Handle): Result<P, Refusal>
  /**
   * What is to be found before the decision. The first tells whose the new token will be. Null for what the
   * request does not present.
   */
  lookups(params: P): { readonly [N in keyof L]: Lookup<L[N]> | null }
  decide(input: GrantInput<P, L>): GrantDecision
}

/** A rule without its own types: who drives it only carries its parameters and facts from `parse` to `decide`. */
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
