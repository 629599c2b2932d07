/** POST /revoke, without HTTP (RFC 7009): one commit, the dead token or grant together with its event. */
import type { Actor } from '@grantor/protocol/events'
import {
  type Catalogue,
  decideRevocation,
  presentedToken,
  type RevocationDecision,
  type RevocationSubject,
} from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { newEvent, type Origin } from '../events.ts'
import type { Hands } from '../hands.ts'
import { findPresentedToken, type PresentedToken } from './presented-token.ts'
import { tokenStatusOf } from './status.ts'
import { retryStale } from '../retry-stale.ts'
import { type AuthenticateClient, withinLimits } from '../limits/endpoint-limits.ts'

export const revoke = (request: EndpointRequest, hands: Hands): Promise<EndpointResult<null>> =>
  withinLimits('revocation', { request, hands }, (who) =>
    retryStale(request.tenant, hands, () => revokeOnce(request, who, hands)),
  )

async function revokeOnce(
  request: EndpointRequest,
  who: AuthenticateClient,
  hands: Hands,
): Promise<EndpointResult<null>> {
  const catalogue = await hands.directory.currentCatalogue(request.tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return err({ reason: 'tenant_unknown' })
  const authenticated = await who()
  if (authenticated.kind === 'error') return authenticated
  const client = authenticated.value
  const presented = presentedToken(request.form)
  if (presented.kind === 'error') return presented

  const subject = await revocationSubject(await findPresentedToken(presented.value, catalogue, hands), catalogue, hands)
  const decision = decideRevocation({ subject, client, now: hands.clock.now() })
  if (decision.do === 'refuse') return err(decision.refusal)
  await commitRevocation(decision, { origin: request, actor: { kind: 'client', id: client.id }, subject }, hands)
  return ok(null)
}

export async function revocationSubject(
  found: PresentedToken,
  catalogue: Catalogue,
  hands: Hands,
): Promise<RevocationSubject> {
  if (found.kind !== 'access') return found
  return { kind: 'access', token: found.token, status: await tokenStatusOf(found.token, catalogue, hands) }
}

interface RevocationAct {
  readonly origin: Origin
  readonly actor: Actor
  readonly subject: RevocationSubject
}

export async function commitRevocation(decision: RevocationDecision, act: RevocationAct, hands: Hands): Promise<void> {
  const { origin, actor, subject } = act
  const at = hands.clock.now()
  if (decision.do === 'revoke_token' && subject.kind === 'access') {
    const { token } = subject
    const about = { actor, clientId: token.clientId, subject: token.subject, grantId: token.grantId, jti: token.jti }
    // `until` tells the revocation feed how long the news matters.
    const events = [newEvent(hands, origin, 'token.revoked', { ...about, data: { until: token.expiresAt } })]
    await hands.store.tokens.revoke({ tenant: origin.tenant, jti: token.jti, expiresAt: token.expiresAt, at, events })
  } else if (decision.do === 'revoke_grant' && subject.kind === 'refresh') {
    const { grant } = subject.refresh
    const about = { actor, clientId: grant.clientId, subject: grant.authentication.subject, grantId: grant.id }
    const events = [newEvent(hands, origin, 'grant.revoked', { ...about, reason: 'refresh_token_revoked' })]
    await hands.store.grants.revoke({ tenant: origin.tenant, id: grant.id, at, events })
  }
}
