/** How /token refuses, and the effects of a refusal: failed verifiers are counted, grants revoked, events written. */
import { type IssueDecision, type RefuseDecision, slowDownBy, slowestInterval } from '@grantor/protocol/grants'
import { type Catalogue, type Refusal, verifierTries } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ProvenPossession } from '../clients/possession.ts'
import { basisOf, type Directory, isCurrent } from '../directory.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { type EventDependencies, newEvent, type RefusalRecorder } from '../events.ts'
import { assertionProblem } from '../trust/asserted-grant.ts'
import type { Redemption } from './redemption.ts'

export interface TokenRefusalDependencies extends EventDependencies {
  readonly directory: Directory
  readonly refusedRequests: RefusalRecorder
  readonly store: Pick<Store, 'tokens' | 'grants' | 'devices'>
}

/** A token request with everything it is decided on and committed with. */
export type TokenRequest = Redemption['found'] &
  ProvenPossession & {
    readonly request: EndpointRequest
    readonly client: Client
    readonly catalogue: Catalogue
    readonly now: Instant
  }

const verifierRefusals: ReadonlySet<Refusal['reason']> = new Set([
  'verifier_missing',
  'verifier_mismatch',
  'verifier_unexpected',
])

/** RFC 6749 §4.1.2: the grant that a replay revokes is dead before the answer leaves. */
export async function refuse(decision: RefuseDecision, asked: TokenRequest, deps: TokenRefusalDependencies) {
  const { request, client, subject, now: at } = asked
  const { tenant } = request
  const { grants, devices } = deps.store
  const { refusal, strike, slower, revoke: grantId } = decision
  // A proof that was used before does not show that its sender has the key; such a request must not change anything.
  const { proof } = asked
  const hasEffect = strike !== null || grantId !== null
  if (hasEffect && proof !== null && !(await deps.store.tokens.useProof(tenant, proof))) return replayed(asked, deps)
  const unbelieved = assertionProblem(asked.facts, refusal)
  if (unbelieved !== null)
    deps.refusedRequests.record({ name: 'assertion.refused', tenant, clientId: client.id, reason: unbelieved })
  else if (verifierRefusals.has(refusal.reason))
    deps.refusedRequests.record({ name: 'verifier.refused', tenant, clientId: client.id, reason: refusal.reason })
  else noted(err(refusal), asked, deps)
  if (strike !== null) await grants.failVerifier(tenant, strike, verifierTries, at)
  if (slower !== null) await devices.slowDown(tenant, slower, { by: slowDownBy, most: slowestInterval })
  if (grantId !== null) {
    const actor = { kind: 'client' as const, id: client.id }
    const about = { actor, clientId: client.id, subject, grantId, reason: refusal.reason }
    const events = [newEvent(deps, request, 'token.replayed', about), newEvent(deps, request, 'grant.revoked', about)]
    await grants.revoke({ tenant, id: grantId, at, events })
  }
  return err(refusal)
}

/** Denied by the policy service or the hook of the API, as it is declared now: no refusal rests on memory alone. */
export async function denied(
  refused: Err<Refusal>,
  asked: TokenRequest & Pick<IssueDecision, 'resource'>,
  deps: TokenRefusalDependencies,
) {
  if (await restsOnOldFacts(refused.error, asked, deps)) return 'stale'
  const { request, client, resource } = asked
  const about = { tenant: request.tenant, clientId: client.id, reason: refused.error.reason }
  deps.refusedRequests.record({ name: 'token.denied', ...about, ...(resource && { resource: resource.identifier }) })
  return refused
}

/** These only tell the client to poll again, so they do not count as refusals. */
const unfinished: ReadonlySet<Refusal['reason']> = new Set(['device_pending', 'device_polled_too_fast'])

export const restsOnOldFacts = async (
  { reason }: Refusal,
  { catalogue, client }: Pick<TokenRequest, 'catalogue' | 'client'>,
  { directory }: TokenRefusalDependencies,
): Promise<boolean> => !unfinished.has(reason) && !(await isCurrent(basisOf(catalogue, client), directory))

export async function refusedNow(
  refused: Err<Refusal>,
  asked: Pick<TokenRequest, 'request' | 'client' | 'catalogue'>,
  deps: TokenRefusalDependencies,
): Promise<Err<Refusal> | 'stale'> {
  return (await restsOnOldFacts(refused.error, asked, deps)) ? 'stale' : noted(refused, asked, deps)
}

/** Counts a refusal that has no event of its own. */
export function noted(
  refused: Err<Refusal>,
  { request: { tenant }, client }: Pick<TokenRequest, 'request' | 'client'>,
  { refusedRequests }: TokenRefusalDependencies,
): Err<Refusal> {
  const { reason } = refused.error
  if (!unfinished.has(reason)) refusedRequests.record({ name: 'token.refused', tenant, clientId: client.id, reason })
  return refused
}

/**
 * RFC 9449 §11.1: a replay has its own refusal, because an honest client may have repeated a request whose answer it
 * lost.
 */
export function replayed({ request: { tenant }, client }: TokenRequest, { refusedRequests }: TokenRefusalDependencies) {
  const refusal = { reason: 'proof_replayed' } as const
  refusedRequests.record({ name: 'proof.refused', tenant, clientId: client.id, reason: refusal.reason })
  return err(refusal)
}
