/** Quotas per client and failures per address (docs/conventions.md), in one process and over several nodes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  type EndpointResult,
  type Authority,
  clockOf,
  type Limiter,
  type Limits,
  limits,
  memoryLimiter,
  openAuthority,
  type Ports,
  sharedLimiter,
} from '@grantor/authority'
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import fc from 'fast-check'
import { addressKey } from '../../src/limits/limits.ts'
import { asking, bounded, databases, declare, type Deployment, openDeployment } from '../support/deployment.ts'

const token = { name: 'token', quota: 3, window: 60 }
const tokenFailures = { name: 'token-failures', quota: 3, window: 60 }
/** Every limit off, so that a test names only its own. */
const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null])) as unknown as Limits
const few: Partial<Ports> = { limits: { ...none, token, tokenFailures } }
const credentials = 'grant_type=client_credentials&scope=invoices:read'

/** A node whose limits are low. */
const nodeOf = (deployment: Deployment, more: Partial<Ports> = {}): Authority =>
  openAuthority({ ...deployment.ports, ...few, limiter: memoryLimiter(deployment.ports.clock), ...more })

const reasonOf = (answer: EndpointResult<unknown>): string => (answer.kind === 'ok' ? 'ok' : answer.error.reason)

const ask = (node: Authority, from: { as?: string; secret?: string; ip?: string } = {}, body = credentials) =>
  node.token({ ...asking(body, from), ip: from.ip ?? '192.0.2.1' })

const wrong = { secret: 'a-wrong-secret-of-more-than-32-characters' }

describe('the quota of a client', () => {
  test('is told with every answer, and refuses what exceeds it until a unit is free again', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment)
    for (const remaining of [2, 1, 0]) {
      const answer = await ask(node)
      assert.equal(reasonOf(answer), 'ok')
      assert.deepEqual(
        answer.quota?.map((one) => [one.policy.name, one.remaining]),
        [['token', remaining]],
      )
    }
    const refused = await ask(node)
    assert.deepEqual(refused.kind === 'ok' ? null : refused.error, {
      reason: 'limit_reached',
      limit: token,
      retryAfter: 20,
    })
    assert.equal(refused.quota?.[0]?.allowed, false)
    assert.equal(reasonOf(await ask(node, { as: 'other' })), 'ok', 'each client has its own')
    const opaque = asking('token=ga_unknown')
    assert.equal(reasonOf(await node.introspect(opaque)), 'ok', 'introspection has its own')
    assert.equal(reasonOf(await node.revoke(opaque)), 'ok', 'revocation has its own')
    deployment.clock += 19_999
    assert.equal(reasonOf(await ask(node)), 'limit_reached')
    deployment.clock += 1
    assert.equal(reasonOf(await ask(node)), 'ok')
    assert.equal(reasonOf(await ask(node)), 'limit_reached')
    await node.close()
  })

  test('counts a request that is refused for what it asks, and none twice that is decided again', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment)
    assert.equal(reasonOf(await ask(node, {}, 'grant_type=nonsense')), 'grant_type_unknown')
    // The node remembers the tenant; a change elsewhere makes its first decision stale.
    await ask(node)
    await declare(deployment, { scopes: [{ name: 'more:read', description: 'More' }] })
    assert.equal((await ask(node)).quota?.[0]?.remaining, 0)
    await node.close()
  })

  test('nobody uses up the quota of another by its name alone', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment, { limits: { ...none, token } })
    for (let n = 0; n < 5; n++) assert.equal(reasonOf(await ask(node, wrong)), 'client_unauthenticated')
    assert.equal((await ask(node)).quota?.[0]?.remaining, 2)
    await node.close()
  })

  test('limits that are off count nothing and tell nothing', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment, { limits: none })
    for (let n = 0; n < 10; n++) assert.equal((await ask(node)).quota, undefined)
    assert.equal((await ask(node, wrong)).quota, undefined)
    await node.close()
  })
})

describe('failures of clients', () => {
  const tokenFailuresAddress = { name: 'token-failures-address', quota: 8, window: 60 }

  test('are counted by client and address: one of many behind an address locks nobody else out', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment, { limits: { ...none, tokenFailures, tokenFailuresAddress } })
    for (let n = 0; n < 3; n++) assert.equal(reasonOf(await ask(node, wrong)), 'client_unauthenticated')
    assert.equal(reasonOf(await ask(node)), 'limit_reached')
    assert.equal(reasonOf(await ask(node, { as: 'other' })), 'ok', 'the neighbour')
    assert.equal(reasonOf(await ask(node, { ip: '192.0.2.2' })), 'ok', 'the client elsewhere')
    const elsewhere = asking('token=ga_x', { as: 'other' })
    for (const endpoint of ['introspect', 'revoke'] as const) {
      assert.equal(reasonOf(await node[endpoint]({ ...asking('token=ga_x'), ip: '192.0.2.1' })), 'limit_reached')
      assert.equal(reasonOf(await node[endpoint]({ ...elsewhere, ip: '192.0.2.1' })), 'ok')
    }
    await node.close()
  })

  test('made-up names are counted by their address, and nothing tells them from real ones', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment, { limits: { ...none, tokenFailures, tokenFailuresAddress } })
    const told = async (as: string) => {
      const answers = []
      for (let n = 0; n < 4; n++) answers.push(await ask(node, { ...wrong, as }))
      return answers.map((it) => [reasonOf(it), it.quota?.map(({ policy, remaining }) => [policy.name, remaining])])
    }
    const real = await told('svc')
    deployment.clock += 60_000
    assert.deepEqual(await told('nobody'), real)
    deployment.clock += 60_000
    for (let n = 0; n < 8; n++)
      assert.equal(reasonOf(await ask(node, { ...wrong, as: `made-up-${n}` })), 'client_unauthenticated')
    const refused = await ask(node, { as: 'other' })
    assert.equal(reasonOf(refused), 'limit_reached')
    assert.deepEqual(refused.quota?.[0]?.policy, tokenFailuresAddress)
    assert.equal(reasonOf(await ask(node, { as: 'other', ip: '192.0.2.2' })), 'ok')
    await node.close()
  })

  test('the same client id in two tenants is two clients', bounded, async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const node = nodeOf(deployment, { limits: { ...none, tokenFailures } })
    const elsewhere = { ...asking(credentials, wrong), tenant: 'acme' as TenantId, ip: '192.0.2.1' }
    for (let n = 0; n < 4; n++) await node.token(elsewhere)
    assert.equal(reasonOf(await ask(node)), 'ok')
    await node.close()
  })

  test(
    'only a failed authentication counts; beyond the limit nothing of it from there is tried, the right secret included',
    bounded,
    async () => {
      const deployment = await openDeployment()
      await declare(deployment)
      const node = nodeOf(deployment, { limits: { ...none, tokenFailures } })
      for (let n = 0; n < 5; n++) {
        assert.equal(reasonOf(await ask(node)), 'ok')
        assert.equal(reasonOf(await ask(node, {}, 'grant_type=nonsense')), 'grant_type_unknown')
      }
      for (const remaining of [2, 1, 0]) {
        const answer = await ask(node, wrong)
        assert.equal(reasonOf(answer), 'client_unauthenticated')
        assert.deepEqual(
          answer.quota?.map((one) => [one.policy.name, one.remaining]),
          [['token-failures', remaining]],
        )
      }
      assert.equal(reasonOf(await ask(node, wrong)), 'limit_reached')
      assert.equal(reasonOf(await ask(node)), 'limit_reached')
      assert.equal(reasonOf(await node.introspect({ ...asking('token=ga_x'), ip: '192.0.2.1' })), 'limit_reached')
      assert.equal(reasonOf(await ask(node, { ip: '192.0.2.2' })), 'ok')
      deployment.clock += 20_000
      assert.equal(reasonOf(await ask(node)), 'ok')
      await node.close()
    },
  )

  test('of IPv6 the first 64 bits are one address', bounded, () => {
    for (const ip of [
      '2001:db8::1',
      '2001:db8:0:0:ffff::2',
      '2001:0db8:0000:0000:1:2:3:4',
      '2001:DB8::',
      '2001:db8::1%eth0',
    ])
      assert.equal(addressKey(ip), '2001:db8:0:0/64', ip)
    assert.equal(addressKey('::1'), '0:0:0:0/64')
    assert.equal(addressKey('2001:db8:0:1::1'), '2001:db8:0:1/64')
    assert.equal(addressKey('192.0.2.1'), '192.0.2.1')
  })

  for (const database of databases) {
    test(`${database}: what failed at one node counts at the others`, bounded, async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const limiter = () => sharedLimiter({ store: deployment.store, clock: deployment.ports.clock, digest })
      const [one, two] = [nodeOf(deployment, { limiter: limiter() }), nodeOf(deployment, { limiter: limiter() })]
      for (let n = 0; n < 3; n++) assert.equal(reasonOf(await ask(one, wrong)), 'client_unauthenticated')
      assert.equal(reasonOf(await ask(two, wrong)), 'limit_reached')
      assert.equal(reasonOf(await ask(two)), 'limit_reached', 'and now the right secret is not tried there, either')
      assert.equal(reasonOf(await ask(two, { ip: '192.0.2.2' })), 'ok')
      deployment.clock += 20_000
      assert.equal(reasonOf(await ask(two)), 'ok')
      await Promise.all([one.close(), two.close()])
    })
  }
})

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The same answers, whoever counts: 50 ways through time, on the real statement. */
test('the limiter in the store decides as the one in memory does', bounded, async () => {
  const deployment = await openDeployment()
  const { clock } = deployment.ports
  let run = 0
  const step = fc.record({ after: fc.integer({ min: 0, max: 40_000 }), give: fc.boolean() })
  const quota = fc.constantFrom(1, 2, 3, 5, 10)
  await fc.assert(
    fc.asyncProperty(quota, fc.array(step, { maxLength: 25 }), async (units, steps) => {
      const policy: QuotaPolicy = { name: 'login-account', quota: units, window: 60 }
      const key = `run ${(run += 1)}`
      const limiters: readonly Limiter[] = [
        memoryLimiter(clock),
        sharedLimiter({ store: deployment.store, clock, digest }),
      ]
      for (const { after, give } of steps) {
        deployment.clock += after
        const decisions = await Promise.all(limiters.map(async (limiter) => limiter.take(policy, key)))
        const [memory, shared] = decisions
        assert.deepEqual(shared, memory)
        if (give && memory?.allowed === true) for (const limiter of limiters) await limiter.giveBack([{ policy, key }])
      }
    }),
    { numRuns: 50 },
  )
})

test('what the store sees of an address or a name is a keyed hash', bounded, async () => {
  const keys: string[] = []
  const store = {
    limits: {
      takeUnits: async (units: readonly { readonly key: string }[]) =>
        units.map(({ key }) => ({ taken: true, tat: keys.push(key) })),
    },
  } as unknown as Pick<Store, 'limits'>
  const limiter = sharedLimiter({ store, clock: clockOf(() => 1_000 as Instant), digest })
  await limiter.take(tokenFailures, '192.0.2.1')
  assert.deepEqual(keys, [digest('token-failures 192.0.2.1')])
})
