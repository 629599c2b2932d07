/**
 * The rows that a person's approval creates, for a browser and a device alike: the grant, the consent record, and its
 * event.
 */
import type { InteractionStep } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import { type Grant, grantEnd, sessionThatEnds } from '@grantor/protocol/grants'
import { formatScope, type Policy } from '@grantor/protocol/oauth'
import type { GrantId } from '@grantor/protocol/types'
import type { NewConsent, Store } from '@grantor/store'
import { newEvent } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import { sidFor, subjectFor } from '../tokens/subject-for.ts'
import { displayedClient } from './display.ts'
import { addressesMark } from './earlier-consent.ts'
import type { InteractionState } from './interaction.ts'

export interface NewGrantDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly policy: Policy
  readonly consentTextVersion: string
  readonly store: Pick<Store, 'keys'>
}

export type RespondStep = Extract<InteractionStep, { go: 'respond' }>

export function newGrant(
  { visitor, request, client, catalogue, device }: InteractionState,
  step: RespondStep,
  deps: NewGrantDependencies,
): Grant {
  const now = deps.clock.now()
  const session = step.account.sessionId
  const ownTtls = catalogue.resources
    .filter(({ identifier }) => request.resources.includes(identifier))
    .map((resource) => resource.accessTtl ?? 0)
  const longestAccessTtl = Math.max(deps.policy.accessTtl, ...ownTtls)
  return {
    id: deps.ids.id() as GrantId,
    tenant: visitor.tenant,
    clientId: client.id,
    authentication: step.account,
    scope: step.scope,
    resources: request.resources,
    ...(request.authorizationDetails === undefined ? {} : { authorizationDetails: request.authorizationDetails }),
    claims: request.claims,
    nonce: request.nonce,
    confirmation: request.dpopJkt == null ? null : { jkt: request.dpopJkt },
    pairwiseSubject: subjectFor(client, step.account.subject, deps.store),
    pairwiseSid: sidFor(client, session, deps.store),
    createdAt: now,
    expiresAt: grantEnd({ client, scope: step.scope, policy: deps.policy, now, accessTtl: longestAccessTtl }),
    revokedAt: null,
    // The grant of a device does not end when the browser in which it was approved signs out.
    endsWithSession:
      device === null
        ? sessionThatEnds({ client, redirectUri: request.redirectUri, scope: step.scope, session })
        : null,
    sessionEndedAt: null,
  }
}

export function newConsent(
  { visitor, client, request }: InteractionState,
  grant: Grant,
  deps: NewGrantDependencies,
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
    authorizationDetails: grant.authorizationDetails === undefined ? null : { details: grant.authorizationDetails },
    claims: grant.claims,
    grantedAt: grant.createdAt,
    expiresAt: null,
    how: 'page',
    textVersion: deps.consentTextVersion,
    grantId: grant.id,
  }
}

export const consentGranted = (
  { visitor }: InteractionState,
  { id, subject, clientId, grantId, scope, resources, how }: NewConsent,
  deps: NewGrantDependencies,
): NewEvent =>
  newEvent(deps, visitor, 'consent.granted', {
    actor: { kind: 'user', id: subject },
    subject,
    clientId,
    grantId,
    scope,
    data: { consent_id: id, resources: [...resources], how },
  })
