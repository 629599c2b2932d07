/** Opaque tokens: introspection, its memory, its breaker (RFC 7662). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import type { StalePolicy } from '../../src/validate/presented-credentials.ts'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const word = (verdict: Verdict): string => (verdict.kind === 'ok' ? 'ok' : verdict.error.code)

function scene(
  others: Record<string, Map<string, JsonObject>> = {},
  more: Partial<IssuerOptions> = {},
  onStale: StalePolicy = 'refuse',
) {
  const time = new FakeTime()
  const tokens = new Map<string, JsonObject>()
  const all: Record<string, Map<string, JsonObject>> = { [issuer]: tokens, ...others }
  const state = { up: true, asked: 0, status: 200, authorization: '', hold: null as Promise<void> | null }
  const fetch = (async (url: string, init: RequestInit) => {
    if (!state.up) throw new TypeError('refused')
    const { origin, pathname } = new URL(url)
    if (pathname !== '/introspect') {
      return Response.json({
        issuer: origin,
        jwks_uri: `${origin}/jwks`,
        introspection_endpoint: `${origin}/introspect`,
      })
    }
    state.asked += 1
    state.authorization = new Headers(init.headers).get('authorization') ?? ''
    await state.hold
    if (state.status !== 200) return new Response('{}', { status: state.status })
    return Response.json(
      all[origin]?.get(new URLSearchParams(init.body as string).get('token') ?? '') ?? { active: false },
    )
  }) as typeof globalThis.fetch
  const credentials = { clientId: 'orders api', clientSecret: 'a secret: with odd characters & länge' }
  const issuers = Object.keys(all).map((name) => ({ issuer: name, credentials, revocation: 'none' as const, ...more }))
  const validator = createValidator({ audience, issuers, time, fetch, onStale })
  const know = (token: string, more: JsonObject = {}) =>
    tokens.set(token, { active: true, ...claimsAt(time.wall, issuer, more) })
  const say = async (token: string) => word(await validator.validate(bearer(token)))
  return { time, tokens, state, validator, know, say }
}

test('An active token is accepted and answered from memory, as a value, for 30 s', async () => {
  const { know, say, state, validator, time } = scene()
  know('ga_one')
  assert.equal(await say('ga_one'), 'ok')
  assert.equal(validator.validate(bearer('ga_one')) instanceof Promise, false)
  await time.advance(29_999)
  assert.equal(await say('ga_one'), 'ok')
  assert.equal(state.asked, 1)
  await time.advance(1)
  assert.equal(await say('ga_one'), 'ok')
  assert.equal(state.asked, 2)
})

test('An unknown one is invalid, and asked about again after 5 s', async () => {
  const { know, say, state, time } = scene()
  know('ga_one')
  assert.equal(await say('ga_one'), 'ok')
  for (let n = 0; n < 3; n += 1) assert.equal(await say('ga_two'), 'invalid_token')
  assert.equal(state.asked, 2)
  know('ga_two')
  await time.advance(5000)
  assert.equal(await say('ga_two'), 'ok')
})

test('However many tokens are made up, those that are good stay remembered', async () => {
  const { know, say, state } = scene()
  know('ga_one')
  await say('ga_one')
  for (let n = 0; n < 10_001; n += 1) await say(`ga_made_up_${n}`)
  const before = state.asked
  assert.equal(await say('ga_one'), 'ok')
  assert.equal(state.asked, before)
})

test('The remembered answer does not outlive the token, and is judged anew: audience, time', async () => {
  const { know, say, time } = scene()
  know('ga_short', { exp: Math.floor(time.wall / 1000) - 50 })
  know('ga_other', { aud: 'https://other.example' })
  assert.equal(await say('ga_short'), 'ok')
  time.wall += 10_000
  assert.equal(await say('ga_short'), 'token_expired')
  assert.equal(await say('ga_other'), 'audience_mismatch')
  assert.equal(await say('ga_other'), 'audience_mismatch')
})

test('RFC 7662 §4: an answer is not used beyond the end of its token, whatever the leeway; the issuer is asked', async () => {
  const { know, say, state, time, tokens } = scene()
  know('ga_ending', { exp: Math.floor(time.wall / 1000) + 10 })
  assert.equal(await say('ga_ending'), 'ok')
  await time.advance(9_000)
  assert.equal(await say('ga_ending'), 'ok')
  assert.equal(state.asked, 1)
  await time.advance(1_000)
  assert.equal(await say('ga_ending'), 'ok', 'by the clock of its issuer it has not ended')
  assert.equal(state.asked, 2)
  tokens.delete('ga_ending')
  assert.equal(await say('ga_ending'), 'invalid_token')
})

test('RFC 6749 §2.3.1: the credentials are encoded before they are joined', async () => {
  const { know, say, state } = scene()
  know('ga_one')
  await say('ga_one')
  const [user = '', secret = ''] = Buffer.from(state.authorization.replace('Basic ', ''), 'base64')
    .toString()
    .split(':')
  const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
  assert.deepEqual([decode(user), decode(secret)], ['orders api', 'a secret: with odd characters & länge'])
})

test('A hundred callers with one token share one question', async () => {
  const { know, say, state } = scene()
  know('ga_one')
  const gate = Promise.withResolvers<void>()
  state.hold = gate.promise
  const callers = Array.from({ length: 100 }, () => say('ga_one'))
  gate.resolve()
  assert.deepEqual(new Set(await Promise.all(callers)), new Set(['ok']))
  assert.equal(state.asked, 1)
})

for (const [what, breakIt] of [
  ['is away', (state: { up: boolean; status: number }) => (state.up = false)],
  ['refuses our own credentials', (state: { up: boolean; status: number }) => (state.status = 401)],
  ['answers 500', (state: { up: boolean; status: number }) => (state.status = 500)],
  ['answers without saying active', (state: { up: boolean; status: number }) => (state.status = 202)],
] as const) {
  test(`When the issuer ${what}, an opaque token is 503, never 401`, async () => {
    const { state, validator } = scene()
    breakIt(state)
    const verdict = await validator.validate(bearer('ga_one'))
    assert.deepEqual(verdict, err({ code: 'introspection_unavailable', status: 503, retryAfter: 2 }))
  })
}

test('After five failures the issuer is left alone for two seconds', async () => {
  const { state, say, know, time } = scene()
  state.status = 500
  for (let n = 0; n < 20; n += 1) assert.equal(await say(`ga_${n}`), 'introspection_unavailable')
  assert.equal(state.asked, 5)
  state.status = 200
  know('ga_1')
  await time.advance(1999)
  assert.equal(await say('ga_1'), 'introspection_unavailable')
  assert.equal(state.asked, 5)
  await time.advance(1)
  assert.equal(await say('ga_1'), 'ok')
})

test('Only failures in a row count: an answer in between begins the count anew', async () => {
  const { state, say, know } = scene()
  know('ga_good')
  for (const round of ['a', 'b']) {
    state.status = 500
    for (let n = 0; n < 4; n += 1) await say(`ga_${round}${n}`)
    state.status = 200
    assert.equal(await say(`ga_good${round}`), 'invalid_token')
  }
  assert.equal(state.asked, 10)
  assert.equal(await say('ga_good'), 'ok')
})

test('What has the prefix of an opaque token or no dot is asked about; what else has dots is read as a JWT', async () => {
  const { know, say, state } = scene()
  for (const token of ['ga_one.two.three', 'foreign', 'ga_plain']) {
    know(token)
    assert.equal(await say(token), 'ok', token)
  }
  assert.equal(state.asked, 3)
  for (const token of ['a.b.c', 'one.two.ga_', 'x.']) {
    know(token)
    assert.equal(await say(token), 'token_malformed', token)
  }
  assert.equal(state.asked, 3)
})

test('A JWT that was asked about because the view is stale is asked about again after 5 s', async () => {
  const key = signingKey('k1')
  const revocation = { isRevoked: () => false, freshness: () => 'stale' as const, age: () => 46_000 }
  const { tokens, say, state, time } = scene({}, { revocation, keys: new GivenKeys({ keys: [key.jwk] }) }, 'introspect')
  const claims = claimsAt(time.wall, issuer)
  const token = accessToken(key, claims)
  tokens.set(token, { active: true, ...claims })
  assert.equal(await say(token), 'ok')
  tokens.delete(token)
  await time.advance(4999)
  assert.deepEqual([await say(token), state.asked], ['ok', 1])
  await time.advance(1)
  assert.deepEqual([await say(token), state.asked], ['token_revoked', 2])
  assert.deepEqual([await say(token), state.asked], ['token_revoked', 2])
})

test('Several issuers: the one that knows the token answers for it; if one cannot be asked, nobody can say no', async () => {
  const second = new Map<string, JsonObject>()
  const other = 'https://other.example'
  const { say, time, state } = scene({ [other]: second })
  second.set('ga_two', { active: true, ...claimsAt(time.wall, other) })
  assert.equal(await say('ga_two'), 'ok')
  assert.equal(await say('ga_none'), 'invalid_token')
  state.status = 500
  assert.equal(await say('ga_three'), 'introspection_unavailable')
})

test('An answer in the name of an issuer that was not asked is not believed, trusted or not', async () => {
  for (const others of [{}, { 'https://other.example': new Map<string, JsonObject>() }]) {
    const { know, say } = scene(others)
    know('ga_one', { iss: 'https://other.example' })
    assert.equal(await say('ga_one'), 'issuer_untrusted')
  }
})

test('Without introspection an opaque token is malformed', async () => {
  const validator = createValidator({
    audience,
    issuers: [{ issuer, revocation: 'none' }],
    time: new FakeTime(),
    fetch: () => Promise.reject(new Error('no')),
  })
  assert.equal(word(await validator.validate(bearer('ga_one'))), 'token_malformed')
})

test('A root answers for its tenants, by the rule of each; for nobody else', async () => {
  const { know, say } = scene({}, { tenants: true })
  know('ga_tenant', { iss: `${issuer}/t/acme`, tenant: 'acme' })
  know('ga_root', { iss: issuer })
  know('ga_nameless', { iss: `${issuer}/t/acme` })
  know('ga_other', { iss: `${issuer}/t/acme`, tenant: 'other' })
  know('ga_stranger', { iss: 'https://stranger.example' })
  know('ga_number', { iss: 7 })
  assert.deepEqual([await say('ga_tenant'), await say('ga_root')], ['ok', 'ok'])
  for (const token of ['ga_nameless', 'ga_other', 'ga_stranger', 'ga_number'])
    assert.notEqual(await say(token), 'ok', token)
  assert.equal(await say('ga_stranger'), 'issuer_untrusted')
})
