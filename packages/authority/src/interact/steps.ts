/** What a person does at a step: each act records one fact and sends the browser back to the hub. */
import { approvedScope, type InteractionProgress } from '@grantor/protocol/authorize'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { signInBySecondFactor, type SecondFactor, signInByPasskey } from './second-factor.ts'
import { type SignInOfSubject, signInByPassword } from './sign-in.ts'
import { type InteractionState, loadInteraction } from './interaction.ts'
import type { SignInOutcome } from './response.ts'
import type { CookieChanges, Visitor } from './visitor.ts'

/** Where the person stood; every act begins by looking again. */
export interface InteractionVisit {
  readonly interaction: Secret
  readonly visitor: Visitor
}

export async function answerPassword(
  { interaction, visitor }: InteractionVisit,
  by: { readonly username: string; readonly password: string },
  hands: Hands,
): Promise<Result<SignInOutcome, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  return recordSignIn(state, await signInByPassword({ ...by, trusting: true }, visitor, hands), hands)
}

/** A passkey says who it is, and is proof enough. */
export async function answerPasskey(
  { interaction, visitor }: InteractionVisit,
  text: string,
  hands: Hands,
): Promise<Result<SignInOutcome, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  return recordSignIn(state, await signInByPasskey({ text, purpose: state.row.handle }, visitor, hands), hands)
}

/** 'rejected' where it is not asked for, or no longer: the hub shows what is. */
export async function answerSecondFactor(
  { interaction, visitor }: InteractionVisit,
  by: SecondFactor,
  hands: Hands,
): Promise<Result<SignInOutcome, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  const { step, accounts, pendingSecondFactor: pending } = state
  if (step.go !== 'second-factor') return ok({ did: 'rejected' })
  const held = accounts.find((it) => it.authentication.sessionId === step.account?.sessionId)
  const first = held === undefined ? pending : { person: held.person, at: held.authentication.at }
  if (first === null) return ok({ did: 'rejected' })
  const standing = { ...first, until: held?.session.expiresAt ?? null, purpose: state.row.handle }
  return recordSignIn(state, await signInBySecondFactor(by, standing, { visitor, hands }), hands)
}

/** Whoever signed in, or is half way there, is who answers in this interaction. */
async function recordSignIn(
  state: InteractionState,
  outcome: SignInOfSubject,
  hands: Hands,
): Promise<Result<SignInOutcome, Refusal>> {
  if (outcome.did !== 'signed-in' && outcome.did !== 'second-factor-pending') return ok(outcome)
  const recorded = await recordProgress(
    state,
    { ...state.progress, account: outcome.subject, accountAction: null },
    hands,
  )
  return recorded.kind === 'error' ? recorded : ok(outcome)
}

/** Whoever is half way in, or cannot show more, signs in from the beginning, as whoever they like. */
export async function startOver(
  { interaction, visitor }: InteractionVisit,
  hands: Hands,
): Promise<Result<CookieChanges, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  const recorded = await recordProgress(state, { ...state.progress, account: null, accountAction: 'login' }, hands)
  if (recorded.kind === 'error') return recorded
  return ok(visitor.pendingSecondFactor === null ? {} : { pendingSecondFactor: null })
}

/** `subject: null` means none of the accounts that are signed in. */
export async function chooseAccount(
  { interaction, visitor }: InteractionVisit,
  subject: string | null,
  hands: Hands,
): Promise<Result<null, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  const known = state.accounts.some((account) => account.person.id === subject)
  // A name that no account has leads to the login page, and so does choosing none.
  const fact =
    known && subject !== null
      ? { account: subject, accountAction: null }
      : { account: null, accountAction: 'login' as const }
  return recordProgress(state, { ...state.progress, ...fact }, hands)
}

/** Whoever has several accounts here chooses among them; whoever has one signs in with another. */
export async function switchAccount(
  { interaction, visitor }: InteractionVisit,
  hands: Hands,
): Promise<Result<null, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  const accountAction = state.accounts.length > 1 ? 'choose' : 'login'
  return recordProgress(state, { ...state.progress, account: null, accountAction }, hands)
}

export async function answerConsent(
  { interaction, visitor }: InteractionVisit,
  by: { readonly allow: boolean; readonly ticked: ReadonlySet<string> },
  hands: Hands,
): Promise<Result<null, Refusal>> {
  const loaded = await loadInteraction(interaction, visitor, hands)
  if (loaded.kind === 'error') return loaded
  const state = loaded.value
  const { step, progress } = state
  // Nobody is asked yet, or no longer: a step cannot be skipped by posting to the one after it.
  if (step.go !== 'consent') return ok(null)
  if (!by.allow) return recordProgress(state, { ...progress, denied: true }, hands)
  const scope = [...approvedScope(step.question, by.ticked)].toSorted()
  return recordProgress(state, { ...progress, approval: { subject: step.account.subject, scope } }, hands)
}

/** Two acts at once do not overwrite each other: the second finds the first, and the hub shows what is true. */
async function recordProgress(
  { visitor, row }: InteractionState,
  progress: InteractionProgress,
  hands: Hands,
): Promise<Result<null, Refusal>> {
  const fact = { tenant: visitor.tenant, handle: row.handle, version: row.version, at: hands.clock.now() }
  const outcome = await hands.store.interactions.record({ ...fact, progress })
  return outcome === 'closed' ? err({ reason: 'interaction_gone' }) : ok(null)
}
