/** POST /par, without HTTP (RFC 9126). All checks are made at the push, and the accepted request is stored. */
import { type AuthorizationRequest, pushedPrefix, withParameters } from '@grantor/protocol/authorize'
import {
  type Catalogue,
  type Form,
  keyOfCode,
  type Possession,
  type Refusal,
  secretPrefix,
} from '@grantor/protocol/oauth'
import { type Client, isPublic } from '@grantor/protocol/registration'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { NewPushedRequest, Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { nextNonce, possessionOf, type PossessionDependencies, type ProvePossession } from '../clients/possession.ts'
import { basisOf } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { type AcceptanceDependencies, acceptRequest } from './accept.ts'
import { type RequestingClientDependencies, requestingClient } from './requesting-client.ts'

export type PushDependencies = AcceptanceDependencies &
  RequestingClientDependencies &
  PossessionDependencies & {
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'pushedRequests' | 'tokens'>
  }

/**
 * The longest request, in characters, that is stored: enough for every honest one, and little enough to store for
 * strangers.
 */
const longestPushedRequest = 32_768

export function openPushedAuthorization(deps: PushDependencies) {
  const { directory, limits, policy, serveClient, store } = deps
  return async (request: EndpointRequest): Promise<EndpointResult<JsonObject>> => {
    const { tenant, form } = request
    const possession = possessionOf(request, 'pushedAuthorization', deps)
    // A request that is decided again on fresh facts is still the same use of its proof.
    let used: Promise<boolean> | null = null
    return serveClient('par', request, async (authenticate) => {
      const catalogue = await directory.servedCatalogue(tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      // A client whose id is an address may come here first, and is fetched before it can be authenticated.
      const known = await requestingClient(form, { origin: request, catalogue }, deps)
      if (known.kind === 'error') return known
      const authenticated = await authenticate(possession, async (it) => keyRefusal(form, possession(it)))
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const proven = possession(client)
      if (proven.kind === 'error') return proven
      const accepted = await acceptedPush(form, { client, catalogue, ...proven.value }, deps)
      if (accepted.kind === 'error') return accepted
      // Anybody can push in the name of a public client, so that is limited.
      const refused = isPublic(client) ? await interactionLimitReached('pushed', request, limits) : null
      if (refused !== null) return refused
      const { proof } = proven.value
      if (proof !== null && !(await (used ??= store.tokens.useProof(tenant, proof))))
        return err({ reason: 'proof_replayed' })
      const { requestUri, row } = newPushedRequest(client, accepted.value, deps)
      if ((await store.pushedRequests.push(row, basisOf(catalogue, client))) === 'stale') return 'stale'
      const answer = ok({ request_uri: requestUri, expires_in: policy.pushedRequestTtl })
      return { ...answer, ...nextNonce(proven.value) }
    })
  }
}

/** Checks the key that is visible before the request is validated; the key in a request object is checked later. */
function keyRefusal(form: Form, proven: ReturnType<ProvePossession>): Err<Refusal> | null {
  const dpopJkt = form.get('request') === undefined ? form.get('dpop_jkt') : undefined
  const key = proven.kind === 'error' ? proven : keyOfCode(dpopJkt ?? null, proven.value.possession)
  return key.kind === 'error' ? key : null
}

interface PushingClient {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly possession: Possession
}

async function acceptedPush(
  form: Form,
  { client, catalogue, possession }: PushingClient,
  deps: PushDependencies,
): Promise<Result<AuthorizationRequest, Refusal>> {
  if (form.get('request_uri') !== undefined) return err({ reason: 'request_uri_pushed' })
  const asked = withParameters({ client_id: client.id }, form)
  const accepted = await acceptRequest(asked, { client, catalogue, pushed: true }, deps)
  if (accepted.kind === 'error') return err(accepted.error.refusal)
  const { request } = accepted.value
  const key = keyOfCode(request.dpopJkt ?? null, possession)
  if (key.kind === 'error') return key
  const bound = { ...request, dpopJkt: key.value }
  return JSON.stringify(bound).length > longestPushedRequest ? err({ reason: 'request_too_long' }) : ok(bound)
}

function newPushedRequest(
  { tenant, id: clientId }: Client,
  request: AuthorizationRequest,
  { clock, ids, policy }: PushDependencies,
) {
  const requestUri = `${pushedPrefix}${ids.secret(secretPrefix.pushedRequest)}`
  const expiresAt = (clock.now() + policy.pushedRequestTtl * 1000) as Instant
  // The stored request must outlive an interaction that is opened at the last moment.
  const keptUntil = (expiresAt + policy.interactionTtl * 1000) as Instant
  const row: NewPushedRequest = { tenant, handle: ids.handleOf(requestUri), clientId, request, expiresAt, keptUntil }
  return { requestUri, row }
}
