/** Addresses of shared signals, whatever a tenant is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { belowIssuer } from '../../src/ssf/ssf-path.ts'

test('the name of a tenant is no part of what follows the root of its service', () => {
  for (const issuer of ['', '/t/acme', '/t/ssf', '/t/ssf-receivers']) {
    const { path, search } = belowIssuer(`${issuer}/ssf/status?stream_id=a`)
    assert.equal(path, '/ssf/status', issuer)
    assert.equal(search.get('stream_id'), 'a')
  }
})
