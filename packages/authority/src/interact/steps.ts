/** What a person does at a step: each act records one fact and sends the browser back to the hub. */
import { approvedScope, type Progress } from '@grantor/protocol/authorize'
import { isRefusal, type Refusal } from '@grantor/protocol/oauth'
import type { Secret } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { completeSignIn, type SecondFactor, signInByPasskey } from './second-factor.ts'
import { type Started, startSession } from './sign-in.ts'
import { type Place, placeOf } from './interaction.ts'
import type { SignedIn } from './response.ts'
import type { Keepsakes, Visitor } from './visitor.ts'

/** Where the person stood; every act begins by looking again. */
export interface At {
  readonly interaction: Secret
  readonly visitor: Visitor
}

export async function signIn(
  { interaction, visitor }: At,
  by: { readonly username: string; readonly password: string },
  hands: Hands,
): Promise<SignedIn | Refusal> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  return answering(place, await startSession({ ...by, trusting: true }, visitor, hands), hands)
}

/** A passkey says who it is, and is proof enough. */
export async function signInWithPasskey({ interaction, visitor }: At, text: string, hands: Hands) {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  return answering(place, await signInByPasskey({ text, purpose: place.row.handle }, visitor, hands), hands)
}

/** 'rejected' where it is not asked for, or no longer: the hub shows what is. */
export async function showSecondFactor(
  { interaction, visitor }: At,
  by: SecondFactor,
  hands: Hands,
): Promise<SignedIn | Refusal> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  const { step, accounts, halfway } = place
  if (step.go !== 'second-factor') return { did: 'rejected' }
  const held = accounts.find((it) => it.authentication.sessionId === step.account?.sessionId)
  const first = held === undefined ? halfway : { person: held.person, at: held.authentication.at }
  if (first === null) return { did: 'rejected' }
  const standing = { ...first, until: held?.session.expiresAt ?? null, purpose: place.row.handle }
  return answering(place, await completeSignIn(by, standing, { visitor, hands }), hands)
}

/** Whoever signed in, or is half way there, is who answers in this interaction. */
async function answering(place: Place, outcome: Started, hands: Hands): Promise<SignedIn | Refusal> {
  if (outcome.did !== 'signed-in' && outcome.did !== 'halfway') return outcome
  const recorded = await record(place, { ...place.progress, account: outcome.subject, wish: null }, hands)
  return recorded ?? outcome
}

/** Whoever is half way in, or cannot show more, signs in from the beginning, as whoever they like. */
export async function startOver({ interaction, visitor }: At, hands: Hands): Promise<Refusal | Keepsakes> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  const recorded = await record(place, { ...place.progress, account: null, wish: 'login' }, hands)
  return recorded ?? (visitor.halfway === null ? {} : { halfway: null })
}

/** `subject: null` means none of the accounts that are signed in. */
export async function choose(
  { interaction, visitor }: At,
  subject: string | null,
  hands: Hands,
): Promise<Refusal | null> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  const known = place.accounts.some((account) => account.person.id === subject)
  // A name that no account has leads to the login page, and so does choosing none.
  const fact = known && subject !== null ? { account: subject, wish: null } : { account: null, wish: 'login' as const }
  return record(place, { ...place.progress, ...fact }, hands)
}

/** Whoever has several accounts here chooses among them; whoever has one signs in with another. */
export async function switchAccount({ interaction, visitor }: At, hands: Hands): Promise<Refusal | null> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  const wish = place.accounts.length > 1 ? 'choose' : 'login'
  return record(place, { ...place.progress, account: null, wish }, hands)
}

export async function decide(
  { interaction, visitor }: At,
  by: { readonly allow: boolean; readonly ticked: ReadonlySet<string> },
  hands: Hands,
): Promise<Refusal | null> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place)) return place
  const { step, progress } = place
  // Nobody is asked yet, or no longer: a step cannot be skipped by posting to the one after it.
  if (step.go !== 'consent') return null
  if (!by.allow) return record(place, { ...progress, denied: true }, hands)
  const scope = [...approvedScope(step.question, by.ticked)].toSorted()
  return record(place, { ...progress, approval: { subject: step.account.subject, scope } }, hands)
}

/** Two acts at once do not overwrite each other: the second finds the first, and the hub shows what is true. */
async function record({ visitor, row }: Place, progress: Progress, hands: Hands): Promise<Refusal | null> {
  const fact = { tenant: visitor.tenant, handle: row.handle, version: row.version, at: hands.now() }
  const outcome = await hands.store.interactions.record({ ...fact, progress })
  return outcome === 'closed' ? { reason: 'interaction_gone' } : null
}
