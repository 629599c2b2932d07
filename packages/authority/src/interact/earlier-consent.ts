/**
 * Whether an earlier consent still holds for a client that registered itself. All that a person could judge about
 * such a client is where the answer goes, so once it has other redirect URIs the consent is not valid any more.
 */
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
  client: Client,
  ids: Pick<Ids, 'handleOf'>,
): boolean {
  return !speaksForItself(client) || shown['addresses'] === addressesMark(client, ids)['addresses']
}
