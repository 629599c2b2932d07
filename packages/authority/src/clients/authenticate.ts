/** Who is asking: recognises what the request presents and authenticates the client. */
import {
  authenticateClient,
  type ClientAuthInput,
  type ClientAuthRule,
  type PresentedClient,
  recogniseClient,
} from '@grantor/protocol/client-auth'
import type { ParsedJwt } from '@grantor/protocol/jose'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err, type Result } from '@grantor/protocol/result'
import type { Directory } from '../directory.ts'
import type { EndpointRequest } from '../endpoint.ts'
import type { Clock } from '../ports/environment.ts'
import { type AssertionDependencies, assertionRequirements, type SpendAssertion } from './assertion.ts'

export interface AuthenticationDependencies extends AssertionDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly clientAuthMethods: readonly ClientAuthRule[]
}

/** What one request brings along, however often it is decided. */
export interface AuthenticationAttempt {
  readonly spend: SpendAssertion
  /** Asked before any proof is looked at, with the name that is claimed; null goes on. */
  barred(clientId: string): Promise<Err<Refusal> | null>
}

export async function authenticatedClient(
  request: EndpointRequest,
  deps: AuthenticationDependencies,
  { spend, barred }: AuthenticationAttempt,
): Promise<Result<Client, Refusal>> {
  const { clock, directory, ids, clientAuthMethods: methods } = deps
  const recognised = recogniseClient(methods, request, ids.handleOf)
  if (recognised.kind === 'error') return recognised
  const presented = recognised.value
  const { assertion, clientId } = presented
  const refused = await barred(clientId)
  if (refused !== null) return refused
  if (assertion !== undefined) return byAssertion({ request, presented, assertion, spend }, deps)
  const now = clock.now()
  const remembered = directory.cachedClient(request.tenant, clientId)
  const authenticated = authenticateClient(methods, { presented, client: remembered, now })
  if (authenticated.kind === 'ok') return authenticated
  // Nobody is refused on memory alone. Unknown client and wrong secret take the same two comparisons and one read,
  // so that neither text nor time tells them apart.
  const client = await directory.currentClient(request.tenant, clientId)
  return authenticateClient(methods, { presented, client, now })
}

interface AssertedClient {
  readonly request: EndpointRequest
  readonly presented: PresentedClient
  readonly assertion: ParsedJwt
  readonly spend: SpendAssertion
}

/** The same by a signature; what is proven is then used up, so that nobody proves it again. */
async function byAssertion(
  { request, presented, assertion, spend }: AssertedClient,
  deps: AuthenticationDependencies,
): Promise<Result<Client, Refusal>> {
  const { tenant } = request
  const { clock, directory, clientAuthMethods } = deps
  const judge = async (client: Client | null): Promise<Result<Client, Refusal>> => {
    const requirements = await assertionRequirements({ tenant, client, assertion }, deps)
    const it: ClientAuthInput = { presented, client, now: clock.now(), requirements }
    return authenticateClient(clientAuthMethods, it)
  }
  const cached = directory.cachedClient(tenant, presented.clientId)
  const remembered = cached === null ? null : await judge(cached)
  const client =
    remembered?.kind === 'ok' ? remembered : await judge(await directory.currentClient(tenant, presented.clientId))
  if (client.kind === 'error' || (await spend(tenant, client.value, assertion))) return client
  return err({ reason: 'client_unauthenticated', challenge: false })
}
