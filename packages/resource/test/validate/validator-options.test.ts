/** The bounds of a validator's options, at their very edges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValidOptions, type IssuerOptions, type ValidatorOptions } from '../../src/validate/validator-options.ts'

const issuer = (more: Partial<IssuerOptions> = {}): IssuerOptions => ({
  issuer: 'https://as.example',
  revocation: 'none',
  ...more,
})
const credentials = { clientId: 'api', clientSecret: 'secret' }

function starts(more: Partial<ValidatorOptions>): boolean {
  try {
    assertValidOptions({ audience: 'https://api.example', issuers: [issuer()], ...more })
    return true
  } catch (error) {
    assert.ok(error instanceof TypeError)
    return false
  }
}
const withIssuer = (more: Partial<IssuerOptions>) => starts({ issuers: [issuer(more)] })

test('numbers are good to the edge of their range and not beyond', () => {
  for (const leeway of [0, 60, 300]) assert.equal(starts({ leeway }), true, `leeway ${leeway}`)
  for (const leeway of [-1, 301]) assert.equal(starts({ leeway }), false, `leeway ${leeway}`)
  for (const introspectionCache of [0, 30, 59]) assert.equal(starts({ introspectionCache }), true)
  for (const introspectionCache of [-1, 60, 61]) assert.equal(starts({ introspectionCache }), false)
  for (const maxStaleness of [5, 45, 55]) assert.equal(withIssuer({ feed: { maxStaleness } }), true)
  for (const maxStaleness of [4, 56]) assert.equal(withIssuer({ feed: { maxStaleness } }), false)
})

test('an audience and an issuer are named, and none of them twice', () => {
  assert.equal(starts({ audience: '' }), false)
  assert.equal(starts({ audience: [] }), false)
  assert.equal(starts({ audience: ['https://api.example', 'https://other.example'] }), true)
  assert.equal(starts({ issuers: [] }), false)
  assert.equal(starts({ issuers: [issuer(), issuer()] }), false)
  assert.equal(starts({ issuers: [issuer(), issuer({ issuer: 'https://other.example' })] }), true)
})

test('an issuer is an https address without a slash at its end, unless it is nothing but a host', () => {
  for (const good of [
    'https://as.example',
    'https://as.example/',
    'https://as.example/t/acme',
    'http://127.0.0.1:8080',
  ])
    assert.equal(withIssuer({ issuer: good }), true, good)
  for (const bad of ['http://as.example', 'https://as.example/t/', 'as.example', 'https://u:p@as.example'])
    assert.equal(withIssuer({ issuer: bad }), false, bad)
})

test('what needs to ask the issuer needs credentials for it', () => {
  for (const more of [{ revocation: 'feed' }, { introspection: true }, { reports: true }] as const) {
    assert.equal(withIssuer(more), false, JSON.stringify(more))
    assert.equal(withIssuer({ ...more, credentials }), true, JSON.stringify(more))
  }
  assert.equal(starts({ issuers: [{ issuer: 'https://as.example' }] }), false, 'the feed is what is meant by nothing')
})

test('what is wrong is said with the name of the option, and of the issuer where it is one of its', () => {
  const said = (more: Partial<ValidatorOptions>): string => {
    try {
      assertValidOptions({ audience: 'https://api.example', issuers: [issuer()], ...more })
      return 'starts'
    } catch (error) {
      return (error as Error).message
    }
  }
  const of = (more: Partial<IssuerOptions>) => said({ issuers: [issuer(more)] })
  const named = 'issuer https://as.example:'
  const both = [issuer(), issuer()]
  const table: readonly (readonly [said: string, expected: string])[] = [
    [said({ audience: '' }), 'audience: name what the `aud` of a token must be'],
    [said({ issuers: [] }), 'issuers: name at least one'],
    [said({ issuers: both }), 'issuers: one is named twice'],
    [said({ leeway: 301 }), 'leeway: 0 to 300 seconds'],
    [said({ introspectionCache: 60 }), 'introspectionCache: under 60 seconds'],
    [said({ dpop: { nonceSecret: new Uint8Array(31) } }), 'dpop.nonceSecret: at least 32 bytes'],
    [said({ dpop: { nonceSecret: new Uint8Array(32) } }), 'starts'],
    [said({ dpop: {} }), 'starts'],
    [
      said({ clientCertHeader: { name: 'Client-Cert', format: 'rfc9440', proxies: [] } }),
      'clientCertHeader: name the proxies: from anybody else it would be a lie',
    ],
    [
      said({ clientCertHeader: { name: 'Client-Cert', format: 'rfc9440', proxies: ['0.0.0.0/0'] } }),
      'clientCertHeader: 0.0.0.0/0 is everyone; name the proxy itself',
    ],
    [said({ clientCertHeader: { name: 'Client-Cert', format: 'rfc9440', proxies: ['loopback'] } }), 'starts'],
    [of({ issuer: 'http://as.example' }), 'issuer http://as.example: https is required'],
    [of({ issuer: 'https://as.example/x/' }), 'issuer https://as.example/x/: no slash at the end'],
    [of({ issuer: 'https://as.example/x/', claims: {} }), 'starts'],
    [
      of({ claims: {}, revocation: 'feed', credentials }),
      `${named} claims are declared of issuers that are not Grantor, which have no feed and no tenants`,
    ],
    [
      of({ claims: {}, tenants: true }),
      `${named} claims are declared of issuers that are not Grantor, which have no feed and no tenants`,
    ],
    [of({ feed: { address: 'https://relay.example' } }), 'starts'],
    [of({ feed: { address: 'https://relay.example/feed' } }), 'starts'],
    [
      of({ feed: { address: 'http://relay.example' } }),
      `${named} feed.address is an address with https, and no slash at the end`,
    ],
    [
      of({ feed: { address: 'https://relay.example/' } }),
      `${named} feed.address is an address with https, and no slash at the end`,
    ],
    [of({ feed: { maxStaleness: 56 } }), `${named} maxStaleness is 5 to 55 seconds`],
    [of({ revocation: 'feed' }), `${named} the feed needs credentials; or write revocation: 'none'`],
    [
      of({ revocation: 'status_lists', statusLists: false }),
      `${named} status lists are its only source of revocations`,
    ],
    [of({ statusLists: { origins: ['https://x.example/y'] } }), `${named} statusLists.origins are origins, with https`],
    [of({ statusLists: { origins: ['http://x.example'] } }), `${named} statusLists.origins are origins, with https`],
    [of({ statusLists: { origins: ['https://x.example'] } }), 'starts'],
    [of({ statusLists: {} }), 'starts'],
    [of({ introspection: true }), `${named} introspection needs credentials`],
    [of({ apiKeys: true }), `${named} apiKeys need credentials and introspection`],
    [of({ apiKeys: true, credentials, introspection: false }), `${named} apiKeys need credentials and introspection`],
    [of({ apiKeys: true, credentials }), 'starts'],
    [of({ reports: true }), `${named} reports need credentials`],
  ]
  for (const [told, expected] of table) assert.equal(told, expected)
})
