/** Who is asking: recognises what the request presents and authenticates the client. */
import { authenticateClient, type Client, isRefusal, recogniseClient, type Refusal } from '@grantor/protocol'
import type { EndpointRequest } from './answer.ts'
import type { Hands } from './hands.ts'

export async function authenticatedClient(request: EndpointRequest, hands: Hands): Promise<Client | Refusal> {
  const presented = recogniseClient(request, hands.handleOf)
  if (isRefusal(presented)) return presented
  const now = hands.now()
  const { directory } = hands
  const remembered = authenticateClient({ presented, client: directory.known(request.tenant, presented.clientId), now })
  if (!isRefusal(remembered)) return remembered
  // Nobody is refused on memory alone. Unknown client and wrong secret take the same two comparisons and one read,
  // so that neither text nor time tells them apart.
  const client = await directory.clientNow(request.tenant, presented.clientId)
  return authenticateClient({ presented, client, now })
}
