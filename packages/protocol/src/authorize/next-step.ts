/** The whole interactive flow as one question: given what is known, what is the next step? */
import { type ConsentQuestion, consentQuestion, type Remembered } from '../consent.ts'
import type { Refusal } from '../refusal.ts'
import { intersect } from '../scope.ts'
import type { Authentication, Catalogue, Instant, Scope } from '../words.ts'
import type { AuthorizationRequest } from './request.ts'

/** The facts that steps have recorded, one each. Plain JSON, because it waits in the store. */
export type Progress = {
  /** Who was chosen, or signed in, during this interaction. */
  readonly account: string | null
  /** What the person asked for on a page: to choose another account, or to sign in to one more. */
  readonly wish: 'choose' | 'login' | null
  /** What was allowed, and by whom: another account's approval counts for nothing. */
  readonly approval: { readonly subject: string; readonly scope: readonly string[] } | null
  readonly denied: boolean
}
export const noProgress: Progress = Object.freeze({ account: null, wish: null, approval: null, denied: false })

export interface Known {
  readonly request: AuthorizationRequest
  readonly progress: Progress
  readonly openedAt: Instant
  /** The accounts signed in to this browser whose sessions stand. */
  readonly accounts: readonly Authentication[]
  /** What the answering account (see `whoAnswers`) has allowed this client before. */
  readonly remembered: Remembered | null
  readonly catalogue: Catalogue
  readonly now: Instant
}

export type Step =
  | { readonly go: 'login'; readonly again: Authentication | null }
  | { readonly go: 'choose' }
  | { readonly go: 'consent'; readonly account: Authentication; readonly question: ConsentQuestion }
  | { readonly go: 'respond'; readonly account: Authentication; readonly scope: Scope }
  | { readonly go: 'refuse'; readonly refusal: Refusal }

/** Steps do not know each other: each one records its fact and comes back here. */
export function nextStep(known: Known): Step {
  const { request, progress, catalogue, remembered } = known
  if (progress.denied) return refuse({ reason: 'access_denied' })
  if (progress.wish === 'choose') return { go: 'choose' }
  if (progress.wish === 'login') return { go: 'login', again: null }
  const silent = request.prompt.includes('none')

  const account = whoAnswers(known)
  if (account === 'choose') return silent ? refuse({ reason: 'account_selection_required' }) : { go: 'choose' }
  if (account === null || isStale(account, known)) {
    return silent ? refuse({ reason: 'login_required' }) : { go: 'login', again: account }
  }
  if (!satisfies(account, request)) return insufficient(account, known, silent)

  const wanted = new Set(request.scope)
  if (progress.approval?.subject === account.subject) {
    return { go: 'respond', account, scope: intersect(wanted, new Set(progress.approval.scope)) }
  }
  const question = consentQuestion({ request, remembered, catalogue })
  if (question === null) return { go: 'respond', account, scope: wanted }
  return silent ? refuse({ reason: 'consent_required' }) : { go: 'consent', account, question }
}

/**
 * The account that would answer: the one the request insists on, else the one chosen or signed in here, else the only
 * one there is. With several, or where the request asks for a choice, a person chooses.
 */
export function whoAnswers({
  request,
  progress,
  accounts,
}: Pick<Known, 'request' | 'progress' | 'accounts'>): Authentication | 'choose' | null {
  const named = request.subject ?? progress.account
  const mayPick = request.prompt.includes('select_account') && progress.account === null && request.subject === null
  if (accounts.length > 0 && mayPick) return 'choose'
  if (named !== null) return accounts.find((it) => it.subject === named) ?? null
  return accounts.length > 1 ? 'choose' : (accounts[0] ?? null)
}

/** prompt=login and max_age (OIDC Core §3.1.2.1) ask for one sign-in newer than this interaction, and are then content. */
function isStale({ at }: Authentication, { request, openedAt, now }: Known): boolean {
  if (at >= openedAt) return false
  return request.prompt.includes('login') || (request.maxAge !== null && now - at > request.maxAge * 1000)
}

/** OIDC Core §5.5.1.1: acr_values are a preference; only an essential `acr` claim with values is a condition. */
function satisfies({ acr }: Authentication, { claims }: AuthorizationRequest): boolean {
  const wish = claims?.id_token['acr']
  if (wish?.essential !== true) return true
  const accepted = wish.values ?? (wish.value === undefined ? null : [wish.value])
  return accepted === null || accepted.includes(acr)
}

/** RFC 9470 §4: one more sign-in may be stronger; if that was not enough, the client is told. */
function insufficient(account: Authentication, { openedAt }: Known, silent: boolean): Step {
  if (silent) return refuse({ reason: 'login_required' })
  return account.at < openedAt
    ? { go: 'login', again: account }
    : refuse({ reason: 'authentication_requirements_unmet' })
}

const refuse = (refusal: Refusal): Step => ({ go: 'refuse', refusal })
