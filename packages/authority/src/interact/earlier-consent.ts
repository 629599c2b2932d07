/**
 * What an earlier yes still covers of a client that speaks for itself. Of such a client a person can judge one thing,
 * where the answer goes: whoever names other addresses than were named then is not who was allowed. And everybody's copy
 * of an app that is a document has the same id: what comes back to a web address comes to the app, but on a person's own
 * device anything may listen (RFC 8252 §8.6), so there the person is asked each time.
 */
import type { AuthorizationRequest } from '@grantor/protocol/authorize'
import { redirectKind } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { ConsentRecord } from '@grantor/store'
import type { Ids } from '../ports/environment.ts'

const speaksForItself = ({ origin }: Client): boolean => origin === 'document' || origin === 'dynamic'

/** Stands in the record: the addresses that were registered when the person said yes. */
export const addressesMark = (client: Client, { handleOf }: Pick<Ids, 'handleOf'>): JsonObject =>
  speaksForItself(client) ? { addresses: handleOf(client.metadata.redirect_uris.toSorted().join(' ')) } : {}

export function isStillValid(
  { client: shown }: Pick<ConsentRecord, 'client'>,
  to: { readonly client: Client; readonly request: Pick<AuthorizationRequest, 'redirectUri'> },
  ids: Pick<Ids, 'handleOf'>,
): boolean {
  if (!speaksForItself(to.client)) return true
  const { addresses } = addressesMark(to.client, ids)
  if (shown['addresses'] !== addresses) return false
  return to.client.origin === 'dynamic' || redirectKind(to.request.redirectUri) === 'https'
}
