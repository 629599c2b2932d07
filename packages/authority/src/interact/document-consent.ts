/**
 * What an earlier yes to a client that is a document still covers. Everybody's copy of the app has the same id: what comes
 * back to a web address comes to the app, but on a person's own device anything may listen (RFC 8252 §8.6), so there the
 * person is asked each time. And a document that names other addresses than it did is not the one that was allowed.
 */
import { type AuthorizationRequest, type Client, type JsonObject, redirectKind } from '@grantor/protocol'
import type { ConsentRecord } from '@grantor/store'
import type { Hands } from '../hands.ts'

/** Stands in the record: the addresses that were in the document when the person said yes. */
export const addressesMark = ({ origin, metadata }: Client, { handleOf }: Pick<Hands, 'handleOf'>): JsonObject =>
  origin === 'document' ? { addresses: handleOf(metadata.redirect_uris.toSorted().join(' ')) } : {}

export function stillCounts(
  { client: shown }: Pick<ConsentRecord, 'client'>,
  to: { readonly client: Client; readonly request: Pick<AuthorizationRequest, 'redirectUri'> },
  hands: Pick<Hands, 'handleOf'>,
): boolean {
  if (to.client.origin !== 'document') return true
  const { addresses } = addressesMark(to.client, hands)
  return redirectKind(to.request.redirectUri) === 'https' && shown['addresses'] === addresses
}
