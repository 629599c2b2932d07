/** The validator as a whole, where the network is a function: warm path, cache, tenants, issuers, outages, records. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemTypes } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { Metrics } from '../../src/metrics.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { rejection, rejectionKinds, type RejectionCode } from '../../src/validate/rejections.ts'
import type { IssuerOptions, ValidatorOptions } from '../../src/validate/validator-options.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const word = (verdict: Verdict): string => (verdict.kind === 'ok' ? 'ok' : verdict.error.code)

function dev(more: Partial<ValidatorOptions> = {}) {
  const time = new FakeTime()
  const issuer = createTestIssuer({ audience, time })
  const validator = createValidator({ audience, issuers: [issuer.trust], time, ...more })
  const say = async (token: string, presented: object = {}) =>
    word(await validator.validate({ ...bearer(token), ...presented }))
  return { time, issuer, validator, say }
}

test('A caller is what the token says', async () => {
  const { issuer, validator } = dev()
  const token = issuer.mint({
    sub: 'alice',
    clientId: 'web',
    scope: ['orders:read', 'orders:write'],
    tenant: 'acme',
    claims: { grant_id: 'g' },
  })
  const verdict = await validator.validate(bearer(token))
  assert.ok(verdict.kind === 'ok')
  const { claims, jti, ...caller } = verdict.value
  assert.deepEqual(caller, {
    credential: 'access_token',
    issuer: 'https://issuer.test/t/acme',
    tenant: 'acme',
    subject: 'alice',
    clientId: 'web',
    scope: new Set(['orders:read', 'orders:write']),
    authorizationDetails: [],
    grantId: 'g',
    expiresAt: Date.parse('2026-11-15T10:10:00Z'),
  })
  assert.equal(claims['jti'], jti)
})

test('With keys at hand the answer is a value, not a promise: the first time and from memory', () => {
  const { issuer, validator } = dev()
  const token = issuer.mint()
  for (let n = 0; n < 2; n += 1) assert.equal(validator.validate(bearer(token)) instanceof Promise, false)
})

test('A token from memory is judged anew: it expires, and it can be revoked', async () => {
  const { issuer, say, time } = dev()
  const [dies, expires] = [issuer.mint(), issuer.mint({ expiresIn: 100 })]
  assert.deepEqual([await say(dies), await say(expires)], ['ok', 'ok'])
  issuer.revoke(dies)
  time.wall += 160_000
  assert.deepEqual([await say(dies), await say(expires)], ['token_revoked', 'token_expired'])
})

test('A token from memory is known by its whole header line: another form of the request is looked at as new', async () => {
  const { issuer, validator, say } = dev()
  const token = issuer.mint()
  assert.equal(await say(token), 'ok')
  const line = `Bearer ${token}`
  const forms: readonly (readonly [object, string])[] = [
    [{ authorization: [line] }, 'ok'],
    [{ authorization: line.replace('Bearer', 'bEARER') }, 'ok'],
    [{ authorization: [line, line] }, 'header_repeated'],
    [{ authorization: line, tokenElsewhere: true }, 'header_repeated'],
    [{ authorization: `${line} ` }, 'invalid_request'],
    [{ authorization: `Bearer  ${token}` }, 'invalid_request'],
    [{ authorization: `DPoP ${token}` }, 'proof_invalid'],
    [{ authorization: `${line}=` }, 'token_malformed'],
    [{ authorization: line.slice(0, -1) }, 'token_malformed'],
  ]
  for (const [presented, expected] of forms) {
    assert.equal(word(await validator.validate(presented as Parameters<typeof validator.validate>[0])), expected)
  }
})

test('A token from memory falls with its key', async () => {
  const time = new FakeTime()
  const [one, two] = [signingKey('one'), signingKey('two')]
  const keys = new GivenKeys({ keys: [one.jwk, two.jwk] })
  const validator = createValidator({
    audience,
    issuers: [{ issuer: 'https://as.example', keys, revocation: 'none' }],
    time,
  })
  const [first, second] = [one, two].map((key) => bearer(accessToken(key, claimsAt(time.wall, 'https://as.example'))))
  assert.ok(first !== undefined && second !== undefined)
  assert.deepEqual([word(await validator.validate(first)), word(await validator.validate(second))], ['ok', 'ok'])
  keys.replace({ keys: [one.jwk, two.jwk, signingKey('three').jwk] })
  assert.equal(validator.validate(first) instanceof Promise, false, 'a key that stays keeps its verdicts')
  keys.drop('one')
  assert.deepEqual(
    [word(await validator.validate(first)), word(await validator.validate(second))],
    ['unknown_signing_key', 'ok'],
  )
})

test('The cache is bounded, and what fell out of it is checked as if it were new', async () => {
  const { issuer, say } = dev({ cacheSize: 2 })
  const tokens = [issuer.mint(), issuer.mint(), issuer.mint()]
  for (const token of [...tokens, ...tokens]) assert.equal(await say(token), 'ok')
})

test('Tenants: the claim must agree with the issuer, and the request with the token', async () => {
  const { issuer, say } = dev()
  const of = (tenant: string | null, claims: JsonObject = {}) => issuer.mint({ tenant, claims })
  assert.equal(await say(of('acme')), 'ok')
  assert.equal(await say(of('acme'), { tenant: 'acme' }), 'ok')
  assert.equal(await say(of('acme'), { tenant: 'umbrella' }), 'tenant_mismatch')
  assert.equal(await say(of('acme'), { tenant: null }), 'tenant_mismatch')
  assert.equal(await say(of(null), { tenant: null }), 'ok')
  assert.equal(await say(of(null), { tenant: 'acme' }), 'tenant_mismatch')
  assert.equal(await say(of('acme', { tenant: 'umbrella' })), 'tenant_mismatch')
  assert.equal(await say(of(null, { tenant: 'acme' })), 'tenant_mismatch')
  for (const name of ['', '../x', 'A', 'a/b', 'a%2f', 'x'.repeat(65)]) {
    assert.equal(await say(of(null, { iss: `https://issuer.test/t/${name}`, tenant: name })), 'issuer_untrusted', name)
  }
})

test('A foreign issuer: its tokens are accepted, its tenant claim means nothing here, revocation is off by explicit choice', async () => {
  const time = new FakeTime()
  const key = signingKey('k')
  const foreign = { issuer: 'https://other.example', keys: new GivenKeys({ keys: [key.jwk] }) }
  const token = accessToken(key, claimsAt(time.wall, foreign.issuer, { tenant: 'acme' }))
  const caller = async (more: Partial<IssuerOptions>) => {
    const verdict = await createValidator({ audience, issuers: [{ ...foreign, ...more }], time }).validate(
      bearer(token),
    )
    return verdict.kind === 'ok' ? verdict.value.tenant : verdict.error.code
  }
  assert.equal(await caller({ revocation: 'none' }), null)
  assert.equal(await caller({ revocation: 'none', tenant: ({ tenant }) => `other-${tenant as string}` }), 'other-acme')
  assert.throws(() => createValidator({ audience, issuers: [foreign], time }), /revocation: 'none'/)
})

test('Two issuers: each is believed for its own tokens only', async () => {
  const time = new FakeTime()
  const [a, b] = [signingKey('same'), signingKey('same')]
  const issuers = [
    { issuer: 'https://a.example', keys: new GivenKeys({ keys: [a.jwk] }), revocation: 'none' as const },
    { issuer: 'https://b.example', keys: new GivenKeys({ keys: [b.jwk] }), revocation: 'none' as const },
  ]
  const validator = createValidator({ audience, issuers, time })
  const say = async (key: typeof a, iss: string) =>
    word(await validator.validate(bearer(accessToken(key, claimsAt(time.wall, iss)))))
  assert.equal(await say(a, 'https://a.example'), 'ok')
  assert.equal(await say(b, 'https://b.example'), 'ok')
  assert.equal(await say(a, 'https://b.example'), 'signature_invalid')
})

test('The issuer away before its keys were ever read: 503 with a time to retry, never 401', async () => {
  const time = new FakeTime()
  const key = signingKey('k')
  const issuer = 'https://as.example'
  const refused = () => Promise.reject(new TypeError('refused'))
  // What stands before it answers in its place: that is no word about an issuer that we were told of.
  const notFound = () => Promise.resolve(new Response(null, { status: 404 }))
  for (const [fetch, away] of [
    [refused, [issuer, `${issuer}/t/acme`]],
    [notFound, [issuer]],
  ] as const) {
    const issuers = [{ issuer, revocation: 'none' as const, tenants: true }]
    const validator = createValidator({ audience, issuers, time, fetch })
    for (const iss of away) {
      const verdict = await validator.validate(bearer(accessToken(key, claimsAt(time.wall, iss))))
      assert.deepEqual(verdict, err({ code: 'keys_unavailable', status: 503, retryAfter: 1 }))
    }
    assert.equal(validator.ready(), false)
    await validator.close()
  }
})

/** A deployment of a root and the tenant acme, with one key, whose host may know of nothing. */
function deployment(more: Partial<IssuerOptions> = {}) {
  const time = new FakeTime()
  const key = signingKey('k')
  const root = 'https://as.example'
  const acme = `${root}/t/acme`
  const state = { up: true, asked: 0 }
  const fetch = (async (url: string) => {
    state.asked += 1
    const at = [acme, root].find((one) => url.startsWith(one) && ['/jwks', openid].includes(url.slice(one.length)))
    if (!state.up || at === undefined) return new Response(null, { status: 404 })
    return Response.json(url.endsWith('/jwks') ? { keys: [key.jwk] } : { issuer: at, jwks_uri: `${at}/jwks` })
  }) as typeof globalThis.fetch
  const issuers = [{ issuer: root, revocation: 'none' as const, tenants: true, ...more }]
  const validator = createValidator({ audience, issuers, time, fetch, onTrouble: () => {} })
  const mint = (tenant: string | undefined, header: JsonObject = {}) => {
    const iss = tenant === undefined ? root : `${root}/t/${tenant}`
    return accessToken(key, claimsAt(time.wall, iss, { exp: 4e9, ...(tenant === undefined ? {} : { tenant }) }), header)
  }
  const say = async (token: string) => word(await validator.validate(bearer(token)))
  return { time, state, validator, mint, say, root }
}
const openid = '/.well-known/openid-configuration'

test('What a listener of refusals throws refuses nothing else, and ends nothing', async (t) => {
  const said = t.mock.method(console, 'error', () => {})
  const dev = createTestIssuer({ audience })
  const onRejection = () => {
    throw new Error('the log is closed')
  }
  const validator = createValidator({ audience, issuers: [dev.trust], onRejection })
  t.after(() => validator.close())
  const verdict = await validator.validate({ authorization: 'Bearer no.such.token' })
  assert.equal(verdict.kind, 'error')
  validator.record({ code: 'insufficient_scope', status: 401 })
  assert.equal(said.mock.callCount(), 2)
})

test('Work that needs no token any more may begin while another issuer is away', async (t) => {
  const dev = createTestIssuer({ audience })
  const keys = { ...dev.trust.keys, ready: () => false } as never
  const away = { issuer: 'https://away.example', keys, revocation: 'none' as const }
  const validator = createValidator({ audience, issuers: [dev.trust, away] })
  t.after(() => validator.close())
  assert.deepEqual([validator.ready(), validator.knowsRevocations?.()], [false, true])
})

test('An issuer that was there and is answered for with 404 is away: 503 for what it may have signed, and warm tokens go on', async (t) => {
  const { time, state, validator, mint, say } = deployment()
  t.after(() => validator.close())
  for (const tenant of [undefined, 'acme']) {
    state.up = true
    const warm = mint(tenant)
    assert.equal(await say(warm), 'ok')
    state.up = false
    for (const kid of ['forged-1', 'forged-2']) {
      time.mono += 1000
      assert.equal(await say(mint(tenant, { kid })), 'keys_unavailable')
      assert.deepEqual([await say(warm), await say(mint(tenant))], ['ok', 'ok'])
    }
  }
})

test('RFC 8725 §3.1: tokens without a signature name no tenant: none is looked for, and none pushed out', async (t) => {
  const { time, state, validator, mint, say } = deployment()
  t.after(() => validator.close())
  const warm = mint('acme')
  assert.equal(await say(warm), 'ok')
  const { asked } = state
  for (let n = 0; n < 1100; n += 1) {
    time.mono += 100
    assert.equal(await say(mint(`x${n}`, { alg: n % 2 === 0 ? 'none' : 'HS256' })), 'signature_invalid')
  }
  assert.deepEqual([state.asked, await say(warm), await say(mint('acme'))], [asked, 'ok', 'ok'])
})

test('Whether work of a tenant’s caller is to go on is told by its deployment, however busy that is with strangers', async (t) => {
  const revoked = new Set<string>()
  const revocation = {
    isRevoked: ({ jti }: { jti: string }) => revoked.has(jti),
    freshness: () => 'live' as const,
    age: () => 0,
  }
  const one = deployment({ revocation })
  const other = deployment({ revocation })
  t.after(() => Promise.all([one.validator.close(), other.validator.close()]))
  const verdict = await one.validator.validate(bearer(one.mint('acme')))
  assert.ok(verdict.kind === 'ok')
  for (let n = 0; n < 60; n += 1) await other.say(other.mint(`x${n}`))
  assert.equal(await other.say(other.mint('acme')), 'keys_unavailable')
  assert.equal(other.validator.isRevoked?.(verdict.value), false)
  revoked.add(verdict.value.jti)
  assert.equal(other.validator.isRevoked?.(verdict.value), true)
  assert.equal(other.validator.isRevoked?.({ ...verdict.value, issuer: 'https://stranger.example' }), false)
})

test('Strangers who make up tenants cost the server a bounded number of questions', async () => {
  const time = new FakeTime()
  let asked = 0
  const fetch = (() => {
    asked += 1
    return Promise.resolve(new Response(null, { status: 404 }))
  }) as typeof globalThis.fetch
  const issuer = 'https://as.example'
  const validator = createValidator({ audience, issuers: [{ issuer, revocation: 'none', tenants: true }], time, fetch })
  const key = signingKey('k')
  const codes = new Map<string, number>()
  for (let n = 0; n < 300; n += 1) {
    const iss = `${issuer}/t/made-up-${n}`
    const code = word(
      await validator.validate(bearer(accessToken(key, claimsAt(time.wall, iss, { tenant: `made-up-${n}` })))),
    )
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  assert.ok(asked <= 2 * 51 + 2, `${asked} questions`)
  assert.deepEqual([...codes.keys()].sort(), ['issuer_untrusted', 'keys_unavailable'])
  await validator.close()
})

test('Every refusal is counted by its code and told to the log; callers are named only where the token was genuine', async () => {
  const counts: string[] = []
  const metrics: Metrics = {
    count: (name, labels, by = 1) => by > 0 && counts.push(`${name} ${labels?.['code']}`),
    observe() {},
    gauge() {},
  }
  const heard: [RejectionCode, string | null][] = []
  const { issuer, say, validator } = dev({
    metrics,
    onRejection: ({ code }, caller) => heard.push([code, caller?.subject ?? null]),
  })
  await say(issuer.mint({ sub: 'alice', expiresIn: -100 }))
  await say('a.b.c')
  const good = await validator.validate(bearer(issuer.mint({ sub: 'bob' })))
  assert.ok(good.kind === 'ok')
  validator.record(rejection('insufficient_scope'), good.value)
  assert.deepEqual(heard, [
    ['token_expired', 'alice'],
    ['token_malformed', null],
    ['insufficient_scope', 'bob'],
  ])
  assert.deepEqual(
    counts,
    heard.map(([code]) => `rs_auth_rejections_total ${code}`),
  )
})

test('RFC 6750 §3: descriptions are ASCII without quotes or backslashes, and every code has its status', () => {
  for (const [code, kind] of Object.entries(rejectionKinds)) {
    assert.match(code, /^[a-z_]+$/)
    assert.match(kind.description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    const isNoWord = kind.error === null && code !== 'token_missing'
    assert.equal((kind.status as number) === 503 || (kind.status as number) === 429, isNoWord)
  }
})

const incoherent: Record<string, Partial<ValidatorOptions> & { issuer?: Partial<IssuerOptions> }> = {
  'no audience': { audience: '' },
  'no issuer': { issuers: [] },
  'a leeway of an hour': { leeway: 3600 },
  'an introspection cache beyond the bound': { introspectionCache: 60 },
  'a plain address': { issuer: { issuer: 'http://as.example' } },
  'a slash at the end': { issuer: { issuer: 'https://as.example/x/' } },
  'staleness beyond the bound': { issuer: { feed: { maxStaleness: 90 } } },
  'a feed without credentials': { issuer: { revocation: 'feed' } },
  'introspection without credentials': { issuer: { introspection: true } },
  'reports without credentials': { issuer: { reports: true } },
}
for (const [what, { issuer, ...options }] of Object.entries(incoherent)) {
  test(`A validator with ${what} does not start`, () => {
    const issuers = [{ issuer: 'https://as.example', revocation: 'none' as const, ...issuer }]
    assert.throws(() => createValidator({ audience, issuers, ...options }), TypeError)
  })
}

test('every refusal has a type of problem that names its code', () => {
  const codes = new Set<string>(Object.values(problemTypes).flatMap(({ codes: of }): readonly string[] => of))
  for (const code of Object.keys(rejectionKinds)) assert.ok(codes.has(code), code)
})
