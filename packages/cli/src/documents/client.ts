/** A client as it is shown: RFC 7591 names, its secrets only by their dates. */
import { type Client, clientKind, metadataDocument } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { Cell } from '../output/table.ts'
import { shortTime, timestamp, timestampOrNull } from '../output/time.ts'

export const clientDocument = (client: Client): JsonObject => ({
  client_id: client.id,
  tenant: client.tenant,
  ...metadataDocument(client.metadata),
  kind: clientKind(client.metadata),
  origin: client.origin,
  secrets: client.secrets.map(({ createdAt, expiresAt }) => ({
    created_at: timestamp(createdAt),
    expires_at: timestampOrNull(expiresAt),
  })),
  created_at: timestamp(client.createdAt),
  updated_at: timestamp(client.updatedAt),
  disabled_at: timestampOrNull(client.disabledAt),
  last_used_at: timestampOrNull(client.lastUsedAt ?? null),
})

export const clientColumns = ['CLIENT', 'NAME', 'KIND', 'AUTHENTICATION', 'SCOPE', 'LAST USED', 'STATE'] as const

export const clientRow = ({ id, metadata, lastUsedAt, disabledAt }: Client): readonly Cell[] => [
  id,
  metadata.client_name ?? null,
  clientKind(metadata),
  metadata.token_endpoint_auth_method,
  metadata.scope,
  lastUsedAt === undefined ? 'never' : shortTime(lastUsedAt),
  disabledAt === null ? 'active' : 'disabled',
]

export const clientFields = (client: Client): readonly (readonly [string, Cell])[] => fieldsOf(clientDocument(client))

/** Any document with one field per line; nested values stay JSON. */
export const fieldsOf = (document: JsonObject): readonly (readonly [string, Cell])[] =>
  Object.entries(document).map(([name, value]) => {
    if (value === null || typeof value === 'string' || typeof value === 'number') return [name, value] as const
    const words = Array.isArray(value) && value.every((item) => typeof item === 'string')
    return [name, words ? value.join(' ') : JSON.stringify(value)] as const
  })
