/** The client that an authorization request names; its metadata document is fetched if the client is not known yet. */
import { isClientId } from '@grantor/protocol/client-auth'
import type { Catalogue, Form, Refusal } from '@grantor/protocol/oauth'
import { type Client, isDocumentId, registrationPolicy } from '@grantor/protocol/registration'
import { ok, type Result } from '@grantor/protocol/result'
import { type ClientDocumentDependencies, documentClient } from '../clients/document.ts'
import { fittingClient } from '../directory.ts'
import type { Origin } from '../events.ts'

export type RequestingClientDependencies = ClientDocumentDependencies

/** Null where the client is unknown. No request is refused on memory alone. */
export async function requestingClient(
  form: Form,
  { origin, catalogue }: { readonly origin: Origin; readonly catalogue: Catalogue },
  deps: RequestingClientDependencies,
): Promise<Result<Client | null, Refusal>> {
  const { directory, policy } = deps
  const id = form.get('client_id')
  if (id === undefined || !isClientId(id)) return ok(null)
  const { metadataDocuments } = registrationPolicy(policy.registration, catalogue.tenant)
  if (metadataDocuments && isDocumentId(id)) {
    const stated = await documentClient({ id, origin, catalogue }, deps)
    return stated.kind === 'error' ? stated : fittingClient(stated.value, directory)
  }
  const client = await directory.client(origin.tenant, id)
  // Documents were switched off after this client was stored.
  if (client === null || client.origin === 'document') return ok(null)
  return fittingClient(client, directory)
}
