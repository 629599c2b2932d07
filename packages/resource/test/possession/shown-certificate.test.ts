/** The header by which a proxy hands certificates on: which settings of it can be used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientCertHeaderProblem, shownCertificate } from '../../src/possession/shown-certificate.ts'

const header = { name: 'Client-Cert', format: 'rfc9440', proxies: ['192.0.2.7', '192.0.2.0/24'] } as const

test('a header of a known format, of proxies that are named, by a name that means nothing else', () => {
  assert.equal(clientCertHeaderProblem(header), null)
  const problem = (more: object) => clientCertHeaderProblem({ ...header, ...more })
  assert.equal(problem({ format: 'x' }), 'format is one of rfc9440, pem-urlencoded, xfcc')
  assert.equal(problem({ proxies: [] }), 'name the proxies: from anybody else it would be a lie')
  assert.equal(problem({ name: 'Cookie' }), 'Cookie means something else')
  assert.equal(problem({ name: 'a b' }), 'must be the name of a header')
  assert.equal(problem({ proxies: ['192.0.2.7', 'x'] }), 'x is not an address, a CIDR block or loopback')
  assert.equal(problem({ proxies: ['0.0.0.0/0', '192.0.2.7'] }), '0.0.0.0/0 is everyone; name the proxy itself')
})

test('RFC 8705 §3.1: what cannot be read in full is still known by its thumbprint', () => {
  assert.deepEqual(shownCertificate(Uint8Array.from([1, 2, 3])), {
    thumbprint: 'A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc-4E',
  })
})
