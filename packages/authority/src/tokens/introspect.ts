/** POST /introspect, without HTTP (RFC 7662). What a resource server hears as inactive is recorded as token.rejected. */
import {
  type AccessTokenFacts,
  formatScope,
  inactive,
  introspect as describe,
  introspectRefresh,
  mayIntrospect,
  mayIntrospectToken,
  presentedToken,
  type TokenStatus,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import { findPresentedToken } from './presented-token.ts'
import { tokenStatusOf } from './status.ts'
import { retryStale } from '../retry-stale.ts'
import { type AuthenticateClient, withinLimits } from '../limits/endpoint-limits.ts'

const clean: TokenStatus = { revokedAt: null, grantRevokedAt: null }

export const introspect = (request: EndpointRequest, hands: Hands): Promise<EndpointResult<JsonObject>> =>
  withinLimits('introspection', { request, hands }, (who) =>
    retryStale(request.tenant, hands, () => introspectOnce(request, who, hands)),
  )

async function introspectOnce(
  request: EndpointRequest,
  who: AuthenticateClient,
  hands: Hands,
): Promise<EndpointResult<JsonObject>> {
  const { tenant } = request
  const catalogue = await hands.directory.currentCatalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return err({ reason: 'tenant_unknown' })
  const authenticated = await who()
  if (authenticated.kind === 'error') return authenticated
  const client = authenticated.value
  const barred = mayIntrospect(client)
  if (barred !== null) return err(barred)
  const presented = presentedToken(request.form)
  if (presented.kind === 'error') return presented

  const found = await findPresentedToken(presented.value, catalogue, hands)
  const issuer = hands.issuers.issuerOf(tenant)
  if (found.kind === 'refresh') {
    // As the refresh itself would find: somebody who may not sign in has no living tokens.
    const person = await hands.people.find(tenant, found.refresh.grant.authentication.subject)
    if (person === null || person.disabledAt !== null) return ok(inactive)
    return ok(introspectRefresh({ refresh: found.refresh, client, issuer, now: hands.clock.now() }))
  }
  const token = found.kind === 'access' ? found.token : null
  const status = token === null ? clean : await tokenStatusOf(token, catalogue, hands)
  const described = describe({ token, status, client, now: hands.clock.now(), issuer, tenant })
  if (described === inactive) await recordRejection(request, hands, { client, token, status })
  return ok(described)
}

interface Rejected {
  readonly client: Client
  readonly token: AccessTokenFacts | null
  readonly status: TokenStatus
}

async function recordRejection(request: EndpointRequest, hands: Hands, it: Rejected): Promise<void> {
  const { client, token } = it
  await hands.store.events.append([
    newEvent(hands, request, 'token.rejected', {
      actor: { kind: 'resource_server', id: client.id },
      clientId: token?.clientId ?? null,
      subject: token?.subject ?? null,
      grantId: token?.grantId ?? null,
      jti: token?.jti ?? null,
      scope: token === null ? null : formatScope(token.scope),
      reason: reasonOf(it),
    }),
  ])
}

/** Why, for the log alone: the caller learns only that the token is not active. */
function reasonOf({ client, token, status }: Rejected): string {
  if (token === null) return 'token_unknown'
  if (!mayIntrospectToken(client, token)) return 'not_for_this_caller'
  return status.revokedAt !== null || status.grantRevokedAt !== null ? 'token_revoked' : 'token_expired'
}
