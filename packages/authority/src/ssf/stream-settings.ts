/** A stream as it is kept: one more receiver of events. */
import type { StreamSettings } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import type { NewReceiver, ReceiverRow, Store } from '@grantor/store'

/** Only what is written by `streamConfig` is read here; rows of earlier releases hold no `held`. */
export const settingsOf = ({ config }: Pick<NewReceiver, 'config'>): StreamSettings => ({
  ...(config as unknown as StreamSettings),
  held: config['held'] === true,
})

/** With another status. What happens while it is disabled is not told afterwards. */
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
