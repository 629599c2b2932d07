/** POST /par, without HTTP: RFC 9126. All checks are made at the push; what is kept is the request as it was accepted. */
import { pushedPrefix, withParameters } from '@grantor/protocol/authorize'
import { secretPrefix } from '@grantor/protocol/oauth'
import { isPublic } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { basisOf } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { type AcceptanceDependencies, acceptRequest } from './accept.ts'
import { type RequestingClientDependencies, requestingClient } from './requesting-client.ts'

export type PushDependencies = AcceptanceDependencies &
  RequestingClientDependencies & {
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'pushedRequests'>
  }

/** Characters of the request as it is kept: so many that no honest one is longer, and few enough to keep for strangers. */
const longestPushedRequest = 32_768

export function openPushedAuthorization(deps: PushDependencies) {
  const { clock, directory, ids, limits, policy, serveClient, store } = deps
  return async (request: EndpointRequest): Promise<EndpointResult<JsonObject>> => {
    const { tenant, form } = request
    return serveClient('par', request, async (authenticate) => {
      const catalogue = await directory.servedCatalogue(tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      // A client of that kind may come here first; nobody else can be authenticated by being asked for.
      const known = await requestingClient(form, { origin: request, catalogue }, deps)
      if (known.kind === 'error') return known
      const authenticated = await authenticate()
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      if (form.get('request_uri') !== undefined) return err({ reason: 'request_uri_pushed' })
      const asked = withParameters({ client_id: client.id }, form)
      const accepted = await acceptRequest(asked, { client, catalogue, pushed: true }, deps)
      if (accepted.kind === 'error') return err(accepted.error.refusal)
      // Anybody can speak for a client that proves nothing.
      const refused = isPublic(client) ? await interactionLimitReached('pushed', request, limits) : null
      if (refused !== null) return refused
      const kept = accepted.value.request
      if (JSON.stringify(kept).length > longestPushedRequest) return err({ reason: 'request_too_long' })
      const requestUri = `${pushedPrefix}${ids.secret(secretPrefix.pushedRequest)}`
      const now = clock.now()
      const expiresAt = (now + policy.pushedRequestTtl * 1000) as Instant
      const row = {
        tenant,
        handle: ids.handleOf(requestUri),
        clientId: client.id,
        request: kept,
        expiresAt,
        // An interaction that was opened at the last moment lives on it.
        keptUntil: (expiresAt + policy.interactionTtl * 1000) as Instant,
      }
      if ((await store.pushedRequests.push(row, basisOf(catalogue, client))) === 'stale') return 'stale'
      return ok({ request_uri: requestUri, expires_in: policy.pushedRequestTtl })
    })
  }
}
