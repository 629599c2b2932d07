/** Authenticates the client of a request, by whatever credentials the request presents. */
import {
  authenticateClient,
  type AuthenticationFailure,
  authenticationFailure,
  type ClientAuthInput,
  type ClientAuthRule,
  type PresentedClient,
  type PresentedWorkload,
  recogniseClient,
  unrecognised,
} from '@grantor/protocol/client-auth'
import type { ParsedJwt } from '@grantor/protocol/jose'
import { holdsToken, noPossession, type Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from '../directory.ts'
import type { EndpointRequest } from '../endpoint.ts'
import type { Clock } from '../ports/environment.ts'
import {
  type AssertionDependencies,
  type AssertionEndpoint,
  assertionRequirements,
  type AssertionUse,
  ownAssertionUse,
  type SpendAssertion,
} from './assertion.ts'
import type { ProvePossession } from './possession.ts'
import { type CertificateDependencies, shownCertificate } from './shown-certificate.ts'
import { authenticateWorkload, refusalOf } from './workload.ts'

export interface AuthenticationDependencies extends AssertionDependencies, CertificateDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly clientAuthMethods: readonly ClientAuthRule[]
}

/** The context of one request, which stays the same however often the request is decided. */
export interface AuthenticationAttempt {
  readonly endpoint: AssertionEndpoint
  readonly spend: SpendAssertion
  /** Called with the claimed name before any proof is checked; null lets the request go on. */
  barred(clientId: string): Promise<Err<Refusal> | null>
  /**
   * Called when the client is known and before its assertion is used up: whether it may go on, and the client as it is
   * by then.
   */
  admitted(client: Client): Promise<Result<Client, Refusal>>
  /** Checks the key that the request proves; undefined where the endpoint requires none. */
  readonly possession: ProvePossession | undefined
  /**
   * Called for a client whose assertion is valid, before the assertion is used up: why using it would be in vain; null
   * goes on.
   */
  beforeUse(client: Client): Promise<Err<Refusal> | null>
  /** Called with the reason why a proof was refused, which the answer does not reveal. */
  failed(why: AuthenticationFailure): void
}

export async function authenticatedClient(
  request: EndpointRequest,
  deps: AuthenticationDependencies,
  attempt: AuthenticationAttempt,
): Promise<Result<Client, Refusal>> {
  const { clock, directory, ids, clientAuthMethods: methods } = deps
  const recognised = recogniseClient(methods, request, ids.handleOf)
  if (recognised.kind === 'error') {
    attempt.failed(unrecognised)
    return recognised
  }
  const presented = recognised.value
  const { assertion, workload, clientId } = presented
  const refused = await attempt.barred(clientId)
  if (refused !== null) return refused
  if (assertion !== undefined) return byAssertion({ request, presented, assertion, attempt }, deps)
  if (workload !== undefined) return byWorkload({ request, presented, workload, attempt }, deps)
  // A request without other credentials may have come with a certificate, which is read before the client that it
  // should belong to is known.
  const withCertificate = presented.method === 'none' && request.clientCertificate !== null
  const now = clock.now()
  const certified = async (client: Client | null): Promise<ClientAuthInput> => ({
    presented,
    client,
    now,
    shown: await shownCertificate(request, client, deps),
  })
  const remembered = directory.cachedClient(request.tenant, clientId)
  const input = withCertificate ? await certified(remembered) : { presented, client: remembered, now }
  const authenticated = authenticateClient(methods, input)
  const admitted = authenticated.kind === 'ok' ? await attempt.admitted(authenticated.value) : null
  if (admitted?.kind === 'ok') return admitted
  // No request is refused on memory alone. An unknown client and a wrong secret take the same two comparisons and one
  // read, so that neither text nor time tells them apart.
  const client = await directory.currentClient(request.tenant, clientId)
  const again = withCertificate ? await certified(client) : { presented, client, now }
  const current = authenticateClient(methods, again)
  if (current.kind === 'ok') return attempt.admitted(current.value)
  attempt.failed(authenticationFailure(again))
  return current
}

interface AssertedClient {
  readonly request: EndpointRequest
  readonly presented: PresentedClient
  readonly assertion: ParsedJwt
  readonly attempt: AuthenticationAttempt
}

/** Authenticates by an assertion, which is then used up, so that nobody can present it again. */
async function byAssertion(
  { request, presented, assertion, attempt }: AssertedClient,
  deps: AuthenticationDependencies,
): Promise<Result<Client, Refusal>> {
  const { tenant } = request
  const { clock, directory, clientAuthMethods } = deps
  const inputFor = async (client: Client | null): Promise<ClientAuthInput> => {
    const requirements = await assertionRequirements({ tenant, client, assertion, endpoint: attempt.endpoint }, deps)
    return { presented, client, now: clock.now(), requirements }
  }
  const cached = directory.cachedClient(tenant, presented.clientId)
  const remembered = cached === null ? null : authenticateClient(clientAuthMethods, await inputFor(cached))
  let admitted = remembered?.kind === 'ok' ? await attempt.admitted(remembered.value) : null
  if (admitted?.kind !== 'ok') {
    const input = await inputFor(await directory.currentClient(tenant, presented.clientId))
    const proven = authenticateClient(clientAuthMethods, input)
    if (proven.kind === 'error') attempt.failed(authenticationFailure(input))
    admitted = proven.kind === 'ok' ? await attempt.admitted(proven.value) : proven
  }
  if (admitted.kind === 'error') return admitted
  return once(admitted.value, ownAssertionUse(admitted.value, assertion, deps.policy), { tenant, attempt })
}

interface WorkloadClient extends Omit<AssertedClient, 'assertion'> {
  readonly workload: PresentedWorkload
}

/** Authenticates by a token of a trusted issuer. A token that is also the grant is used up with the grant. */
async function byWorkload(
  { request, presented, workload, attempt }: WorkloadClient,
  deps: AuthenticationDependencies,
): Promise<Result<Client, Refusal>> {
  const { tenant } = request
  const proven = await authenticateWorkload({ tenant, presented, workload }, deps)
  if (proven.kind === 'error') {
    if (proven.error.problem !== null) attempt.failed(proven.error.problem)
    return err(proven.error.refusal)
  }
  const { client, use, cnf } = proven.value
  const admitted = await attempt.admitted(client)
  if (admitted.kind === 'error') return admitted
  // RFC 7800 §3.1: where the endpoint checks no key, the request proves none.
  const shown = attempt.possession?.(admitted.value)
  if (!holdsToken(cnf, shown?.kind === 'ok' ? shown.value.possession : noPossession)) {
    attempt.failed({ clientId: client.id, reason: 'token_of_another_key' })
    return err(refusalOf(workload))
  }
  if (use === null || workload.asGrant) return admitted
  return once(admitted.value, use, { tenant, attempt })
}

async function once(
  client: Client,
  use: AssertionUse,
  { tenant, attempt }: { readonly tenant: TenantId; readonly attempt: AuthenticationAttempt },
): Promise<Result<Client, Refusal>> {
  const inVain = await attempt.beforeUse(client)
  if (inVain !== null) return inVain
  // Both in one commit: a proof that was used before leaves the assertion unused, and an assertion that was used before
  // leaves the proof unused.
  const proven = attempt.possession?.(client)
  const spent = await attempt.spend(tenant, use, proven?.kind === 'ok' ? proven.value.proof : null)
  if (spent === 'spent') {
    attempt.possession?.proofUsed()
    return ok(client)
  }
  if (spent === 'proof-used') return err({ reason: 'proof_replayed' })
  attempt.failed({ clientId: client.id, reason: 'assertion_used' })
  return err({ reason: 'client_unauthenticated', challenge: false })
}
