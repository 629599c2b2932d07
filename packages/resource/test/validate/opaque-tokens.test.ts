/** Opaque tokens: introspection, its memory, its breaker (RFC 7662). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeyOf } from '@grantor/protocol/oauth'
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
  const state = {
    up: true,
    asked: 0,
    status: 200,
    headers: {} as Record<string, string>,
    authorization: '',
    hold: null as Promise<void> | null,
  }
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
    if (state.status !== 200) return new Response('{}', { status: state.status, headers: state.headers })
    return Response.json(
      all[origin]?.get(new URLSearchParams(init.body as string).get('token') ?? '') ?? { active: false },
    )
  }) as typeof globalThis.fetch
  const credentials = { clientId: 'orders api', clientSecret: 'a secret: with odd characters & länge' }
  const issuers = Object.keys(all).map((name) => ({ issuer: name, credentials, revocation: 'none' as const, ...more }))
  const validator = createValidator({ audience, issuers, time, fetch, onStale })
  const know = (token: string, more: JsonObject = {}) =>
    tokens.set(token, { active: true, ...claimsAt(time.wall, issuer, more) })
  const say = async (token: string, address: string | null = null) => {
    const request = { method: 'GET', url: audience, address: () => address }
    return word(await validator.validate({ ...bearer(token), request }))
  }
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

test('RFC 6585 §4: an issuer that is asked too much is left alone for as long as it says, up to half a minute', async () => {
  for (const [told, seconds] of [
    ['7', 7],
    ['3600', 30],
  ] as const) {
    const { state, say, know, time } = scene()
    know('ga_good')
    Object.assign(state, { status: 429, headers: { 'retry-after': told } })
    for (let n = 0; n < 20; n += 1) assert.equal(await say(`ga_${n}`), 'introspection_unavailable')
    assert.equal(state.asked, 1)
    state.status = 200
    await time.advance(1000 * seconds - 1)
    assert.equal(await say('ga_good'), 'introspection_unavailable')
    await time.advance(1)
    assert.deepEqual([await say('ga_good'), state.asked], ['ok', 2])
  }
})

/** More unknown ones from everywhere than an API is asked in peace. */
async function flood(say: (token: string, address: string) => Promise<string>, many = 300): Promise<void> {
  for (let n = 0; n < many; n += 1) await say(`flood-${many}-${n}`, `198.51.100.${n % 250}`)
}

test('Who makes up one token after the other is stopped by address while many are, and nobody whose token was good before is', async () => {
  const { know, say, state, time } = scene()
  const [address, elsewhere] = ['192.0.2.7', '192.0.2.8']
  know('ga_good')
  assert.equal(await say('ga_good', address), 'ok')
  for (let n = 0; n < 60; n += 1) assert.equal(await say(`made-up-${n}`, address), 'invalid_token')
  assert.equal(await say('made-up-60', address), 'invalid_token', 'they may as well have ended')
  await flood(say)
  const { asked } = state
  for (const token of ['made-up-61', 'ga_61']) assert.equal(await say(token, address), 'too_many_wrong_keys')
  assert.equal(state.asked, asked)
  assert.equal(await say('made-up-61', elsewhere), 'invalid_token')
  await time.advance(30_000)
  assert.deepEqual([await say('ga_good', address), await say('made-up-62', address)], ['ok', 'invalid_token'])
})

test('Whoever guesses API keys is stopped by address, whoever else does not', async () => {
  const { say, state } = scene({}, { apiKeys: true })
  const key = (n: number) => apiKeyOf(new Uint8Array(32).fill(n))
  for (let n = 0; n < 60; n += 1) assert.equal(await say(key(n), '192.0.2.7'), 'invalid_token')
  const { asked } = state
  assert.equal(await say(key(60), '192.0.2.7'), 'too_many_wrong_keys')
  assert.equal(state.asked, asked)
  assert.equal(await say(key(60), '192.0.2.8'), 'invalid_token')
  assert.equal(await say('made-up', '192.0.2.7'), 'invalid_token', 'tokens are counted apart')
})

test('Many that are made up at once are owed: the address waits for each of them, for a minute at most', async () => {
  const { say, state, time } = scene()
  const gate = Promise.withResolvers<void>()
  state.hold = gate.promise
  const all = Array.from({ length: 500 }, (_, n) => say(`made-up-${n}`, '192.0.2.7'))
  gate.resolve()
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['invalid_token']))
  await time.advance(60_000)
  await flood(say, 301)
  assert.equal(await say('made-up-one-more', '192.0.2.7'), 'too_many_wrong_keys')
  await time.advance(1_000)
  await flood(say, 302)
  assert.equal(await say('made-up-one-more', '192.0.2.7'), 'invalid_token')
})

test('One token that many requests bring at once is one question, and counts once', async () => {
  const { know, say, state } = scene()
  await flood(say)
  state.asked = 0
  const all = await Promise.all(Array.from({ length: 130 }, () => say('ga_ended', '192.0.2.7')))
  assert.deepEqual([new Set(all), state.asked], [new Set(['invalid_token']), 1])
  know('ga_fresh')
  assert.equal(await say('ga_fresh', '192.0.2.7'), 'ok')
})

test('A token that has ended is none that was made up: many that end together stop nobody', async () => {
  const { know, tokens, say, time } = scene()
  for (let n = 0; n < 70; n += 1) {
    know(`ga_${n}`)
    assert.equal(await say(`ga_${n}`, '192.0.2.7'), 'ok')
  }
  tokens.clear()
  await time.advance(30_000)
  for (let n = 0; n < 70; n += 1) assert.equal(await say(`ga_${n}`, '192.0.2.7'), 'invalid_token')
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

test('A tenant’s JWT is not asked about at the root, which would call it unknown: nobody can say, and it is not refused for good', async () => {
  const key = signingKey('k1')
  const revocation = { isRevoked: () => false, freshness: () => 'stale' as const, age: () => 46_000 }
  const keys = new GivenKeys({ keys: [key.jwk] })
  const { say, state, time } = scene({}, { revocation, keys, tenants: true }, 'introspect')
  const token = accessToken(key, claimsAt(time.wall, `${issuer}/t/acme`, { tenant: 'acme' }))
  assert.deepEqual([await say(token), state.asked], ['revocation_state_stale', 0])
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
