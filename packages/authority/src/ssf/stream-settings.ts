/** The stored form of a stream: an event receiver. */
import type { StreamSettings } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import type { NewReceiver, ReceiverRow, Store } from '@grantor/store'

/** Reads only what `streamConfig` wrote; rows of earlier releases have no `held`. */
export const settingsOf = ({ config }: Pick<NewReceiver, 'config'>): StreamSettings => ({
  ...(config as unknown as StreamSettings),
  held: config['held'] === true,
})

/** The stream with another status. Events that happen while it is disabled are not delivered afterwards. */
export async function withStatus(
  row: ReceiverRow,
  to: Pick<ReceiverRow, 'status' | 'statusReason'>,
  { events }: Pick<Store, 'events'>,
): Promise<ReceiverRow> {
  const revived = row.status === 'disabled' && to.status !== 'disabled'
  return { ...row, ...to, sincePos: revived ? await events.position() : row.sincePos }
}

export const streamConfig = ({
  clientId,
  method,
  url,
  requested,
  delivered,
  description,
  held,
}: StreamSettings): JsonObject => ({
  clientId,
  method,
  url,
  requested: [...requested],
  delivered: [...delivered],
  description,
  held,
})
