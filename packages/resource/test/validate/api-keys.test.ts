/** API keys at a validator: the checksum, the memory and the feed that clears it, addresses, and guesses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedMessage } from '@grantor/protocol/feed'
import { apiKeyOf } from '@grantor/protocol/oauth'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { RevocationSource } from '../../src/revocation/revocation-source.ts'
import { RevocationView } from '../../src/revocation/revocation-view.ts'
import type { Caller } from '../../src/validate/caller.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { audience, claimsAt } from '../tokens.ts'

const issuer = 'https://as.example'
const keyOf = (n: number) => apiKeyOf(new Uint8Array(32).fill(n))
const madeUp = (n: number) => apiKeyOf(Uint8Array.of(255, n, ...new Uint8Array(30)))
const key = keyOf(1)
const word = (verdict: Verdict): string => (verdict.kind === 'ok' ? 'ok' : verdict.error.code)

function scene(more: Partial<IssuerOptions> = {}) {
  const time = new FakeTime()
  const view = new RevocationView({ leeway: 60_000, capacity: 1000, now: () => time.wall })
  const revocation: RevocationSource = {
    isRevoked: (token) => view.isRevoked(token),
    hasNewsOf: (token, since) => view.hasNewsOf(token, since),
    freshness: () => 'live',
    age: () => 0,
  }
  const answers = new Map<string, JsonObject>()
  const state = { up: true, asked: 0, hold: null as Promise<void> | null }
  const fetch = (async (url: string, init: RequestInit) => {
    const { origin, pathname } = new URL(url)
    if (pathname !== '/introspect')
      return Response.json({
        issuer: origin,
        jwks_uri: `${origin}/jwks`,
        introspection_endpoint: `${origin}/introspect`,
      })
    state.asked += 1
    const answer = answers.get(new URLSearchParams(init.body as string).get('token') ?? '') ?? { active: false }
    await state.hold
    if (!state.up) throw new TypeError('refused')
    return Response.json(answer)
  }) as typeof globalThis.fetch
  const credentials = { clientId: 'api', clientSecret: 'a secret' }
  const validator = createValidator({
    audience,
    issuers: [{ issuer, credentials, revocation, reports: false, apiKeys: true, ...more }],
    time,
    fetch,
  })
  const know = (text: string, claims: JsonObject = {}) => {
    const { exp: _exp, ...rest } = claimsAt(time.wall, issuer)
    const own = { sub: 'export', client_id: 'export', jti: 'k1', scope: 'orders:read', token_type: 'api_key' }
    answers.set(text, { active: true, ...rest, ...own, ...claims })
  }
  const present = (text: string, address: string | null = '192.0.2.7', scheme = 'Bearer') =>
    validator.validate({
      authorization: `${scheme} ${text}`,
      request: { method: 'GET', url: `${audience}/v1/orders`, address: () => address },
    })
  const say = async (text: string, address?: string | null, scheme?: string) =>
    word(await present(text, address, scheme))
  const hear = (message: FeedMessage) => {
    if (message.kind !== 'key') view.apply(message, time.monotonic())
  }
  return { time, answers, state, validator, know, present, say, hear }
}

const revoke = (time: FakeTime): FeedMessage => ({
  kind: 'revoke',
  tenant: null,
  jti: 'k1',
  at: time.wall as Instant,
  until: (time.wall + 300_000) as Instant,
})
const cutoff = (time: FakeTime, dimension: 'client' | 'tenant' | 'issuer', named: string | null): FeedMessage => ({
  kind: 'cutoff',
  tenant: null,
  dimension,
  key: named,
  at: time.wall as Instant,
  issuedUpTo: (Math.floor(time.wall / 1000) * 1000) as Instant,
  until: (time.wall + 600_000) as Instant,
})

test('A key is accepted, known as one, and answered from memory as a value for 30 s', async () => {
  const { know, present, say, state, time } = scene()
  know(key)
  const verdict = await present(key)
  assert.ok(verdict.kind === 'ok')
  const { credential, jti, clientId, subject, scope, expiresAt } = verdict.value
  assert.deepEqual([credential, jti, clientId, subject], ['api_key', 'k1', 'export', 'export'])
  assert.deepEqual(scope, new Set(['orders:read']))
  assert.ok(!Number.isNaN(new Date(expiresAt).getTime()))
  assert.equal(present(key) instanceof Promise, false)
  await time.advance(29_999)
  assert.equal(await say(key), 'ok')
  assert.equal(state.asked, 1)
  await time.advance(1)
  assert.equal(await say(key), 'ok')
  assert.equal(state.asked, 2)
})

test('Without the choice of the API no key is accepted, and nobody is asked', async () => {
  const { know, say, state } = scene({ apiKeys: false })
  know(key)
  assert.equal(await say(key), 'api_key_not_accepted')
  assert.equal(state.asked, 0)
})

test('Keys need somebody to ask', () => {
  assert.throws(() => scene({ introspection: false }), /apiKeys need credentials and introspection/)
})

test('What is mistyped, cut, too long or of another script is refused without a question', async () => {
  const { know, say, state } = scene()
  know(key)
  const last = key.at(-1) === 'a' ? 'b' : 'a'
  const wrong = ['gk_', key.slice(0, -1), `${key.slice(0, -1)}${last}`, `${key}0`, `gk_${'9'.repeat(4000)}`, 'gk_one']
  for (const text of wrong) assert.equal(await say(text), 'token_malformed', text.slice(0, 60))
  // What cannot be in a header at all is a malformed request.
  for (const text of [key.replace(/.$/, '٣'), `${key} `, `${key},${key}`]) assert.notEqual(await say(text), 'ok', text)
  assert.equal(state.asked, 0)
})

test('Neither kind is taken for the other, whatever the issuer says of it', async () => {
  const { know, say } = scene()
  know(key, { token_type: 'Bearer' })
  assert.equal(await say(key), 'token_type_invalid')
  know('ga_one', { exp: 9_999_999_999 })
  assert.equal(await say('ga_one'), 'token_type_invalid')
})

test('A key of another API, of another tenant, at its end, or sent as a bound token is refused', async () => {
  const { know, say, time } = scene()
  know(keyOf(2), { aud: 'https://other.example' })
  know(keyOf(3), { tenant: 'acme' })
  know(keyOf(4), { exp: Math.floor(time.wall / 1000) + 5 })
  know(keyOf(5))
  assert.equal(await say(keyOf(2)), 'audience_mismatch')
  assert.equal(await say(keyOf(3)), 'tenant_mismatch')
  assert.equal(await say(keyOf(4)), 'ok')
  time.wall += 66_000
  assert.equal(await say(keyOf(4)), 'token_expired')
  assert.notEqual(await say(keyOf(5), '192.0.2.7', 'DPoP'), 'ok')
})

test('A key with addresses is accepted from them alone, on every request, and from nowhere unknown', async () => {
  const { know, say, state } = scene()
  know(key, { addresses: ['192.0.2.0/24', '2001:db8::/32'] })
  for (const address of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::5']) assert.equal(await say(key, address), 'ok')
  for (const address of ['192.0.3.9', '2001:db9::5', '::1', '', null, '192.0.2.9, 10.0.0.1', '192.0.2.9.example'])
    assert.equal(await say(key, address), 'address_not_allowed', String(address))
  assert.equal(state.asked, 1)
})

test('Addresses that cannot be read are a limit that cannot be kept: refused', async () => {
  const { know, say } = scene()
  const unreadable: readonly JsonObject[string][] = ['192.0.2.0/24', [7], ['here'], [null], { any: true }]
  for (const [n, addresses] of unreadable.entries()) {
    know(keyOf(10 + n), { addresses })
    assert.equal(await say(keyOf(10 + n)), 'token_malformed', JSON.stringify(addresses))
  }
})

test('A revoked key is refused with the message itself, from memory, also while the issuer is away', async () => {
  const { know, say, state, hear, time } = scene()
  know(key)
  assert.equal(await say(key), 'ok')
  state.up = false
  hear(revoke(time))
  assert.equal(await say(key), 'token_revoked')
  assert.equal(state.asked, 1)
})

for (const [what, dimension, named] of [
  ['its client', 'client', 'export'],
  ['its tenant', 'tenant', null],
  ['everything', 'issuer', null],
] as const) {
  test(`When the feed ends ${what}, what was said of a key is forgotten and the issuer asked again`, async () => {
    const { know, say, state, hear, time, answers } = scene()
    know(key)
    assert.equal(await say(key), 'ok')
    await time.advance(1000)
    answers.set(key, { active: false })
    hear(cutoff(time, dimension, named))
    assert.equal(await say(key), 'invalid_token')
    assert.equal(state.asked, 2)
    // Enabled again, the key is what it was; the second of the cutoff does not haunt it.
    know(key)
    await time.advance(5000)
    assert.equal(await say(key), 'ok')
    assert.equal(await say(key), 'ok')
    assert.equal(state.asked, 3)
  })
}

test('News of another client or another tenant cost nothing', async () => {
  const { know, say, state, hear, time } = scene()
  know(key)
  assert.equal(await say(key), 'ok')
  hear(cutoff(time, 'client', 'web'))
  hear({ ...cutoff(time, 'client', 'export'), tenant: 'acme' })
  assert.equal(await say(key), 'ok')
  assert.equal(state.asked, 1)
})

test('An answer that was on its way when the news came is not believed', async () => {
  const { know, say, state, hear, time, answers } = scene()
  know(key)
  const gate = Promise.withResolvers<void>()
  state.hold = gate.promise
  const early = say(key)
  while (state.asked === 0) await new Promise(setImmediate)
  answers.set(key, { active: false })
  hear(cutoff(time, 'client', 'export'))
  await time.advance(1)
  gate.resolve()
  assert.equal(await early, 'invalid_token')
  assert.equal(state.asked, 2)
})

test('When the news say so and the issuer is away, a key is 503 and never accepted', async () => {
  const { know, say, state, hear, time } = scene()
  know(key)
  assert.equal(await say(key), 'ok')
  state.up = false
  hear(cutoff(time, 'client', 'export'))
  assert.equal(await say(key), 'introspection_unavailable')
})

test('After the clock of the issuer was set back, every key is asked about again', async () => {
  const { know, say, state, hear, time } = scene()
  know(key)
  assert.equal(await say(key), 'ok')
  hear({ ...cutoff(time, 'issuer', null), issuedUpTo: 0 as Instant, supersedes: 'e1' } as FeedMessage)
  await time.advance(1)
  assert.equal(await say(key), 'ok')
  assert.equal(state.asked, 2)
})

test('Who tries one wrong key after the other is stopped by address, and nobody with a good key is', async () => {
  const { know, say, present, state, time } = scene()
  know(key)
  assert.equal(await say(key), 'ok')
  for (let n = 0; n < 60; n += 1) assert.equal(await say(madeUp(n)), 'invalid_token')
  const barred = await present(madeUp(60))
  assert.deepEqual(barred, { kind: 'error', error: { code: 'too_many_wrong_keys', status: 429, retryAfter: 1 } })
  const asked = state.asked
  assert.equal(await say(madeUp(61)), 'too_many_wrong_keys')
  assert.equal(state.asked, asked)
  // From memory, and by a question of its own: it was good before.
  assert.equal(await say(key), 'ok')
  await time.advance(30_000)
  for (let n = 100; n < 130; n += 1) await say(madeUp(n))
  assert.equal(await say(madeUp(131)), 'too_many_wrong_keys')
  assert.equal(await say(key), 'ok')
  // At another address, or after a while, one may try again.
  assert.equal(await say(madeUp(131), '192.0.2.8'), 'invalid_token')
  await time.advance(1000)
  assert.equal(await say(madeUp(132)), 'invalid_token')
})

test('Addresses of IPv6 are counted by their first half, and IPv4 on an IPv6 socket by itself', async () => {
  const { say } = scene()
  for (let n = 0; n < 60; n += 1) await say(madeUp(n), `2001:db8::${n.toString(16)}`)
  assert.equal(await say(madeUp(60), '2001:db8::ffff'), 'too_many_wrong_keys')
  for (let n = 100; n < 160; n += 1) await say(madeUp(n), '::ffff:192.0.2.1')
  assert.equal(await say(madeUp(161), '192.0.2.1'), 'too_many_wrong_keys')
  assert.equal(await say(madeUp(162), '::ffff:192.0.2.2'), 'invalid_token')
})

test('Where the news never end, a key is asked about three times and then nobody can say', async () => {
  const revocation: RevocationSource = {
    isRevoked: () => false,
    hasNewsOf: () => state.news,
    freshness: () => 'live',
    age: () => 0,
  }
  const { know, present, state: asking } = scene({ revocation })
  const state = { news: false }
  know(key)
  assert.equal(word(await present(key)), 'ok')
  assert.equal(asking.asked, 1)
  state.news = true
  for (const text of [key, keyOf(2)]) {
    know(text)
    asking.asked = 0
    const verdict = await present(text)
    assert.deepEqual(verdict, {
      kind: 'error',
      error: { code: 'introspection_unavailable', status: 503, retryAfter: 1 },
    })
    assert.equal(asking.asked, 3)
  }
})

test('Sixty wrong keys may be tried at once, one more each second, and what is refused is told for how long', async () => {
  const { say, present, time } = scene()
  for (let n = 0; n < 60; n += 1) assert.equal(await say(madeUp(n)), 'invalid_token')
  assert.deepEqual(await present(madeUp(60)), {
    kind: 'error',
    error: { code: 'too_many_wrong_keys', status: 429, retryAfter: 1 },
  })
  await time.advance(999)
  assert.equal(await say(madeUp(60)), 'too_many_wrong_keys')
  await time.advance(1)
  assert.equal(await say(madeUp(60)), 'invalid_token')
  assert.equal(await say(madeUp(61)), 'too_many_wrong_keys')
  for (const elsewhere of ['192.0.2.8', null]) assert.equal(await say(madeUp(62), elsewhere), 'invalid_token')
})

test('Where the issuer is away no key is wrong: nobody is stopped for it', async () => {
  const { say, state, time } = scene()
  state.up = false
  for (let n = 0; n < 70; n += 1) {
    assert.equal(await say(madeUp(n)), 'introspection_unavailable')
    await time.advance(2000)
  }
  state.up = true
  assert.equal(await say(madeUp(70)), 'invalid_token')
})

/** As deferred work keeps it: as text, for another process. */
const kept = ({ scope, ...caller }: Caller): Caller => ({
  ...(JSON.parse(JSON.stringify(caller)) as Caller),
  scope: new Set(scope),
})

for (const [what, dimension, named] of [
  ['its client', 'client', 'export'],
  ['its tenant', 'tenant', null],
  ['everything', 'issuer', null],
] as const) {
  test(`Work asked for with a key ends with ${what}, and goes on where the issuer let the key in afterwards`, async () => {
    const { know, present, hear, time, validator } = scene()
    know(key)
    const letIn = async () => {
      const verdict = await present(key)
      assert.ok(verdict.kind === 'ok')
      return kept(verdict.value)
    }
    await time.advance(500)
    const before = await letIn()
    await time.advance(200)
    assert.equal(validator.isRevoked?.(before), false)
    hear(cutoff(time, dimension, named))
    assert.equal(validator.isRevoked?.(before), true)
    await time.advance(5000)
    const after = await letIn()
    assert.deepEqual([validator.isRevoked?.(before), validator.isRevoked?.(after)], [true, false])
    // The feed was late: what was let in by an older answer is of before the cutoff.
    const late = await letIn()
    hear(cutoff(time, dimension, named))
    assert.equal(validator.isRevoked?.(late), true)
    await time.advance(5000)
    const again = await letIn()
    assert.equal(validator.isRevoked?.(again), false)
    hear(revoke(time))
    assert.equal(validator.isRevoked?.(again), true)
  })
}

test('Where our clock is ahead of the issuer, what was heard after the question ends the work that was asked for with it', async () => {
  const { know, present, hear, time, validator } = scene()
  know(key)
  const verdict = await present(key)
  assert.ok(verdict.kind === 'ok')
  const before = kept(verdict.value)
  await time.advance(2000)
  const behind = { ...cutoff(time, 'client', 'export'), at: time.wall - 20_000, issuedUpTo: time.wall - 20_000 }
  hear(behind as FeedMessage)
  assert.equal(validator.isRevoked?.(before), true)
})
