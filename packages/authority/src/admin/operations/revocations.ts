/** What was revoked, and who has heard of it. */
import type { SealedEvent } from '@grantor/protocol/events'
import { isRevocation, type RevocationReceipt } from '@grantor/protocol/feed'
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Acknowledgements } from '../../feed/acknowledgements.ts'
import type { SearchPage } from '../clients/search-page.ts'
import type { EventSearch } from '../event-search.ts'
import type { EventAdmin } from '../events.ts'
import type { AdminResult } from '../result.ts'

export interface ReceiptedRevocation {
  readonly event: SealedEvent
  /** Null for a revocation that is so old that no receipt is kept. */
  readonly receipt: RevocationReceipt | null
}

export interface RevocationAdmin {
  search(tenant: TenantId, search: EventSearch): Promise<AdminResult<SearchPage<ReceiptedRevocation, number>>>
  /** By the id of its event. */
  find(tenant: TenantId, id: string): Promise<AdminResult<ReceiptedRevocation>>
}

export interface RevocationAdminDependencies {
  readonly acknowledgements: Pick<Acknowledgements, 'receiptsOf'>
}

export function openRevocationAdmin(
  { acknowledgements }: RevocationAdminDependencies,
  events: Pick<EventAdmin, 'search' | 'find'>,
): RevocationAdmin {
  const receipted = async (
    tenant: TenantId,
    found: readonly SealedEvent[],
  ): Promise<readonly ReceiptedRevocation[]> => {
    const receipts = await acknowledgements.receiptsOf(tenant, found)
    return found.map((event, at) => ({ event, receipt: receipts[at] ?? null }))
  }
  return {
    async search(tenant, search) {
      const { matches } = search
      const page = await events.search(tenant, {
        ...search,
        matches: (event) => isRevocation(event) && (matches === null || matches(event)),
      })
      if (page.kind === 'error') return page
      return ok({ ...page.value, found: await receipted(tenant, page.value.found) })
    },
    async find(tenant, id) {
      const event = await events.find(tenant, id)
      if (event.kind === 'error') return event
      const [revocation] = isRevocation(event.value) ? await receipted(tenant, [event.value]) : []
      return revocation === undefined ? err({ reason: 'absent', what: `revocation ${id}` }) : ok(revocation)
    },
  }
}
