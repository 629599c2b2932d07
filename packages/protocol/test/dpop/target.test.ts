/** Addresses of proofs: which spellings are one address, and which are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalisedTarget } from '../../src/dpop/target.ts'

test('RFC 9449 §4.3: scheme, host, default port, escapes, query and fragment do not make another address', () => {
  const same = [
    'https://api.example/v1/orders',
    'HTTPS://API.example/v1/orders',
    'https://api.example:443/v1/orders',
    'https://api.example/v1/orders?limit=2',
    'https://api.example/v1/orders#top',
    'https://api.example/v1/%6frders',
    'https://api.example/v1/./orders',
  ]
  for (const text of same) assert.equal(normalisedTarget(text), 'https://api.example/v1/orders', text)
  assert.equal(normalisedTarget('https://api.example/a%2fb'), 'https://api.example/a%2Fb')
  assert.equal(normalisedTarget('https://api.example'), 'https://api.example/')
})

test('another path, port or scheme is another address', () => {
  const all = ['https://a.example/x', 'https://a.example/x/', 'https://a.example/X', 'https://a.example:8443/x']
  const others = ['http://a.example/x', 'https://b.example/x', 'https://a.example/%2Fx', 'https://a.example//x']
  const targets = [...all, ...others].map(normalisedTarget)
  assert.equal(new Set(targets).size, targets.length)
  assert.deepEqual([...all, ...others], targets)
})

test('what no request is sent to is no address', () => {
  for (const text of ['', '/v1', 'api.example/v1', 'ftp://a.example/', 'urn:x', 'https://u@a.example/', 'https://'])
    assert.equal(normalisedTarget(text), null, text)
})

test('a normalised address stays as it is', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = normalisedTarget(url)
      assert.equal(once === null ? null : normalisedTarget(once), once)
    }),
  )
})
