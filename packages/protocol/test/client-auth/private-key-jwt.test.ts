/** Client assertions: what is recognised as one, and every reason not to believe it. */
import assert from 'node:assert/strict'
import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { authenticateClient, recogniseClient } from '../../src/client-auth/authenticate.ts'
import { authenticationFailure } from '../../src/client-auth/failure.ts'
import { clientAuthRules } from '../../src/client-auth/index.ts'
import { assertionEnd, assertionLife, assertionProblem, assertionType } from '../../src/client-auth/private-key-jwt.ts'
import { formOf } from '../../src/oauth/form.ts'
import { parseJwt } from '../../src/jose/jwt.ts'
import { importKey, type VerificationKey } from '../../src/jose/verification-key.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Handle, Instant, JsonObject } from '../../src/types.ts'
import { err, ok } from '../../src/result.ts'
import { at, client, issuer } from '../samples.ts'

const now = 1_800_000_000
const leeway = 60
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const failed = err({ reason: 'client_unauthenticated', challenge: false })

const claims: JsonObject = { iss: 'app', sub: 'app', aud: issuer, exp: now + 60, iat: now, jti: 'one' }
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Making {
  readonly header?: JsonObject
  readonly key?: KeyObject
}

function assertion(
  more: Readonly<Record<string, unknown>> = {},
  { header = {}, key = privateKey }: Making = {},
): string {
  const input = `${encoded({ alg: 'ES256', kid: 'k1', ...header })}.${encoded({ ...claims, ...more })}`
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const keyOf = (key: KeyObject, kid?: string): VerificationKey => {
  const imported = importKey({
    ...(key.export({ format: 'jwk' }) as JsonObject),
    ...(kid === undefined ? {} : { kid }),
  })
  assert.ok(imported)
  return imported
}
const keys = [keyOf(publicKey, 'k1')]

const app = (metadata: Partial<ClientMetadata> = {}) =>
  client({ token_endpoint_auth_method: 'private_key_jwt', ...metadata }, { id: 'app' })
const see = (form: Readonly<Record<string, string>>, authorization: string | null = null) =>
  recogniseClient(
    clientAuthRules,
    { form: formOf(Object.entries(form)), authorization, clientCertificate: null },
    (secret) => secret as Handle,
  )
const shown = (text: string, more: Readonly<Record<string, string>> = {}) =>
  see({ client_assertion: text, client_assertion_type: assertionType, ...more })

interface Judging {
  readonly who?: Client | null
  readonly keys?: readonly VerificationKey[]
  readonly audiences?: readonly string[]
  readonly leeway?: number
}

function judged(text: string, { who = app(), keys: known = keys, audiences = [issuer], ...it }: Judging = {}) {
  const presented = shown(text)
  if (presented.kind === 'error') return presented
  const requirements = { keys: known, audiences: new Set(audiences), issuer, leeway: it.leeway ?? leeway }
  return authenticateClient(clientAuthRules, {
    presented: presented.value,
    client: who,
    now: (now * 1000) as Instant,
    requirements,
  })
}

test('RFC 7523 §3: an assertion of the client, for us, in time, signed by its key, authenticates it', () => {
  const who = app()
  assert.deepEqual(judged(assertion(), { who }), ok(who))
  for (const typ of ['JWT', 'client-authentication+jwt', 'application/client-authentication+jwt']) {
    assert.deepEqual(judged(assertion({}, { header: { typ } }), { who }), ok(who), typ)
  }
  assert.deepEqual(judged(assertion({ aud: [issuer] }), { who }), ok(who), 'RFC 10070: a list of one')
  assert.deepEqual(
    judged(assertion({}, { header: { kid: 'k1' } }), { who, keys: [keyOf(publicKey, 'k0'), ...keys] }),
    ok(who),
  )
})

const wrongs: readonly (readonly [what: string, claims: Readonly<Record<string, unknown>>, making?: Making])[] = [
  ['an issuer that is not the client', { iss: 'other' }],
  ['no issuer', { iss: undefined }],
  ['the token endpoint as audience', { aud: `${issuer}/token` }],
  ['another server as audience', { aud: 'https://as.evil' }],
  ['us and somebody else as audience', { aud: [issuer, 'https://as.evil'] }],
  ['us with a slash as audience', { aud: `${issuer}/` }],
  ['an empty list as audience', { aud: [] }],
  ['no audience', { aud: undefined }],
  ['an audience that is no text', { aud: { issuer } }],
  ['no end', { exp: undefined }],
  ['an end that is text', { exp: String(now + 60) }],
  ['an end that has passed', { exp: now - leeway }],
  ['an end that is too far', { exp: now + assertionLife + leeway + 1 }],
  ['a beginning yet to come', { nbf: now + leeway + 1 }],
  ['a beginning that is text', { nbf: '0' }],
  ['an issue yet to come', { iat: now + leeway + 1 }],
  ['an issue that is null', { iat: null }],
  ['no identifier', { jti: undefined }],
  ['an empty identifier', { jti: '' }],
  ['an identifier that is a number', { jti: 7 }],
  ['a signature by another key', {}, { key: stranger }],
  ['an unknown key id', {}, { header: { kid: 'k2' } }],
  ['the type of an access token', {}, { header: { typ: 'at+jwt' } }],
  ['the type of a DPoP proof', {}, { header: { typ: 'dpop+jwt' } }],
  ['the type of a logout token', {}, { header: { typ: 'logout+jwt' } }],
  ['a critical extension', {}, { header: { crit: ['x'], x: 1 } }],
  ['another algorithm than its key has', {}, { header: { alg: 'ES384' } }],
  ['an algorithm nobody knows', {}, { header: { alg: 'XX' } }],
  ['a symmetric algorithm', {}, { header: { alg: 'HS256' } }],
  ['no algorithm', {}, { header: { alg: 'none' } }],
]

test('FAPI 2.0 §5.3.2.1: of a client with a profile only the issuer, as a text, is the audience of an assertion', () => {
  const who = app({ profile: 'fapi2-security' })
  assert.deepEqual(judged(assertion(), { who }), ok(who))
  const audiences = [issuer, `${issuer}/token`]
  for (const aud of [[issuer], `${issuer}/token`, [issuer, issuer]])
    assert.deepEqual(judged(assertion({ aud }), { who, audiences }), failed, JSON.stringify(aud))
  assert.equal(judged(assertion({ aud: `${issuer}/token` }), { audiences }).kind, 'ok', 'without a profile')
})

test('FAPI 2.0 §5.4.1: a client with a profile signs with PS256, ES256 or EdDSA, and with no other algorithm', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsa = [keyOf(pair.publicKey, 'k1')]
  const signed = (alg: 'RS256' | 'PS256') => {
    const input = `${encoded({ alg, kid: 'k1' })}.${encoded(claims)}`
    const padding = alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
    const signature = sign('sha256', Buffer.from(input), { key: pair.privateKey, padding, saltLength: 32 })
    return `${input}.${signature.toString('base64url')}`
  }
  const who = app({ profile: 'fapi2-security' })
  assert.deepEqual(judged(signed('PS256'), { who, keys: rsa }), ok(who))
  assert.deepEqual(judged(signed('RS256'), { who, keys: rsa }), failed)
  assert.equal(judged(signed('RS256'), { keys: rsa }).kind, 'ok', 'without a profile')
})

for (const [what, more, making] of wrongs) {
  test(`RFC 7523 §3: an assertion with ${what} is refused`, () => {
    assert.deepEqual(judged(assertion(more, making)), failed)
  })
}

test('RFC 8725 §2.1: neither an empty signature nor one made with the public key as a secret is one', () => {
  const [, body = ''] = assertion().split('.')
  const input = `${encoded({ alg: 'HS256', kid: 'k1' })}.${body}`
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  assert.deepEqual(judged(`${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`), failed)
  assert.deepEqual(judged(`${encoded({ alg: 'none' })}.${body}.`), failed)
})

test('FAPI 2.0 §5.3.2.1: a clock that is ten seconds ahead is forgiven, one that is more than sixty never', () => {
  const who = app({ profile: 'fapi2-security' })
  const at = (ahead: number, allowed: number, of: Client = who) =>
    judged(assertion({ nbf: now + ahead, iat: now + ahead, exp: now + 300 }), { who: of, leeway: allowed }).kind
  for (const allowed of [0, 5, 60, 300]) assert.equal(at(10, allowed), 'ok', String(allowed))
  assert.deepEqual([at(11, 0), at(60, 300), at(61, 300)], ['error', 'ok', 'error'])
  assert.deepEqual([at(1, 0, app()), at(300, 300, app())], ['error', 'ok'])
})

test('leeway forgives clocks to the second, and an assertion is remembered until it is refused', () => {
  assert.equal(judged(assertion({ exp: now - leeway + 1, nbf: now + leeway, iat: now + leeway })).kind, 'ok')
  assert.equal(judged(assertion({ exp: now + assertionLife + leeway })).kind, 'ok')
  const parsed = parseJwt(assertion({ exp: now + 0.5 }))
  assert.ok(parsed)
  assert.equal(assertionEnd(parsed, leeway), (now + leeway) * 1000 + 500)
  // Part of a millisecond is a whole one: it would be forgotten while it is good.
  assert.equal(assertionEnd({ ...parsed, claims: { exp: 1.0004 } }, leeway), 61_001)
})

test('without a key id every key of the algorithm is tried, and no more than a few', () => {
  const without = assertion({}, { header: { kid: undefined as unknown as string } })
  const others = (count: number) =>
    Array.from({ length: count }, () => keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey))
  assert.equal(judged(without, { keys: [...others(7), ...keys] }).kind, 'ok')
  assert.deepEqual(judged(without, { keys: [...others(8), ...keys] }), failed)
})

test('OIDC Registration §2: a registered algorithm is the only one', () => {
  assert.equal(judged(assertion(), { who: app({ token_endpoint_auth_signing_alg: 'ES256' }) }).kind, 'ok')
  assert.deepEqual(judged(assertion(), { who: app({ token_endpoint_auth_signing_alg: 'PS256' }) }), failed)
})

test('clients that predate RFC 10070 may name an endpoint where the policy says so, and nothing that is not ours', () => {
  const audiences = [issuer, `${issuer}/token`]
  assert.equal(judged(assertion({ aud: `${issuer}/token` }), { audiences }).kind, 'ok')
  assert.equal(judged(assertion({ aud: audiences }), { audiences }).kind, 'ok')
  assert.deepEqual(judged(assertion({ aud: [...audiences, 'https://as.evil'] }), { audiences }), failed)
})

test('unknown client, disabled client, other method and no keys are one and the same refusal', () => {
  const good = assertion()
  assert.deepEqual(judged(good, { who: null }), failed)
  assert.deepEqual(judged(good, { who: { ...app(), disabledAt: at(1) } }), failed)
  assert.deepEqual(judged(good, { who: app({ token_endpoint_auth_method: 'client_secret_basic' }) }), failed)
  assert.deepEqual(judged(good, { keys: [] }), failed)
})

test('RFC 7521 §4.2: the parameters belong together, client_id may only agree, and nothing else stands beside them', () => {
  assert.deepEqual(see({ client_assertion: assertion() }), failed)
  assert.deepEqual(see({ client_assertion_type: assertionType, client_id: 'app' }), failed)
  const saml = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'
  assert.deepEqual(shown(assertion(), { client_assertion_type: saml }), failed)
  assert.equal(shown(assertion(), { client_id: 'app' }).kind, 'ok')
  assert.deepEqual(shown(assertion(), { client_id: 'other' }), err({ reason: 'client_auth_ambiguous' }))
  assert.deepEqual(
    shown(assertion(), { client_id: 'app', client_secret: 'x' }),
    err({ reason: 'client_auth_ambiguous' }),
  )
  const both = { client_assertion: assertion(), client_assertion_type: assertionType }
  const basic = `Basic ${Buffer.from('app:x').toString('base64')}`
  assert.deepEqual(see(both, basic), err({ reason: 'client_auth_ambiguous' }))
  // Half of it is no less of an attempt.
  for (const half of ['client_assertion', 'client_assertion_type'] as const)
    assert.deepEqual(see({ [half]: both[half] }, basic), failed, half)
})

test('an assertion of the greatest length is read, a longer one is not', () => {
  const bare = `${encoded({ alg: 'ES256' })}.${encoded(claims)}.`
  const sized = (length: number) => `${bare}${'A'.repeat(length - bare.length)}`
  const [longest, longer] = [sized(16_384), sized(16_385)]
  assert.ok(parseJwt(longest) !== null && parseJwt(longer) !== null)
  assert.equal(shown(longest).kind, 'ok')
  assert.deepEqual(shown(longer), failed)
})

test('what is no assertion at all fails as one: malformed, oversized, without a subject', () => {
  for (const text of [
    'x',
    'a.b.c',
    `${assertion()}.x`,
    assertion({ sub: undefined }),
    assertion({ iss: 'wéb', sub: 'wéb' }),
  ]) {
    assert.deepEqual(shown(text), failed)
  }
  assert.deepEqual(shown(assertion({ padding: 'x'.repeat(16_384) })), failed)
  fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => void shown(text)))
})

const named: readonly (readonly [
  problem: string | null,
  claims: Readonly<Record<string, unknown>>,
  making?: Making,
])[] = [
  [null, {}],
  [null, {}, { header: { typ: 'client-authentication+jwt' } }],
  ['assertion_typ', {}, { header: { typ: 'at+jwt' } }],
  ['assertion_iss', { iss: 'other' }],
  ['assertion_jti', { jti: '' }],
  [null, { jti: 'x'.repeat(256) }],
  ['assertion_jti', { jti: 'x'.repeat(257) }],
  ['assertion_aud', { aud: 'https://as.evil' }],
  ['assertion_exp', { exp: now - leeway }],
  [null, { exp: now - leeway + 1 }],
  [null, { exp: now + assertionLife + leeway }],
  ['assertion_exp', { exp: now + assertionLife + leeway + 1 }],
  [null, { nbf: now + leeway, iat: now + leeway }],
  ['assertion_exp', { nbf: now + leeway + 1 }],
  ['assertion_key', {}, { header: { kid: 'k2' } }],
  ['assertion_signature', {}, { key: stranger }],
]

test('the operator’s log says which check an assertion failed first', () => {
  for (const [problem, more, making] of named) {
    const parsed = parseJwt(assertion(more, making))
    assert.ok(parsed)
    const presented = { method: 'private_key_jwt', clientId: 'app', secret: null, assertion: parsed } as const
    const requirements = { keys, audiences: new Set([issuer]), issuer, leeway }
    const it = { presented, client: app(), now: (now * 1000) as Instant, requirements }
    assert.equal(assertionProblem(it), problem, JSON.stringify([more, making?.header]))
    // Whatever is good in all of this and was refused has been shown before.
    assert.equal(authenticationFailure(it).reason, problem ?? 'assertion_used')
    assert.equal(assertionProblem({ ...it, client: null }), 'assertion_missing')
    const { requirements: _, ...without } = it
    assert.equal(assertionProblem(without), 'assertion_missing')
  }
})
