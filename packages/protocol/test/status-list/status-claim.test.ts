/** The place of a token in a status list, as the token says it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusClaim, statusReference } from '../../src/status-list/status-claim.ts'

const status = (idx: unknown, uri: unknown = 'u') => statusReference({ status: { status_list: { idx, uri } } as never })
test('draft-ietf-oauth-status-list §6.1: an index from 0, and an address that is no longer than any is', () => {
  assert.deepEqual(status(0), { uri: 'u', idx: 0 })
  assert.equal(status(1, 'x'.repeat(2048))?.idx, 1)
  assert.deepEqual(statusReference({ status: statusClaim({ uri: 'u', idx: 7 }) }), { uri: 'u', idx: 7 })
  for (const none of [status(-1), status(0.5), status('0'), status(0, ''), status(0, 7), status(0, 'x'.repeat(2049))])
    assert.equal(none, null)
  for (const claims of [{}, { status: 'x' }, { status: {} }, { status: { status_list: [] } }])
    assert.equal(statusReference(claims), null)
})
