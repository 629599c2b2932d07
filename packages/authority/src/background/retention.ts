/**
 * Drops events past their retention, behind a checkpoint. The chain up to the checkpoint is recomputed here, from a
 * link that was sealed or checkpointed before to a seal of ours: whoever can write to the database must not be able to
 * make the service itself drop young events, or sign a forged past.
 */
import { decodeEvent } from '@grantor/protocol/events'
import type { Policy } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { genesis, linkForm, type LogHead, type Store } from '@grantor/store'
import type { Clock } from '../ports/environment.ts'

const batch = 5_000
const tenantsPerPage = 200

export interface RetentionDependencies {
  readonly clock: Clock
  readonly policy: Policy
  readonly store: Pick<Store, 'events'>
}

export async function dropOldEvents({ clock, policy, store }: RetentionDependencies): Promise<void> {
  const before = (clock.now() - policy.eventRetention * 1000) as Instant
  for (let after: TenantId | null = null; ;) {
    const page: readonly TenantId[] = await store.events.tenants({ after, limit: tenantsPerPage })
    for (const tenant of page) await dropOfTenant({ clock, store }, tenant, before)
    after = page.at(-1) ?? null
    if (after === null) break
  }
  await dropParts(store, before)
  await store.events.keepPartsAhead(clock.now())
}

type Dropping = Pick<RetentionDependencies, 'clock' | 'store'>

/** Drops batch by batch, until only young events remain. */
async function dropOfTenant({ clock, store }: Dropping, tenant: TenantId, before: Instant): Promise<void> {
  for (;;) {
    const head = await droppable(store, tenant, before)
    if (head === null) return
    const checkpoint = { ...head, at: clock.now(), signature: store.events.macOf(head, 'checkpoint') }
    if ((await store.events.prune(checkpoint, [])) === 'stale') return
  }
}

/** Drops the parts whose events all lie behind a checkpoint of ours, the oldest first. */
async function dropParts(store: Pick<Store, 'events'>, before: Instant): Promise<void> {
  for (;;) {
    const part = await store.events.oldestPart(before)
    if (part === null) return
    for (const { tenant, seq } of part.heads) {
      const start = await beginning(store, tenant)
      if (start === null || start.seq < seq) return
    }
    if (!(await store.events.dropPart(part))) return
  }
}

/** The last sealed link of the intact, old beginning of a log; null where there is none. */
async function droppable(store: Pick<Store, 'events'>, tenant: TenantId, before: Instant): Promise<LogHead | null> {
  // A check of the oldest event suffices for most tenants.
  if ((await store.events.prunable(tenant, before, 1)) === null) return null
  const start = await beginning(store, tenant)
  if (start === null) return null
  let head: LogHead = start
  let lastSealed: LogHead | null = null
  for (const row of await store.events.rows(tenant, start.seq, batch)) {
    const { seq, hash, mac } = row
    // A broken link ends the search, and so does an event that is young by the time in its body; the time column is not
    // trusted.
    const isLinked = seq === head.seq + 1 && linkForm(head.hash, row, hash) !== null
    if (!isLinked || !isOlder(row.body, before)) break
    head = { tenant, seq, hash }
    if (mac !== null && equal(mac, store.events.macOf(head, 'seal'))) lastSealed = head
  }
  return lastSealed
}

/** By the time in the body. A body that cannot be read counts as damaged, whatever its hash is, and is not dropped. */
function isOlder(body: string, before: Instant): boolean {
  try {
    return decodeEvent(body).at < before
  } catch {
    return false
  }
}

async function beginning(store: Pick<Store, 'events'>, tenant: TenantId): Promise<LogHead | null> {
  const checkpoint = await store.events.checkpoint(tenant)
  if (checkpoint === null) return { tenant, seq: 0, hash: genesis }
  return equal(checkpoint.signature, store.events.macOf(checkpoint, 'checkpoint')) ? checkpoint : null
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b)
