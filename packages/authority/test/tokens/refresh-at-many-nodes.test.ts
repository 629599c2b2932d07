/** One refresh token at many nodes at once: one successor within the window, one alarm after it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { asking, bounded, databases, type Deployment, isActive, openDeployment, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'

interface Scene {
  readonly deployment: Deployment
  readonly nodes: readonly Authority[]
  readonly first: string
  /** What so many were told who presented that token at once, the nodes taking turns. */
  presented(token: string, times: number): Promise<readonly Told[]>
  count(name: string): Promise<number>
}

interface Told {
  readonly refused: string | null
  readonly access: string
  readonly refresh: string
}

async function scene(database: 'sqlite' | 'postgres'): Promise<Scene> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  const code = await new PersonAtBrowser(deployment.authority).code()
  const given = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(given.kind === 'ok')
  const nodes = [deployment.authority]
  for (let n = 0; n < 3; n += 1) nodes.push(await deployment.remoteNode())
  const one = async (token: string, n: number): Promise<Told> => {
    const answer = await (nodes[n % nodes.length] as Authority).token(asking(refreshing(token), { as: 'web' }))
    if (answer.kind === 'error') return { refused: answer.error.reason, access: '', refresh: '' }
    return {
      refused: null,
      access: answer.value['access_token'] as string,
      refresh: answer.value['refresh_token'] as string,
    }
  }
  return {
    deployment,
    nodes,
    first: given.value['refresh_token'] as string,
    presented: (token, times) => Promise.all(Array.from({ length: times }, (_, n) => one(token, n))),
    async count(name) {
      await deployment.store.events.position()
      return (await deployment.store.events.after(root, 0, 10_000)).filter((event) => event.name === name).length
    },
  }
}

const only = (told: readonly Told[], what: keyof Told): readonly unknown[] => [...new Set(told.map((it) => it[what]))]

for (const database of databases) {
  describe(`a refresh token at four nodes on ${database}`, bounded, () => {
    test('has one successor, however many present it in the window, and raises no alarm', async () => {
      const { deployment, nodes, first, presented, count } = await scene(database)
      let token = first
      for (let round = 0; round < 3; round += 1) {
        const told = await presented(token, 40)
        assert.deepEqual(only(told, 'refused'), [null])
        const [next, ...others] = only(told, 'refresh')
        assert.deepEqual(others, [], 'one successor')
        assert.equal(only(told, 'access').length, 40, 'an access token each')
        // Lost answers are asked for again at other nodes, up to the very end of the window.
        deployment.clock += deployment.ports.policy.refreshRetryWindow * 1000
        const again = await presented(token, 8)
        assert.deepEqual([only(again, 'refused'), only(again, 'refresh')], [[null], [next]])
        for (const node of nodes) assert.equal(await isActive(node, String(again[0]?.access), { as: 'web' }), true)
        token = String(next)
      }
      assert.deepEqual([await count('token.replayed'), await count('grant.revoked')], [0, 0])
    })

    test('is refused everywhere after the window, and ends its grant once', async () => {
      const { deployment, nodes, first, presented, count } = await scene(database)
      const [given] = await presented(first, 4)
      assert.ok(given?.refused === null)
      deployment.clock += deployment.ports.policy.refreshRetryWindow * 1000 + 1
      const late = await presented(first, 40)
      assert.equal(only(late, 'refused').includes(null), false)
      assert.equal(await count('grant.revoked'), 1)
      for (const node of nodes) assert.equal(await isActive(node, given.access, { as: 'web' }), false)
      assert.equal(only(await presented(given.refresh, 4), 'refused').includes(null), false)
      assert.equal(await count('grant.revoked'), 1)
    })

    test('presented with its successor at once ends in tokens that live, or in none that do', async () => {
      const { nodes, first, presented, count } = await scene(database)
      const [given] = await presented(first, 1)
      const [old, fresh] = await Promise.all([presented(first, 8), presented(given?.refresh ?? '', 8)])
      const isReplay = old.some(({ refused }) => refused !== null)
      assert.equal((await count('grant.revoked')) === 1, isReplay)
      assert.ok(only(fresh, 'refresh').filter((it) => it !== '').length <= 1, 'one successor')
      const access = [...old, ...fresh].filter(({ refused }) => refused === null).map((it) => it.access)
      for (const node of nodes)
        for (const token of access) assert.equal(await isActive(node, token, { as: 'web' }), !isReplay)
    })
  })
}
