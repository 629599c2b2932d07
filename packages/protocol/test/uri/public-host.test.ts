/** Hosts and ports: of the public network, of nobody, or of somebody's own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostKind, isOtherProtocolsPort } from '../../src/uri/public-host.ts'

const hosts = {
  public: [
    'client.org',
    'a.b.client.org',
    '8.8.8.8',
    '[2606:4700::1]',
    `${'a.'.repeat(125)}org`,
    'test.org',
    'local.org',
  ],
  reserved: ['client.example', 'a.test', 'x.invalid'],
  private: [
    'localhost',
    'org',
    'a.localhost',
    'a.localdomain',
    'printer.local',
    'db.internal',
    'a.intranet',
    'a.private',
    'a.corp',
    'a.home',
    'a.lan',
    'a.home.arpa',
    'a.onion',
    'a.alt',
    'client.org.',
    '.client.org',
    'a..org',
    '',
    '10.0.0.1',
    '[::1]',
    '1.2',
    `${'a.'.repeat(124)}aa.org`,
    `${'a.'.repeat(126)}org`,
  ],
} as const
for (const [kind, names] of Object.entries(hosts))
  for (const name of names)
    test(`a ${kind} host: ${name.slice(0, 40) || 'none'}`, () => assert.equal(hostKind(name), kind))

test('a port below 1024 is of another protocol, but for 443; above, those that are known to be', () => {
  for (const port of [0, 22, 80, 442, 444, 1023, 1433, 5432, 6379, 9200, 11_211, 27_017, 61_616])
    assert.equal(isOtherProtocolsPort(port), true, String(port))
  for (const port of [443, 1024, 3000, 8080, 8443, 49_152, 65_535])
    assert.equal(isOtherProtocolsPort(port), false, String(port))
})
