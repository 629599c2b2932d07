/** RFC 9101: which request objects count, each reason why one does not, and what its parameters become. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  parametersIn,
  requestObjectProblem,
  signedForm,
  unprovenForm,
  withParameters,
} from '../../src/authorize/request-object.ts'
import { parseJwt } from '../../src/jose/jwt.ts'
import { importKey } from '../../src/jose/verification-key.ts'
import { formOf } from '../../src/oauth/form.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { JsonObject } from '../../src/types.ts'
import { at, client, issuer } from '../samples.ts'

const now = 1_800_000_000
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = importKey({ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: 'k' })
assert.ok(key)

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims: JsonObject = { iss: 'web', aud: issuer, state: 's', exp: now + 300, nbf: now, iat: now }

function signed(more: Readonly<Record<string, unknown>> = {}, header: JsonObject = {}, by: KeyObject = privateKey) {
  const input = `${encoded({ alg: 'ES256', kid: 'k', typ: 'oauth-authz-req+jwt', ...header })}.${encoded({ ...claims, ...more })}`
  return `${input}.${sign('sha256', Buffer.from(input), { key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

interface Asking {
  readonly timed?: boolean
  readonly metadata?: Partial<ClientMetadata>
  readonly leeway?: number
}

function problem(text: string, { timed = false, metadata = {}, leeway = 60 }: Asking = {}) {
  const object = parseJwt(text)
  assert.ok(object)
  const asking = client(metadata)
  return requestObjectProblem({
    object,
    client: asking,
    keys: [key as NonNullable<typeof key>],
    issuer,
    now: at(now * 1000),
    leeway,
    timed,
  })
}

const expired = 'has expired, or is not yet good'
const other = 'has a typ that is not oauth-authz-req+jwt'
const short = 'must say nbf and exp, and be good for an hour at most'
const unmeant = 'must say this issuer as its aud'

const table: readonly (readonly [what: string, claims: Readonly<Record<string, unknown>>, expected: string | null])[] =
  [
    ['it is whole', {}, null],
    ['it says its own id as sub', { sub: 'web' }, 'must not say sub, as an assertion does'],
    ['it says a person as sub', { sub: 'alice' }, null],
    ['it is of another client', { iss: 'other' }, 'must say the client_id as its iss'],
    ['it says no iss', { iss: undefined }, 'must say the client_id as its iss'],
    ['it is for nobody', { aud: undefined }, unmeant],
    ['it is for another', { aud: 'https://other.example' }, unmeant],
    ['it is for us among others', { aud: ['https://other.example', issuer] }, null],
    ['it is for others', { aud: ['https://other.example'] }, unmeant],
    ['it says the client_id', { client_id: 'web' }, null],
    ['it says another client_id', { client_id: 'other' }, 'says another client_id'],
    ['it holds another request', { request: 'x' }, 'must not hold another request'],
    ['it holds a request_uri', { request_uri: 'https://x.example' }, 'must not hold another request'],
    ['it ends within the leeway', { exp: now - 59 }, null],
    ['it ended a leeway ago', { exp: now - 60 }, expired],
    ['its end is a text', { exp: `${now + 60}` }, expired],
    ['it says no end', { exp: undefined }, null],
    ['it begins within the leeway', { nbf: now + 60 }, null],
    ['it begins later', { nbf: now + 61 }, expired],
    ['it was made within the leeway', { iat: now + 60 }, null],
    ['it was made later', { iat: now + 61 }, expired],
    ['its beginning is a text', { nbf: 'soon' }, expired],
    ['it says no beginning', { nbf: undefined, iat: undefined }, null],
    ['a parameter cannot stand in a form', { state: 'a\u0007b' }, 'holds a parameter that is malformed'],
  ]

for (const [what, more, expected] of table)
  test(`RFC 9101 §10: ${what}: ${expected ?? 'it counts'}`, () => assert.equal(problem(signed(more)), expected))

for (const [what, more, expected] of [
  ['an hour', { nbf: now, exp: now + 3600 }, null],
  ['more than an hour', { nbf: now, exp: now + 3601 }, short],
  ['without nbf', { nbf: undefined }, short],
  ['without exp', { exp: undefined }, short],
  ['an hour that began almost an hour and a leeway ago', { nbf: now - 3659, exp: now - 59 }, null],
  ['as much as is left of a longer time', { nbf: now - 3660, exp: now - 59 }, short],
] as const)
  test(`FAPI 2.0 Message Signing §5.3.1: good for ${what}, where its time counts: ${expected ?? 'it counts'}`, () => {
    assert.equal(problem(signed(more), { timed: true }), expected)
    assert.equal(problem(signed(more)), null, 'where it does not, either will do')
  })

test('RFC 9101 §10.8: a token of another kind is no request object, one without typ may be', () => {
  for (const typ of ['at+jwt', 'client-authentication+jwt', 'logout+jwt', ''])
    assert.equal(problem(signed({}, { typ })), other, typ)
  for (const typ of ['JWT', 'jwt', 'OAuth-Authz-Req+JWT']) assert.equal(problem(signed({}, { typ })), null, typ)
  const { typ: _, ...header } = { alg: 'ES256', kid: 'k', typ: '' }
  const input = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  assert.equal(problem(`${input}.${signature.toString('base64url')}`), null)
})

test('RFC 9101 §6.2: the signature is the client’s, of the algorithm that it registered and its profile allows', () => {
  assert.equal(problem(signed({}, {}, stranger.privateKey)), 'is not signed by the client')
  const unfit = 'is not signed in the way that the client has registered'
  assert.equal(problem(signed(), { metadata: { request_object_signing_alg: 'PS256' } }), unfit)
  assert.equal(problem(signed(), { metadata: { request_object_signing_alg: 'ES256' } }), null)
  assert.equal(problem(signed({}, { kid: 'unknown' })), unfit)
  assert.equal(problem(signed(), { metadata: { profile: 'fapi2-security' } }), null)
  assert.equal(problem(signed({}, { alg: 'ES384' }), { metadata: { profile: 'fapi2-security' } }), unfit)
})

test('RFC 9101 §4: claims become parameters: texts as they are, others as JSON, lists of the repeatable ones several', () => {
  const form = parametersIn({
    ...claims,
    sub: 'x',
    jti: 'y',
    max_age: 60,
    claims: { id_token: null },
    nothing: null,
    resource: ['https://a.example', 'https://b.example'],
    audience: 'one',
    prompt: ['login'],
  })
  assert.ok(form)
  assert.deepEqual(
    ['state', 'max_age', 'claims', 'prompt', 'audience'].map((name) => form.get(name)),
    ['s', '60', '{"id_token":null}', '["login"]', 'one'],
  )
  assert.deepEqual(form.all('resource'), ['https://a.example', 'https://b.example'])
  for (const name of ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'nothing'])
    assert.equal(form.get(name), undefined, name)
})

test('a hundred parameters are read, one more is not', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 'x']))
  assert.notEqual(parametersIn(many(100)), null)
  assert.equal(parametersIn(many(101)), null)
})

test('RFC 9101 §6.3: of a signed request only what is inside counts, and the client is who signed', () => {
  const object = parseJwt(signed({ client_id: 'other' }))
  assert.ok(object)
  const form = signedForm(object, client())
  assert.deepEqual([form.get('client_id'), form.all('client_id'), form.get('state')], ['web', ['web'], 's'])
  assert.equal(form.get('redirect_uri'), undefined)
})

test('a refused object still says where its refusal goes, and nothing else; an address outside goes before it', () => {
  const text = signed({
    redirect_uri: 'https://in.example/cb',
    response_mode: 'form_post',
    scope: 'openid',
    state: 's',
  })
  const outside = formOf([['scope', 'profile']])
  const form = unprovenForm(outside, text)
  assert.deepEqual(
    ['state', 'response_mode', 'redirect_uri', 'scope'].map((name) => form.get(name)),
    ['s', 'form_post', 'https://in.example/cb', 'profile'],
  )
  const both = unprovenForm(formOf([['redirect_uri', 'https://out.example/cb']]), text)
  assert.equal(both.get('redirect_uri'), 'https://out.example/cb')
  const odd = unprovenForm(outside, signed({ state: 7, response_mode: 'a\u0000' }))
  assert.deepEqual([odd.get('state'), odd.get('response_mode')], [undefined, undefined])
  for (const broken of ['', 'x', 'a.b', `a.${encoded([1])}.c`])
    assert.equal(unprovenForm(outside, broken).get('scope'), 'profile', broken)
})

test('parameters that are given stand for those of the form, whatever they are called', () => {
  const form = withParameters(
    { a: '1' },
    formOf([
      ['a', '2'],
      ['b', '3'],
      ['toString', '4'],
    ]),
  )
  assert.deepEqual([form.get('a'), form.all('a'), form.get('b'), form.all('b')], ['1', ['1'], '3', ['3']])
  assert.deepEqual([form.get('toString'), form.all('toString')], ['4', ['4']])
})

test('FAPI 2.0 §5.3.2.1: a clock that is ten seconds ahead is forgiven, one that is more than sixty never', () => {
  const metadata = { profile: 'fapi2-security' } as const
  const at = (ahead: number, leeway: number, more: Asking = { metadata }) =>
    problem(signed({ nbf: now + ahead, iat: now + ahead }), { ...more, leeway })
  for (const leeway of [0, 5, 60, 300]) assert.equal(at(10, leeway), null, String(leeway))
  assert.deepEqual([at(11, 0), at(60, 300), at(61, 300)], [expired, null, expired])
  assert.deepEqual([at(1, 0, {}), at(300, 300, {})], [expired, null], 'others are held to what the operator says')
})
