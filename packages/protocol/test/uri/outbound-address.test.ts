/** Addresses that the server would be sent to: known as private in every spelling, or as another protocol's port. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { cibaGrant } from '../../src/grants/grant-types.ts'
import { served } from '../../src/documents/served.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import { allowedHost, outboundProblem, type PortRule } from '../../src/uri/outbound-address.ts'
import { isPublicAddress } from '../../src/uri/special-addresses.ts'

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))
const nothing: ReadonlySet<string> = new Set()
const problem = (url: string, ports: PortRule = 'web', allow = nothing) => outboundProblem(new URL(url), ports, allow)

/** What no address in these blocks may be, whatever else is asked of it. Node's own matcher judges. */
const judge = new BlockList()
for (const block of ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'])
  judge.addSubnet(block.split('/')[0] ?? '', Number(block.split('/')[1]), 'ipv4')
for (const block of ['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'])
  judge.addSubnet(block.split('/')[0] ?? '', Number(block.split('/')[1]), 'ipv4')
const network = (first: number) => fc.tuple(fc.constant(first), fc.nat(255), fc.nat(255), fc.nat(255))
const octets = fc.oneof(...[0, 10, 100, 127, 169, 172, 192, 198, 224, 255, 8].map(network), network(8))

const spellings: readonly ((parts: readonly number[]) => string)[] = [
  (parts) => parts.join('.'),
  (parts) => String(parts.reduce((sum, part) => sum * 256 + part, 0)),
  (parts) => `0x${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
  (parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.0x${b.toString(16)}.${c * 256 + d}`,
]

test('a private IPv4 address is known in decimal, octal, hexadecimal and short spellings', () => {
  fc.assert(
    fc.property(octets, fc.constantFrom(...spellings), (parts, spell) => {
      if (!judge.check(parts.join('.'), 'ipv4')) return
      assert.equal(isPublicAddress(parts.join('.')), false)
      assert.match(problem(`https://${spell(parts)}/`) ?? 'passed', /private host/)
    }),
    { numRuns: 2000 },
  )
})

const hex = (a: number, b: number) => (a * 256 + b).toString(16)
const disguises: readonly ((parts: readonly [number, number, number, number]) => string)[] = [
  ([a, b, c, d]) => `::ffff:${a}.${b}.${c}.${d}`,
  ([a, b, c, d]) => `::${hex(a, b)}:${hex(c, d)}`,
  ([a, b, c, d]) => `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
  ([a, b, c, d]) => `64:ff9b:1::${hex(a, b)}:${hex(c, d)}`,
  ([a, b, c, d]) => `2002:${hex(a, b)}:${hex(c, d)}::1`,
  ([a, b, c, d]) => `2001:0:${hex(a, b)}:${hex(c, d)}::1`,
]

test('an IPv4 address inside an IPv6 one is never public: mapped, compatible, NAT64, 6to4, Teredo', () => {
  fc.assert(
    fc.property(octets, fc.constantFrom(...disguises), (parts, disguise) => {
      assert.equal(isPublicAddress(disguise(parts)), false)
      assert.match(problem(`https://[${disguise(parts)}]/`) ?? 'passed', /private host/)
    }),
  )
})

test('every IPv6 address outside of global unicast is private, and numbers are compared, not texts', () => {
  const group = fc.nat(0xffff).map((it) => it.toString(16))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const address = groups.join(':')
      const isGlobal = Number.parseInt(groups[0] ?? '', 16) >> 13 === 1
      if (!isGlobal) assert.equal(isPublicAddress(address), false)
      assert.equal(isPublicAddress(address), isPublicAddress(address.toUpperCase()))
    }),
  )
  assert.equal(isPublicAddress('2606:4700:4700:0:0:0:0:1111'), true)
  assert.equal(isPublicAddress('2606:4700:4700::1111%eth0'), false)
})

for (const host of words(
  'localhost a.localhost LOCALHOST printer.local vault.internal metadata.google.internal intranet router.home.arpa',
  'nas.lan x.corp x.home x.private host.localdomain example.com. x.onion metadata 127.0.0.1 [::1] 169.254.169.254',
  '100.100.100.200 [fd00:ec2::254] 0 [fe80::1]',
))
  test(`${host} is known as private`, () => assert.match(problem(`https://${host}/`) ?? 'passed', /private host/))

for (const port of [
  1, 22, 25, 53, 80, 110, 143, 389, 465, 587, 636, 993, 2375, 3306, 5432, 6379, 6443, 9200, 11_211, 27_017,
])
  test(`port ${port} is another protocol's`, () => {
    assert.match(problem(`https://host.example:${port}/`) ?? 'passed', /another protocol/)
    assert.match(problem(`https://host.example:${port}/`, '443') ?? 'passed', /port 443/)
  })

test('what the operator names is reached: a host at every port, or one port of it', () => {
  const allow = new Set(['inside.corp', '10.1.2.3:8443'].map((entry) => allowedHost(entry) ?? ''))
  for (const good of ['https://inside.corp:22/x', 'https://10.1.2.3:8443/', 'https://0xa010203:8443/'])
    assert.equal(problem(good, '443', allow), null)
  for (const bad of ['https://10.1.2.3/', 'https://10.1.2.3:8444/', 'https://other.corp/', 'http://inside.corp/'])
    assert.notEqual(problem(bad, '443', allow), null)
})

const fieldsOf = (more: object, addresses = served.addresses) => {
  const read = clientMetadata({ redirect_uris: ['https://a.example/cb'], ...more }, { ...served, addresses })
  return read.kind === 'ok' ? [] : read.error.map(({ field }) => field)
}

const ping = {
  grant_types: [cibaGrant],
  redirect_uris: [],
  response_types: [],
  backchannel_token_delivery_mode: 'ping',
}

for (const [field, needs] of [
  ['jwks_uri', {}],
  ['logo_uri', {}],
  ['sector_identifier_uri', {}],
  ['backchannel_logout_uri', {}],
  ['backchannel_client_notification_endpoint', ping],
] as const) {
  test(`${field}: an address we would never go to is refused when it is registered`, () => {
    for (const url of words(
      'https://localhost/x https://127.0.0.1/x https://2130706433/x https://[::1]/x https://10.0.0.1/x',
      'https://[::ffff:10.0.0.1]/x https://[64:ff9b::a00:1]/x https://[2002:a00:1::]/x https://db.internal/x',
      'https://intranet/x https://a.example:6379/x https://a.example:25/x http://localhost/x http://127.0.0.1:8080/x',
    ))
      assert.deepEqual(fieldsOf({ ...needs, [field]: url }), [field], url)
    assert.deepEqual(fieldsOf({ ...needs, [field]: 'https://a.example/x?y=1' }), [])
    const addresses = { ...served.addresses, outboundAllow: new Set(['10.0.0.1:8443']) }
    assert.deepEqual(fieldsOf({ ...needs, [field]: 'https://10.0.0.1:8443/x' }, addresses), [])
  })
}

test('what is told to clients goes to port 443 unless the operator allows another; keys and logos may be elsewhere', () => {
  assert.deepEqual(fieldsOf({ backchannel_logout_uri: 'https://a.example:8443/x' }), ['backchannel_logout_uri'])
  const endpoint = 'backchannel_client_notification_endpoint'
  assert.deepEqual(fieldsOf({ ...ping, [endpoint]: 'https://a.example:8443/x' }), [endpoint])
  assert.deepEqual(fieldsOf({ jwks_uri: 'https://a.example:8443/x', logo_uri: 'https://a.example:9443/x' }), [])
})
