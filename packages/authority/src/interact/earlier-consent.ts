/**
 * Whether an earlier consent is still valid for a client that registered itself. The redirect URIs are all that a
 * person could judge about such a client, so a change of them invalidates the consent.
 */
import type { Client } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { ConsentRecord } from '@grantor/store'
import type { Ids } from '../ports/environment.ts'

const speaksForItself = ({ origin }: Client): boolean => origin === 'document' || origin === 'dynamic'

/** The mark in the consent record: the redirect URIs that were registered when the person consented. */
export const addressesMark = (client: Client, { handleOf }: Pick<Ids, 'handleOf'>): JsonObject =>
  speaksForItself(client) ? { addresses: handleOf(client.metadata.redirect_uris.toSorted().join(' ')) } : {}

export function isStillValid(
  { client: shown }: Pick<ConsentRecord, 'client'>,
  client: Client,
  ids: Pick<Ids, 'handleOf'>,
): boolean {
  return !speaksForItself(client) || shown['addresses'] === addressesMark(client, ids)['addresses']
}
