/** Searching the log: what is asked for is found, and a search that has read for long says how far it has come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import { findEvent, searchEvents } from '../../src/admin/event-search.ts'

const tenant = 'default' as TenantId

/** A log of `length` events, one a millisecond, that is made as it is read. */
function longLog(length: number, start = 1_700_000_000_000) {
  const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
  const event = (seq: number): SealedEvent => {
    const time = hex(start + seq, 12)
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${hex(seq, 12)}`
    return {
      id,
      seq,
      at: start + seq,
      name: seq % 2 === 0 ? 'token.issued' : 'token.revoked',
    } as unknown as SealedEvent
  }
  let reads = 0
  const page = (from: number, to: number, step: number, limit: number) => {
    reads += 1
    const found: SealedEvent[] = []
    for (let seq = from; seq !== to && found.length < limit; seq += step) found.push(event(seq))
    return Promise.resolve(found)
  }
  return {
    event,
    reads: () => reads,
    events: {
      after: (_: TenantId, seq: number, limit: number) => page(Math.min(seq, length) + 1, length + 1, 1, limit),
      before: (_: TenantId, seq: number, limit: number) => page(Math.min(seq, length + 1) - 1, 0, -1, limit),
      head: () => Promise.resolve({ tenant, seq: length, hash: new Uint8Array(32) }),
    },
  }
}

const everything = { above: 0, below: Number.MAX_SAFE_INTEGER, descending: true, limit: 3, matches: null }

test('a page is read in either direction, within its range', async () => {
  const { events } = longLog(50)
  const seqs = async (search: Partial<typeof everything>) => {
    const found = await searchEvents(events, tenant, { ...everything, ...search })
    return found.kind === 'ok' ? found.value.found.map(({ seq }) => seq) : found.error
  }
  assert.deepEqual(await seqs({}), [50, 49, 48])
  assert.deepEqual(await seqs({ descending: false }), [1, 2, 3])
  assert.deepEqual(await seqs({ above: 10, below: 12 }), [11])
  assert.deepEqual(await seqs({ above: 10, below: 12, descending: false }), [11])
  assert.deepEqual(await seqs({ above: 48 }), [50, 49])
})

test('a search that matches rarely says how far it has read, and goes on from there to the end', async () => {
  const { events } = longLog(5_000)
  const rare = { ...everything, limit: 2, matches: ({ seq }: SealedEvent) => seq === 7 || seq === 4_001 }
  const found: number[] = []
  let below: number | null = rare.below
  let requests = 0
  while (below !== null) {
    const part = await searchEvents(events, tenant, { ...rare, below }, () => true)
    assert.ok(part.kind === 'ok')
    found.push(...part.value.found.map(({ seq }) => seq))
    below = part.value.resumesAfter
    requests += 1
  }
  assert.deepEqual(found, [4_001, 7])
  assert.equal(requests, 11, 'each reads its part once')
  const atOnce = await searchEvents(events, tenant, rare, () => false)
  assert.deepEqual(atOnce.kind === 'ok' && atOnce.value.found.map(({ seq }) => seq), [4_001, 7])
})

test('an event is found by its id with few reads, at either end and in the middle', async () => {
  const log = longLog(1_000_000)
  for (const seq of [1, 2, 499_999, 999_999, 1_000_000]) {
    assert.equal((await findEvent(log.events, tenant, log.event(seq).id))?.seq, seq)
  }
  assert.ok(log.reads() < 5 * 60, `${log.reads()} reads`)
  assert.equal(await findEvent(log.events, tenant, log.event(2_000_000).id), null)
  assert.equal(await findEvent(log.events, tenant, 'nonsense'), null)
  assert.equal(await findEvent(longLog(0).events, tenant, log.event(1).id), null)
})
