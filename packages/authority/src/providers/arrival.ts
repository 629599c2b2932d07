/**
 * Handles the return of a browser from a provider: finds its visit, verifies the answer, identifies the person, and
 * begins a session or a link.
 */
import type { AuthorizationRequest } from '@grantor/protocol/authorize'
import type { Form, Refusal } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import { loadInteraction, type InteractionDependencies, type InteractionState } from '../interact/interaction.ts'
import type { SignInDependencies, SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'
import { recordSignInFailure } from '../limits/sign-in-attempts.ts'
import type { AnswerProblem, UpstreamAnswer } from './answer.ts'
import { type DepartureDependencies, type SealedVisit, visitBehind, type VisitPurpose } from './departure.ts'
import { linkPerson } from './link-person.ts'
import { type NoPerson, personBehind, type PersonBehindDependencies, problemName } from './person-behind.ts'
import { type AnswerDependencies, returnedAnswer } from './returned-answer.ts'
import { type DisplayedProvider, displayedProvider, visitedProviders } from './served-providers.ts'
import { signInAs } from './upstream-sign-in.ts'

export type ArrivalDependencies = InteractionDependencies &
  DepartureDependencies &
  AnswerDependencies &
  PersonBehindDependencies &
  SignInDependencies

/**
 * Why a person was not signed in. `cancelled`: they cancelled there. `refused`: the answer cannot be trusted. `stale`:
 * the provider did not ask them to sign in again as required. `taken`: another person here is linked to that identity.
 */
export const providerProblems = [
  'cancelled',
  'unavailable',
  'refused',
  'stale',
  'unlinked',
  'another',
  'disabled',
  'taken',
] as const
export type ProviderProblem = (typeof providerProblems)[number]

export type ProviderArrival =
  | { readonly did: 'came'; readonly purpose: VisitPurpose; readonly signIn: SignInOfSubject }
  | { readonly did: 'linked'; readonly purpose: VisitPurpose }
  | {
      readonly did: 'failed'
      readonly purpose: VisitPurpose
      readonly problem: ProviderProblem
      readonly provider: string
    }
  /** The interaction that the browser left from is over. */
  | { readonly did: 'late'; readonly refusal: Refusal }
  /** This browser did not leave for that provider, or has returned already: nothing is done. */
  | { readonly did: 'strayed'; readonly provider: DisplayedProvider | null }

export interface ReturnedBrowser {
  readonly provider: string
  readonly form: Form
}

const stateShape = /^[\w-]{43}$/

export async function arriveFromProvider(
  { provider: id, form }: ReturnedBrowser,
  visitor: Visitor,
  deps: ArrivalDependencies,
): Promise<ProviderArrival> {
  // SAML Bindings §3.5.3 names it RelayState.
  const state = form.get('state') ?? form.get('RelayState') ?? ''
  const visit = stateShape.test(state) ? await visitBehind({ state, provider: id }, visitor, deps) : null
  // A provider that was disabled meanwhile signs nobody in.
  const provider = visitedProviders(await deps.directory.currentCatalogue(visitor.tenant)).find((it) => it.id === id)
  if (visit === null) return { did: 'strayed', provider: provider === undefined ? null : displayedProvider(provider) }
  const { purpose } = visit
  const failed = (problem: ProviderProblem): ProviderArrival => ({ did: 'failed', purpose, problem, provider: id })
  const asking = purpose.kind === 'interaction' ? await loadInteraction(purpose.interaction, visitor, deps) : null
  if (asking?.kind === 'error') return { did: 'late', refusal: asking.error }
  if (provider === undefined) return failed('unavailable')
  const answer = await returnedAnswer(form, { visit, provider, visitor }, deps)
  const failing = { provider: id, visitor }
  if (answer.kind === 'error') return failed(await recordProblem(answer.error, failing, deps))
  if (purpose.kind === 'link') {
    const outcome = await linkPerson(purpose, { provider, answer: answer.value, visitor }, deps)
    return outcome === 'linked' ? { did: outcome, purpose } : failed(outcome)
  }
  const person = await personBehind({ provider, answer: answer.value, visitor }, deps)
  if (person.kind === 'error') return failed(await recordProblem(person.error, failing, deps))
  // With an older sign-in the person would be asked to sign in again, endlessly.
  const at = signedInAt(answer.value, visit, asking?.value ?? null, deps)
  if (at === null) return failed('stale')
  // A person who confirms who they are must show the second factor even in a trusted browser, as after a password.
  const trusting = !(purpose.kind === 'account' && purpose.confirming)
  const signIn = await signInAs(
    { person: person.value, answer: { ...answer.value, at }, provider, trusting, tried: null },
    visitor,
    deps,
  )
  return signIn.did === 'rejected' ? failed('disabled') : { did: 'came', purpose, signIn }
}

/**
 * When the person signed in, by our clock: the provider's may be behind, so that a requested sign-in seems older than
 * the request. Null where a new sign-in was required, and the person had signed in there long before.
 */
function signedInAt(
  { at }: UpstreamAnswer,
  { purpose, leftAt }: SealedVisit,
  asking: InteractionState | null,
  { clock, policy }: Pick<ArrivalDependencies, 'clock' | 'policy'>,
): Instant | null {
  const wantedSince = purpose.kind === 'account' ? leftAt : (asking?.row.openedAt ?? at)
  const isWanted =
    purpose.kind === 'account' ? purpose.confirming : asking !== null && wantsNewer(at, asking.request, clock.now())
  if (!isWanted || at >= wantedSince) return at
  return at + policy.leeway * 1000 >= wantedSince ? wantedSince : null
}

const wantsNewer = (at: Instant, { prompt, maxAge }: AuthorizationRequest, now: Instant): boolean =>
  prompt.includes('login') || (maxAge !== null && now - at > maxAge * 1000)

/** The log records the exact check that failed; the person is told only a category. */
async function recordProblem(
  why: NoPerson | AnswerProblem,
  { provider, visitor }: { readonly provider: string; readonly visitor: Visitor },
  deps: ArrivalDependencies,
): Promise<ProviderProblem> {
  const problem = problemName(why)
  await recordSignInFailure({ subject: null, reason: 'provider', data: { provider, problem } }, visitor, deps)
  if (typeof why === 'string') return why
  return problem === 'access_denied' ? 'cancelled' : why.unavailable ? 'unavailable' : 'refused'
}
