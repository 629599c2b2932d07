/** The last step: grant, code and consent record come to be in one commit, and the code goes to the client. */
import { authorizationResponse, type InteractionStep } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import { type Grant, grantEnd } from '@grantor/protocol/grants'
import { formatScope } from '@grantor/protocol/oauth'
import { hearsOfLogout } from '@grantor/protocol/registration'
import type { GrantId, Instant } from '@grantor/protocol/types'
import type { NewConsent } from '@grantor/store'
import { basisOf } from '../directory.ts'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressesMark } from './earlier-consent.ts'
import { subjectFor } from '../tokens/subject-for.ts'
import type { InteractionState } from './interaction.ts'
import { displayedClient } from './display.ts'
import type { InteractionResponse } from './response.ts'

type Respond = Extract<InteractionStep, { go: 'respond' }>

export async function issueCode(
  state: InteractionState,
  step: Respond,
  hands: Hands,
): Promise<InteractionResponse | 'stale'> {
  const { visitor, row, request, client, catalogue } = state
  const now = hands.clock.now()
  const code = hands.ids.secret('gc_')
  const grant = newGrant(state, step, hands)
  // Only what was asked just now makes a record; remembered consent has its own already.
  const consent = state.progress.approval === null ? null : newConsent(state, grant, hands)
  const outcome = await hands.store.grants.open({
    basis: basisOf(catalogue, client),
    grant,
    code: {
      handle: hands.ids.handleOf(code),
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      challenge: request.challenge,
      expiresAt: (now + hands.policy.codeTtl * 1000) as Instant,
    },
    consent,
    interaction: row.handle,
    party: hearsOfLogout(client),
    at: now,
    events: consent === null ? [] : [consentGranted(state, consent, hands)],
  })
  if (outcome === 'stale') return 'stale'
  if (outcome === 'already-closed') return { go: 'error', refusal: { reason: 'interaction_gone' } }
  return { go: 'answer', response: authorizationResponse(request, hands.issuers.issuerOf(visitor.tenant), { code }) }
}

export const consentGranted = ({ visitor }: InteractionState, it: NewConsent, hands: Hands): NewEvent =>
  newEvent(hands, visitor, 'consent.granted', {
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
  hands: Hands,
): Grant {
  const now = hands.clock.now()
  const lives = catalogue.resources
    .filter((it) => request.resources.includes(it.identifier))
    .map((it) => it.accessTtl ?? 0)
  const accessTtl = Math.max(hands.policy.accessTtl, ...lives)
  return {
    id: hands.ids.id() as GrantId,
    tenant: visitor.tenant,
    clientId: client.id,
    authentication: step.account,
    scope: step.scope,
    resources: request.resources,
    claims: request.claims,
    nonce: request.nonce,
    pairwiseSubject: subjectFor(client, step.account.subject, hands),
    createdAt: now,
    expiresAt: grantEnd({ client, scope: step.scope, policy: hands.policy, now, accessTtl }),
    revokedAt: null,
  }
}

export function newConsent({ visitor, client, request }: InteractionState, grant: Grant, hands: Hands): NewConsent {
  const shown = displayedClient(client, request.redirectUri)
  return {
    id: hands.ids.id(),
    tenant: visitor.tenant,
    subject: grant.authentication.subject,
    clientId: client.id,
    client: { name: shown.name, host: shown.provenHost, ...addressesMark(client, hands) },
    scope: formatScope(grant.scope),
    resources: grant.resources,
    authorizationDetails: null,
    claims: grant.claims,
    grantedAt: grant.createdAt,
    expiresAt: null,
    how: 'page',
    textVersion: hands.consentTextVersion,
    grantId: grant.id,
  }
}
