/** Reads clients from rows; a client that cannot be read is set aside. */
import {
  type Client,
  type ClientMetadata,
  type ClientSecret,
  isStoredMetadata,
  storedMetadataProblem,
} from '@grantor/protocol/registration'
import type { Handle, TenantId } from '@grantor/protocol/types'
import { StoreUnreadable } from '../../contract/store.ts'
import { deadUpTo, instant, json, maybeInstant, number, text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import type { Row } from '../verb.ts'

/** The rows of a client are adjacent, one for each of its secrets. */
export function clientsOf(rows: readonly Row[], aside: SetAsideRows): readonly Client[] {
  const clients = new Map<string, { readonly row: Row; readonly secrets: ClientSecret[] }>()
  for (const row of rows) {
    const id = text(row, 'id')
    const client = clients.get(id) ?? { row, secrets: [] }
    clients.set(id, client)
    if (row['handle'] === null) continue
    client.secrets.push({
      handle: text(row, 'handle') as Handle,
      createdAt: instant(row, 'secret_created_at'),
      expiresAt: maybeInstant(row, 'secret_expires_at'),
    })
  }
  return [...clients.values()].flatMap(({ row, secrets }) => {
    const which = { tenant: text(row, 'tenant') as TenantId, id: text(row, 'id'), version: number(row, 'version') }
    return aside.read({ kind: 'client', ...which }, () => clientOf(row, secrets)) ?? []
  })
}

const clientOf = (row: Row, secrets: readonly ClientSecret[]): Client => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  metadata: metadataOf(row),
  secrets,
  ...originOf(row),
  createdAt: instant(row, 'created_at'),
  updatedAt: instant(row, 'updated_at'),
  disabledAt: maybeInstant(row, 'disabled_at'),
  version: number(row, 'version'),
  ...deadUpTo(row),
  ...lastUsedAt(row),
})

/** A use from before the creation belongs to an earlier client of the same id. */
function lastUsedAt(row: Row): Pick<Client, 'lastUsedAt'> {
  const at = maybeInstant(row, 'last_used_at')
  return at === null || at < instant(row, 'created_at') ? {} : { lastUsedAt: at }
}

function metadataOf(row: Row): ClientMetadata {
  const metadata: unknown = json(row, 'metadata')
  if (!isStoredMetadata(metadata)) throw new StoreUnreadable(storedMetadataProblem(metadata) ?? '')
  return metadata
}

/** A client from a metadata document has a time until which its copy is valid. */
function originOf(row: Row): Pick<Client, 'origin' | 'freshUntil' | 'vouched'> {
  const freshUntil = maybeInstant(row, 'fresh_until')
  if (freshUntil !== null) return { origin: 'document', freshUntil }
  const origin = text(row, 'origin') as Client['origin']
  return row['vouched'] === 1 ? { origin, vouched: true } : { origin }
}
