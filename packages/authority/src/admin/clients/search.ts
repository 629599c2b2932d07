/** Searches for clients by name, kind and origin. None of these is indexed, so the search reads all clients. */
import { setImmediate as turn } from 'node:timers/promises'
import { type Client, clientKind } from '@grantor/protocol/registration'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { AdminResult } from '../result.ts'
import { type SearchDeadline, searchDeadline, type SearchPage } from './search-page.ts'

export interface ClientSearch {
  readonly after: string | null
  readonly limit: number
  readonly descending?: boolean
  /** A part of the id or name, ignoring case and spelling variants; null for any. */
  readonly text?: string | null
  readonly kinds?: readonly string[] | null
  readonly origins?: readonly string[] | null
  readonly applicationType?: string | null
  /** Null for enabled and disabled clients. */
  readonly disabled?: boolean | null
}

const pageSize = 250

export async function searchClients(
  clients: Pick<Store['clients'], 'list'>,
  tenant: TenantId,
  search: ClientSearch,
  isOver: SearchDeadline = searchDeadline(),
): Promise<AdminResult<SearchPage<Client, string>>> {
  const { limit, descending = false } = search
  const matches = matcherOf(search)
  if (matches === null)
    return ok({ found: await clients.list(tenant, { after: search.after, limit, descending }), resumesAfter: null })
  const found: Client[] = []
  for (let { after } = search; ;) {
    const page = await clients.list(tenant, { after, limit: pageSize, descending })
    found.push(...page.filter(matches))
    after = page.at(-1)?.id ?? null
    if (found.length >= limit || page.length < pageSize) return ok({ found: found.slice(0, limit), resumesAfter: null })
    if (isOver()) return ok({ found, resumesAfter: after })
    // A read on SQLite blocks the event loop; this lets others run in between.
    await turn()
  }
}

/** Null: every client matches. */
function matcherOf(search: ClientSearch): ((client: Client) => boolean) | null {
  const { text = null, kinds = null, origins = null, applicationType = null, disabled = null } = search
  if ([text, kinds, origins, applicationType, disabled].every((it) => it === null)) return null
  const part = text === null ? null : folded(text)
  return ({ id, origin, metadata, disabledAt }) =>
    (part === null || folded(id).includes(part) || folded(metadata.client_name ?? '').includes(part)) &&
    (kinds === null || kinds.includes(clientKind(metadata))) &&
    (origins === null || origins.includes(origin)) &&
    (applicationType === null || (metadata.application_type ?? 'web') === applicationType) &&
    (disabled === null || (disabledAt !== null) === disabled)
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
