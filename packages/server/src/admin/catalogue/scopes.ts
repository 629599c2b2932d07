/** /v1/scopes: scopes with their texts for people; those of the issuer itself are read-only. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { builtInScopes, type ScopeEntry } from '@grantor/protocol/oauth'
import { Type } from 'typebox'
import { tenantOf } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'
import { catalogueHandlers } from './handlers.ts'
import { askedScopes } from './questions.ts'

const words = Type.String({ minLength: 1, maxLength: 500 })

const ScopeSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 128, description: 'The name' }),
  name: Type.String({ maxLength: 128, description: 'As it stands in requests and tokens. Never changes' }),
  description: Type.Union([words, Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,35}$' }), words)], {
    description: 'What people read when they are asked: one text, or one per language',
  }),
  resource: Type.Optional(Type.String({ maxLength: 2048, description: 'The API it is for' })),
  sensitivity: Type.Enum(['low', 'normal', 'high'], { default: 'normal' }),
  mode: Type.Enum(['default', 'optional'], {
    default: 'default',
    description: 'optional: people may leave it out and allow the rest',
  }),
  built_in: Type.Boolean({ readOnly: true, description: 'It belongs to the issuer, and nobody changes it' }),
})
type ScopeDocument = Type.Static<typeof ScopeSchema>

const documentOf = (it: ScopeEntry, builtIn: boolean): ScopeDocument => ({
  id: it.name,
  name: it.name,
  description: typeof it.description === 'string' ? it.description : { ...it.description },
  ...(it.resource === null ? {} : { resource: it.resource }),
  sensitivity: it.sensitivity,
  mode: it.mode,
  built_in: builtIn,
})

export function scopes({ admin }: Authority): Collection {
  return collection<typeof ScopeSchema, Omit<ScopeDocument, 'id' | 'built_in'>>({
    name: 'scopes',
    description: 'What tokens may allow',
    schema: ScopeSchema,
    example: exampleScope,
    scopes: { read: 'admin:scopes:read', write: 'admin:scopes:write' },
    list: { filter: { resource: ['eq'], built_in: ['eq'] } },
    handlers: catalogueHandlers({
      acts: admin.scopes,
      key: 'name',
      entryOf: ({ value, version }, context): StoredResource<ScopeDocument> => ({
        tenant: tenantOf(context),
        version,
        value: documentOf(value, false),
      }),
      fixed: (context) =>
        builtInScopes.map((it) => {
          const value = documentOf(it, true)
          return { tenant: tenantOf(context), version: versionOfShown(value), value }
        }),
    }),
    actions: { consent: askedScopes(admin) },
  })
}

const exampleScope: ScopeDocument = {
  id: 'invoices:read',
  name: 'invoices:read',
  description: { en: 'See your invoices', de: 'Ihre Rechnungen sehen' },
  resource: 'https://api.example',
  sensitivity: 'normal',
  mode: 'default',
  built_in: false,
}
