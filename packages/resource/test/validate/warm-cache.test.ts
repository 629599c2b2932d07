/** A token whose signature was checked before: what may still be said of it, and what no longer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CutoffMessage, RevokeMessage } from '@grantor/protocol/feed'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Freshness, RevocableToken } from '../../src/revocation/revocation-source.ts'
import { RevocationView } from '../../src/revocation/revocation-view.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import { createValidator } from '../../src/validate/validator.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { IssuerDiscovery } from '../../src/issuer/issuer-metadata.ts'
import { createOutbound, fetchTransport } from '../../src/issuer/outbound.ts'
import { RemoteKeys } from '../../src/issuer/remote-keys.ts'
import { noMetrics } from '../../src/metrics.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, signingKey } from '../tokens.ts'

const word = (verdict: Verdict): string => (verdict.kind === 'ok' ? 'ok' : verdict.error.code)
const issuer = 'https://as.example'
const day = 86_400_000

/** A validator whose keys come from an issuer that can go away, and a token that outlives every bound here. */
async function overTheNetwork() {
  const time = new FakeTime()
  const key = signingKey('one')
  const state = { up: true }
  const answer = (url: string): Promise<Response> => {
    if (!state.up) return Promise.reject(new TypeError('connection refused'))
    const body: JsonObject = url.endsWith('/jwks') ? { keys: [key.jwk] } : { issuer, jwks_uri: `${issuer}/jwks` }
    return Promise.resolve(Response.json(body))
  }
  const outbound = createOutbound(fetchTransport(answer as typeof fetch), time)
  const discovery = new IssuerDiscovery(outbound, issuer)
  const keys = new RemoteKeys({ discovery, outbound, time, metrics: noMetrics, random: () => 0.5 })
  const validator = createValidator({ audience, issuers: [{ issuer, keys, revocation: 'none' }], time })
  const exp = Math.floor((time.wall + 3 * day) / 1000)
  const token = accessToken(key, claimsAt(time.wall, issuer, { exp }))
  const say = async () => word(await validator.validate(bearer(token)))
  assert.equal(await say(), 'ok')
  assert.equal(validator.validate(bearer(token)) instanceof Promise, false, 'it is warm')
  return { time, state, keys, validator, say }
}

test('A warm token does not outlive keys that were last read a day ago', async () => {
  const { time, state, say, validator } = await overTheNetwork()
  state.up = false
  await time.advance(day - 1000)
  assert.equal(await say(), 'ok')
  await time.advance(1000)
  assert.equal(await say(), 'keys_unavailable')
  state.up = true
  await time.advance(120_000)
  assert.equal(await say(), 'ok', 'and it is accepted again when they were read')
  await validator.close()
})

test('A warm token does not outlive keys that are no longer trusted', async () => {
  const { time, state, keys, say, validator } = await overTheNetwork()
  state.up = false
  keys.distrust()
  assert.equal(await say(), 'keys_unavailable')
  state.up = true
  await time.advance(60_000)
  assert.equal(await say(), 'ok')
  await validator.close()
})

/** A validator over a revocation state whose age the test says. */
function overState(more: Partial<ValidatorOptions> = {}) {
  const time = new FakeTime()
  const dev = createTestIssuer({ audience, time })
  const state = { freshness: 'live' as Freshness, age: 0 }
  const revocation = { isRevoked: () => false, freshness: () => state.freshness, age: () => state.age }
  const validator = createValidator({ audience, issuers: [{ ...dev.trust, revocation }], time, ...more })
  const token = dev.mint()
  const say = async (presented: object = {}) => word(await validator.validate({ ...bearer(token), ...presented }))
  return { state, say }
}

test('onStale serve has a bound of ten minutes, warm and cold, and says afterwards that it cannot tell', async () => {
  for (const warm of [true, false]) {
    const { state, say } = overState({ onStale: 'serve' })
    if (warm) assert.equal(await say(), 'ok')
    Object.assign(state, { freshness: 'stale', age: 600_000 })
    assert.equal(await say(), 'ok')
    state.age += 1
    assert.equal(await say(), 'revocation_state_stale')
  }
})

test('onStale serve keeps to the bound that was asked for, by the validator or by the route', async () => {
  const { state, say } = overState({ serveStaleFor: 60 })
  Object.assign(state, { freshness: 'stale', age: 60_000 })
  assert.equal(await say({ onStale: 'serve' }), 'ok')
  assert.equal(await say(), 'revocation_state_stale', 'this route did not ask for it')
  state.age += 1
  assert.equal(await say({ onStale: 'serve' }), 'revocation_state_stale')
})

test('a route does not serve where nothing says for how long: its issuer would count on less', async () => {
  const { state, say } = overState()
  assert.equal(await say({ onStale: 'serve' }), 'ok')
  Object.assign(state, { freshness: 'stale', age: 46_000 })
  assert.equal(await say({ onStale: 'serve' }), 'revocation_state_stale')
})

test('onStale serve does not serve before there was any state', async () => {
  const { state, say } = overState({ onStale: 'serve' })
  Object.assign(state, { freshness: 'cold', age: 0 })
  assert.equal(await say(), 'revocation_state_stale')
})

const named = { jti: 'j', grant_id: 'g', sid: 's', sub: 'u', client_id: 'c' }

const cutoff =
  (dimension: CutoffMessage['dimension'], key: string | null) =>
  (at: Instant): CutoffMessage => ({
    kind: 'cutoff',
    tenant: null,
    dimension,
    key,
    issuedUpTo: at,
    at,
    until: (at + day) as Instant,
  })
const revoke =
  (jti: string) =>
  (at: Instant): RevokeMessage => ({ kind: 'revoke', tenant: null, jti, at, until: (at + day) as Instant })

/** Whatever a feed may say that ends the token of this name. */
const endings = [
  revoke(named.jti),
  cutoff('grant', named.grant_id),
  cutoff('session', named.sid),
  cutoff('subject', named.sub),
  cutoff('client', named.client_id),
  cutoff('tenant', null),
  cutoff('issuer', null),
]

test('who is found good is not looked for again until there is news, and at any news of theirs is refused at once', async () => {
  for (const ending of endings) {
    const time = new FakeTime()
    const dev = createTestIssuer({ audience, time })
    const view = new RevocationView({ leeway: 0, capacity: 100, now: () => time.now() })
    let looks = 0
    const revocation = {
      isRevoked: (token: RevocableToken) => (++looks, view.isRevoked(token)),
      revision: () => view.revision,
      freshness: () => 'live' as const,
      age: () => 0,
    }
    const validator = createValidator({ audience, issuers: [{ ...dev.trust, revocation }], time })
    const line = bearer(dev.mint({ claims: named }))
    const say = async () => word(await validator.validate(line))
    assert.deepEqual([await say(), await say(), await say(), looks], ['ok', 'ok', 'ok', 1])
    view.apply(
      { kind: 'revoke', tenant: null, jti: 'another', at: time.now(), until: (time.now() + day) as Instant },
      0,
    )
    assert.deepEqual([await say(), await say(), looks], ['ok', 'ok', 2])
    const message = ending(time.now())
    view.apply(message, 0)
    assert.deepEqual([await say(), await say()], ['token_revoked', 'token_revoked'], JSON.stringify(message))
  }
})

test('the scope of a caller is theirs: no handler widens it, for this request, the next one or another caller', async () => {
  const dev = createTestIssuer({ audience })
  const validator = createValidator({ audience, issuers: [dev.trust] })
  const scopeOf = async (token: string) => {
    const verdict = await validator.validate(bearer(token))
    assert(verdict.kind === 'ok')
    return verdict.value.scope
  }
  const [one, other] = [dev.mint({ sub: 'a', scope: 'notes:read' }), dev.mint({ sub: 'b', scope: 'notes:read' })]
  const scope = (await scopeOf(one)) as Set<string>
  assert.throws(() => scope.add('notes:write'), /cannot be changed/)
  assert.throws(() => scope.delete('notes:read'), /cannot be changed/)
  assert.throws(() => scope.clear(), /cannot be changed/)
  assert.throws(() => Object.assign(scope, { has: () => true }), TypeError)
  for (const token of [one, other]) assert.deepEqual(await scopeOf(token), new Set(['notes:read']))
  assert.deepEqual(await scopeOf(dev.mint({ scope: ' a  b ' })), new Set(['a', 'b']))
})

test('RFC 6750 §2: a token in the header and elsewhere is refused cold and warm, however the header is given', async () => {
  const forms = (line: string) => [{ authorization: line }, { authorization: [line] }]
  for (const first of ['cold', 'warm']) {
    const time = new FakeTime()
    const dev = createTestIssuer({ audience, time })
    const validator = createValidator({ audience, issuers: [dev.trust], time })
    const line = `Bearer ${dev.mint()}`
    for (const presented of forms(line)) {
      if (first === 'warm') assert.equal(word(await validator.validate(presented)), 'ok')
      assert.equal(word(await validator.validate({ ...presented, tokenElsewhere: true })), 'header_repeated', first)
      assert.equal(word(await validator.validate(presented)), 'ok', 'the token itself is as good as before')
    }
  }
})
