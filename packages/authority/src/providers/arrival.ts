/** A browser comes back from a provider: whose visit, whose answer, who it is; and then a session, or a link. */
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
 * What a person is told who is not signed in for it. `cancelled`: they chose so there. `refused`: what it said cannot be
 * believed. `stale`: it did not ask anew where that was wanted. `taken`: somebody else here is that person there.
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
  /** What it left for is over. */
  | { readonly did: 'late'; readonly refusal: Refusal }
  /** No browser of this name left for there, or it is back already: nothing is done. */
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
  // SAML Bindings §3.5.3 calls it so.
  const state = form.get('state') ?? form.get('RelayState') ?? ''
  const visit = stateShape.test(state) ? await visitBehind({ state, provider: id }, visitor, deps) : null
  // Whoever was disabled in the middle lets nobody in any more.
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
  // A sign-in from before this one was asked for would be asked for again, and again.
  const at = signedInAt(answer.value, visit, asking?.value ?? null, deps)
  if (at === null) return failed('stale')
  // Whoever confirms who they are shows the second factor in a trusted browser, too, as after a password.
  const trusting = !(purpose.kind === 'account' && purpose.confirming)
  const signIn = await signInAs(
    { person: person.value, answer: { ...answer.value, at }, provider, trusting, tried: null },
    visitor,
    deps,
  )
  return signIn.did === 'rejected' ? failed('disabled') : { did: 'came', purpose, signIn }
}

/**
 * When the person signed in, by our clock: that of the provider may be behind, so that a sign-in which it was asked for
 * seems to be from before. Null where a new one is wanted, and it let somebody in who had signed in there long before.
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

/** The log has the very check that failed; the person is told what they can make something of. */
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
