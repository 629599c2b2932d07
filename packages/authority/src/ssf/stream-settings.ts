/** A stream as it is kept: one more receiver of events. */
import type { StreamSettings } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import type { NewReceiver } from '@grantor/store'

/** Only what is written by `streamConfig` is read here. */
export const settingsOf = ({ config }: Pick<NewReceiver, 'config'>): StreamSettings =>
  config as unknown as StreamSettings

export const streamConfig = ({
  clientId,
  method,
  url,
  requested,
  delivered,
  description,
}: StreamSettings): JsonObject => ({
  clientId,
  method,
  url,
  requested: [...requested],
  delivered: [...delivered],
  description,
})
