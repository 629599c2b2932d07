/** Uses up an assertion of another issuer, once and for one request, and opens the grant of its person. */
import type { Grant, IssueDecision } from '@grantor/protocol/grants'
import type { Catalogue, Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { GrantId, Instant } from '@grantor/protocol/types'
import type { SpentAssertion, Store, UsedProof } from '@grantor/store'
import { basisOf } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Ids } from '../ports/environment.ts'
import type { GrantFacts } from '../tokens/grant-facts.ts'
import { subjectFor } from '../tokens/subject-for.ts'

export interface AssertedGrantDependencies {
  readonly ids: Pick<Ids, 'id' | 'handleOf'>
  readonly keyring: Pick<Keyring, 'signer'>
  readonly store: Pick<Store, 'assertions' | 'grants' | 'keys'>
}

interface AssertedRequest {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly now: Instant
  /**
   * The DPoP proof of the request, which is used up with the assertion; null where there is none, or it is used up
   * already.
   */
  readonly proof: UsedProof | null
}

/** The decision with its grant; or that the assertion or the proof was used before, or the facts are stale. */
export type UseAssertion = (
  decision: IssueDecision,
  asked: AssertedRequest,
) => Promise<IssueDecision | 'already-spent' | 'proof-used' | 'stale'>

/** A request that is decided again on fresh facts is still the same use, and has its grant already. */
export function useAssertionOnce(deps: AssertedGrantDependencies): UseAssertion {
  let used = false
  let opened: Grant | null = null
  return async (decision, asked) => {
    const spent = spentAssertion(decision, asked, deps)
    // Checked first: if nothing can be signed now, the assertion is not used up.
    await deps.keyring.signer(asked.catalogue, 'ES256')
    if (decision.opens === undefined) {
      const answer = spent === null || used ? 'spent' : await deps.store.assertions.spend(spent)
      if (answer !== 'spent') return answer
      used = true
      return decision
    }
    if (opened === null) {
      const grant = newGrant({ ...decision, opens: decision.opens }, asked, deps)
      const basis = basisOf(asked.catalogue, asked.client)
      const answer = await deps.store.grants.openByAssertion({ basis, grant, assertion: spent })
      if (answer !== 'opened') return answer
      opened = grant
    }
    return { ...decision, grantId: opened.id, subject: opened.pairwiseSubject ?? decision.subject }
  }
}

function spentAssertion(
  { assertion }: IssueDecision,
  { client, catalogue, proof }: AssertedRequest,
  { ids }: AssertedGrantDependencies,
): SpentAssertion | null {
  if (assertion === undefined) return null
  const { id, expiresAt } = assertion
  return { tenant: catalogue.tenant.id, clientId: client.id, handle: ids.handleOf(id), expiresAt, proof }
}

/** The grant belongs to no session, because the person was in no browser here; how they signed in is unknown. */
function newGrant(
  { scope, resource, opens }: IssueDecision & { readonly opens: NonNullable<IssueDecision['opens']> },
  { client, catalogue, now }: AssertedRequest,
  { ids, store }: AssertedGrantDependencies,
): Grant {
  return {
    id: ids.id() as GrantId,
    tenant: catalogue.tenant.id,
    clientId: client.id,
    authentication: { subject: opens.person.id, sessionId: '', at: opens.signedInAt, acr: '0', amr: [] },
    scope,
    resources: resource === null ? [] : [resource.identifier],
    claims: null,
    nonce: null,
    pairwiseSubject: subjectFor(client, opens.person.id, store),
    pairwiseSid: null,
    createdAt: now,
    expiresAt: opens.expiresAt,
    revokedAt: null,
    endsWithSession: null,
    sessionEndedAt: null,
    confirmation: null,
  }
}

/** Why an assertion was not accepted, for the log; null where the request was refused for another reason. */
export function assertionProblem(facts: GrantFacts['facts'], { reason }: Refusal): string | null {
  if (reason === 'assertion_used') return reason
  const shown = Object.values(facts).find((it) => it !== null && 'kind' in it && it.kind === 'refused')
  if (shown !== undefined && shown !== null && 'problem' in shown) return shown.problem
  return reason === 'assertion_invalid' ? 'token_of_nobody' : null
}
