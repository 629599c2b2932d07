/** Administration of streams of shared signals: clients create them, operators can list and stop them. */
import type { Actor } from '@grantor/protocol/events'
import { displayTextProblem } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { mostStreamsOfTenant, type StreamSettings, type StreamStatus } from '@grantor/protocol/ssf'
import type { TenantId } from '@grantor/protocol/types'
import type { ReceiverRow, Store } from '@grantor/store'
import type { Ids } from '../../ports/environment.ts'
import { statusNotice } from '../../ssf/about-stream.ts'
import { settingsOf, streamConfig, withStatus } from '../../ssf/stream-settings.ts'
import type { AdminResult } from '../result.ts'
import { openReceiverActs, type ReceiverDeliveries, type ReceiverDeliveryDependencies } from './receiver-acts.ts'

/** Without the authorization header of pushed events. */
export interface SignalStream extends Pick<
  ReceiverRow,
  'tenant' | 'id' | 'createdAt' | 'version' | 'failingSince' | 'status' | 'statusReason'
> {
  readonly settings: StreamSettings
}

export interface StreamAdmin extends ReceiverDeliveries {
  list(tenant: TenantId): Promise<AdminResult<readonly SignalStream[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<SignalStream>>
  /** The receiver is notified (SSF 1.0 §8.1.5), and cannot undo a stop. */
  setStatus(
    by: Actor,
    tenant: TenantId,
    to: {
      readonly id: string
      readonly version: number
      readonly status: StreamStatus
      readonly reason: string | null
    },
  ): Promise<AdminResult<SignalStream>>
  remove(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface StreamAdminDependencies extends ReceiverDeliveryDependencies {
  readonly ids: Ids
  readonly store: ReceiverDeliveryDependencies['store'] & Pick<Store, 'events'>
}

export function openStreamAdmin(deps: StreamAdminDependencies): StreamAdmin {
  const { clock, ids, store } = deps
  const { eventReceivers } = store
  const { held, absent, changed, deliveries, remove, replay } = openReceiverActs('stream', deps)
  return {
    deliveries,
    remove,
    replay,

    async list(tenant) {
      return ok(
        (await eventReceivers.list(tenant, { kind: 'stream', after: null, limit: mostStreamsOfTenant })).map(shown),
      )
    },

    async find(tenant, id) {
      const row = await held(tenant, id)
      return row === null ? absent(id) : ok(shown(row))
    },

    async setStatus(by, tenant, { id, version, status, reason }) {
      const problem = reason === null ? null : displayTextProblem(reason, 500)
      if (problem !== null) return err({ reason: 'invalid', problems: [{ field: 'status_reason', problem }] })
      const row = await held(tenant, id)
      if (row === null) return absent(id)
      const next = await withStatus(row, { status, statusReason: reason }, store)
      const receiver = { ...next, config: streamConfig({ ...settingsOf(row), held: status !== 'enabled' }) }
      const now = clock.now()
      const done = await eventReceivers.replace({
        receiver,
        version,
        at: now,
        ...(status === row.status ? {} : { notice: statusNotice(receiver, { id: ids.id(), now }) }),
        events: changed(by, tenant, { id, status, method: settingsOf(row).method }),
      })
      if (done !== 'replaced') return err({ reason: 'conflict', what: `stream ${id} was changed` })
      const after = await held(tenant, id)
      return after === null ? absent(id) : ok(shown(after))
    },
  }
}

const shown = (row: ReceiverRow): SignalStream => {
  const { tenant, id, createdAt, version, failingSince, status, statusReason } = row
  return { tenant, id, createdAt, version, failingSince, status, statusReason, settings: settingsOf(row) }
}
