/** The last step: grant, code and consent record come to be in one commit, and the code goes to the client. */
import { authorizationResponse, type InteractionStep } from '@grantor/protocol/authorize'
import { type Grant, grantEnd } from '@grantor/protocol/grants'
import { formatScope, type Policy } from '@grantor/protocol/oauth'
import { hearsOfLogout } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { GrantId, Instant } from '@grantor/protocol/types'
import type { NewConsent, Store } from '@grantor/store'
import { basisOf } from '../directory.ts'
import { newEvent } from '../events.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import { addressesMark } from './earlier-consent.ts'
import { subjectFor } from '../tokens/subject-for.ts'
import type { InteractionState } from './interaction.ts'
import { displayedClient } from './display.ts'
import type { InteractionResult } from './response.ts'

export interface IssueCodeDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly policy: Policy
  readonly consentTextVersion: string
  readonly store: Pick<Store, 'grants' | 'keys'>
}

type Respond = Extract<InteractionStep, { go: 'respond' }>

export async function issueCode(
  state: InteractionState,
  step: Respond,
  deps: IssueCodeDependencies,
): Promise<InteractionResult | 'stale'> {
  const { visitor, row, request, client, catalogue } = state
  const now = deps.clock.now()
  const code = deps.ids.secret('gc_')
  const grant = newGrant(state, step, deps)
  // Only what was asked just now makes a record; remembered consent has its own already.
  const consent = state.progress.approval === null ? null : newConsent(state, grant, deps)
  const outcome = await deps.store.grants.open({
    basis: basisOf(catalogue, client),
    grant,
    code: {
      handle: deps.ids.handleOf(code),
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      challenge: request.challenge,
      expiresAt: (now + deps.policy.codeTtl * 1000) as Instant,
    },
    consent,
    interaction: row.handle,
    party: hearsOfLogout(client),
    at: now,
    events: consent === null ? [] : [consentGranted(state, consent, deps)],
  })
  if (outcome === 'stale') return 'stale'
  if (outcome === 'already-closed') return err({ reason: 'interaction_gone' })
  const response = authorizationResponse(request, deps.issuers.issuerOf(visitor.tenant), { code })
  return ok({ go: 'answer', response })
}

export const consentGranted = (
  { visitor }: InteractionState,
  it: NewConsent,
  deps: IssueCodeDependencies,
): ReturnType<typeof newEvent> =>
  newEvent(deps, visitor, 'consent.granted', {
    actor: { kind: 'user', id: it.subject },
    subject: it.subject,
    clientId: it.clientId,
    grantId: it.grantId,
    scope: it.scope,
    data: { consent_id: it.id, resources: [...it.resources], how: it.how },
  })

export function newGrant(
  { visitor, request, client, catalogue }: InteractionState,
  step: Respond,
  deps: IssueCodeDependencies,
): Grant {
  const now = deps.clock.now()
  const lives = catalogue.resources
    .filter((it) => request.resources.includes(it.identifier))
    .map((it) => it.accessTtl ?? 0)
  const accessTtl = Math.max(deps.policy.accessTtl, ...lives)
  return {
    id: deps.ids.id() as GrantId,
    tenant: visitor.tenant,
    clientId: client.id,
    authentication: step.account,
    scope: step.scope,
    resources: request.resources,
    claims: request.claims,
    nonce: request.nonce,
    pairwiseSubject: subjectFor(client, step.account.subject, deps.store),
    createdAt: now,
    expiresAt: grantEnd({ client, scope: step.scope, policy: deps.policy, now, accessTtl }),
    revokedAt: null,
  }
}

export function newConsent(
  { visitor, client, request }: InteractionState,
  grant: Grant,
  deps: IssueCodeDependencies,
): NewConsent {
  const shown = displayedClient(client, request.redirectUri)
  return {
    id: deps.ids.id(),
    tenant: visitor.tenant,
    subject: grant.authentication.subject,
    clientId: client.id,
    client: { name: shown.name, host: shown.provenHost, ...addressesMark(client, deps.ids) },
    scope: formatScope(grant.scope),
    resources: grant.resources,
    authorizationDetails: null,
    claims: grant.claims,
    grantedAt: grant.createdAt,
    expiresAt: null,
    how: 'page',
    textVersion: deps.consentTextVersion,
    grantId: grant.id,
  }
}
