/** Notes when keys were last used, rarely and in the background, so that no answer waits for it. */
import { type ApiKey, useNotedEvery } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { BoundedCache } from '../bounded-cache.ts'

export interface KeyUses {
  note(key: ApiKey, now: Instant): void
  /** Waits for writes that are under way. */
  close(): Promise<void>
}

/** A note that is lost, by an outage or a full memory, is made again with the next use. */
export function openKeyUses({ store }: { readonly store: Pick<Store, 'apiKeys'> }): KeyUses {
  const noted = new BoundedCache<string, Instant>(10_000)
  const writing = new Set<Promise<void>>()
  const isRecent = (at: Instant | null | undefined, now: Instant): boolean =>
    at != null && at <= now && now - at < useNotedEvery
  return {
    note({ tenant, id, lastUsedAt }, now) {
      const known = `${tenant} ${id}`
      if (isRecent(lastUsedAt, now) || isRecent(noted.get(known), now)) return
      noted.set(known, now)
      const written = store.apiKeys
        .noteUse(tenant, id, now)
        .catch(() => {})
        .finally(() => void writing.delete(written))
      writing.add(written)
    },
    async close() {
      await Promise.all(writing)
    },
  }
}
