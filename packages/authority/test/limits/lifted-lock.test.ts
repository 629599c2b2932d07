/** A lock that is lifted at one node is lifted at the others, also while somebody tries at all of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Authority, type Limits, limits, type Lock, openAuthority, sharedLimiter } from '@grantor/authority'
import { asking, bounded, databases, declare, openDeployment, operator, root } from '../support/deployment.ts'

const tokenFailures = { name: 'token-failures', quota: 3, window: 60 }
const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null])) as unknown as Limits
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
const wrong = { secret: 'a-wrong-secret-of-more-than-32-characters' }

async function ask(node: Authority, from: { readonly secret?: string } = {}): Promise<string> {
  const form = asking('grant_type=client_credentials&scope=invoices:read', from)
  const answer = await node.token({ ...form, ip: '192.0.2.1' })
  return answer.kind === 'ok' ? 'ok' : answer.error.reason
}

/** Noted beside the answers: a moment later it is there. */
async function theLock(node: Authority): Promise<Lock> {
  for (;;) {
    const held = await node.admin.locks.list(root)
    assert.ok(held.kind === 'ok')
    const [lock] = held.value
    if (lock !== undefined) return lock
    await turn()
  }
}

for (const database of databases)
  test(
    `${database}: lifted at one node, a lock is lifted at both; who goes on guessing at both has one limit, not two`,
    bounded,
    async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { ports, store } = deployment
      const opened = () =>
        openAuthority({
          ...ports,
          limits: { ...none, tokenFailures },
          limiter: sharedLimiter({ store, clock: ports.clock, digest }),
        })
      const [one, two] = [opened(), opened()]
      const both = (from: Parameters<typeof ask>[1] = {}) => Promise.all([ask(one, from), ask(two, from)])
      for (let n = 0; n < 3; n++) await ask(one, wrong)
      assert.deepEqual(await both(wrong), ['limit_reached', 'limit_reached'])
      assert.deepEqual(await both(), ['limit_reached', 'limit_reached'], 'the right secret is not tried, either')

      // Both lift it at once: it was one lock.
      const { id } = await theLock(two)
      const lift = (node: Authority) => node.admin.locks.remove(operator, root, id)
      const lifted = await Promise.all([lift(two), lift(one)])
      assert.deepEqual(lifted.map(({ kind }) => kind).toSorted(), ['error', 'ok'])
      deployment.clock += 1000
      assert.deepEqual(await both(), ['ok', 'ok'])

      // Somebody guesses at both all the while; no unit comes back by itself in this time.
      for (let n = 0; n < 3; n++) await both(wrong)
      assert.deepEqual(await both(), ['limit_reached', 'limit_reached'])
      const again = await theLock(one)
      const answers: string[] = []
      for (let n = 0; n < 40; n++) {
        deployment.clock += 300
        const guesses = both(wrong)
        if (n === 10) assert.equal((await one.admin.locks.remove(operator, root, again.id)).kind, 'ok')
        answers.push(...(await guesses))
      }
      const tried = answers.flatMap((answer, n) => (answer === 'client_unauthenticated' ? [n] : []))
      assert.equal(tried.length, tokenFailures.quota, JSON.stringify(answers))
      assert.ok((tried[0] ?? 0) >= 20, 'none before it was lifted')
      assert.deepEqual(await both(), ['limit_reached', 'limit_reached'], 'and then it stands again, at both')
      await Promise.all([one.close(), two.close()])
    },
  )
