/** A call arrives at the writer as it was sent, flattened on the way or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrantId, Instant, TenantId } from '@grantor/protocol/types'
import { callOf, messageOf, type VerbCall } from '../src/drivers/sqlite/worker-message.ts'
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
  proof: null,
  binding: null,
  entries: [entry],
}
const issue = (it: Issuance, breakAt: number | null = null): VerbCall => ({
  kind: 'verb',
  name: 'tokens.issue',
  args: [it],
  breakAt,
  calledAt: 7,
})

test('an issuance that stores nothing travels as plain values and arrives whole', () => {
  const message = messageOf(issue(bare))
  assert.ok(Object.values(message).every((value) => typeof value !== 'object'))
  assert.deepEqual(callOf(structuredClone(message)), issue(bare))
})

test('every other call travels as it is', () => {
  const others: readonly VerbCall[] = [
    issue({ ...bare, grantId: 'grant' as GrantId }),
    issue({ ...bare, entries: [entry, entry] }),
    issue({ ...bare, entries: [] }),
    issue({ ...bare, entries: [{ ...entry, tenant: 'other' as TenantId }] }),
    issue({ ...bare, basis: { ...bare.basis, client: null } }),
    issue(bare, 0),
    { kind: 'verb', name: 'events.append', args: [[entry]], breakAt: null, calledAt: 0 },
  ]
  for (const call of others) {
    assert.equal(messageOf(call), call)
    assert.deepEqual(callOf(structuredClone(messageOf(call))), call)
  }
})
