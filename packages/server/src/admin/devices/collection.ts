/** /v1/devices: devices that wait for approval; DELETE denies one. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { isJsonObject, type Handle, type Instant } from '@grantor/protocol/types'
import type { DeviceRow } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, found, listed, removed } from '../admin-problem.ts'
import { agentFields, agentMembers, filterValue, iso, tenantOf, time } from '../fields.ts'

const DeviceSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64, description: 'Nothing that the device could be impersonated by' }),
  client_id: Type.String({ readOnly: true }),
  scope: Type.String({ readOnly: true, description: 'What it asks for' }),
  address: Type.Optional(Type.String({ readOnly: true, description: 'Where it asked from' })),
  ...agentFields,
  typed: Type.Boolean({ readOnly: true, description: 'Its code was typed in a browser, and not answered yet' }),
  asked_at: time('When it asked'),
  expires_at: time('Until when it may be allowed'),
})
type DeviceDocument = Type.Static<typeof DeviceSchema>

const entryOf = (device: DeviceRow): StoredResource<DeviceDocument> => ({
  tenant: device.tenant,
  version: device.browser === null ? 0 : 1,
  value: {
    id: device.handle,
    client_id: device.clientId,
    scope: scopeIn(device),
    ...(device.ip === null ? {} : { address: device.ip }),
    ...agentMembers(device.userAgent),
    typed: device.browser !== null,
    asked_at: iso(device.askedAt),
    expires_at: iso(device.expiresAt),
  },
})

function scopeIn({ request }: DeviceRow): string {
  const scope = isJsonObject(request) ? request['scope'] : null
  return Array.isArray(scope) ? scope.join(' ') : typeof scope === 'string' ? scope : ''
}

export function devices({ admin }: Authority): Collection {
  const acts = admin.devices
  return collection<typeof DeviceSchema>({
    name: 'devices',
    description: 'Devices whose code waits to be typed and allowed by a person',
    schema: DeviceSchema,
    example: exampleDevice,
    scopes: { read: 'admin:devices:read', write: 'admin:devices:write' },
    cacheControl: 'no-store',
    list: { filter: { client_id: ['eq'] }, sort: ['asked_at'], order: '-asked_at', fixedOrder: true },
    handlers: {
      async list({ filter, after, take }, context) {
        const before =
          after === null
            ? null
            : { askedAt: Date.parse(String(after[0])) as Instant, handle: String(after[1]) as Handle }
        const search = { clientId: filterValue(filter, 'client_id'), before, limit: take }
        return listed(await acts.list(tenantOf(context), search), entryOf)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      remove: async (id, _expected, context) =>
        removed(await acts.deny(actorOf(context.caller), tenantOf(context), id)),
    },
  })
}

const exampleDevice: DeviceDocument = {
  id: 'Yk3uN2m9cV0dQ5bX7zT1rW8eS4aP6oL2iK9jH3gF5dM',
  client_id: 'tv',
  scope: 'openid profile',
  address: '203.0.113.7',
  typed: false,
  asked_at: '2026-11-15T10:00:00.000Z',
  expires_at: '2026-11-15T10:10:00.000Z',
}
