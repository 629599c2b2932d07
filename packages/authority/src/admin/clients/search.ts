/** Looks for clients by what they are called and where they came from; neither is indexed, so a search reads. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Client } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { AdminResult } from '../result.ts'

export interface ClientSearch {
  readonly after: string | null
  readonly limit: number
  readonly descending?: boolean
  /** A part of its id or name, in any spelling; null for any. */
  readonly text?: string | null
  readonly origins?: readonly string[] | null
  readonly applicationType?: string | null
  /** Null for both. */
  readonly disabled?: boolean | null
}

/** One request reads no more than this. */
const mostRead = 100_000
const pageSize = 500

export async function searchClients(
  clients: Pick<Store['clients'], 'list'>,
  tenant: TenantId,
  search: ClientSearch,
): Promise<AdminResult<readonly Client[]>> {
  const { limit, descending = false } = search
  const matches = matcherOf(search)
  if (matches === null) return ok(await clients.list(tenant, { after: search.after, limit, descending }))
  const found: Client[] = []
  let { after } = search
  for (let read = 0; read < mostRead; read += pageSize) {
    const page = await clients.list(tenant, { after, limit: pageSize, descending })
    found.push(...page.filter(matches))
    if (found.length >= limit || page.length < pageSize) return ok(found.slice(0, limit))
    after = page.at(-1)?.id ?? null
    // On SQLite a read does not let others in between; here they come in.
    await turn()
  }
  const problem = `among ${mostRead} clients too few match: look for another name, or by the id`
  return err({ reason: 'invalid', problems: [{ field: 'client_name', problem }] })
}

/** Null: every client is meant. */
function matcherOf({ text = null, origins = null, applicationType = null, disabled = null }: ClientSearch) {
  if (text === null && origins === null && applicationType === null && disabled === null) return null
  const part = text === null ? null : folded(text)
  return ({ id, origin, metadata, disabledAt }: Client): boolean =>
    (part === null || folded(id).includes(part) || folded(metadata.client_name ?? '').includes(part)) &&
    (origins === null || origins.includes(origin)) &&
    (applicationType === null || (metadata.application_type ?? 'web') === applicationType) &&
    (disabled === null || (disabledAt !== null) === disabled)
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
