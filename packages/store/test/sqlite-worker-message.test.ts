/** A call arrives at the writer as it was sent, flattened on the way or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrantId, Instant, TenantId } from '@grantor/protocol/types'
import type { Call } from '../src/drivers/sqlite/group-writer.ts'
import { pack, unpack } from '../src/drivers/sqlite/worker-message.ts'
import type { Issuance } from '../src/verbs/tokens/tokens.ts'

const tenant = 'acme' as TenantId
const entry = { tenant, at: 2 as Instant, feed: 0, subject: 'service', body: '{"name":"token.issued"}' } as const
const bare: Issuance = {
  basis: { tenant, revision: 5, client: { id: 'service', version: 7 } },
  at: 1 as Instant,
  grantId: null,
  spend: null,
  successor: null,
  opaque: null,
  entries: [entry],
}
const issue = (it: Issuance, breakAt = -1): Call => ['tokens.issue', [it], breakAt]

test('an issuance that stores nothing travels as plain values and arrives whole', () => {
  const parcel = pack(issue(bare))
  assert.ok(parcel.every((value) => typeof value !== 'object'))
  assert.deepEqual(unpack(structuredClone(parcel)), issue(bare))
})

test('every other call travels as it is', () => {
  const others: readonly Call[] = [
    issue({ ...bare, grantId: 'grant' as GrantId }),
    issue({ ...bare, entries: [entry, entry] }),
    issue({ ...bare, entries: [] }),
    issue({ ...bare, entries: [{ ...entry, tenant: 'other' as TenantId }] }),
    issue({ ...bare, basis: { ...bare.basis, client: null } }),
    issue(bare, 0),
    ['events.append', [[entry]], -1],
  ]
  for (const call of others) {
    assert.equal(pack(call), call)
    assert.deepEqual(unpack(structuredClone(pack(call))), call)
  }
})
