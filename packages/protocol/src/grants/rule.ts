/** What every grant type is: a pure rule. It has no hands; the authority reads and writes for it. */
import type { Policy } from '../policy.ts'
import type { Refusal } from '../refusal.ts'
import type { Catalogue, Client, Form, GrantId, Handle, Instant, Resource, Scope } from '../words.ts'

/** What a grant may ask to have read for it, by the handle it presents. */
export interface Facts {
  nothing: null
}

/** Everything a decision may look at. */
export interface Case<P, F> {
  readonly params: P
  readonly facts: F
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: Policy
  readonly now: Instant
}

/** What the authority is told to do. `resource: null` means the audience is the issuer itself. */
export interface IssueDecision {
  readonly do: 'issue'
  readonly grantId: GrantId | null
  readonly subject: string
  readonly scope: Scope
  readonly resource: Resource | null
}
export interface RefuseDecision {
  readonly do: 'refuse'
  readonly refusal: Refusal
  /** The grant that dies with this refusal (a replay), if any. */
  readonly revoke: GrantId | null
}
export type Decision = IssueDecision | RefuseDecision

export interface GrantRule<P, K extends keyof Facts> {
  readonly type: string
  readonly reads: K
  parse(form: Form, handleOf: (secret: string) => Handle): P | Refusal
  /** What `reads` is looked up by. */
  handle(params: P): Handle | null
  decide(it: Case<P, Facts[K]>): Decision
}

export const refuse = (refusal: Refusal, revoke: GrantId | null = null): RefuseDecision => ({
  do: 'refuse',
  refusal,
  revoke,
})
