/** POST /introspect, without HTTP (RFC 7662). What a resource server hears as inactive is recorded as token.rejected. */
import {
  type AccessTokenFacts,
  formatScope,
  inactive,
  introspect as describe,
  introspectRefresh,
  mayIntrospect,
  mayIntrospectToken,
  personalScope,
  presentedToken,
  type TokenStatus,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { type EventDependencies, newEvent } from '../events.ts'
import { findPresentedToken, type PresentedTokenDependencies } from './presented-token.ts'
import { tokenStatusOf, type TokenStatusDependencies } from './status.ts'

export type IntrospectionDependencies = EventDependencies &
  PresentedTokenDependencies &
  TokenStatusDependencies & {
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'events'>
  }

const clean: TokenStatus = { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null }

export const openIntrospection =
  (deps: IntrospectionDependencies) =>
  (request: EndpointRequest): Promise<EndpointResult<JsonObject>> =>
    deps.serveClient('introspection', request, async (authenticate) => {
      const { clock, directory, issuers, people } = deps
      const { tenant } = request
      const catalogue = await directory.servedCatalogue(tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      const authenticated = await authenticate()
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const barred = mayIntrospect(client)
      if (barred !== null) return err(barred)
      const presented = presentedToken(request.form)
      if (presented.kind === 'error') return presented

      const found = await findPresentedToken(presented.value, catalogue, deps)
      const issuer = issuers.issuerOf(tenant)
      if (found.kind === 'refresh') {
        const person = await people.find(tenant, found.refresh.grant.authentication.subject)
        const refresh = { ...found.refresh, scope: personalScope(found.refresh.scope, person?.administrator ?? null) }
        return ok(introspectRefresh({ refresh, person, client, issuer, now: clock.now() }))
      }
      const token = found.kind === 'access' ? found.token : null
      const status = token === null ? clean : await tokenStatusOf(token, catalogue, deps)
      const described = describe({ token, status, client, now: clock.now(), issuer, tenant })
      if (described === inactive) await recordRejection(request, { client, token, status }, deps)
      return ok(described)
    })

interface RejectedToken {
  readonly client: Client
  readonly token: AccessTokenFacts | null
  readonly status: TokenStatus
}

async function recordRejection(
  request: EndpointRequest,
  it: RejectedToken,
  deps: IntrospectionDependencies,
): Promise<void> {
  const { client, token } = it
  await deps.store.events.append([
    newEvent(deps, request, 'token.rejected', {
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
function reasonOf({ client, token, status }: RejectedToken): string {
  if (token === null) return 'token_unknown'
  if (!mayIntrospectToken(client, token)) return 'not_for_this_caller'
  return status.revokedAt !== null || status.grantRevokedAt !== null ? 'token_revoked' : 'token_expired'
}
