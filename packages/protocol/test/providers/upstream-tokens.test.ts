/** ID tokens, logout tokens and security events of providers: every check on its own, at its very edge. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { parseJwt } from '../../src/jose/jwt.ts'
import { importKey } from '../../src/jose/verification-key.ts'
import { textLimits } from '../../src/oauth/text-limits.ts'
import {
  idTokenProblem,
  logoutEvent,
  logoutTokenProblem,
  longestSignalAge,
  signalTokenProblem,
  upstreamAlgorithms,
} from '../../src/providers/upstream-tokens.ts'
import type { JsonObject } from '../../src/types.ts'
import { at } from '../samples.ts'

const now = 1_800_000_000
const leeway = 60
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const key = importKey({ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: 'k' })
assert.ok(key)
const algs = ['RS256', 'ES256']
const on = { issuer: 'https://idp.example', clientId: 'us', keys: [key], algs, now: at(now * 1000), leeway, nonce: 'n' }

type Claims = Readonly<Record<string, unknown>>
interface Making {
  readonly typ?: string
  readonly by?: KeyObject
}
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function token(claims: Claims, { typ, by = privateKey }: Making = {}) {
  const header = { alg: 'ES256', kid: 'k', ...(typ === undefined ? {} : { typ }) }
  const input = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: by, dsaEncoding: 'ieee-p1363' })
  const jwt = parseJwt(`${input}.${signature.toString('base64url')}`)
  assert.ok(jwt)
  return jwt
}

const common: Claims = { iss: on.issuer, aud: on.clientId, iat: now }
const kinds = {
  'an ID token': {
    claims: { ...common, sub: 'ada', exp: now + 300, nonce: 'n' },
    making: {},
    problem: (claims: Claims, making: Making) => idTokenProblem(token(claims, making), on),
  },
  'a logout token': {
    claims: { ...common, sub: 'ada', exp: now + 300, jti: 'j', events: { [logoutEvent]: {} } },
    making: { typ: 'logout+jwt' },
    problem: (claims: Claims, making: Making) => logoutTokenProblem(token(claims, making), on),
  },
  'a security event': {
    claims: { ...common, jti: 'j', events: { x: {} } },
    making: { typ: 'secevent+jwt' },
    problem: (claims: Claims, making: Making) => signalTokenProblem(token(claims, making), on),
  },
} as const
type Kind = keyof typeof kinds
type Row = readonly [what: string, more: Claims, problem: string | null, making?: Making]

const ofAll: readonly Row[] = [
  ['whole', {}, null],
  ['of another issuer', { iss: 'https://evil.example' }, 'token_iss'],
  ['of nobody', { iss: undefined }, 'token_iss'],
  ['for us in a list', { aud: ['us'] }, null],
  ['for us and another', { aud: ['us', 'them'] }, 'token_aud'],
  ['for another', { aud: 'them' }, 'token_aud'],
  ['for nobody', { aud: undefined }, 'token_aud'],
  ['for an empty list', { aud: [] }, 'token_aud'],
  ['made out to us', { azp: 'us' }, null],
  ['made out to another', { azp: 'them' }, 'token_azp'],
  ['from as far ahead as clocks may differ', { iat: now + leeway }, null],
  ['from further ahead', { iat: now + leeway + 1 }, 'token_iat'],
  ['of no time', { iat: undefined }, 'token_iat'],
  ['of a time that is a text', { iat: `${now}` }, 'token_iat'],
  ['that ended as long ago as clocks may differ', { exp: now - leeway }, 'token_exp'],
  ['that ended a second later', { exp: now - leeway + 1 }, null],
  ['that ends at a text', { exp: `${now + 300}` }, 'token_exp'],
  ['signed by a stranger', {}, 'token_signature', { by: stranger }],
]
const ofMade: readonly Row[] = [
  ['without an end', { exp: undefined }, 'token_exp'],
  ['as old as it may be', { iat: now - 600 - leeway }, null],
  ['older', { iat: now - 600 - leeway - 1 }, 'token_iat'],
  ['that begins as far ahead as clocks may differ', { nbf: now + leeway }, null],
  ['that begins later', { nbf: now + leeway + 1 }, 'token_nbf'],
  ['that begins at a text', { nbf: `${now}` }, 'token_nbf'],
  ['that began long ago', { nbf: 0 }, null],
  ['that begins at nothing', { nbf: null }, 'token_nbf'],
]
const ofSubject: readonly Row[] = [
  ['about the longest name', { sub: 's'.repeat(255) }, null],
  ['about a longer name', { sub: 's'.repeat(256) }, 'token_sub'],
  ['about an empty name', { sub: '' }, 'token_sub'],
  ['about a name with a control', { sub: 'a\u0007' }, 'token_sub'],
  ['about a number', { sub: 7 }, 'token_sub'],
]
const ofId: readonly Row[] = [
  ['with the longest id', { jti: 'j'.repeat(textLimits.jti) }, null],
  ['with a longer id', { jti: 'j'.repeat(textLimits.jti + 1) }, 'token_jti'],
  ['with an empty id', { jti: '' }, 'token_jti'],
  ['without an id', { jti: undefined }, 'token_jti'],
]
const own: Readonly<Record<Kind, readonly Row[]>> = {
  'an ID token': [
    ...ofMade,
    ...ofSubject,
    ['about nobody', { sub: undefined }, 'token_sub'],
    ['of type JWT', {}, null, { typ: 'JWT' }],
    ['that calls itself an access token', {}, 'token_typ', { typ: 'at+jwt' }],
    ['for another sign-in', { nonce: 'm' }, 'token_nonce'],
    ['for no sign-in', { nonce: undefined }, 'token_nonce'],
    ['of somebody who signed in at a time', { auth_time: now - 5 }, null],
    ['of somebody who signed in at a text', { auth_time: 'now' }, 'token_auth_time'],
  ],
  'a logout token': [
    ...ofMade,
    ...ofSubject,
    ...ofId,
    ['of a session alone', { sub: undefined, sid: 's' }, null],
    ['of neither a person nor a session', { sub: undefined }, 'token_sub'],
    ['of the longest session', { sid: 's'.repeat(textLimits.claim) }, null],
    ['of a longer session', { sid: 's'.repeat(textLimits.claim + 1) }, 'token_sid'],
    ['of a session that is a number', { sid: 7 }, 'token_sid'],
    ['with a nonce', { nonce: 'n' }, 'token_nonce'],
    ['without events', { events: undefined }, 'token_events'],
    ['with another event', { events: { x: {} } }, 'token_events'],
    ['with an event that is no object', { events: { [logoutEvent]: true } }, 'token_events'],
    ['with events in a list', { events: [logoutEvent] }, 'token_events'],
    ['of type JWT', {}, null, { typ: 'JWT' }],
    ['of no type', {}, null, {}],
    ['that calls itself an access token', {}, 'token_typ', { typ: 'at+jwt' }],
  ],
  'a security event': [
    ...ofId,
    ['as old as it may be', { iat: now - longestSignalAge }, null],
    ['older', { iat: now - longestSignalAge - 1 }, 'token_iat'],
    ['without events', { events: undefined }, 'token_events'],
    ['with no event', { events: {} }, 'token_events'],
    ['with events in a list', { events: ['x'] }, 'token_events'],
    ['of type JWT', {}, 'token_typ', { typ: 'JWT' }],
    ['of no type', {}, 'token_typ', {}],
  ],
}

for (const kind of Object.keys(kinds) as readonly Kind[])
  for (const [what, more, expected, making] of [...ofAll, ...own[kind]])
    test(`OIDC Core §3.1.3.7, Back-Channel Logout §2.6, SSF §4.1: ${kind} ${what}: ${expected ?? 'good'}`, () => {
      const { claims, making: usual, problem } = kinds[kind]
      const made = making === undefined ? usual : 'by' in making ? { ...usual, ...making } : making
      assert.equal(problem({ ...claims, ...more }, made), expected)
    })

for (const [what, problem] of [
  ['an ID token', () => idTokenProblem(token(kinds['an ID token'].claims), { ...on, algs: ['RS256'] })],
  ['a logout token', () => logoutTokenProblem(token(kinds['a logout token'].claims), { ...on, algs: ['RS256'] })],
] as const)
  test(`OIDC Core §3.1.3.7, Back-Channel Logout §2.6: ${what} that is signed well, but by another algorithm, is refused`, () =>
    assert.equal(problem(), 'token_alg'))

test('RFC 9864 §2.2: where EdDSA was registered, Ed25519 is the same', () => {
  const claims = kinds['an ID token'].claims
  const text = [{ alg: 'Ed25519' }, claims, {}].map(encoded).join('.')
  const jwt = parseJwt(text)
  assert.ok(jwt)
  assert.equal(idTokenProblem(jwt, { ...on, algs: ['EdDSA'] }), 'token_signature')
  assert.equal(idTokenProblem(jwt, { ...on, algs: ['ES256'] }), 'token_alg')
})

test('OIDC Core §3.1.3.7: what was registered is expected, else what the document lists, else RS256', () => {
  const registered = { id_token_signed_response_alg: 'PS256' }
  assert.deepEqual(upstreamAlgorithms(registered, ['RS256', 'ES256']), ['PS256'])
  assert.deepEqual(upstreamAlgorithms({}, ['RS256', 7, 'ES256']), ['RS256', 'ES256'])
  for (const nothing of [undefined, null, [], 'ES256', {}]) assert.deepEqual(upstreamAlgorithms({}, nothing), ['RS256'])
})

test('OIDC Back-Channel Logout §2.4: the event is called so', () =>
  assert.equal(logoutEvent, 'http://schemas.openid.net/event/backchannel-logout'))

test('whoever could not reach us for a week is heard still', () => assert.equal(longestSignalAge, 7 * 24 * 3600))
