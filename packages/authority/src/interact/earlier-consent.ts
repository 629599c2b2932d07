/**
 * What an earlier yes still covers of a client that speaks for itself. Of such a client a person can judge one thing,
 * where the answer goes: whoever names other addresses than were named then is not who was allowed.
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
