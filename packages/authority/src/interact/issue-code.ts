/** The last step: grant, code and consent record come to be in one commit, and the code goes to the client. */
import { authorizationResponse, type Step } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import { type Grant, grantEnd } from '@grantor/protocol/grants'
import { formatScope } from '@grantor/protocol/oauth'
import { hearsOfLogout } from '@grantor/protocol/registration'
import type { GrantId, Instant } from '@grantor/protocol/types'
import type { NewConsent } from '@grantor/store'
import { basisOf } from '../directory.ts'
import { event } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressesMark } from './earlier-consent.ts'
import { knownAs } from '../tokens/subject-for.ts'
import type { Place } from './interaction.ts'
import { shownClient } from './display.ts'
import type { Shown } from './response.ts'

type Respond = Extract<Step, { go: 'respond' }>

export async function respond(place: Place, step: Respond, hands: Hands): Promise<Shown | 'stale'> {
  const { visitor, row, request, client, catalogue } = place
  const now = hands.now()
  const code = hands.secret('gc_')
  const grant = grantOf(place, step, hands)
  // Only what was asked just now makes a record; remembered consent has its own already.
  const consent = place.progress.approval === null ? null : consentOf(place, grant, hands)
  const outcome = await hands.store.grants.open({
    basis: basisOf(catalogue, client),
    grant,
    code: {
      handle: hands.handleOf(code),
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      challenge: request.challenge,
      expiresAt: (now + hands.policy.codeTtl * 1000) as Instant,
    },
    consent,
    interaction: row.handle,
    party: hearsOfLogout(client),
    at: now,
    events: consent === null ? [] : [consentGranted(place, consent, hands)],
  })
  if (outcome === 'stale') return 'stale'
  if (outcome === 'already-closed') return { go: 'error', refusal: { reason: 'interaction_gone' } }
  return { go: 'answer', response: authorizationResponse(request, hands.issuerOf(visitor.tenant), { code }) }
}

export const consentGranted = ({ visitor }: Place, it: NewConsent, hands: Hands): NewEvent =>
  event(hands, visitor, 'consent.granted', {
    actor: { kind: 'user', id: it.subject },
    subject: it.subject,
    clientId: it.clientId,
    grantId: it.grantId,
    scope: it.scope,
    data: { consent_id: it.id, resources: [...it.resources], how: it.how },
  })

export function grantOf({ visitor, request, client, catalogue }: Place, step: Respond, hands: Hands): Grant {
  const now = hands.now()
  const lives = catalogue.resources
    .filter((it) => request.resources.includes(it.identifier))
    .map((it) => it.accessTtl ?? 0)
  const accessTtl = Math.max(hands.policy.accessTtl, ...lives)
  return {
    id: hands.id() as GrantId,
    tenant: visitor.tenant,
    clientId: client.id,
    authentication: step.account,
    scope: step.scope,
    resources: request.resources,
    claims: request.claims,
    nonce: request.nonce,
    knownAs: knownAs(client, step.account.subject, hands),
    createdAt: now,
    expiresAt: grantEnd({ client, scope: step.scope, policy: hands.policy, now, accessTtl }),
    revokedAt: null,
  }
}

export function consentOf({ visitor, client, request }: Place, grant: Grant, hands: Hands): NewConsent {
  const shown = shownClient(client, request.redirectUri)
  return {
    id: hands.id(),
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
