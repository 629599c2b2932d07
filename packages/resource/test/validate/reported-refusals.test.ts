/** Which refusals are handed in, and to which issuer: those of a token, to whoever issued it. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { parseReportBatch, type ReportBatch } from '@grantor/protocol/events'
import { outage, rejection, tooManyWrongTokens } from '../../src/validate/rejections.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const [one, two] = ['https://one.example', 'https://two.example']
const credentials = { clientId: 'api', clientSecret: 'a-secret-of-32-or-more-characters-long' }

function scene(t: TestContext) {
  const time = new FakeTime()
  const key = signingKey('k')
  const asked: string[] = []
  const batches: { readonly to: string; readonly batch: ReportBatch }[] = []
  const fetch = ((address: string, init?: RequestInit) => {
    const { origin, pathname } = new URL(address)
    asked.push(address)
    if (pathname.endsWith('/jwks')) return Promise.resolve(Response.json({ keys: [key.jwk] }))
    if (pathname === '/token') return Promise.resolve(Response.json({ access_token: 't', expires_in: 600 }))
    if (pathname === '/v1/events/reports') {
      const batch = parseReportBatch(JSON.parse(init?.body as string))
      assert.ok(batch !== null)
      batches.push({ to: origin, batch })
      return Promise.resolve(new Response(null, { status: 202 }))
    }
    if (pathname !== '/.well-known/openid-configuration') return Promise.resolve(new Response(null, { status: 404 }))
    return Promise.resolve(
      Response.json({ issuer: origin, jwks_uri: `${origin}/jwks`, token_endpoint: `${origin}/token` }),
    )
  }) as typeof globalThis.fetch
  const issuers = [one, two].map((issuer) => ({
    issuer,
    credentials,
    tenants: true,
    reports: true,
    revocation: 'none' as const,
  }))
  const validator = createValidator({ audience, issuers, time, fetch, random: () => 0.5, onTrouble: () => {} })
  t.after(() => validator.close())
  const told = async () => {
    await time.advance(10_000)
    return batches.flatMap(({ to, batch }) => [
      ...batch.reports.map(({ code, issuer }) => `${to} ${code} of ${issuer}`),
      ...batch.counts.map(({ code, count }) => `${to} ${code} ${count} times`),
    ])
  }
  return { time, key, asked, validator, told, batches }
}

const caller = (issuer: string): Caller => ({
  credential: 'access_token',
  issuer,
  tenant: null,
  subject: 'alice',
  clientId: 'web',
  scope: new Set(),
  authorizationDetails: [],
  jti: 'jti',
  grantId: null,
  claims: {},
  expiresAt: 0 as Caller['expiresAt'],
})

test('No token, an address that tried too often and an outage of ours are no failed validation: nothing is handed in', async (t) => {
  const { validator, told } = scene(t)
  validator.record(rejection('token_missing'))
  validator.record(tooManyWrongTokens(60))
  validator.record(outage('keys_unavailable'))
  validator.record(outage('revocation_state_stale'), caller(one))
  await validator.validate({ authorization: undefined })
  assert.deepEqual(await told(), [])
})

test('A refusal of a genuine token is told to its issuer, that of a tenant to its deployment, of a stranger to nobody', async (t) => {
  const { validator, told } = scene(t)
  for (const issuer of [one, two, `${two}/t/acme`, `${one}/t/acme`, `${one}/other`, 'https://three.example'])
    validator.record(rejection('insufficient_scope'), caller(issuer))
  assert.deepEqual((await told()).toSorted(), [
    `${one} insufficient_scope of ${one}`,
    `${one} insufficient_scope of ${one}/t/acme`,
    `${two} insufficient_scope of ${two}`,
    `${two} insufficient_scope of ${two}/t/acme`,
  ])
})

test('A refusal of what nobody proved is counted, by the first issuer', async (t) => {
  const { validator, told } = scene(t)
  await validator.validate(bearer('a.b.c'))
  await validator.validate(bearer('a.b.c'))
  await validator.validate({ authorization: 'Bearer a b' })
  assert.deepEqual((await told()).toSorted(), [`${one} invalid_request 1 times`, `${one} token_malformed 2 times`])
})

test('What is handed in names the API', async (t) => {
  const { validator, told, batches } = scene(t)
  await validator.validate(bearer('a.b.c'))
  await told()
  assert.deepEqual(
    batches.map(({ batch }) => batch.resource),
    [audience],
  )
})

test('A tenant that the deployment does not have is asked about once in half a minute, not for each of its tokens', async (t) => {
  const { validator, time, key, asked } = scene(t)
  const issuer = `${one}/t/gone`
  const say = async () => {
    const verdict = await validator.validate(bearer(accessToken(key, claimsAt(time.wall, issuer, { tenant: 'gone' }))))
    return verdict.kind === 'ok' ? 'ok' : verdict.error.code
  }
  const about = () => asked.filter((address) => address.includes('/t/gone')).length
  assert.equal(await say(), 'issuer_untrusted')
  const first = about()
  assert.ok(first > 0)
  for (let n = 0; n < 5; n += 1) assert.equal(await say(), 'issuer_untrusted')
  assert.equal(about(), first)
  await time.advance(30_000)
  assert.equal(await say(), 'issuer_untrusted')
  assert.equal(about(), 2 * first)
})
