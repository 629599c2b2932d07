/** A validator and what is wrong with its issuer: over when it is over, and none of it made up by whoever names tenants. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { eventually, FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const key = signingKey('k1')
const forger = signingKey('forged')
const openid = '/.well-known/openid-configuration'
const credentials = { clientId: 'api', clientSecret: 'secret' }

/** What lies at an address: a document, a status of failure, or a host that is away. */
type Answer = object | number | 'away'

const metadata = (of = issuer, more: object = {}) => ({ issuer: of, jwks_uri: `${of}/jwks`, ...more })
const keySet = { keys: [key.jwk] }
const whole = (of = issuer): readonly (readonly [string, Answer])[] => [
  [of + openid, metadata(of)],
  [`${of}/jwks`, keySet],
]

function scene(t: { after(end: () => Promise<void>): void }, more: Partial<IssuerOptions> = {}) {
  const time = new FakeTime()
  const told: string[] = []
  /** By address. What is not here is 404. */
  const places = new Map<string, Answer>()
  const fetch = (async (url: string) => {
    const answer = places.get(url) ?? 404
    if (answer === 'away') throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return typeof answer === 'number' ? new Response(null, { status: answer }) : Response.json(answer)
  }) as unknown as typeof globalThis.fetch
  const open = () => {
    const validator = createValidator({
      audience,
      time,
      fetch,
      random: () => 0.5,
      issuers: [{ issuer, revocation: 'none', ...more }],
      onTrouble: ({ message, state }) => void told.push(state === 'begun' ? message : `over: ${message}`),
    })
    t.after(() => validator.close())
    const ask = async (by = key, at = issuer, tenant?: string) => {
      const claims = claimsAt(time.wall, at, tenant === undefined ? {} : { tenant })
      const verdict = await validator.validate(bearer(accessToken(by, claims)))
      return verdict.kind === 'ok' ? 'accepted' : verdict.error.code
    }
    return { validator, ask }
  }
  const put = (...answers: readonly (readonly [string, Answer])[]) => {
    for (const [at, answer] of answers) places.set(at, answer)
  }
  return { time, told, places, put, open }
}

const absent = 'there are no metadata (404): is this the issuer, letter by letter?'

for (const [what, answer] of [
  ['is not there', 404],
  ['cannot be told', 500],
  ['is too often asked for', 429],
  ['says to be another', metadata()],
] as const)
  test(`a tenant that a token names and that ${what} is no fault, and hides none`, async (t) => {
    const { time, told, put, open } = scene(t, { tenants: true })
    put(...whole())
    const { validator, ask } = open()
    assert.equal(await ask(), 'accepted')
    for (let n = 0; n < 40; n += 1) {
      const named = `${issuer}/t/x${n}`
      put([named + openid, answer], [`${issuer}/.well-known/oauth-authorization-server/t/x${n}`, answer])
      assert.notEqual(await ask(forger, named), 'accepted')
    }
    assert.deepEqual([told, validator.faults?.()], [[], []])
    put([`${issuer}/jwks`, 500])
    await time.advance(300_000)
    assert.deepEqual(told, ['/jwks answers 500'])
    put([`${issuer}/jwks`, keySet])
    await time.advance(300_000)
    assert.deepEqual(told, ['/jwks answers 500', 'over: /jwks answers 500'])
    assert.deepEqual(validator.faults?.(), [])
  })

for (const named of [issuer, `${issuer}/t/acme`])
  test(`${named} that is made after the API was started is no fault any more`, async (t) => {
    const { time, told, put, open } = scene(t, { issuer: named })
    const { validator, ask } = open()
    await eventually('it is not found', () => told.length > 0)
    put(...whole(named))
    await time.advance(60_000)
    assert.equal(await ask(key, named, named === issuer ? undefined : 'acme'), 'accepted')
    assert.deepEqual(told, [absent, `over: ${absent}`])
    assert.deepEqual(validator.faults?.(), [])
  })

test('metadata that are found at the second place are found: what was wrong with the first is over', async (t) => {
  const { told, put, open } = scene(t)
  put(
    [issuer + openid, 503],
    [`${issuer}/.well-known/oauth-authorization-server`, metadata()],
    [`${issuer}/jwks`, keySet],
  )
  const { validator, ask } = open()
  assert.equal(await ask(), 'accepted')
  assert.deepEqual(told, [`${openid} answers 503`, `over: ${openid} answers 503`])
  assert.deepEqual(validator.faults?.(), [])
})

for (const [what, answer, message] of [
  ['is gone', 404, '/keys answers 404'],
  ['holds nothing', { keys: [] }, 'the key set holds no key that can be used'],
  ['cannot be reached', 'away', 'https://old.example cannot be reached (ECONNREFUSED)'],
] as const)
  test(`a key set that ${what} and is published elsewhere is no fault there`, async (t) => {
    const { time, told, put, open } = scene(t)
    put([issuer + openid, metadata(issuer, { jwks_uri: 'https://old.example/keys' })])
    put(['https://old.example/keys', answer], [`${issuer}/jwks`, keySet])
    const { validator, ask } = open()
    await eventually('its keys cannot be read', () => told.length > 0)
    await time.advance(10_000)
    put([issuer + openid, metadata()])
    await time.advance(60_000)
    assert.equal(await ask(), 'accepted')
    assert.deepEqual(told, [message, `over: ${message}`])
    assert.deepEqual(validator.faults?.(), [])
  })

test('the keys of a tenant that is there are told of, until they can be read, or the tenant is gone', async (t) => {
  const { time, told, places, put, open } = scene(t, { tenants: true })
  const acme = `${issuer}/t/acme`
  put(...whole(), ...whole(acme), [`${acme}/jwks`, 500])
  const { validator, ask } = open()
  assert.equal(await ask(key, acme, 'acme'), 'keys_unavailable')
  const message = '/t/acme/jwks answers 500'
  assert.deepEqual(told, [message])
  put([`${acme}/jwks`, keySet])
  await time.advance(60_000)
  assert.equal(await ask(key, acme, 'acme'), 'accepted')
  assert.deepEqual(told, [message, `over: ${message}`])
  put([`${acme}/jwks`, 500])
  await time.advance(600_000)
  assert.deepEqual(told.splice(0), [message, `over: ${message}`, message])
  places.delete(acme + openid)
  await time.advance(600_000)
  assert.deepEqual([told, validator.faults?.()], [[`over: ${message}`], []])
})

test('the fault of a token or introspection endpoint that moved is over when the one of today is of use', async (t) => {
  const { time, told, put, open } = scene(t, { credentials, reports: true, introspection: true })
  const endpoints = (at: string) =>
    metadata(issuer, { token_endpoint: `${at}/token`, introspection_endpoint: `${at}/ask` })
  put(...whole(), [issuer + openid, endpoints(`${issuer}/old`)])
  const { validator, ask } = open()
  assert.equal(await ask(), 'accepted')
  const opaque = () => validator.validate(bearer('an-opaque-token'))
  await opaque()
  // Refused: there is something to report, and a token is asked for.
  assert.notEqual(await ask(forger), 'accepted')
  await time.advance(20_000)
  assert.deepEqual(told, ['/old/ask answers 404'], 'one of each kind')
  put([issuer + openid, endpoints(issuer)], [`${issuer}/token`, { access_token: 'a', expires_in: 600 }])
  put([`${issuer}/ask`, { active: false }], [`${issuer}/v1/events/reports`, {}], [`${issuer}/jwks`, 500])
  // Somebody finds the metadata wrong; they are read anew.
  await time.advance(600_000)
  put([`${issuer}/jwks`, keySet])
  await time.advance(120_000)
  await opaque()
  assert.deepEqual(
    validator.faults?.().map(({ message }) => message),
    ['/old/token answers 404'],
  )
  assert.notEqual(await ask(forger), 'accepted')
  await time.advance(20_000)
  assert.deepEqual(validator.faults?.(), [])
})
