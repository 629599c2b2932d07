/** Back-Channel Logout 1.0 §2.2: what a client may register as an address is where it will be told: one rule for both. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFields } from '@grantor/protocol/registration'
import type { Served } from '@grantor/protocol/documents'
import { defaultAddressRules, hostKind } from '@grantor/protocol/uri'
import fc from 'fast-check'
import { targetOf } from '../../src/outbound/target.ts'

const allow = new Set(['intranet', 'app.internal:8443', '127.0.0.1:9443', '[::1]'])
const served = (outboundAllow: ReadonlySet<string>): Served =>
  ({ grantTypes: [], authMethods: [], addresses: { ...defaultAddressRules, outboundAllow } }) as unknown as Served

const fields = [
  ['backchannel_logout_uri', '443'],
  ['backchannel_client_notification_endpoint', '443'],
  ['jwks_uri', 'web'],
  ['sector_identifier_uri', 'web'],
  ['logo_uri', 'web'],
] as const

const addresses = fc
  .record({
    scheme: fc.constantFrom('https', 'http', 'ftp', 'HTTPS'),
    host: fc.oneof(
      fc.constantFrom(
        'localhost',
        'intranet',
        'app.internal',
        'app.local',
        'a.localhost',
        'client.example.com',
        '8.8.8.8',
      ),
      fc.constantFrom('127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', '0x7f.1', '[2606:4700::1]', '192.168.1.1'),
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((it) => `[${it}]`),
    ),
    port: fc.constantFrom('', ':443', ':8443', ':9443', ':25', ':22', ':0', ':65535'),
    path: fc.constantFrom('', '/', '/logout', '/logout?x=1', '/a#b'),
  })
  .map(({ scheme, host, port, path }) => `${scheme}://${host}${port}${path}`)

for (const [field, ports] of fields) {
  test(`what is accepted as ${field} is an address that the server goes to, with outbound.allow and without`, () => {
    let accepted = 0
    fc.assert(
      fc.property(addresses, fc.boolean(), (text, named) => {
        const list = named ? allow : new Set<string>()
        if (clientFields[field].type.check(text, served(list)) !== null) return
        // Of no network at all: taken, because documents and tests are written with them, and nowhere to go.
        if (hostKind(new URL(text).hostname) === 'reserved') return
        accepted += 1
        assert.ok(targetOf(text, list, ports) !== null, text)
      }),
      { numRuns: 3_000, seed: 12 },
    )
    assert.ok(accepted > 100)
  })
}

test('Back-Channel Logout 1.0 §2.2: a loopback, private or http address is refused, unless the operator allows it', () => {
  const { check } = clientFields.backchannel_logout_uri.type
  for (const text of [
    'http://client.example.com/logout',
    'http://localhost/logout',
    'https://localhost/logout',
    'https://127.0.0.1/logout',
    'https://[::1]/logout',
    'https://10.0.0.1/logout',
    'https://app.internal:8443/logout',
    'https://intranet/logout',
    'https://client.example.com:8443/logout',
  ]) {
    assert.notEqual(check(text, served(new Set())), null, text)
  }
  assert.equal(check('https://client.example.com/logout', served(new Set())), null)
  for (const text of ['https://app.internal:8443/logout', 'https://intranet/logout', 'https://127.0.0.1:9443/logout']) {
    assert.equal(check(text, served(allow)), null, text)
    assert.ok(targetOf(text, allow, '443') !== null)
  }
  assert.notEqual(check('http://intranet/logout', served(allow)), null, 'https in any case')
})
