/** Providers as they are declared, whose tokens they sign, and what is taken over of what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Served } from '../../src/documents/capabilities.ts'
import {
  claimsFor,
  isAnswerOf,
  isIssuerOfDocument,
  issuerOfToken,
  type Provider,
  isVisited,
  providerKinds,
  providerOfAddress,
  readProvider,
  upstreamSignInTime,
  upstreamStrength,
  usernamesFor,
} from '../../src/providers/index.ts'
import type { Instant, JsonObject } from '../../src/types.ts'

const served = { addresses: { outboundAllow: new Set() } } as unknown as Served

const plain: JsonObject = { id: 'corp', kind: 'oidc', name: 'Corp', issuer: 'https://corp.example', client_id: 'us' }
const read = (more: JsonObject = {}): Provider => {
  const result = readProvider({ ...plain, ...more }, served)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

const bad: readonly (readonly [string, JsonObject])[] = [
  ['id', { id: 'Corp' }],
  ['id', { id: '-corp' }],
  ['id', { id: '../x' }],
  ['id', { id: 'x'.repeat(41) }],
  ['kind', { kind: 'kerberos' }],
  ['name', { name: '' }],
  ['name', { name: null }],
  ['issuer', { issuer: null }],
  ['issuer', { issuer: 'http://corp.example' }],
  ['issuer', { issuer: 'https://corp.example?x' }],
  ['issuer', { issuer: 'https://127.0.0.1' }],
  ['client_id', { client_id: null }],
  ['scopes', { scopes: ['profile'] }],
  ['scopes', { scopes: ['openid two words'] }],
  ['domains', { domains: ['Corp.example'] }],
  ['domains', { domains: ['nodot'] }],
  ['domains', { domains: ['a@corp.example'] }],
  ['claims', { claims: { role: 'groups' } }],
  ['claims', { claims: { email: 7 } }],
  ['create', { create: 'perhaps' }],
  ['trust_email', { kind: 'microsoft', trust_email: true }],
  ['team_id', { team_id: 'T' }],
  ['team_id', { kind: 'apple', key_id: 'K' }],
  ['key_id', { kind: 'apple', team_id: 'T' }],
  ['role', { role: 'x' }],
]

for (const [field, more] of bad)
  test(`a provider with ${JSON.stringify(more)} is refused at ${field}`, () => {
    const result = readProvider({ ...plain, ...more }, served)
    assert.ok(result.kind === 'error')
    assert.ok(
      result.error.some((it) => it.field === field),
      JSON.stringify(result.error),
    )
  })

const certificate = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIUHVZteCFKpuR+GbdVVRu4g0naTSkwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDaWRwMCAXDTI2MTExNzEwNDk1NFoYDzIxMjYxMDI0MTA0OTU0
WjAOMQwwCgYDVQQDDANpZHAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASSIzUh
TivASSV1GfrhKeN+iHxYWxEyvBbpf65hCVkyTOg4jMXX0nWu5uFZKRJk9VbkqVO4
+W2PDPupCE+Hjg62o1MwUTAdBgNVHQ4EFgQUb5dhxvrzCLtFGXNAfpwIOoT2x+Ew
HwYDVR0jBBgwFoAUb5dhxvrzCLtFGXNAfpwIOoT2x+EwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiBGast/giEth1xeV+7+drfocicwurVsiwMoRb/N
bo5c6wIhAMzJjJEnJGepB2EAGZqPcJRsLN7r9wtfe34tswJsOxJQ
-----END CERTIFICATE-----`
const saml = { name: 'Corp', issuer: 'urn:corp', sso_url: 'https://idp.example.com/sso', certificates: certificate }
const directory = { name: 'Corp', hosts: ['ldaps://ldap.example.com'], base_dn: 'ou=People, DC=Example, dc=com' }

test('every preset is whole with an id, a client and what its kind needs', () => {
  for (const kind of providerKinds) {
    const apple = kind === 'apple' ? { team_id: 'T', key_id: 'K' } : {}
    const own = kind === 'oidc' ? plain : kind === 'saml' ? saml : isVisited({ kind }) ? {} : directory
    const result = readProvider({ ...own, id: kind.replace('_', '-'), kind, client_id: 'us', ...apple }, served)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    assert.ok(/^(?:https:\/\/|ldap:|urn:)/.test(result.value.issuer) && result.value.name !== '')
  }
})

const entra = 'https://login.microsoftonline.com/common/v2.0'
const template = 'https://login.microsoftonline.com/{tenantid}/v2.0'
const entraDirectory = '9188040d-6c67-4c5b-b112-36a304b66dad'

test('Entra: a shared address has a template for an issuer, and every directory signs under its own name', () => {
  assert.ok(isIssuerOfDocument(template, entra))
  assert.ok(isIssuerOfDocument(template, entra.replace('common', 'organizations')))
  assert.equal(isIssuerOfDocument(template, `https://login.microsoftonline.com/${entraDirectory}/v2.0`), false)
  assert.equal(isIssuerOfDocument(template, 'https://evil.example/common/v2.0'), false)
  const own = template.replace('{tenantid}', entraDirectory)
  assert.equal(issuerOfToken({ iss: own, tid: entraDirectory }, template), own)
  for (const claims of [
    { iss: own },
    { iss: own, tid: 'common' },
    { iss: template, tid: '{tenantid}' },
    { iss: template, tid: entraDirectory },
    { iss: own.replace('9188', '9189'), tid: entraDirectory },
    { iss: `https://evil.example/${entraDirectory}/v2.0`, tid: entraDirectory },
    { iss: own, tid: entraDirectory.toUpperCase() },
  ] as JsonObject[])
    assert.equal(issuerOfToken(claims, template), null, JSON.stringify(claims))
  assert.ok(isAnswerOf(own, template, true))
  assert.equal(isAnswerOf('https://login.microsoftonline.com/evil/v2.0', template, false), false)
})

test('RFC 9207 §2.4: an answer names who was asked, or nobody where nothing was promised', () => {
  assert.ok(isAnswerOf('https://a.example', 'https://a.example', true))
  assert.ok(isAnswerOf(undefined, 'https://a.example', false))
  assert.equal(isAnswerOf(undefined, 'https://a.example', true), false)
  assert.equal(isAnswerOf('https://b.example', 'https://a.example', false), false)
})

test('an address that is not verified is nobody’s, whatever else is said', () => {
  fc.assert(
    fc.property(fc.anything(), fc.boolean(), (verified, trust) => {
      const said = { email: 'ada@example.com', email_verified: verified } as JsonObject
      const claims = claimsFor(said, read({ trust_email: trust }))
      const believed = verified === true || verified === 'true'
      assert.equal(claims['email'], believed ? 'ada@example.com' : undefined)
      assert.equal(claims['email_verified'], believed && trust ? true : undefined)
    }),
  )
})

test('whatever a provider says, claims are of their kinds and usernames are usernames', () => {
  const provider = read({ claims: { username: 'constructor', nickname: '__proto__', zoneinfo: 'tz' } })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (said) => {
      for (const value of Object.values(claimsFor(said as JsonObject, provider)))
        assert.ok(typeof value === 'string' || value === true)
      for (const name of usernamesFor(said as JsonObject, provider)) assert.ok(name.length > 0)
    }),
  )
})

test('a mail domain finds its provider by the whole domain alone', () => {
  const providers = [read({ domains: ['corp.example'] }), read({ id: 'off', domains: ['off.example'], disabled: true })]
  const idOf = (typed: string) => providerOfAddress(typed, providers)?.id ?? null
  assert.equal(idOf(' Ada@Corp.Example '), 'corp')
  for (const other of [
    'ada@sub.corp.example',
    'ada@corp.example.evil',
    'ada',
    '@corp.example',
    'a@b@corp.example',
    'ada@off.example',
    '',
  ])
    assert.equal(idOf(other), null, other)
  fc.assert(fc.property(fc.string(), (typed) => idOf(typed) === null || /@corp\.example\s*$/i.test(typed)))
})

test('amr and acr of a provider that is not believed say nothing; of one that is, only registered names', () => {
  const said = { amr: ['pwd', 'mfa', 'mfa', 'x', 7], acr: 'phr' } as JsonObject
  assert.deepEqual(upstreamStrength(said, { trusted: false }), { acr: 'urn:grantor:acr:1fa', amr: [] })
  assert.deepEqual(upstreamStrength(said, { trusted: true }), { acr: 'phr', amr: ['pwd', 'mfa'] })
  const two = { amr: ['mfa'] } as JsonObject
  assert.equal(upstreamStrength(two, { trusted: true }).acr, 'urn:grantor:acr:2fa')
  assert.equal(upstreamStrength({ amr: 'mfa' }, { trusted: true }).acr, 'urn:grantor:acr:1fa')
})

test('OIDC Core §2, auth_time: never later than now, and now where nothing is said', () => {
  const now = 1_000_500 as Instant
  assert.equal(upstreamSignInTime({}, now), now)
  assert.equal(upstreamSignInTime({ auth_time: 1000 }, now), now)
  assert.equal(upstreamSignInTime({ auth_time: 900 }, now), 900_999)
  assert.equal(upstreamSignInTime({ auth_time: 900.5 }, now), 900_999)
  assert.equal(upstreamSignInTime({ auth_time: 9000 }, now), now)
})
