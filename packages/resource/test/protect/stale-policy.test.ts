/** A route says what it does when the revocation state is too old to judge by; whoever says nothing does as the validator says. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { openExchanges, watchCaller } from '../../src/protect/open-exchanges.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { protection } from '../../src/protect/protection.ts'
import type { Freshness } from '../../src/revocation/revocation-source.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { StalePolicy } from '../../src/validate/presented-credentials.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'

const audience = 'https://notes.example'

function scene(more: Partial<ValidatorOptions> = {}) {
  const dev = createTestIssuer({ audience })
  const feed: { freshness: Freshness; age: number } = { freshness: 'live', age: 0 }
  const { revocation } = dev.trust
  assert.ok(typeof revocation === 'object')
  const source = { isRevoked: revocation.isRevoked, freshness: () => feed.freshness, age: () => feed.age }
  const validator = createValidator({ audience, issuers: [{ ...dev.trust, revocation: source }], ...more })
  const token = dev.mint({ scope: 'read' })
  const guard = (onStale?: StalePolicy) =>
    protection({ validator, audience, ...(onStale === undefined ? {} : { onStale }) }, 'read')
  const say = async (onStale?: StalePolicy, sent = token) => {
    const admitted = await guard(onStale).admit({ authorization: `Bearer ${sent}` }, 'GET')
    return admitted.kind === 'ok' ? 200 : admitted.error.status
  }
  return { ...dev, validator, feed, token, guard, say }
}

test('a guard serves, refuses, or does as the validator says; what is known to be dead is dead on each', async () => {
  const it = scene({ serveStaleFor: 100 })
  assert.deepEqual(await Promise.all([it.say(), it.say('serve'), it.say('refuse')]), [200, 200, 200])
  Object.assign(it.feed, { freshness: 'stale', age: 100_000 })
  assert.deepEqual(await Promise.all([it.say(), it.say('serve'), it.say('refuse')]), [503, 200, 503])
  it.feed.age += 1
  assert.equal(await it.say('serve'), 503)
  it.feed.age = 46_000
  it.revoke(it.token)
  assert.equal(await it.say('serve'), 401)
})

test('a guard refuses where its validator would serve', async () => {
  const it = scene({ onStale: 'serve' })
  Object.assign(it.feed, { freshness: 'stale', age: 46_000 })
  assert.deepEqual(await Promise.all([it.say(), it.say('refuse')]), [200, 503])
})

test('what is open on a route that serves goes on, and ends on one that does not', async () => {
  const it = scene({ serveStaleFor: 100 })
  const verdict = await it.validator.validate({ authorization: `Bearer ${it.token}` })
  assert.ok(verdict.kind === 'ok')
  Object.assign(it.feed, { freshness: 'stale', age: 46_000 })
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const cut: string[] = []
  for (const onStale of ['serve', 'refuse', undefined] as const)
    it.guard(onStale).open?.add({
      caller: verdict.value,
      seenAt: 1,
      cut: (ending) => void cut.push(`${onStale} ${ending}`),
    })
  mock.timers.tick(1_000)
  mock.timers.reset()
  assert.deepEqual([...new Set(cut)].toSorted(), ['refuse stale', 'undefined stale'])
  assert.equal(it.guard('serve').open, openExchanges(it.validator, 'serve'))
})

test('work of one’s own is watched as its route has it', async () => {
  const it = scene({ serveStaleFor: 100 })
  const verdict = await it.validator.validate({ authorization: `Bearer ${it.token}` })
  assert.ok(verdict.kind === 'ok')
  Object.assign(it.feed, { freshness: 'stale', age: 46_000 })
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
  using served = watchCaller(it.validator, verdict.value, 'serve')
  using refused = watchCaller(it.validator, verdict.value)
  mock.timers.tick(1_000)
  mock.timers.reset()
  assert.deepEqual([served.signal.aborted, refused.signal.reason], [false, 'stale'])
})

test('whoever serves says for how long: a route that cannot does not come to be', () => {
  const { validator, guard } = scene()
  assert.throws(() => guard('serve'), /`serve` needs `serveStaleFor`/)
  const issuers = ['https://issuer.test'] as const
  const options = { validator, audience, name: 'Notes', issuers, scope: 'read' }
  assert.throws(() => protectedResource({ ...options, onStale: 'serve' }), /`serve` needs `serveStaleFor`/)
  guard('introspect')
  protectedResource({ ...options, onStale: 'refuse' })
})
