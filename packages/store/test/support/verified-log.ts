/** Walks a tenant's log as a verifier would. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import { genesis, linkForm, type Store } from '../../src/index.ts'

/** Fails where the chain breaks; returns the reasons of its events, in order. */
export async function verified(store: Store, tenant: TenantId): Promise<readonly (string | null)[]> {
  await store.events.position()
  let hash = genesis
  let mac: Uint8Array | null = null
  let seq = 0
  const reasons: (string | null)[] = []
  for (;;) {
    const rows = await store.events.rows(tenant, seq, 1_000)
    if (rows.length === 0) break
    for (const row of rows) {
      seq += 1
      equal(row.seq, seq)
      notEqual(linkForm(hash, row, row.hash), null)
      hash = row.hash
      mac = row.mac
      reasons.push((JSON.parse(row.body) as { readonly reason?: string }).reason ?? null)
    }
  }
  const head = await store.events.head(tenant)
  if (head !== null) deepEqual([head.seq, head.hash], [seq, hash])
  if (head !== null) deepEqual(mac, Uint8Array.from(store.events.macOf(head, 'seal')))
  return reasons
}
