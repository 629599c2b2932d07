/** /v1/roles: sets of scopes at an API, for people and groups. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { type Role, roleLimits } from '@grantor/protocol/people'
import { Type } from 'typebox'
import { tenantOf } from '../fields.ts'
import { catalogueHandlers } from './handlers.ts'

const RoleSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: roleLimits.nameLength, description: 'The name' }),
  name: Type.String({ maxLength: roleLimits.nameLength, description: 'As it stands in tokens. Never changes' }),
  description: Type.Optional(Type.String({ maxLength: 1000, description: 'What it is for' })),
  resource: Type.String({ maxLength: 2048, description: 'The API whose scopes these are' }),
  scopes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: roleLimits.scopesOfRole }),
})
type RoleDocument = Type.Static<typeof RoleSchema>

const documentOf = (it: Role): RoleDocument => ({
  id: it.name,
  name: it.name,
  ...(it.description === '' ? {} : { description: it.description }),
  resource: it.resource,
  scopes: [...it.scopes],
})

export function roles({ admin }: Authority): Collection {
  return collection<typeof RoleSchema, Omit<RoleDocument, 'id'>>({
    name: 'roles',
    description: 'Bundles of scopes that people hold at an API',
    schema: RoleSchema,
    example: exampleRole,
    scopes: { read: 'admin:roles:read', write: 'admin:roles:write' },
    list: { filter: { resource: ['eq'], name: ['prefix'] } },
    handlers: catalogueHandlers({
      acts: admin.roles,
      key: 'name',
      entryOf: ({ value, version }, context): StoredResource<RoleDocument> => ({
        tenant: tenantOf(context),
        version,
        value: documentOf(value),
      }),
    }),
  })
}

const exampleRole: RoleDocument = {
  id: 'bookkeeper',
  name: 'bookkeeper',
  description: 'Sees and books invoices',
  resource: 'https://api.example',
  scopes: ['invoices:read', 'invoices:write'],
}
