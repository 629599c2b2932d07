import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AudienceRequest,
  audienceOf,
  chooseTarget,
  requestedResource,
  scopeFor,
} from '../../src/oauth/audience.ts'
import { formOf } from '../../src/oauth/form.ts'
import { canonicalUri, sameUri } from '../../src/oauth/uri.ts'
import { err, ok } from '../../src/result.ts'
import { catalogue, issuer, resource, scopeEntry } from '../samples.ts'

const a = resource('https://a.example')
const b = resource('https://b.example/api')
const apis = catalogue({
  resources: [a, b],
  scopes: [scopeEntry('a:read', a.identifier), scopeEntry('a:write', a.identifier), scopeEntry('b:read', b.identifier)],
})
const ask = (it: Partial<AudienceRequest> & { names?: readonly string[] }) =>
  chooseTarget({ asked: null, fallback: null, catalogue: apis, issuer, scope: new Set(it.names), ...it })

const table: readonly (readonly [string, ReturnType<typeof ask>, unknown])[] = [
  ['the resource asked for', ask({ asked: a.identifier, names: ['a:read'] }), ok({ resource: a })],
  ['the resource asked for in another spelling', ask({ asked: 'HTTPS://A.example:443/' }), ok({ resource: a })],
  ['the resource its scopes belong to', ask({ names: ['b:read', 'openid'] }), ok({ resource: b })],
  ['the issuer for OIDC scopes alone', ask({ names: ['openid', 'profile'] }), ok({ resource: null })],
  ['the issuer for built-in scopes', ask({ names: ['admin:clients:read'] }), ok({ resource: null })],
  ['the issuer asked for by name', ask({ asked: `${issuer}/`, names: ['metrics:read'] }), ok({ resource: null })],
  [
    'the default resource where scopes do not decide',
    ask({ names: ['openid'], fallback: a.identifier }),
    ok({ resource: a }),
  ],
  ['its own resource before the default one', ask({ names: ['b:read'], fallback: a.identifier }), ok({ resource: b })],
]
for (const [what, got, want] of table) test(`the audience is ${what}`, () => assert.deepEqual(got, want))

const refusals: readonly (readonly [string, ReturnType<typeof ask>, string])[] = [
  ['scopes of two resources without `resource`', ask({ names: ['a:read', 'b:read'] }), 'resource_ambiguous'],
  ['scopes of a resource and of the issuer', ask({ names: ['a:read', 'metrics:read'] }), 'resource_ambiguous'],
  ['an unknown resource', ask({ asked: 'https://c.example' }), 'resource_unknown'],
  ['a scope of another resource', ask({ asked: a.identifier, names: ['b:read'] }), 'scope_of_another_resource'],
  [
    'a built-in scope at a resource',
    ask({ asked: a.identifier, names: ['metrics:read'] }),
    'scope_of_another_resource',
  ],
  ['an unknown scope', ask({ names: ['c:read'] }), 'scope_unknown'],
]
for (const [what, got, reason] of refusals)
  test(`RFC 8707 §2: ${what} is refused`, () => assert.equal(got.kind === 'error' && got.error.reason, reason))

for (const text of [
  'a.example',
  '/api',
  'https://a.example/#x',
  'https://a.example#',
  'https://user@a.example',
  'https://a.example/ x',
  ' https://a.example',
  'https://a.example\\b',
  'https:// ',
  'https://ä.example',
  `https://a.example/${'x'.repeat(2048)}`,
  'http://[::1',
])
  test(`RFC 8707 §2: ${JSON.stringify(text.slice(0, 30))} is no absolute URI without fragment`, () => {
    assert.equal(canonicalUri(text), null)
    assert.deepEqual(requestedResource(formOf([['resource', text]])), err({ reason: 'resource_malformed' }))
  })

test('a resource as long as any may be is one, and none that is longer', () => {
  const sized = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`
  assert.equal(canonicalUri(sized(2048)), sized(2048))
  assert.equal(canonicalUri(sized(2049)), null)
})

test('RFC 3986 §6.2: case of scheme and host, default port and the slash of a bare origin do not distinguish', () => {
  assert.ok(sameUri('https://A.Example', 'HTTPS://a.example:443/'))
  assert.ok(sameUri('urn:example:api', 'URN:example:api'))
  assert.ok(!sameUri('https://a.example/api', 'https://a.example/api/'))
  assert.ok(!sameUri('https://a.example/API', 'https://a.example/api'))
  assert.ok(!sameUri('https://a.example', 'http://a.example'))
  assert.ok(!sameUri('https://a.example', 'https://a.example:8443'))
  assert.ok(!sameUri('nonsense', 'nonsense'))
})

test('RFC 8707 §2: one place named twice is one; two places are refused, because one token has one audience', () => {
  const of = (...texts: string[]) => requestedResource(formOf(texts.map((text) => ['resource', text])))
  assert.deepEqual(of(), ok(null))
  assert.deepEqual(of('https://a.example', 'https://a.example/'), ok('https://a.example'))
  assert.deepEqual(of('https://a.example', 'https://b.example'), err({ reason: 'resource_ambiguous' }))
})

test('RFC 3986 §6.2: a scope belongs to its resource, however either spells it', () => {
  const spelled = catalogue({ resources: [a, b], scopes: [scopeEntry('a:read', 'HTTPS://A.example:443/')] })
  assert.deepEqual(ask({ asked: a.identifier, names: ['a:read'], catalogue: spelled }), ok({ resource: a }))
  const elsewhere = ask({ asked: b.identifier, names: ['a:read'], catalogue: spelled })
  assert.deepEqual(elsewhere, err({ reason: 'scope_of_another_resource' }))
  assert.deepEqual(scopeFor({ resource: a }, new Set(['a:read']), spelled), new Set(['a:read']))
  assert.deepEqual(scopeFor({ resource: b }, new Set(['a:read']), spelled), new Set())
})

test('RFC 9068 §3: `aud` is the registered spelling, or the issuer', () => {
  assert.equal(audienceOf({ resource: b }, issuer), 'https://b.example/api')
  assert.equal(audienceOf({ resource: null }, issuer), issuer)
})

test('a token for one place never carries the scope of another', () => {
  const names = ['a:read', 'a:write', 'b:read', 'openid', 'metrics:read', 'gone']
  fc.assert(
    fc.property(fc.subarray(names), fc.constantFrom(a, b, null), (picked, place) => {
      const scope = scopeFor({ resource: place }, new Set(picked), apis)
      const allowed =
        place === a ? ['a:read', 'a:write', 'openid'] : place === b ? ['b:read', 'openid'] : ['metrics:read', 'openid']
      assert.deepEqual([...scope].toSorted(), picked.filter((name) => allowed.includes(name)).toSorted())
    }),
  )
})

test('canonical texts are fixed points', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
      const canonical = canonicalUri(text)
      if (canonical !== null) assert.equal(canonicalUri(canonical), canonical)
    }),
  )
})
