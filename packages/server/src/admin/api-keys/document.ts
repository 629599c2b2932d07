/** An API key as the admin API shows it. */
import { type ApiKey, formatScope, mostKeyAddresses, type NewKeyInput, textLimits } from '@grantor/protocol/oauth'
import type { Instant, Secret } from '@grantor/protocol/types'
import { Type } from 'typebox'

const time = (description: string) => Type.String({ readOnly: true, format: 'date-time', description })

export const ApiKeySchema = Type.Object({
  id: Type.String({
    readOnly: true,
    description: 'Made by the server; no secret, and the jti of what introspection says',
  }),
  key: Type.Optional(Type.String({ readOnly: true, description: 'Only in the answer to the request that made it' })),
  name: Type.String({ minLength: 1, maxLength: textLimits.name, description: 'What it is used for, and where' }),
  client_id: Type.String({ minLength: 1, maxLength: 255, description: 'The client that acts by it' }),
  resource: Type.String({ minLength: 1, maxLength: textLimits.uri, description: 'The one API that it opens' }),
  scope: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Names between spaces; without it, all that the client has at that API, as it has it',
    }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
      maxItems: mostKeyAddresses,
      description: 'Addresses and blocks of them (192.0.2.0/24) that it may be used from; without them, any',
    }),
  ),
  expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it ends; without it, never' })),
  created_at: time('When it was made'),
  created_by: Type.Object(
    { kind: Type.String(), id: Type.Optional(Type.String()) },
    { readOnly: true, description: 'Who made it' },
  ),
  last_used_at: Type.Optional(time('When it was last used, to about a minute')),
})
export type ApiKeyDocument = Type.Static<typeof ApiKeySchema>
export type ApiKeyBody = Pick<ApiKeyDocument, 'name' | 'client_id' | 'resource' | 'scope' | 'addresses' | 'expires_at'>

const iso = (at: number): string => new Date(at).toISOString()

export function apiKeyDocument(it: ApiKey, key: Secret | null = null): ApiKeyDocument {
  const { kind, id } = it.createdBy
  return {
    id: it.id,
    ...(key === null ? {} : { key }),
    name: it.name,
    client_id: it.clientId,
    resource: it.resource,
    ...(it.scope === null ? {} : { scope: formatScope(it.scope) }),
    ...(it.addresses.length === 0 ? {} : { addresses: [...it.addresses] }),
    ...(it.expiresAt === null ? {} : { expires_at: iso(it.expiresAt) }),
    created_at: iso(it.createdAt),
    created_by: { kind, ...(id === null ? {} : { id }) },
    ...(it.lastUsedAt === null ? {} : { last_used_at: iso(it.lastUsedAt) }),
  }
}

/** An invalid time becomes NaN, which is refused with the other faults of the input. */
export const newKeyInput = (body: ApiKeyBody): NewKeyInput => ({
  name: body.name,
  clientId: body.client_id,
  resource: body.resource,
  scope: body.scope ?? null,
  addresses: body.addresses ?? [],
  expiresAt: body.expires_at === undefined ? null : (Date.parse(body.expires_at) as Instant),
})

export const exampleApiKey: ApiKeyDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'Nightly export',
  client_id: 'export',
  resource: 'https://api.example',
  scope: 'orders:read',
  addresses: ['192.0.2.0/24'],
  expires_at: '2027-02-15T10:00:00.000Z',
  created_at: '2026-11-15T10:00:00.000Z',
  created_by: { kind: 'client', id: 'admin' },
  last_used_at: '2026-11-15T11:00:00.000Z',
}
