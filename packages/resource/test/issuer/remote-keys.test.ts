/** The keys of an issuer: warm, ahead of time, through outages, and on a budget for strangers. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { importKey } from '@grantor/protocol/jose'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { IssuerDiscovery } from '../../src/issuer/issuer-metadata.ts'
import { isAllowedAddress, fetchTransport, createOutbound } from '../../src/issuer/outbound.ts'
import { RemoteKeys } from '../../src/issuer/remote-keys.ts'
import { noMetrics } from '../../src/metrics.ts'
import { FakeTime } from '../fake-time.ts'
import { signingKey } from '../tokens.ts'

const issuer = 'https://as.example'

/** An issuer as a function: what it publishes can be changed, broken or held back. */
function published(...keys: JsonObject[]) {
  const time = new FakeTime()
  const state = {
    keys,
    up: true,
    reads: 0,
    cacheControl: '',
    metadata: 200,
    hold: null as Promise<void> | null,
    body: null as string | null,
    /** What the next question is answered with, however late. */
    early: null as string | null,
    unchanged: 0,
    calls: issuer,
    status: 200,
    /** How often its metadata were read. */
    discovered: 0,
  }
  const answer = async (url: string, init: RequestInit): Promise<Response> => {
    if (!state.up) throw new TypeError('connection refused')
    if (!url.endsWith('/jwks')) {
      state.discovered += 1
      if (state.metadata !== 200) return new Response(null, { status: state.metadata })
      return Response.json({ issuer: state.calls, jwks_uri: `${issuer}/jwks` })
    }
    state.reads += 1
    const { early } = state
    state.early = null
    await state.hold
    if (state.status !== 200) return new Response(null, { status: state.status })
    if (early !== null) return new Response(early)
    const etag = `"${hash('sha256', state.body ?? JSON.stringify(state.keys), 'base64url')}"`
    if (new Headers(init.headers).get('if-none-match') === etag) {
      state.unchanged += 1
      return new Response(null, { status: 304 })
    }
    return new Response(state.body ?? JSON.stringify({ keys: state.keys }), {
      headers: { 'cache-control': state.cacheControl, etag },
    })
  }
  const outbound = createOutbound(fetchTransport(answer as typeof fetch), time)
  const discovery = new IssuerDiscovery(outbound, issuer)
  const counted: string[] = []
  const metrics = {
    ...noMetrics,
    count: (name: string, labels: Readonly<Record<string, string>>) => void counted.push(`${name} ${labels['result']}`),
  }
  const source = new RemoteKeys({ discovery, outbound, time, metrics, random: () => 0.5 })
  return { time, state, source, counted, outbound }
}

type Published = ReturnType<typeof published>['state']

const minute = 60_000
const one = signingKey('one')
const two = signingKey('two')

test('After a warm start a known key is found without asking', async () => {
  const { source, state } = published(one.jwk)
  assert.equal(source.ready(), false)
  assert.equal(await source.refresh(), true)
  assert.equal(source.ready(), true)
  assert.equal(source.find('one', 'ES256')?.kid, 'one')
  assert.equal(source.find('one', 'RS256'), undefined)
  assert.equal(state.reads, 1)
})

for (const [cacheControl, wait] of [
  ['', 3.75 * minute],
  ['public, max-age=600', 7.5 * minute],
  ['max-age=1', 0.75 * minute],
  ['max-age=999999', 45 * minute],
] as const) {
  test(`The set is read again at three quarters of its life ("${cacheControl}"), before anyone has to wait`, async () => {
    const { source, state, time } = published(one.jwk)
    state.cacheControl = cacheControl
    await source.refresh()
    await time.advance(wait - 1)
    assert.equal(state.reads, 1)
    await time.advance(1)
    assert.equal(state.reads, 2)
    source.close()
  })
}

test('The issuer away: known keys serve for 24 h, and not a minute longer', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  state.up = false
  await time.advance(24 * 60 * minute - 1)
  assert.ok(source.find('one', 'ES256'))
  await time.advance(2)
  assert.equal(source.find('one', 'ES256'), undefined)
  assert.deepEqual(await source.seek('one', 'ES256'), err('unavailable'))
  state.up = true
  await time.advance(2 * minute)
  assert.ok(source.find('one', 'ES256'), 'and it comes back by itself')
  source.close()
})

test('A set that was read replaces the old one: a withdrawn key stops at once, a key that stays keeps its identity', async () => {
  const { source, state } = published(one.jwk, two.jwk)
  await source.refresh()
  const [gone, stays] = [source.find('one', 'ES256'), source.find('two', 'ES256')]
  state.keys = [two.jwk]
  await source.refresh()
  assert.equal(gone?.present, false)
  assert.equal(source.find('one', 'ES256'), undefined)
  assert.equal(source.find('two', 'ES256'), stays)
  assert.equal(stays?.present, true)
})

test('A key that changes behind its kid is another key', async () => {
  const { source, state } = published(one.jwk)
  await source.refresh()
  const old = source.find('one', 'ES256')
  state.keys = [{ ...signingKey('one').jwk }]
  await source.refresh()
  assert.equal(old?.present, false)
  assert.notEqual(source.find('one', 'ES256'), old)
})

test('RFC 9110 §13.1.2: a set that did not change is not sent again, and counts as read', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  await time.advance(60_000)
  assert.equal(await source.refresh(), true)
  assert.equal(state.unchanged, 1)
  assert.equal(source.age(), 0)
  assert.ok(source.find('one', 'ES256'))
  source.close()
})

test('An unknown kid is sought at once, and found', async () => {
  const { source, state } = published(one.jwk)
  await source.refresh()
  state.keys = [one.jwk, two.jwk]
  const found = await source.seek('two', 'ES256')
  assert.ok(found.kind === 'ok' && found.value.kid === 'two')
})

test('A thousand callers with the same new kid share one question', async () => {
  const { source, state } = published(one.jwk)
  await source.refresh()
  const gate = Promise.withResolvers<void>()
  state.hold = gate.promise
  state.keys = [one.jwk, two.jwk]
  const callers = Array.from({ length: 1000 }, () => source.seek('two', 'ES256'))
  gate.resolve()
  const answers = await Promise.all(callers)
  assert.ok(answers.every((answer) => answer.kind === 'ok'))
  assert.equal(state.reads, 2)
})

test('Strangers who make up kids cost the issuer three questions, then two a second, however many they are', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  for (let second = 0; second < 10; second += 1) {
    const asked = Array.from({ length: 500 }, (_, n) => source.seek(`made-up-${second}-${n}`, 'ES256'))
    for (let step = 0; step < 10; step += 1) await time.advance(100)
    for (const answer of await Promise.all(asked)) assert.deepEqual(answer, err('absent'))
  }
  assert.ok(state.reads <= 1 + 3 + 20, `${state.reads}`)
  source.close()
})

test('Six emergency rotations in ten seconds: every new key is believed, with strangers making up kids all the while', async () => {
  for (const strangers of [0, 200]) {
    const { source, state, time } = published(one.jwk)
    await source.refresh()
    for (let n = 0; n < 6; n += 1) {
      // The old key is gone at once, and the new one signs at once.
      const fresh = signingKey(`emergency-${n}`)
      state.keys = [fresh.jwk]
      const noise = Array.from({ length: strangers }, (_, k) => source.seek(`made-up-${n}-${k}`, 'ES256'))
      const found = source.seek(fresh.jwk['kid'] as string, 'ES256')
      for (let step = 0; step < 16; step += 1) await time.advance(104)
      assert.equal((await found).kind, 'ok', `rotation ${n} among ${strangers}`)
      await Promise.all(noise)
    }
    assert.ok(state.reads <= 30)
    source.close()
  }
})

test('A key made while the set was being read is found by the next read, not denied', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  const gate = Promise.withResolvers<void>()
  state.hold = gate.promise
  state.early = JSON.stringify({ keys: [one.jwk] })
  const stranger = source.seek('made-up', 'ES256')
  await time.advance(1)
  state.keys = [two.jwk]
  const owner = source.seek('two', 'ES256')
  gate.resolve()
  for (let step = 0; step < 6; step += 1) await time.advance(100)
  assert.equal((await owner).kind, 'ok')
  assert.deepEqual(await stranger, err('absent'))
  source.close()
})

test('A kid that was not there is not asked for again within 30 s, and then it is', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  assert.deepEqual(await source.seek('two', 'ES256'), err('absent'))
  state.keys = [one.jwk, two.jwk]
  await time.advance(29_999)
  assert.deepEqual(await source.seek('two', 'ES256'), err('absent'))
  await time.advance(1)
  assert.equal((await source.seek('two', 'ES256')).kind, 'ok')
  source.close()
})

test('The issuer away: an unknown kid is unavailable, not absent; a caller waits a second at most', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  state.up = false
  assert.deepEqual(await source.seek('two', 'ES256'), err('unavailable'))
  state.up = true
  state.hold = new Promise(() => {})
  const waiting = source.seek('two', 'ES256')
  await time.advance(1000)
  assert.deepEqual(await waiting, err('unavailable'))
  source.close()
})

test('The budget spent and the issuer away: nobody can say', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  state.up = false
  await time.advance(2 * minute)
  const asked = Array.from({ length: 10 }, (_, n) => source.seek(`k${n}`, 'ES256'))
  await time.advance(1000)
  for (const answer of await Promise.all(asked)) assert.deepEqual(answer, err('unavailable'))
  source.close()
})

test('While the issuer fails it is asked after 2, 4, 8 seconds and so on, up to a minute apart; each read is counted', async () => {
  const { source, state, time, counted } = published(one.jwk)
  await source.refresh()
  await source.refresh()
  state.body = '{}'
  const began = time.mono
  const askedAt: number[] = []
  assert.equal(await source.refresh(), false)
  for (let { reads } = state; askedAt.length < 7; await time.advance(500)) {
    if (state.reads > reads) askedAt.push((time.mono - began) / 1000)
    reads = state.reads
  }
  assert.deepEqual(askedAt, [2, 6, 14, 30, 62, 122, 182])
  assert.deepEqual(
    counted.slice(0, 4).map((it) => it.replace('rs_jwks_fetch_total ', '')),
    ['ok', 'unchanged', 'failed', 'failed'],
  )
  state.body = null
  await time.advance(minute)
  assert.equal(counted.at(-1), 'rs_jwks_fetch_total unchanged')
  // After a success the next failure begins with two seconds again.
  state.body = '{}'
  await source.refresh()
  const { reads } = state
  await time.advance(1999)
  assert.equal(state.reads, reads)
  await time.advance(1)
  assert.equal(state.reads, reads + 1)
  source.close()
})

test('Ten thousand wait at once, and whoever comes then is told to come back at once', async () => {
  const { source, state, time } = published(one.jwk)
  await source.refresh()
  state.hold = new Promise(() => {})
  const waiting = Array.from({ length: 10_000 }, (_, n) => source.seek(`k${n}`, 'ES256'))
  assert.deepEqual(await source.seek('one more', 'ES256'), err('unavailable'))
  await time.advance(1000)
  assert.ok((await Promise.all(waiting)).every((it) => it.kind === 'error' && it.error === 'unavailable'))
  // They are gone: there is room again.
  const next = source.seek('one more', 'ES256')
  assert.equal(await Promise.race([next, time.advance(999).then(() => 'waits')]), 'waits')
  await time.advance(1)
  assert.deepEqual(await next, err('unavailable'))
  // As much as before, and no more.
  const crowd = Array.from({ length: 10_000 }, (_, n) => source.seek(`k${n}`, 'ES256'))
  assert.deepEqual(await source.seek('one more', 'ES256'), err('unavailable'))
  await time.advance(1000)
  await Promise.all(crowd)
  source.close()
})

test('Before the first read a caller waits five seconds for it, and no longer', async () => {
  const { source, state, time } = published(one.jwk)
  state.hold = new Promise(() => {})
  let answered = false
  const waiting = source.seek('one', 'ES256').finally(() => (answered = true))
  await time.advance(4999)
  assert.equal(answered, false)
  await time.advance(1)
  assert.deepEqual(await waiting, err('unavailable'))
  source.close()
})

test('A dropped key is gone although the set, or a cache of it, still lists it', async () => {
  const { source } = published(one.jwk, two.jwk)
  await source.refresh()
  const key = source.find('one', 'ES256')
  source.drop('one')
  assert.equal(key?.present, false)
  await source.refresh()
  assert.equal(source.find('one', 'ES256'), undefined)
  assert.deepEqual(await source.seek('one', 'ES256'), err('absent'))
})

test('RFC 7515 §4.1.4: a token without kid is matched only where one key alone can be meant', async () => {
  const { source, state } = published(one.jwk)
  await source.refresh()
  assert.equal(source.find(undefined, 'ES256')?.kid, 'one')
  state.keys = [one.jwk, two.jwk]
  await source.refresh()
  assert.equal(source.find(undefined, 'ES256'), undefined)
})

for (const [what, body] of [
  ['no JSON', '<html>'],
  ['no keys', '{"keys":[]}'],
  ['no list', '{"keys":{}}'],
  ['more than 100 keys', JSON.stringify({ keys: Array.from({ length: 101 }, () => one.jwk) })],
  ['more than 256 KiB', JSON.stringify({ keys: [one.jwk], filler: 'x'.repeat(300_000) })],
] as const) {
  test(`An answer with ${what} is a failed read, and does not displace what is known`, async () => {
    const { source, state } = published(one.jwk)
    await source.refresh()
    state.body = body
    assert.equal(await source.refresh(), false)
    assert.ok(source.find('one', 'ES256'))
    source.close()
  })
}

test('RFC 8414 §3.3: an issuer that does not exist is told apart from one that does not answer', async () => {
  for (const [status, said] of [
    [404, 'no-issuer'],
    [500, 'unavailable'],
  ] as const) {
    const { source, state } = published(one.jwk)
    state.metadata = status
    assert.deepEqual(await source.seek('one', 'ES256'), err(said))
    source.close()
  }
})

test('an issuer that had keys is away when its host says that there is none, also where they are not to be used now', async () => {
  const { source, state, time } = published(one.jwk)
  assert.equal((await source.seek('one', 'ES256')).kind, 'ok')
  state.metadata = 404
  state.status = 404
  for (let n = 0; n < 3; n += 1) {
    time.mono += minute
    assert.deepEqual(await source.seek(`new-${n}`, 'ES256'), err('unavailable'))
    source.distrust()
  }
  assert.deepEqual(await source.seek('one', 'ES256'), err('unavailable'))
  source.close()
})

test('RFC 8414 §3.3: metadata that names another issuer is not used', async () => {
  const { source, state } = published(one.jwk)
  state.calls = 'https://other.example'
  assert.deepEqual(await source.seek('one', 'ES256'), err('unavailable'))
  source.close()
})

const useless: Record<string, JsonObject> = {
  'a private key': { ...one.jwk, d: 'AAAA' },
  'a symmetric key': { kty: 'oct', k: 'AAAA', kid: 'x', alg: 'HS256' },
  'a key for encryption': { ...one.jwk, use: 'enc' },
  'a key that may not verify': { ...one.jwk, key_ops: ['encrypt'] },
  'a key whose alg is not of its type': { ...one.jwk, alg: 'RS256' },
  'an RSA key of 1024 bits': { kty: 'RSA', n: Buffer.alloc(128, 0xff).toString('base64url'), e: 'AQAB' },
  'a point that is not on the curve': { ...one.jwk, y: one.jwk['x'] ?? '' },
  'a curve nobody asked for': { kty: 'EC', crv: 'secp256k1', x: 'AAAA', y: 'AAAA' },
}
for (const [what, jwk] of Object.entries(useless)) {
  test(`RFC 8725 §3: ${what} is not imported`, () => assert.equal(importKey(jwk), null))
}

test('only TLS, but for loopback; no credentials in the address', () => {
  for (const good of ['https://as.example/jwks', 'http://127.0.0.1:80/', 'http://localhost/', 'http://[::1]/']) {
    assert.equal(isAllowedAddress(good), true, good)
  }
  for (const bad of [
    'http://as.example/',
    'http://127.0.0.1.evil.example/',
    'ftp://127.0.0.1/',
    'https://u:p@as.example/',
    'nonsense',
  ]) {
    assert.equal(isAllowedAddress(bad), false, bad)
  }
})

test('A dropped key, or a token without kid, costs the issuer no question', async () => {
  const { source, state } = published(one.jwk, two.jwk)
  await source.refresh()
  source.drop('one')
  const { reads } = state
  assert.deepEqual(await source.seek('one', 'ES256'), err('absent'))
  assert.deepEqual(await source.seek(undefined, 'RS256'), err('absent'))
  assert.equal(state.reads, reads)
  source.close()
})

test('Before the first read a token without kid is answered by reading, not by guessing', async () => {
  const { source, state } = published(one.jwk)
  const found = await source.seek(undefined, 'ES256')
  assert.equal(found.kind === 'ok' && found.value.kid, 'one')
  assert.equal(state.reads, 1)
  source.close()
})

for (const [what, change, words] of [
  ['is away', (state: Published) => (state.up = false), []],
  [
    'has no key that can be used',
    (state: Published) => (state.body = '{"keys":[]}'),
    ['the key set holds no key that can be used'],
  ],
  ['answers with a failure', (state: Published) => (state.status = 500), []],
] as const)
  test(`When an issuer ${what} the operator is told of its key set ${words.length} times, and its metadata are read anew`, async () => {
    const { source, state, outbound } = published(one.jwk)
    const told: string[] = []
    outbound.unusable = (what, message) => {
      assert.deepEqual(what, { issuer, part: 'keys' })
      told.push(message)
    }
    await source.refresh()
    change(state)
    assert.equal(await source.refresh(), false)
    assert.deepEqual(told, words)
    const before = state.discovered
    Object.assign(state, { up: true, body: null, status: 200 })
    assert.equal(await source.refresh(), true)
    assert.equal(state.discovered, before + 1)
    source.close()
  })
