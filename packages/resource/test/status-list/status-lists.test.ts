/** Status lists at the validator: as the second source when the first is too old, and as the only one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { err } from '@grantor/protocol/result'
import { encodeStatuses, setInvalid } from '@grantor/protocol/status-list'
import type { JsonObject } from '@grantor/protocol/types'
import type { Freshness } from '../../src/revocation/revocation-source.ts'
import type { IssuerOptions, ValidatorOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, jws, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const uri = `${issuer}/status-lists/one`

/** A list of 64 tokens in which those are revoked. */
async function lstOf(...revoked: number[]): Promise<string> {
  const bytes = new Uint8Array(8)
  for (const idx of revoked) setInvalid(bytes, idx)
  return encodeStatuses(bytes)
}

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body?: string
}

async function world(options: Partial<IssuerOptions> = {}, more: Partial<ValidatorOptions> = {}) {
  const time = new FakeTime()
  const key = signingKey('k1')
  const asked: string[] = []
  const it = {
    freshness: 'stale' as Freshness,
    keys: [key],
    lst: await lstOf(7),
    claims: {} as JsonObject,
    header: {} as JsonObject,
    answer: {} as Answer,
    away: false,
  }
  const list = () => {
    const iat = Math.floor(time.now() / 1000)
    const claims = { sub: uri, iat, exp: iat + 120, ttl: 60, status_list: { bits: 1, lst: it.lst }, ...it.claims }
    return jws(key, { typ: 'statuslist+jwt', alg: 'ES256', kid: 'k1', ...it.header }, claims)
  }
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    asked.push(url)
    if (url.endsWith('/openid-configuration')) return Response.json({ issuer, jwks_uri: `${issuer}/jwks` })
    if (url === `${issuer}/jwks`) return Response.json({ keys: it.keys.map(({ jwk }) => jwk) })
    if (it.away) throw new Error('away')
    const { status = 200, type = 'application/statuslist+jwt', body = list() } = it.answer
    return new Response(body, { status, headers: { 'content-type': type } })
  }
  const revocation = { isRevoked: () => false, freshness: () => it.freshness, age: () => 46_000 }
  const validator = createValidator({
    audience,
    issuers: [{ issuer, revocation, ...options }],
    time,
    fetch,
    serveStaleFor: 600,
    ...more,
  })
  await validator.whenReady()
  const mint = (status?: unknown) =>
    accessToken(key, claimsAt(time.now(), issuer, status === undefined ? {} : { status: status as JsonObject }))
  const say = async (token: string, presented: object = {}) => {
    const verdict = await validator.validate({ ...bearer(token), ...presented })
    return verdict.kind === 'ok' ? 'ok' : verdict.error.code
  }
  const at = (idx: number, place = uri) => mint({ status_list: { idx, uri: place } })
  const fetches = () => asked.filter((url) => url.includes('/status-lists/')).length
  return Object.assign(it, { time, key, validator, say, mint, at, fetches, asked })
}

test('While the first source is fresh no list is asked for', async () => {
  const it = await world()
  for (const freshness of ['live', 'lagging'] as const) {
    it.freshness = freshness
    assert.equal(await it.say(it.at(7)), 'ok')
  }
  assert.equal(it.fetches(), 0)
})

for (const freshness of ['stale', 'cold'] as const)
  test(`draft-ietf-oauth-status-list §8.3: when it is ${freshness} a list says what is valid and what is not`, async () => {
    const it = await world()
    it.freshness = freshness
    assert.equal(await it.say(it.at(6)), 'ok')
    assert.equal(await it.say(it.at(7)), 'token_revoked')
    // Beyond the end nothing is said, and that is a refusal, also where stale knowledge would be served.
    assert.equal(await it.say(it.at(64)), 'token_revoked')
    assert.equal(await it.say(it.at(2 ** 40), { onStale: 'serve' }), 'token_revoked')
    assert.equal(it.fetches(), 1)
  })

test('A token without a readable status is judged as before: refused, or served by who asked for it', async () => {
  const it = await world()
  for (const status of [undefined, {}, { status_list: { idx: -1, uri } }, { status_list: { idx: 1 } }]) {
    assert.equal(await it.say(it.mint(status)), 'revocation_state_stale')
    assert.equal(await it.say(it.mint(status), { onStale: 'serve' }), 'ok')
  }
  assert.equal(it.fetches(), 0)
})

test('A list is fetched once by many at a time, used for its ttl, and what was revoked since is then known', async () => {
  const it = await world()
  const token = it.at(5)
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 50 }, () => it.say(token)))), new Set(['ok']))
  assert.equal(it.fetches(), 1)
  it.lst = await lstOf(5)
  await it.time.advance(59_000)
  assert.equal(await it.say(token), 'ok')
  await it.time.advance(1_000)
  assert.equal(await it.say(token), 'token_revoked')
  assert.equal(it.fetches(), 2)
  // From memory it is a plain value.
  assert.equal(it.validator.validate(bearer(token)) instanceof Promise, false)
})

test('A list that could not be had is a fault until any list of the issuer is good, wherever it lies', async () => {
  const told: string[] = []
  const it = await world({}, { onTrouble: ({ message, state }) => void told.push(`${state}: ${message}`) })
  it.answer = { status: 404 }
  assert.equal(await it.say(it.at(5)), 'revocation_state_stale')
  const another = `${issuer}/status-lists/two`
  it.answer = { type: 'text/html' }
  assert.equal(await it.say(it.mint({ status_list: { idx: 5, uri: another } })), 'revocation_state_stale')
  assert.deepEqual(told, ['begun: /status-lists/one answers 404'])
  await it.time.advance(2_000)
  Object.assign(it, { answer: {}, claims: { sub: another } })
  assert.equal(await it.say(it.mint({ status_list: { idx: 5, uri: another } })), 'ok')
  assert.deepEqual(told.slice(1), ['over: /status-lists/one answers 404'])
})

test('The time that a cache kept a list for counts, but makes nobody ask without end', async () => {
  const it = await world()
  const old = Math.floor(it.time.now() / 1000) - 50
  it.claims = { iat: old, exp: old + 120 }
  assert.equal(await it.say(it.at(5)), 'ok')
  await it.time.advance(9_000)
  assert.equal(await it.say(it.at(5)), 'ok')
  assert.equal(it.fetches(), 1)
  await it.time.advance(1_000)
  assert.equal(await it.say(it.at(5)), 'ok')
  assert.equal(await it.say(it.at(5)), 'ok')
  assert.equal(it.fetches(), 2)
})

test('A list that cannot be had refuses with 503, is not asked for by every request, and is had when it is back', async () => {
  const it = await world()
  it.away = true
  assert.equal(await it.say(it.at(5)), 'revocation_state_stale')
  assert.equal(await it.say(it.at(5)), 'revocation_state_stale')
  assert.equal(await it.say(it.at(5), { onStale: 'serve' }), 'ok')
  assert.equal(it.fetches(), 1)
  it.away = false
  await it.time.advance(2_000)
  assert.equal(await it.say(it.at(5)), 'ok')
  // What is over and cannot be had again is used no longer.
  it.away = true
  await it.time.advance(60_000)
  assert.equal(await it.say(it.at(5)), 'revocation_state_stale')
})

test('What a list said was invalid stays so while none can be had; of others it says nothing', async () => {
  const it = await world()
  it.lst = await lstOf(5)
  const serve = { onStale: 'serve' }
  assert.deepEqual([await it.say(it.at(5), serve), await it.say(it.at(6), serve)], ['token_revoked', 'ok'])
  it.away = true
  await it.time.advance(60_000)
  for (const more of [serve, {}]) assert.equal(await it.say(it.at(5), more), 'token_revoked', JSON.stringify(more))
  assert.equal(await it.say(it.at(6), serve), 'ok')
  assert.equal(await it.say(it.at(64), serve), 'ok', 'a longer list may know it')
  assert.equal(await it.say(it.at(6)), 'revocation_state_stale')
})

const bomb = deflateSync(new Uint8Array(8 * 1024 * 1024)).toString('base64url')
const attacks: readonly (readonly [string, Partial<Awaited<ReturnType<typeof world>>>])[] = [
  ['of another address', { claims: { sub: `${issuer}/status-lists/two` } }],
  ['of another issuer', { claims: { iss: 'https://other.example' } }],
  ['that expired', { claims: { exp: 1_000 } }],
  ['of tomorrow', { claims: { iat: 4_000_000_000, exp: 4_000_000_060 } }],
  ['with ttl 0', { claims: { ttl: 0 } }],
  ['with three bits', { claims: { status_list: { bits: 3, lst: 'eNpjAAAAAQAB' } } }],
  ['that is an access token', { header: { typ: 'at+jwt' } }],
  ['without a type', { header: { typ: 'JWT' } }],
  ['signed with nothing', { header: { alg: 'none' } }],
  ['signed with a secret', { header: { alg: 'HS256' } }],
  ['signed with an unknown key', { header: { kid: 'k2' } }],
  ['with what nobody understands', { header: { crit: ['x'], x: 1 } }],
  ['that unpacks to eight megabytes', { lst: bomb }],
  ['that is not packed', { lst: 'AAAAAAAA' }],
  ['that is an error', { answer: { status: 404 } }],
  ['that is elsewhere', { answer: { status: 302 } }],
  ['of another media type', { answer: { type: 'text/html' } }],
  ['that is no JWT', { answer: { body: '<html>' } }],
  ['without end', { answer: { body: 'a'.repeat(2 * 1024 * 1024 + 1) } }],
]
for (const [what, wrong] of attacks)
  test(`draft-ietf-oauth-status-list §8.3: a list ${what} is not believed`, async () => {
    const it = await world()
    Object.assign(it, wrong)
    assert.equal(await it.say(it.at(5)), 'revocation_state_stale')
  })

test('A list that somebody altered on the way is not believed', async () => {
  const it = await world()
  const forged = signingKey('k1')
  const iat = Math.floor(it.time.now() / 1000)
  const claims = { sub: uri, iat, exp: iat + 120, ttl: 60, status_list: { bits: 1, lst: await lstOf() } }
  it.answer = { body: jws(forged, { typ: 'statuslist+jwt', alg: 'ES256', kid: 'k1' }, claims) }
  assert.equal(await it.say(it.at(7)), 'revocation_state_stale')
})

test('Lists are fetched from the origin of their issuer, or where its owner says that they lie', async () => {
  const strict = await world()
  for (const place of ['https://evil.example/list', 'http://as.example/list', `${uri}#x`, 'file:///etc/passwd', 'x'])
    assert.equal(await strict.say(strict.at(5, place)), 'revocation_state_stale')
  assert.equal(strict.asked.filter((url) => !url.startsWith(issuer)).length, 0)
  assert.equal(strict.fetches(), 0)
  const cdn = 'https://cdn.example/status-lists/one'
  const open = await world({ statusLists: { origins: ['https://cdn.example'] } })
  open.claims = { sub: cdn }
  assert.equal(await open.say(open.at(5, cdn)), 'ok')
  assert.equal(await open.say(open.at(5)), 'revocation_state_stale')
})

test('A key that was dropped is noticed with the list, because nobody else tells of it now', async () => {
  const it = await world()
  const token = it.at(5)
  assert.equal(await it.say(token), 'ok')
  it.keys = [signingKey('k3')]
  await it.time.advance(60_000)
  assert.notEqual(await it.say(token), 'ok')
})

test('Switched off, or where revocation is not followed, no list is asked for', async () => {
  const off = await world({ statusLists: false })
  assert.equal(await off.say(off.at(5)), 'revocation_state_stale')
  const none = await world({ revocation: 'none' })
  assert.equal(await none.say(none.at(7)), 'ok')
  assert.equal(off.fetches() + none.fetches(), 0)
})

test('As the only source: every token names its list, and is refused where none is named or it cannot be had', async () => {
  const it = await world({ revocation: 'status_lists' })
  assert.equal(await it.say(it.at(5)), 'ok')
  assert.equal(await it.say(it.at(7)), 'token_revoked')
  assert.equal(await it.say(it.mint()), 'token_malformed')
  assert.equal(await it.say(it.at(5), { onStale: 'serve' }), 'ok')
  it.away = true
  await it.time.advance(60_000)
  const away = err({ code: 'revocation_state_stale', status: 503, retryAfter: 5 })
  assert.deepEqual(await it.validator.validate(bearer(it.at(5))), away)
  const twoBits = await world({ revocation: 'status_lists' })
  // Valid, invalid, suspended, and what an application means by 3.
  const lst = await encodeStatuses(Uint8Array.of(0b11_10_01_00))
  twoBits.claims = { status_list: { bits: 2, lst } }
  const said = await Promise.all([0, 1, 2, 3].map((idx) => twoBits.say(twoBits.at(idx))))
  assert.deepEqual(said, ['ok', 'token_revoked', 'token_revoked', 'token_revoked'])
})

test('What a list said is known for work that outlives its request', async () => {
  const it = await world({ revocation: 'status_lists' })
  const verdict = await it.validator.validate(bearer(it.at(5)))
  assert.ok(verdict.kind === 'ok')
  assert.equal(it.validator.isRevoked?.(verdict.value), false)
  it.lst = await lstOf(5)
  await it.time.advance(60_000)
  assert.equal(await it.say(it.at(6)), 'ok')
  assert.equal(it.validator.isRevoked?.(verdict.value), true)
})

test('Options that leave no source, or name no origin, do not start', () => {
  const start = (options: Partial<IssuerOptions>) => () =>
    createValidator({ audience, issuers: [{ issuer, revocation: 'status_lists', ...options }] })
  assert.throws(start({ statusLists: false }), /only source/)
  assert.throws(start({ statusLists: { origins: ['https://cdn.example/x'] } }), /origins/)
  assert.throws(start({ statusLists: { origins: ['http://cdn.example'] } }), /origins/)
})

test('Whoever makes an issuer name addresses makes a validator ask 128 of them at once, and no more', async () => {
  const it = await world()
  const places = Array.from({ length: 130 }, (_, n) => it.at(1, `${issuer}/status-lists/made-up-${n}`))
  const said = await Promise.all(places.map((token) => it.say(token)))
  assert.deepEqual(new Set(said), new Set(['revocation_state_stale']))
  assert.equal(it.fetches(), 128)
})

test('What is decided on stale knowledge is counted by its policy', async () => {
  const counted: string[] = []
  const metrics = {
    count: (name: string, labels: object = {}) => void counted.push(`${name} ${JSON.stringify(labels)}`),
    observe() {},
    gauge() {},
  }
  const it = await world({ statusLists: false }, { metrics })
  await it.say(it.mint(), { onStale: 'serve' })
  it.freshness = 'live'
  await it.say(it.mint())
  assert.deepEqual(
    counted.filter((text) => text.startsWith('rs_stale')),
    ['rs_stale_decisions_total {"policy":"serve"}'],
  )
})

test('A list is used no longer than until its end and the leeway, whatever its ttl says', async () => {
  for (const [leeway, left] of [
    [undefined, 59],
    [5, 4],
  ] as const) {
    const it = await world({}, leeway === undefined ? {} : { leeway })
    it.claims = { exp: Math.floor(it.time.now() / 1000) - 1, ttl: 300 }
    assert.equal(await it.say(it.at(5)), 'ok')
    await it.time.advance(left * 1000 - 1)
    assert.equal(await it.say(it.at(5)), 'ok')
    assert.equal(it.fetches(), 1)
    await it.time.advance(1)
    await it.say(it.at(5))
    assert.equal(it.fetches(), 2)
  }
})

test('Where a list says no ttl it is used for five minutes, and for no longer where it says more', async () => {
  for (const ttl of [undefined, 300, 301, 86_400]) {
    const it = await world()
    it.claims = { ttl, exp: undefined } as unknown as JsonObject
    assert.equal(await it.say(it.at(5)), 'ok')
    await it.time.advance(299_999)
    await it.say(it.at(5))
    assert.equal(it.fetches(), 1, String(ttl))
    await it.time.advance(1)
    await it.say(it.at(5))
    assert.equal(it.fetches(), 2, String(ttl))
  }
})
