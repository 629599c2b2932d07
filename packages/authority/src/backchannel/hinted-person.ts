/**
 * The person that a hint names (CIBA §7.1). The caller does not learn whether they exist: every path does the same
 * lookups.
 */
import type { BackchannelHint } from '@grantor/protocol/authorize'
import { grantOfIdToken } from '@grantor/protocol/oidc'
import type { Catalogue, Refusal } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { tokenEnd } from '@grantor/protocol/trust'
import type { Store } from '@grantor/store'
import type { RefusalRecorder } from '../events.ts'
import type { Clock } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'
import { subjectFor } from '../tokens/subject-for.ts'
import { type HintDependencies, idTokenHint } from '../tokens/id-token-hint.ts'
import { readToken } from '../trust/examine-token.ts'
import { findForeignToken, type ForeignTokenDependencies } from '../trust/foreign-token.ts'

export type HintedPersonDependencies = HintDependencies &
  ForeignTokenDependencies & {
    readonly clock: Clock
    readonly people: People
    readonly refusedRequests: RefusalRecorder
    readonly store: Pick<Store, 'users' | 'grants' | 'keys'>
  }

interface Asking {
  readonly client: Client
  readonly catalogue: Catalogue
}

/** Null where no person can answer. An error concerns the hint itself, and reveals nothing about people. */
export async function findHintedPerson(
  hint: BackchannelHint,
  asking: Asking,
  deps: HintedPersonDependencies,
): Promise<Result<Person | null, Refusal>> {
  const found = await meant(hint, asking, deps)
  if (found.kind === 'error') return found
  const person = found.value
  // A person who requested the deletion of their account is not asked: to answer they would sign in, which cancels the
  // deletion.
  const isGone = person === null || person.disabledAt !== null || person.deletionDueAt !== undefined
  return ok(isGone ? null : person)
}

function meant(hint: BackchannelHint, asking: Asking, deps: HintedPersonDependencies) {
  if (hint.name === 'login_hint') return named(hint.value, asking, deps)
  return hint.name === 'id_token_hint' ? signedInBefore(hint.value, asking, deps) : vouchedFor(hint.value, asking, deps)
}

/** Finds a person by username, or by a verified address that only one person has. */
async function named(
  text: string,
  { client: { tenant } }: Asking,
  { store: { users } }: HintedPersonDependencies,
): Promise<Result<Person | null, Refusal>> {
  const byName = await users.byUsername(tenant, text)
  const [person = null, ...others] = await users.byEmail(tenant, text, 2)
  const byAddress = person?.claims['email_verified'] === true && others.length === 0 ? person : null
  return ok(byName ?? byAddress)
}

/** Finds the person of an ID token that this client got from us, even an expired one. */
async function signedInBefore(
  text: string,
  { client, catalogue }: Asking,
  deps: HintedPersonDependencies,
): Promise<Result<Person | null, Refusal>> {
  const hint = await idTokenHint(text, catalogue, deps)
  if (typeof hint !== 'object' || hint.clientId !== client.id)
    return err({ reason: 'hint_invalid', name: 'id_token_hint' })
  const grantId = grantOfIdToken(readToken(text)?.claims ?? {})
  const grant = grantId === null ? null : await deps.store.grants.find(client.tenant, grantId)
  // A pairwise `sub` alone does not identify a person; the grant of the token does, while it is kept.
  const subject = grant?.clientId === client.id ? grant.authentication.subject : hint.sub
  const person = await deps.people.find(client.tenant, subject)
  const known = person === null ? null : (subjectFor(client, person.id, deps.store) ?? person.id)
  return ok(known === hint.sub ? person : null)
}

/** Finds the person of a JWT of a trusted issuer; which check fails is only logged. */
async function vouchedFor(
  text: string,
  { client }: Asking,
  deps: HintedPersonDependencies,
): Promise<Result<Person | null, Refusal>> {
  const token = await findForeignToken(text, client.tenant, deps)
  if (token.kind === 'unavailable') return err({ reason: 'issuer_unavailable', retryAfter: 5 })
  if (token.kind === 'foreign' && !token.idJag) return ok(token.person)
  const problem = token.kind === 'refused' ? token.problem : 'token_typ'
  const about = { tenant: client.tenant, clientId: client.id, reason: problem }
  deps.refusedRequests.record({ name: 'assertion.refused', ...about })
  const jwt = readToken(text)
  const isOver = problem === 'token_exp' && jwt !== null && tokenEnd(jwt) <= deps.clock.now()
  return err(isOver ? { reason: 'login_hint_token_expired' } : { reason: 'hint_invalid', name: 'login_hint_token' })
}
