/** What a person does at a step: each act records one fact and sends the browser back to the hub. */
import { approvedScope, isRefusal, type Progress, type Refusal, type Secret } from '@grantor/protocol'
import type { Hands } from '../hands.ts'
import { startSession } from './sign-in.ts'
import { type Place, placeOf } from './place.ts'
import type { SignedIn } from './shown.ts'
import type { Visitor } from './visitor.ts'

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
  const outcome = await startSession(by, visitor, hands)
  if (outcome.did !== 'signed-in') return outcome
  const recorded = await record(place, { ...place.progress, account: outcome.subject, wish: null }, hands)
  return recorded ?? outcome
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
