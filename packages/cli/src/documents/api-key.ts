/** An API key as it is shown; the key itself is shown only by the command that created it. */
import { type ApiKey, formatScope } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { Cell } from '../output/table.ts'
import { shortTimeOrNull, timestamp, timestampOrNull } from '../output/time.ts'

export const apiKeyDocument = (key: ApiKey): JsonObject => ({
  name: key.name,
  tenant: key.tenant,
  client_id: key.clientId,
  resource: key.resource,
  scope: key.scope === null ? null : formatScope(key.scope),
  addresses: key.addresses,
  created_at: timestamp(key.createdAt),
  created_by: { kind: key.createdBy.kind, id: key.createdBy.id },
  expires_at: timestampOrNull(key.expiresAt),
  last_used_at: timestampOrNull(key.lastUsedAt),
})

export const apiKeyColumns = ['KEY', 'NAME', 'CLIENT', 'RESOURCE', 'SCOPE', 'EXPIRES', 'LAST USED'] as const

export const apiKeyRow = (key: ApiKey): readonly Cell[] => [
  key.id,
  key.name,
  key.clientId,
  key.resource,
  key.scope === null ? "the client's" : formatScope(key.scope),
  shortTimeOrNull(key.expiresAt) ?? 'never',
  shortTimeOrNull(key.lastUsedAt) ?? 'never',
]
