/** POST /revoke, without HTTP (RFC 7009): the revocation of the token or grant and its event are one commit. */
import type { Actor } from '@grantor/protocol/events'
import {
  type Catalogue,
  decideRevocation,
  presentedToken,
  type RevocationDecision,
  type RevocationSubject,
} from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { statusReference } from '@grantor/protocol/status-list'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { keyRevoked } from '../api-keys/revoked.ts'
import { type EventDependencies, newEvent, type Origin } from '../events.ts'
import { findPresentedToken, type PresentedToken, type PresentedTokenDependencies } from './presented-token.ts'
import { tokenStatusOf, type TokenStatusDependencies } from './status.ts'

export type RevocationDependencies = EventDependencies &
  PresentedTokenDependencies &
  TokenStatusDependencies & { readonly store: Pick<Store, 'apiKeys' | 'tokens' | 'grants' | 'untilDurable'> }

export const openRevocation =
  (deps: RevocationDependencies & { readonly serveClient: ServeClient }) =>
  (request: EndpointRequest): Promise<EndpointResult<null>> =>
    deps.serveClient('revocation', request, async (authenticate) => {
      const catalogue = await deps.directory.servedCatalogue(request.tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      const authenticated = await authenticate()
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const presented = presentedToken(request.form)
      if (presented.kind === 'error') return presented

      const found = await findPresentedToken(presented.value, catalogue, deps)
      const subject = await revocationSubject(found, catalogue, deps)
      const decision = decideRevocation({ subject, client, now: deps.clock.now() })
      if (decision.do === 'refuse') return err(decision.refusal)
      await commitRevocation(decision, { origin: request, actor: { kind: 'client', id: client.id }, subject }, deps)
      return ok(null)
    })

export async function revocationSubject(
  found: PresentedToken,
  catalogue: Catalogue,
  deps: TokenStatusDependencies,
): Promise<RevocationSubject> {
  if (found.kind !== 'access') return found
  return { kind: 'access', token: found.token, status: await tokenStatusOf(found.token, catalogue, deps) }
}

interface RevocationAct {
  readonly origin: Origin
  readonly actor: Actor
  readonly subject: RevocationSubject
}

export async function commitRevocation(
  decision: RevocationDecision,
  act: RevocationAct,
  deps: RevocationDependencies,
): Promise<void> {
  const { origin, actor, subject } = act
  const at = deps.clock.now()
  if (decision.do === 'revoke_token' && subject.kind === 'access') {
    const { token } = subject
    const about = { actor, clientId: token.clientId, subject: token.subject, grantId: token.grantId, jti: token.jti }
    // `until` tells the revocation feed how long the token must be remembered as dead.
    const data = { until: token.expiresAt, ...placeOf(token.claims) }
    const events = [newEvent(deps, origin, 'token.revoked', { ...about, data })]
    await deps.store.tokens.revoke({ tenant: origin.tenant, jti: token.jti, expiresAt: token.expiresAt, at, events })
  } else if (decision.do === 'revoke_grant' && subject.kind === 'refresh') {
    const { grant } = subject.refresh
    const about = { actor, clientId: grant.clientId, subject: grant.authentication.subject, grantId: grant.id }
    const events = [newEvent(deps, origin, 'grant.revoked', { ...about, reason: 'refresh_token_revoked' })]
    await deps.store.grants.revoke({ tenant: origin.tenant, id: grant.id, at, events })
  } else if (decision.do === 'revoke_key' && subject.kind === 'api_key') {
    const events = [keyRevoked(subject.key, { origin, actor }, deps)]
    await deps.store.apiKeys.revoke({ tenant: origin.tenant, id: decision.id, at, events })
  } else if (subject.kind !== 'unknown') {
    // The grant is revoked already. The client may be repeating a revocation whose answer it never got, so this answer,
    // too, waits until that revocation is durable.
    await deps.store.untilDurable()
  }
}

/** The status list and index of a token. The list is one of ours: our tokens name no other. */
function placeOf(claims: JsonObject): JsonObject {
  const place = statusReference(claims)
  return place === null ? {} : { status_list: place.uri.slice(place.uri.lastIndexOf('/') + 1), status_idx: place.idx }
}
