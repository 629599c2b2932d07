/** The feed from server to verdict, over real HTTP with clocks that the test moves (vectors V1–V8, V12–V15). */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { err } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { type Metrics, noMetrics } from '../../src/metrics.ts'
import { FeedRelay } from '../../src/revocation/feed-relay.ts'
import type { IssuerOptions, ValidatorOptions } from '../../src/validate/validator-options.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import { createValidator, type Validator } from '../../src/validate/validator.ts'
import { FakeAuthority } from '../fake-authority.ts'
import { eventually, FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, jws, signingKey, type SigningKey } from '../tokens.ts'

const credentials = { clientId: 'orders', clientSecret: 'a-secret-of-32-or-more-characters-long' }

interface Scene {
  readonly time: FakeTime
  readonly key: SigningKey
  readonly authority: FakeAuthority
  readonly validator: Validator
  /** A token of the root, or of whatever issuer the claims name. */
  token(more?: JsonObject): string
  verdict(token: string): Promise<string>
}

async function scene(
  t: TestContext,
  issuer: Partial<IssuerOptions> = {},
  more: Partial<ValidatorOptions> = {},
): Promise<Scene> {
  const time = new FakeTime()
  const key = signingKey('k1')
  const authority = await FakeAuthority.start(time, key)
  const issuers = [{ issuer: authority.issuer, tenants: true, credentials, ...issuer }]
  const validator = createValidator({ audience, issuers, time, random: () => 0.5, ...more })
  t.after(async () => {
    await Promise.all([validator.close(), authority.stop()])
  })
  const token = (claims: JsonObject = {}) => accessToken(key, claimsAt(time.wall, authority.issuer, claims))
  const verdict = async (presented: string) => word(await validator.validate(bearer(presented)))
  return { time, key, authority, validator, token, verdict }
}

const word = (verdict: Verdict): string => (verdict.kind === 'ok' ? 'ok' : verdict.error.code)
const ready = ({ validator, authority }: Scene) =>
  eventually('the validator is ready and on the stream', () => validator.ready() && authority.streams.size > 0)

/** Moves time in steps, the server sending its heartbeat at each. */
async function live({ time, authority }: Scene, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    await time.advance(5000)
    authority.heartbeat()
    await eventually('the heartbeat is on its way', () => true)
  }
}

test('a revoked token is refused by every validator as soon as the event arrives', async (t) => {
  const s = await scene(t)
  await ready(s)
  const others = Array.from({ length: 20 }, () =>
    createValidator({
      audience,
      issuers: [{ issuer: s.authority.issuer, tenants: true, credentials }],
      time: s.time,
    }),
  )
  t.after(() => Promise.all(others.map((validator) => validator.close())))
  await eventually(
    'all are ready',
    () => s.authority.streams.size === 21 && others.every((validator) => validator.ready()),
  )
  const token = s.token({ jti: 'dead' })
  const all = [s.validator, ...others]
  const words = async () => Promise.all(all.map(async (validator) => word(await validator.validate(bearer(token)))))
  assert.deepEqual(new Set(await words()), new Set(['ok']))
  s.authority.revoke('dead')
  await eventually('all refuse', async () => (await words()).every((said) => said === 'token_revoked'))
  assert.equal(await s.verdict(s.token()), 'ok')
})

test('cut off from the feed, a validator accepts no longer than 60 s after a revocation, then says 503, never 401', async (t) => {
  const s = await scene(t)
  await ready(s)
  const token = s.token({ jti: 'dead' })
  s.authority.silent = true
  s.authority.broken.add('/revocations/changes')
  s.authority.revoke('dead')
  let lastAccepted = 0
  for (let second = 1; second <= 600; second += 1) {
    await s.time.advance(1000)
    const said = await s.verdict(token)
    if (said === 'ok') lastAccepted = second
    else assert.equal(said, second < 660 ? 'revocation_state_stale' : 'token_expired')
  }
  assert.ok(lastAccepted >= 40 && lastAccepted <= 46, `accepted until ${lastAccepted} s`)
})

test('a validator that can accept nothing says so, and what came by lists or was asked about counts until the issuer is away', async (t) => {
  const s = await scene(t, { reports: false }, { onTrouble() {} })
  await ready(s)
  const may = () => s.validator.canAccept?.()
  assert.equal(may(), true)
  s.authority.silent = true
  s.authority.broken.add('/revocations/changes')
  await s.time.advance(50_000)
  assert.deepEqual([may(), s.validator.ready(), await s.verdict(s.token())], [false, true, 'revocation_state_stale'])
  assert.equal(s.validator.canAccept?.(['introspect']), true)
  const { authority } = s
  authority.opaque.set('ga_known', { active: true, ...claimsAt(s.time.wall, authority.issuer) })
  assert.equal(await s.verdict('ga_known'), 'ok')
  assert.equal(may(), true, 'opaque tokens are asked about')
  await authority.stop()
  await eventually('its host is away', async () => {
    await s.time.advance(1000)
    return may() === false
  })
  assert.equal(s.validator.canAccept?.(['introspect']), false)
})

test('when the stream is silent but pages are served, the page brings the revocation', async (t) => {
  const s = await scene(t)
  await ready(s)
  const token = s.token({ jti: 'dead' })
  s.authority.silent = true
  s.authority.revoke('dead')
  await s.time.advance(14_000)
  assert.equal(await s.verdict(token), 'ok')
  await s.time.advance(5000)
  await eventually('the page is read', async () => (await s.verdict(token)) === 'token_revoked')
})

test('a server that dies in a burst of 10 000 revocations is resumed without a gap', async (t) => {
  const s = await scene(t)
  await ready(s)
  const tokens = Array.from({ length: 20 }, (_, n) => s.token({ jti: `dead-${n * 500}` }))
  const { port } = s.authority
  for (let n = 0; n < 10_000; n += 1) {
    s.authority.revoke(`dead-${n}`)
    if (n === 4000) s.authority.cutStreams()
  }
  await s.authority.stop()
  await s.authority.listen(port)
  const allRefused = async () => {
    await s.time.advance(500)
    return (await Promise.all(tokens.map((token) => s.verdict(token)))).every((said) => said === 'token_revoked')
  }
  await eventually('every revoked token is refused', allRefused)
})

for (const [why, forget] of [
  ['the cursor is older than the log', (authority: FakeAuthority) => (authority.forgotten = authority.head)],
  ['the log was rebuilt', (authority: FakeAuthority) => (authority.epoch = 'e2')],
] as const) {
  test(`when ${why}, the validator resets, takes the snapshot and its tail, and forgets nothing`, async (t) => {
    const s = await scene(t)
    await ready(s)
    const early = s.token({ jti: 'early' })
    s.authority.revoke('early')
    await eventually('the first is refused', async () => (await s.verdict(early)) === 'token_revoked')
    s.authority.cutStreams()
    const late = s.token({ jti: 'late' })
    s.authority.silent = true
    s.authority.revoke('late')
    s.authority.silent = false
    forget(s.authority)
    const snapshots = s.authority.count('/revocations/snapshot')
    await eventually('the second is refused', async () => {
      await s.time.advance(200)
      return (await s.verdict(late)) === 'token_revoked'
    })
    assert.ok(s.authority.count('/revocations/snapshot') > snapshots)
    assert.equal(await s.verdict(early), 'token_revoked')
  })
}

test('a key that was dropped while the validator was cut off beyond the log is dead when it is back', async (t) => {
  const s = await scene(t)
  const second = signingKey('k2')
  s.authority.keys.unshift(second)
  await ready(s)
  const token = s.token()
  assert.equal(await s.verdict(token), 'ok')
  s.authority.cutStreams()
  s.authority.keys = [second]
  s.authority.head += 1
  s.authority.forgotten = s.authority.head
  const snapshots = s.authority.count('/revocations/snapshot')
  await eventually('it started over', async () => {
    await s.time.advance(200)
    return s.authority.count('/revocations/snapshot') > snapshots && s.authority.streams.size > 0
  })
  await eventually('the key is dead', async () => (await s.verdict(token)) === 'unknown_signing_key')
})

test('duplicated and reordered events are applied, and a gap is noticed and filled', async (t) => {
  const s = await scene(t)
  await ready(s)
  const tokens = ['a', 'b', 'c'].map((jti) => s.token({ jti }))
  s.authority.silent = true
  for (const jti of ['a', 'b', 'c']) s.authority.revoke(jti)
  s.authority.silent = false
  // Only the last is delivered, twice: the two before it are missing.
  const frame = 'id: e1.3\nevent: revoke\ndata: {"p":2,"ts":1794700800123,"jti":"c","x":9999999999}\n\n'
  s.authority.send(frame + frame)
  await eventually('all are refused', async () => {
    await s.time.advance(100)
    return (await Promise.all(tokens.map((token) => s.verdict(token)))).every((said) => said === 'token_revoked')
  })
})

test('A word of the feed that this version does not know ends the stream: it might be a revocation', async (t) => {
  const s = await scene(t)
  await ready(s)
  const before = s.authority.count('/revocations/stream')
  s.authority.send('id: e1.1\nevent: purge\ndata: {"p":0,"ts":1}\n\n')
  await eventually('it connects again', async () => {
    await s.time.advance(100)
    return s.authority.count('/revocations/stream') > before
  })
})

test('the second valid form of an ECDSA signature does not outlive the revocation of the first', async (t) => {
  const s = await scene(t)
  await ready(s)
  const token = s.token({ jti: 'dead' })
  const twin = malleated(token)
  assert.notEqual(twin, token)
  assert.equal(await s.verdict(twin), 'ok')
  s.authority.revoke('dead')
  await eventually('the first is refused', async () => (await s.verdict(token)) === 'token_revoked')
  assert.equal(await s.verdict(twin), 'token_revoked')
})

/** (r, s) and (r, n − s) verify alike. */
function malleated(token: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const [header, payload, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const other = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other.toString(16).padStart(64, '0'), 'hex')])
  return `${header}.${payload}.${twin.toString('base64url')}`
}

test('a token of the second of a cutoff is dead, one of the next second is accepted', async (t) => {
  const s = await scene(t)
  await ready(s)
  const now = s.time.wall
  const issuedUpTo = (Math.floor(now / 1000) * 1000) as Instant
  const until = (now + 600_000) as Instant
  s.authority.publish({
    kind: 'cutoff',
    tenant: null,
    dimension: 'subject',
    key: 'alice',
    at: now as Instant,
    issuedUpTo,
    until,
  })
  const same = s.token()
  await eventually('the same second is refused', async () => (await s.verdict(same)) === 'token_revoked')
  assert.equal(await s.verdict(s.token({ iat: issuedUpTo / 1000 + 1 })), 'ok')
  assert.equal(await s.verdict(s.token({ sub: 'bob' })), 'ok')
})

test('stepping the wall clock by ten minutes either way changes nothing about freshness', async (t) => {
  const s = await scene(t)
  await ready(s)
  for (const step of [600_000, -600_000]) {
    s.time.wall += step
    assert.equal(await s.verdict(s.token()), 'ok')
    await live(s, 10)
    assert.equal(await s.verdict(s.token()), 'ok')
  }
})

test('a clock that stepped forward and back has not made the view forget', async (t) => {
  const s = await scene(t)
  await ready(s)
  const token = s.token({ jti: 'dead' })
  s.authority.revoke('dead')
  await eventually('it is refused', async () => (await s.verdict(token)) === 'token_revoked')
  s.time.wall += 3_600_000
  await live(s, 10)
  s.time.wall -= 3_600_000
  assert.equal(await s.verdict(token), 'token_revoked')
})

test('an opaque token that was answered from memory is refused as soon as its revocation arrives', async (t) => {
  const s = await scene(t)
  await ready(s)
  s.authority.opaque.set('ga_one', { active: true, ...claimsAt(s.time.wall, s.authority.issuer, { jti: 'opaque-1' }) })
  assert.equal(await s.verdict('ga_one'), 'ok')
  const asked = s.authority.count('/introspect')
  assert.equal(await s.verdict('ga_one'), 'ok')
  assert.equal(s.authority.count('/introspect'), asked)
  s.authority.revoke('opaque-1')
  await eventually('it is refused', async () => (await s.verdict('ga_one')) === 'token_revoked')
  assert.equal(s.authority.count('/introspect'), asked)
})

test('tokens of a dropped key are refused at once, although the key set still publishes it; other keys work on', async (t) => {
  const s = await scene(t)
  const second = signingKey('k2')
  s.authority.keys.push(second)
  await ready(s)
  const old = s.token()
  const other = accessToken(second, claimsAt(s.time.wall, s.authority.issuer))
  assert.equal(await s.verdict(old), 'ok')
  assert.equal(await s.verdict(other), 'ok')
  s.authority.publish({ kind: 'key', tenant: null, kid: 'k1', action: 'dropped', at: s.time.now() })
  await eventually('the old one is refused', async () => (await s.verdict(old)) === 'unknown_signing_key')
  assert.equal(await s.verdict(other), 'ok')
})

test('A key that is announced on the feed is known before its first token comes', async (t) => {
  const s = await scene(t)
  await ready(s)
  const next = signingKey('k2')
  s.authority.keys.push(next)
  s.authority.publish({ kind: 'key', tenant: null, kid: 'k2', action: 'published', at: s.time.now() })
  const reads = s.authority.count('/jwks')
  await eventually('the set is read again', async () => {
    await s.time.advance(100)
    return s.authority.count('/jwks') > reads
  })
  const token = accessToken(next, claimsAt(s.time.wall, s.authority.issuer))
  await eventually('the key is known without asking', () => !(s.validator.validate(bearer(token)) instanceof Promise))
})

test('a reader whose connection the server cut because it was slow resumes where it was', async (t) => {
  const s = await scene(t)
  await ready(s)
  const token = s.token({ jti: 'dead' })
  // What a server does at 1 MB of unread bytes: it cuts in the middle of an event.
  s.authority.send('id: e1.1\nevent: revoke\ndata: {"p":0,"ts":17947')
  s.authority.cutStreams()
  s.authority.revoke('dead')
  await eventually('it resumes', async () => {
    await s.time.advance(100)
    return (await s.verdict(token)) === 'token_revoked'
  })
})

test('The root feed carries all tenants: a revocation of one does not touch another', async (t) => {
  const s = await scene(t)
  const acme = signingKey('ka')
  const umbrella = signingKey('ku')
  s.authority.tenants.set('acme', acme).set('umbrella', umbrella)
  await ready(s)
  const of = (name: string, key: SigningKey) =>
    accessToken(key, claimsAt(s.time.wall, `${s.authority.issuer}/t/${name}`, { tenant: name, jti: 'same' }))
  const [one, other] = [of('acme', acme), of('umbrella', umbrella)]
  assert.deepEqual([await s.verdict(one), await s.verdict(other)], ['ok', 'ok'])
  s.authority.revoke('same', 'acme')
  await eventually('the one is refused', async () => (await s.verdict(one)) === 'token_revoked')
  assert.equal(await s.verdict(other), 'ok')
})

test('Not ready, and 503, before the first snapshot; ready after it', async (t) => {
  const time = new FakeTime()
  const key = signingKey('k1')
  const authority = await FakeAuthority.start(time, key)
  authority.broken.add('/revocations/snapshot')
  const validator = createValidator({ audience, issuers: [{ issuer: authority.issuer, credentials }], time })
  t.after(() => Promise.all([validator.close(), authority.stop()]))
  const token = accessToken(key, claimsAt(time.wall, authority.issuer))
  await eventually('the snapshot was asked for', () => authority.count('/revocations/snapshot') > 0)
  for (const onStale of ['refuse', 'serve'] as const) {
    const verdict = await validator.validate({ ...bearer(token), onStale })
    assert.deepEqual(verdict, err({ code: 'revocation_state_stale', status: 503, retryAfter: 5 }))
  }
  assert.equal(validator.ready(), false)
  authority.broken.clear()
  await eventually('ready', async () => {
    await time.advance(200)
    return validator.ready()
  })
  assert.equal(word(await validator.validate(bearer(token))), 'ok')
})

const forgeries: Record<string, (s: { key: SigningKey; authority: FakeAuthority; time: FakeTime }) => string> = {
  'signed by a stranger': ({ authority }) =>
    jws(signingKey('k1'), { typ: 'revsnap+jwt', alg: 'ES256', kid: 'k1' }, authority.snapshotClaims()),
  'of another type': ({ key, authority }) =>
    jws(key, { typ: 'at+jwt', alg: 'ES256', kid: 'k1' }, authority.snapshotClaims()),
  'of another issuer': ({ key, authority }) =>
    jws(
      key,
      { typ: 'revsnap+jwt', alg: 'ES256', kid: 'k1' },
      { ...authority.snapshotClaims(), iss: 'https://other.example' },
    ),
  'two hours old': ({ key, authority, time }) =>
    jws(
      key,
      { typ: 'revsnap+jwt', alg: 'ES256', kid: 'k1' },
      { ...authority.snapshotClaims(), iat: time.wall / 1000 - 7200 },
    ),
  'with an entry that cannot be read': ({ key, authority }) =>
    jws(
      key,
      { typ: 'revsnap+jwt', alg: 'ES256', kid: 'k1' },
      { ...authority.snapshotClaims(), cutoffs: [{ d: 'galaxy' }] },
    ),
  'no JWT at all': () => 'garbage',
}
for (const [what, forge] of Object.entries(forgeries)) {
  test(`A snapshot ${what} is not believed: the validator does not become ready by it`, async (t) => {
    const time = new FakeTime()
    const key = signingKey('k1')
    const authority = await FakeAuthority.start(time, key)
    authority.snapshotOverride = forge({ key, authority, time })
    const validator = createValidator({ audience, issuers: [{ issuer: authority.issuer, credentials }], time })
    t.after(() => Promise.all([validator.close(), authority.stop()]))
    await eventually('it tried thrice', async () => {
      await time.advance(500)
      return authority.count('/revocations/snapshot') >= 3
    })
    assert.equal(validator.ready(), false)
    assert.equal(authority.count('/revocations/stream'), 0)
  })
}

test('A stale view refuses, introspects or serves, as the route says; what it knows to be dead stays dead', async (t) => {
  const s = await scene(t, {}, { serveStaleFor: 600 })
  await ready(s)
  const token = s.token({ jti: 'alive' })
  const dead = s.token({ jti: 'dead' })
  s.authority.revoke('dead')
  await eventually('it is refused', async () => (await s.verdict(dead)) === 'token_revoked')
  s.authority.silent = true
  s.authority.broken.add('/revocations/changes')
  await s.time.advance(60_000)
  const say = async (presented: string, onStale: 'refuse' | 'introspect' | 'serve') =>
    word(await s.validator.validate({ ...bearer(presented), onStale }))
  assert.equal(await say(token, 'refuse'), 'revocation_state_stale')
  assert.equal(await say(token, 'serve'), 'ok')
  assert.equal(await say(dead, 'serve'), 'token_revoked')
  assert.equal(await say(token, 'introspect'), 'token_revoked', 'the issuer does not know it as active')
  await s.time.advance(6000)
  s.authority.opaque.set(token, { active: true })
  assert.equal(await say(token, 'introspect'), 'ok')
  s.authority.broken.add('/introspect')
  await s.time.advance(6000)
  assert.equal(await say(token, 'introspect'), 'revocation_state_stale')
})

test('By pages alone (a network that cuts streams) revocations arrive too', async (t) => {
  const s = await scene(t, { feed: { transport: 'poll' } })
  await eventually('ready', () => s.validator.ready())
  const token = s.token({ jti: 'dead' })
  s.authority.revoke('dead')
  await eventually('it is refused', async () => {
    await s.time.advance(100)
    return (await s.verdict(token)) === 'token_revoked'
  })
  assert.equal(s.authority.count('/revocations/stream'), 0)
})

test("Over a fetch of one's own the feed works as well, and a stream that is given up is closed", async (t) => {
  const s = await scene(t, {}, { fetch: globalThis.fetch })
  await ready(s)
  const token = s.token({ jti: 'dead' })
  assert.equal(await s.verdict(token), 'ok')
  const [first] = s.authority.streams
  s.authority.send('id: e1.1\nevent: purge\ndata: {"p":0,"ts":1}\n\n')
  s.authority.silent = true
  s.authority.revoke('dead')
  s.authority.silent = false
  await eventually('it is refused', async () => {
    await s.time.advance(100)
    return (await s.verdict(token)) === 'token_revoked'
  })
  assert.ok(first !== undefined)
  await eventually('the first stream is closed', () => !s.authority.streams.has(first))
})

for (const [what, issuer, more, seconds] of [
  // By a status list that a cache kept.
  ['as nothing else is said', {}, {}, 120],
  ['how old the view may be, with lists beside it', { feed: { maxStaleness: 20 } }, {}, 120],
  ['that no lists are looked at', { statusLists: false }, {}, 45],
  ['how old the view may be', { feed: { maxStaleness: 20 }, statusLists: false }, {}, 20],
  ['that stale state is served', {}, { onStale: 'serve' }, 600],
  ['for how long it is served', { statusLists: false }, { onStale: 'serve', serveStaleFor: 100 }, 100],
  [
    'that it is served for less than the view may be old',
    { statusLists: false },
    { onStale: 'serve', serveStaleFor: 30 },
    45,
  ],
  ['for how long routes may be served', { statusLists: false }, { serveStaleFor: 100 }, 100],
] as const)
  test(`the issuer is told after how many seconds nothing is accepted here: ${what}, ${seconds}`, async (t) => {
    const s = await scene(t, issuer, more)
    await eventually('it was told', () => s.authority.acknowledged.length > 0)
    assert.equal(s.authority.acknowledged[0]?.get('closes_after'), String(seconds))
    assert.equal(s.authority.acknowledged[0]?.get('position'), 'e1.0')
  })

test('a validator that is not to acknowledge does not, and one that is closed says goodbye', async (t) => {
  const quiet = await scene(t, { feed: { acknowledge: false } })
  const s = await scene(t)
  await Promise.all([ready(quiet), ready(s)])
  await eventually('the other was told', () => s.authority.acknowledged.length > 0)
  await Promise.all([quiet.validator.close(), s.validator.close()])
  assert.equal(quiet.authority.acknowledged.length, 0)
  assert.equal(s.authority.acknowledged.at(-1)?.get('leaves'), 'true')
})

for (const [what, issuer, scopes] of [
  ['feed and reports', {}, ['revocations:read events:report']],
  ['the feed alone', { reports: false }, ['revocations:read']],
  ['reports alone', { revocation: 'none', reports: true }, ['events:report']],
  ['neither', { revocation: 'none' }, []],
] as const)
  test(`for ${what} a validator asks for as much as it needs`, async (t) => {
    const s = await scene(t, issuer)
    await eventually('the validator is ready', () => s.validator.ready())
    await s.verdict(s.token({ aud: 'https://other.example' }))
    await s.validator.close()
    assert.deepEqual(s.authority.scopes, scopes)
  })

test('a relay that a validator is given answers as it does, and hands acknowledgements on to where its feed is read', async (t) => {
  const relay = new FeedRelay(new FakeTime())
  const s = await scene(t, { feed: { relay } })
  await ready(s)
  assert.equal(relay.freshness(), 'live')
  assert.equal((await relay.snapshot())?.split('.').length, 3)
  const before = s.authority.acknowledged.length
  assert.equal((await relay.acknowledge('validator=another', 'Bearer its-own'))?.status, 204)
  const found = s.authority.acknowledged.slice(before).map((it) => it.get('validator'))
  assert.ok(found.includes('another'))
})

test('the feed is read where it is said to be, and believed as the issuer’s', async (t) => {
  const time = new FakeTime()
  const other = await FakeAuthority.start(time, signingKey('k2'))
  t.after(() => other.stop())
  const s = await scene(t, { feed: { address: other.issuer }, reports: false })
  await eventually('the other is asked', () => other.count('/revocations/snapshot') > 0)
  assert.equal(s.authority.count('/revocations/snapshot'), 0)
  assert.equal(s.validator.ready(), false, 'what another signed is not believed')
})

test('what is of no concern here takes no room: without tenants only what is said of the root', async (t) => {
  for (const [tenants, entries] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const gauges = new Map<string, () => number>()
    const metrics: Metrics = { ...noMetrics, gauge: (name, _, read) => void gauges.set(name, read) }
    const s = await scene(t, { tenants }, { metrics })
    await ready(s)
    s.authority.revoke('a')
    s.authority.revoke('b', 'acme')
    s.authority.heartbeat()
    await eventually('it is there', () => gauges.get('rs_revocation_entries')?.() === entries)
    await s.validator.close()
  }
})

test('a view has as much room as it is given; beyond, it revokes more, and that is counted', async (t) => {
  const counted: string[] = []
  const metrics: Metrics = { ...noMetrics, count: (name) => void counted.push(name) }
  const s = await scene(t, { feed: { capacity: 4 } }, { metrics })
  await ready(s)
  const innocent = s.token()
  assert.equal(await s.verdict(innocent), 'ok')
  for (let n = 0; n < 5; n += 1) s.authority.revoke(`t${n}`)
  await eventually('it overflowed', () => counted.includes('rs_revocation_escalations_total'))
  assert.equal(await s.verdict(innocent), 'token_revoked')
})
