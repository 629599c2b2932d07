/** Who is asking: recognises what the request presents and authenticates the client. */
import { authenticateClient, type PresentedClient, recogniseClient } from '@grantor/protocol/client-auth'
import type { ParsedJwt } from '@grantor/protocol/jose'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, type Result } from '@grantor/protocol/result'
import type { EndpointRequest } from '../endpoint.ts'
import { assertionMeasure, type SpendAssertion } from './assertion.ts'
import type { Hands } from '../hands.ts'
import type { Soon } from '../soon.ts'

export function authenticatedClient(
  request: EndpointRequest,
  hands: Hands,
  spend: SpendAssertion,
): Soon<Result<Client, Refusal>> {
  const recognised = recogniseClient(request, hands.ids.handleOf)
  if (recognised.kind === 'error') return recognised
  const presented = recognised.value
  const { assertion } = presented
  if (assertion !== undefined) return byAssertion({ request, presented, assertion, spend }, hands)
  const now = hands.clock.now()
  const { directory } = hands
  const remembered = authenticateClient({
    presented,
    client: directory.cachedClient(request.tenant, presented.clientId),
    now,
  })
  if (remembered.kind === 'ok') return remembered
  // Nobody is refused on memory alone. Unknown client and wrong secret take the same two comparisons and one read,
  // so that neither text nor time tells them apart.
  return directory
    .currentClient(request.tenant, presented.clientId)
    .then((client) => authenticateClient({ presented, client, now }))
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
  hands: Hands,
): Promise<Result<Client, Refusal>> {
  const { tenant } = request
  const { directory } = hands
  const judge = async (client: Client | null): Promise<Result<Client, Refusal>> => {
    const requirements = await assertionMeasure({ tenant, client, assertion }, hands)
    return authenticateClient({ presented, client, now: hands.clock.now(), requirements })
  }
  const known = directory.cachedClient(tenant, presented.clientId)
  const remembered = known === null ? null : await judge(known)
  const client =
    remembered?.kind === 'ok' ? remembered : await judge(await directory.currentClient(tenant, presented.clientId))
  if (client.kind === 'error' || (await spend(tenant, client.value, assertion))) return client
  return err({ reason: 'client_unauthenticated', challenge: false })
}
