/** The interactive flow as one function: from the known facts to the next step. */
import { type ConsentQuestion, consentQuestion, type RememberedConsent } from './consent.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { nothingPersonal, personalScope } from '../oauth/personal-scope.ts'
import { intersect, type Scope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { outstandingTerms, type Terms } from '../people/account-policy.ts'
import type { Authentication, Person } from '../people/person.ts'
import type { Instant } from '../types.ts'
import type { AuthorizationRequest } from './request.ts'
import { type Factors, meetsAcr, needsPasskey, noFactors, requiredAcr, strongerAcr, reportedAcr } from './strength.ts'

/** The facts that steps have recorded, one each. Plain JSON, because it is stored. */
export type InteractionProgress = {
  /** The account that was chosen, or signed in, during this interaction. */
  readonly account: string | null
  /** The person's choice on a page: to choose another account, or to sign in to one more. */
  readonly accountAction: 'choose' | 'login' | null
  /** The allowed scope, and by whom: the approval of another account does not count. */
  readonly approval: { readonly subject: string; readonly scope: readonly string[] } | null
  readonly denied: boolean
}
export const noInteractionProgress: InteractionProgress = Object.freeze({
  account: null,
  accountAction: null,
  approval: null,
  denied: false,
})

/** A person who has shown a password in this browser, and must still show a second factor: not yet signed in. */
export interface PasswordProof {
  readonly subject: string
  readonly at: Instant
}

export interface InteractionFacts {
  readonly request: AuthorizationRequest
  readonly progress: InteractionProgress
  readonly openedAt: Instant
  /** The accounts signed in to this browser whose sessions are valid. */
  readonly accounts: readonly Authentication[]
  readonly proven: PasswordProof | null
  /** The enrolled factors of those people, by subject. */
  readonly factors: ReadonlyMap<string, Factors>
  /** What the answering account (see `whoAnswers`) has allowed this client before. */
  readonly remembered: RememberedConsent | null
  /** Whether the person is asked even if they have allowed it before. */
  readonly eachTime: boolean
  /** Whether no consent is needed, because the client belongs to the service itself (see `isFirstPartyAt`). */
  readonly firstParty: boolean
  /** The person of the answering account; null while there is none. */
  readonly person: Pick<Person, 'administrator' | 'roles' | 'mustChangePassword' | 'terms'> | null
  readonly catalogue: Catalogue
  readonly now: Instant
}

export type InteractionStep =
  | { readonly go: 'login'; readonly again: Authentication | null }
  | SecondFactorStep
  | { readonly go: 'choose' }
  | { readonly go: 'new-password'; readonly account: Authentication }
  | { readonly go: 'terms'; readonly account: Authentication; readonly terms: Terms }
  | { readonly go: 'consent'; readonly account: Authentication; readonly question: ConsentQuestion }
  | { readonly go: 'respond'; readonly account: Authentication; readonly scope: Scope }
  | { readonly go: 'refuse'; readonly refusal: Refusal }

/** After a password, or to strengthen a session that is too weak for the request (`account`). */
export interface SecondFactorStep {
  readonly go: 'second-factor'
  readonly subject: string
  readonly account: Authentication | null
  /** Only a passkey would be strong enough. */
  readonly passkeyOnly: boolean
}

/** Steps do not know each other: each one records its fact and returns here. */
export function nextStep(facts: InteractionFacts): InteractionStep {
  const { progress } = facts
  if (progress.denied) return refuse({ reason: 'access_denied' })
  if (progress.accountAction === 'choose') return { go: 'choose' }
  if (progress.accountAction === 'login') return { go: 'login', again: null }
  if (isSomebodyElse(facts)) return refuse({ reason: 'person_mismatch' })
  const account = whoAnswers(facts)
  if (account === 'choose') return ask({ go: 'choose' }, 'account_selection_required', facts)
  if (account === null || isStale(account, facts)) return ask(signIn(account, facts), 'login_required', facts)
  return strengthStep(account, facts) ?? accountStep(account, facts) ?? consentStep(account, facts)
}

/**
 * OIDC Core §3.1.2.6: with prompt=none nobody is asked, and the client gets an error that tells which step would
 * follow.
 */
const isSilent = ({ request }: InteractionFacts): boolean => request.prompt.includes('none')

const ask = (
  step: InteractionStep,
  unasked: 'account_selection_required' | 'login_required' | 'terms_outstanding' | 'consent_required',
  facts: InteractionFacts,
): InteractionStep => (isSilent(facts) ? refuse({ reason: unasked }) : step)

/** Null where the account is signed in strongly enough. */
function strengthStep(account: Authentication, facts: InteractionFacts): InteractionStep | null {
  const { request } = facts
  const stronger = strongerAcr(account.acr, request, factorsOf(account.subject, facts))
  // With prompt=none a preference is ignored.
  if (stronger !== null && !isSilent(facts)) return secondFactor(account, stronger)
  return satisfies(account, request) ? null : insufficient(account, facts)
}

/** What the account must do before it can be used: replace a temporary password, accept the current terms. */
function accountStep(account: Authentication, facts: InteractionFacts): InteractionStep | null {
  const { person, catalogue } = facts
  if (person?.mustChangePassword === true) return ask({ go: 'new-password', account }, 'login_required', facts)
  const terms = outstandingTerms(catalogue.tenant.accounts, person?.terms?.version)
  return terms === null ? null : ask({ go: 'terms', account, terms }, 'terms_outstanding', facts)
}

function consentStep(account: Authentication, facts: InteractionFacts): InteractionStep {
  const { request, progress, person, catalogue, remembered, eachTime, firstParty } = facts
  const requested = new Set(request.scope)
  const wanted = personalScope(requested, person, catalogue)
  if (wanted.size === 0 && requested.size > 0) return refuse({ reason: nothingPersonal(requested) })
  const respond = (scope: Scope): InteractionStep => ({
    go: 'respond',
    account: withReportedAcr(account, request),
    scope,
  })
  const { approval } = progress
  if (approval?.subject === account.subject) return respond(intersect(wanted, new Set(approval.scope)))
  const narrowed = { ...request, scope: [...wanted] }
  const question = consentQuestion({ request: narrowed, remembered, eachTime, firstParty, catalogue })
  return question === null ? respond(wanted) : ask({ go: 'consent', account, question }, 'consent_required', facts)
}

/**
 * The account that would answer: the one the request requires, else the one chosen or signed in here, else the only
 * one. With several, or where the request asks for a choice, the person chooses.
 */
export function whoAnswers({
  request,
  progress,
  accounts,
}: Pick<InteractionFacts, 'request' | 'progress' | 'accounts'>): Authentication | 'choose' | null {
  const named = request.subject ?? progress.account
  const mayPick = request.prompt.includes('select_account') && progress.account === null && request.subject === null
  if (accounts.length > 0 && mayPick) return 'choose'
  if (named !== null) return accounts.find(({ subject }) => subject === named) ?? null
  return accounts.length > 1 ? 'choose' : (accounts[0] ?? null)
}

/**
 * OIDC Core §3.1.2.1, id_token_hint: a certain person was asked to sign in, and another one did. The client gets an
 * error, because asking again might never end.
 */
function isSomebodyElse({ request, progress, proven, openedAt }: InteractionFacts): boolean {
  if (request.subject === null) return false
  const passwordOnly = proven !== null && proven.at >= openedAt ? proven.subject : null
  return [progress.account, passwordOnly].some((subject) => subject !== null && subject !== request.subject)
}

/** prompt=login and max_age (OIDC Core §3.1.2.1) are satisfied by one sign-in that is newer than this interaction. */
function isStale({ at }: Pick<Authentication, 'at'>, { request, openedAt, now }: InteractionFacts): boolean {
  if (at >= openedAt) return false
  return request.prompt.includes('login') || (request.maxAge !== null && now - at > request.maxAge * 1000)
}

/**
 * A shown password still counts, unless another person is required or it was too long ago: the second factor is next.
 */
function signIn(again: Authentication | null, facts: InteractionFacts): InteractionStep {
  const { proven, request, progress } = facts
  const named = request.subject ?? progress.account
  if (proven === null || (named !== null && named !== proven.subject) || isStale(proven, facts)) {
    return { go: 'login', again }
  }
  const { subject } = proven
  const wanted = strongerAcr('', request, factorsOf(subject, facts))
  return { go: 'second-factor', subject, account: null, passkeyOnly: needsPasskey(wanted) }
}

const secondFactor = (account: Authentication, wanted: string): InteractionStep => ({
  go: 'second-factor',
  subject: account.subject,
  account,
  passkeyOnly: needsPasskey(wanted),
})

const factorsOf = (subject: string, { factors }: InteractionFacts): Factors => factors.get(subject) ?? noFactors

/** OIDC Core §5.5.1.1: acr_values are a preference; only an essential `acr` claim with values is a condition. */
const satisfies = ({ acr }: Authentication, request: AuthorizationRequest): boolean =>
  requiredAcr(request)?.some((wanted) => meetsAcr(acr, wanted)) ?? true

/** RFC 9470 §4: another sign-in may be stronger; if it was not strong enough, the client gets an error. */
function insufficient(account: Authentication, facts: InteractionFacts): InteractionStep {
  if (isSilent(facts)) return refuse({ reason: 'login_required' })
  return account.at < facts.openedAt ? signIn(account, facts) : refuse({ reason: 'authentication_requirements_unmet' })
}

const withReportedAcr = (account: Authentication, request: AuthorizationRequest): Authentication => ({
  ...account,
  acr: reportedAcr(account.acr, request),
})

const refuse = (refusal: Refusal): InteractionStep => ({ go: 'refuse', refusal })
