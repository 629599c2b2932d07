/** A validator from its beginning to its end: when it is ready, what it measures, and what it lets go of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { Metrics } from '../../src/metrics.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const names = ['https://one.example', 'https://two.example']

/** Issuers whose keys are ready when the test says so. */
function waiting(more: Partial<ValidatorOptions> = {}) {
  const states = names.map((issuer) => ({ issuer, ready: false, refreshed: 0, closed: 0 }))
  const issuers = states.map((state) => ({
    issuer: state.issuer,
    revocation: 'none' as const,
    keys: Object.assign(new GivenKeys({ keys: [] }), {
      ready: () => state.ready,
      refresh: async () => (state.refreshed += 1) > 0,
      close: () => void (state.closed += 1),
    }),
  }))
  return { states, validator: createValidator({ audience, issuers, time: new FakeTime(), ...more }) }
}

test('a validator is ready when the keys of every issuer are there, and whoever waits for it waits until then', async () => {
  const { states, validator } = waiting()
  assert.deepEqual(
    states.map(({ refreshed }) => refreshed),
    [1, 1],
    'it begins to read at once',
  )
  const [one, two] = states
  assert.ok(one && two)
  let isOver = false
  const ready = validator.whenReady().then(() => (isOver = true))
  assert.equal(validator.ready(), false)
  one.ready = true
  assert.equal(validator.ready(), false, 'the other is missing')
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  assert.equal(isOver, false)
  two.ready = true
  await ready
  assert.equal(validator.ready(), true)
  await validator.whenReady()
})

test('who waits for a validator that is closed is told so, and its keys are let go of', async () => {
  const { states, validator } = waiting()
  const ready = validator.whenReady()
  await validator.close()
  await assert.rejects(ready, /closed before it was ready/)
  assert.deepEqual(
    states.map(({ closed }) => closed),
    [1, 1],
  )
})

test('a validator with a feed is not ready before the feed has said anything', async () => {
  const { validator } = waiting({
    issuers: [
      {
        issuer: names[0] ?? '',
        credentials: { clientId: 'api', clientSecret: 'secret' },
        keys: new GivenKeys({ keys: [] }),
      },
    ],
    fetch: () => Promise.reject(new Error('away')),
    onTrouble() {},
  })
  assert.equal(validator.ready(), false)
  await validator.close()
})

test('how long it took to judge a token is measured by the way it was judged; a known one is counted, and what is no token neither', async () => {
  const time = new FakeTime()
  const issuer = createTestIssuer({ audience, time })
  const seen: (readonly [string, number, string | undefined] | string)[] = []
  const metrics: Metrics = {
    count: (name, _labels, by = 1) => void (by > 0 && seen.push(name)),
    gauge() {},
    observe: (name, value, labels) => void seen.push([name, value, labels?.['path']]),
  }
  // A millisecond passes between any two looks at the clock.
  time.monotonic = () => (time.mono += 1)
  const validator = createValidator({ audience, issuers: [issuer.trust], time, metrics })
  const token = issuer.mint()
  for (const presented of [bearer(token), bearer(token), bearer('a.b.c'), { authorization: undefined }])
    await validator.validate(presented)
  assert.deepEqual(seen, [
    ['rs_token_validation_seconds', 0.001, 'local'],
    'rs_token_cache_hits_total',
    ['rs_token_validation_seconds', 0.001, 'local'],
    'rs_auth_rejections_total',
    'rs_auth_rejections_total',
  ])
})

test('the age of the keys of each issuer is measured in seconds', async () => {
  const time = new FakeTime()
  const gauges = new Map<string, () => number>()
  const metrics: Metrics = {
    count() {},
    observe() {},
    gauge: (name, labels, read) => void gauges.set(`${name} ${labels?.['issuer']}`, read),
  }
  const key = signingKey('k1')
  const fetch = (async (url: string) =>
    Response.json(
      url.endsWith('/jwks') ? { keys: [key.jwk] } : { issuer: names[0], jwks_uri: `${names[0]}/jwks` },
    )) as typeof globalThis.fetch
  const issuers = [{ issuer: names[0] ?? '', revocation: 'none' as const }]
  const validator = createValidator({ audience, issuers, time, metrics, fetch })
  assert.equal(gauges.get(`rs_jwks_age_seconds ${names[0]}`)?.(), Infinity)
  await validator.whenReady()
  await time.advance(2500)
  assert.equal(gauges.get(`rs_jwks_age_seconds ${names[0]}`)?.(), 2.5)
  await validator.close()
})

test('a token of another issuer that has no id is known by its digest, each by its own', async () => {
  const time = new FakeTime()
  const key = signingKey('k1')
  const issuer = names[0] ?? ''
  const keys = new GivenKeys({ keys: [key.jwk] })
  const validator = createValidator({ audience, issuers: [{ issuer, revocation: 'none', keys, claims: {} }], time })
  const idOf = async (subject: string) => {
    const claims = claimsAt(time.wall, issuer, { jti: undefined as never, sub: subject })
    const verdict = await validator.validate(bearer(accessToken(key, claims)))
    assert.ok(verdict.kind === 'ok')
    return verdict.value.jti
  }
  const [one, two] = [await idOf('alice'), await idOf('bob')]
  for (const id of [one, two]) assert.match(id, /^sha256-[\w-]{43}$/)
  assert.notEqual(one, two)
})
