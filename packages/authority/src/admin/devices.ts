/** Administration of devices that wait for approval (RFC 8628): finding and denying them. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { DeviceRow, DeviceSearch, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { AdminResult } from './result.ts'

export interface DeviceAdmin {
  list(tenant: TenantId, search: DeviceSearch): Promise<AdminResult<readonly DeviceRow[]>>
  /** Only a device that still waits. */
  find(tenant: TenantId, handle: string): Promise<AdminResult<DeviceRow>>
  deny(by: Actor, tenant: TenantId, handle: string): Promise<AdminResult<null>>
}

export interface DeviceAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'devices'>
}

export function openDeviceAdmin(deps: DeviceAdminDependencies): DeviceAdmin {
  const { devices } = deps.store
  const absent = (id: string) => err({ reason: 'absent', what: `device ${id}` } as const)

  async function find(tenant: TenantId, id: string): Promise<AdminResult<DeviceRow>> {
    const device = await devices.find(tenant, id as Handle)
    if (device === null) return absent(id)
    const { approved, deniedAt, expiresAt } = device
    return approved || deniedAt !== null || expiresAt <= deps.clock.now() ? absent(id) : ok(device)
  }

  return {
    find,
    list: async (tenant, search) => ok(await devices.pending(tenant, deps.clock.now(), search)),
    async deny(by, tenant, id) {
      const device = await find(tenant, id)
      if (device.kind === 'error') return device
      const about = { actor: by, clientId: device.value.clientId }
      const denied = await devices.refuse({
        tenant,
        device: device.value.handle,
        at: deps.clock.now(),
        events: [newEvent(deps, localOrigin(tenant), 'admin.device_denied', about)],
      })
      return denied === 'denied' ? ok(null) : absent(id)
    },
  }
}
