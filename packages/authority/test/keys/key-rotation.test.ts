/** Keys that rotate by themselves, on several nodes whose clocks disagree: nobody notices, and everything is told once. */
import { clockOf } from '@grantor/authority'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import { decodeProtectedHeader } from 'jose'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { beginUpkeep, type Upkeep } from '../../src/background/upkeep.ts'
import {
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const minute = 60_000
const policy = { ...defaultPolicy, keyRotation: 10 * 3600, keyAnnounce: 3600 }
const kidOf = (token: string) => String(decodeProtectedHeader(token).kid)

/** A node with a clock of its own and the background work that looks after keys. */
function nodeWith(deployment: Deployment, skew: number) {
  const ports = { ...deployment.ports, policy, clock: clockOf(() => (deployment.clock + skew) as Instant) }
  const authority = deployment.node(ports)
  const directory = openDirectory(deployment.store)
  const keyring = openKeyring(ports)
  const upkeep: Upkeep = beginUpkeep({ ...ports, directory, keyring })
  const close = async () => {
    await upkeep.close()
    directory.close()
  }
  return { authority, upkeep, close }
}

async function publishedBy(node: ReturnType<typeof nodeWith>): Promise<ReadonlySet<string>> {
  const answer = await node.authority.keySet(root)
  assert.ok(answer.kind === 'ok')
  return new Set((answer.value.body['keys'] as { kid: string }[]).map((key) => key.kid))
}

/** Of the keys that sign access tokens; those of ID tokens have the same life beside them. */
async function keyEvents(deployment: Deployment): Promise<readonly string[]> {
  const events = await deployment.store.events.after(root, 0, 10_000)
  return events
    .filter(({ name, data }) => name.startsWith('key.') && data?.['alg'] === 'ES256')
    .map(({ name, data }) => `${name} ${JSON.stringify(data?.['kid'])}`)
}

for (const database of databases) {
  describe(`keys that rotate by themselves on ${database}`, () => {
    test('three nodes, one clock ahead and one behind: every token stays verifiable everywhere, every event is told once', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const nodes = [0, 25 * minute, -25 * minute].map((skew) => nodeWith(deployment, skew))
      const living: { readonly kid: string; readonly until: number }[] = []
      const seen = new Set<string>()
      // 45 hours in steps of 15 minutes: four rotations of ten hours, and the retirement of the first keys.
      for (let step = 0; step < 180; step++) {
        await Promise.all(nodes.map(({ upkeep }) => upkeep.keys()))
        for (const { authority } of nodes) {
          const kid = kidOf(await tokenFrom(authority, 'scope=invoices:read'))
          seen.add(kid)
          living.push({ kid, until: deployment.clock + policy.accessTtl * 1000 })
        }
        const sets = await Promise.all(nodes.map(publishedBy))
        for (const { kid, until } of living) {
          if (until < deployment.clock) continue
          for (const set of sets) assert.ok(set.has(kid), `at step ${step} a key is missing from a key set`)
        }
        deployment.clock += 15 * minute
      }
      assert.ok(seen.size >= 5 && seen.size <= 6, `${seen.size} keys have signed`)
      await deployment.store.events.position()
      const told = await keyEvents(deployment)
      assert.equal(new Set(told).size, told.length, 'nothing is told twice')
      const names = told.map((it) => it.split(' ')[0])
      assert.ok(names.filter((name) => name === 'key.retired').length >= 2)
      const keys = (await deployment.store.keys.list(root)).filter((key) => key.alg === 'ES256')
      assert.equal(names.filter((name) => name === 'key.published').length, Math.max(...keys.map((k) => k.generation)))
      for (const node of nodes) await node.close()
    })

    test('a node that slept through a rotation signs with the new key at its first request, and knows its tokens', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const awake = deployment.node()
      const asleep = deployment.node()
      const old = await tokenFrom(asleep, 'scope=invoices:read')
      for (let time = 0; time < 3; time++)
        assert.ok((await awake.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      const fresh = await tokenFrom(awake, 'scope=invoices:read')
      assert.equal(await isActive(asleep, fresh), true, 'a key it has never heard of')
      assert.equal(kidOf(await tokenFrom(asleep, 'scope=invoices:read')), kidOf(fresh))
      assert.equal(await isActive(asleep, old), true)
    })

    test('a key dropped on one node is dead on the other before that one hears of it', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const other = deployment.node()
      const token = await tokenFrom(other, 'scope=invoices:read')
      assert.equal(await isActive(other, token), true)
      assert.ok((await deployment.authority.admin.keys.drop(operator, root, kidOf(token))).kind === 'ok')
      const [active, keySet] = await Promise.all([isActive(other, token), other.keySet(root)])
      assert.equal(active, false)
      assert.ok(keySet.kind === 'ok' && !JSON.stringify(keySet.value.body).includes(kidOf(token)))
    })

    test('dropping the current key never lets an older one sign again', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const first = await tokenFrom(deployment.authority, 'scope=invoices:read')
      assert.ok((await deployment.authority.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      const second = await tokenFrom(deployment.authority, 'scope=invoices:read')
      assert.ok((await deployment.authority.admin.keys.drop(operator, root, kidOf(second))).kind === 'ok')
      const third = kidOf(await tokenFrom(deployment.authority, 'scope=invoices:read'))
      assert.ok(third !== kidOf(first) && third !== kidOf(second))
      assert.equal(await isActive(deployment.authority, first), true)
    })

    test('an announced key that is begun early is told of once', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      const node = nodeWith(deployment, 0)
      assert.ok((await deployment.authority.admin.keys.rotate(operator, root, { now: false })).kind === 'ok')
      assert.ok((await deployment.authority.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      deployment.clock += 2 * minute
      await node.upkeep.keys()
      await deployment.store.events.position()
      const told = await keyEvents(deployment)
      assert.deepEqual(
        told.map((it) => it.split(' ')[0]),
        ['key.published', 'key.activated', 'key.published', 'key.activated'],
      )
      await node.close()
    })

    test('a key stays as long as the tokens of an API that have a life of their own', async () => {
      const deployment = await openDeployment(database)
      const [invoices, ...resources] = declaration.resources
      await declare(deployment, {
        ...declaration,
        resources: [{ ...invoices, access_token_ttl: 86_400 }, ...resources],
      })
      const node = nodeWith(deployment, 0)
      const token = await tokenFrom(node.authority, 'scope=invoices:read')
      assert.ok((await node.authority.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      const states = async () => {
        const keys = await node.authority.admin.keys.list(root)
        assert.ok(keys.kind === 'ok')
        return keys.value.filter(({ kid }) => kid === kidOf(token)).map(({ state }) => state)
      }
      deployment.clock += 23 * 60 * minute
      await node.upkeep.keys()
      assert.equal(await isActive(node.authority, token), true)
      assert.ok((await publishedBy(node)).has(kidOf(token)))
      assert.deepEqual(await states(), ['retiring'])
      deployment.clock += 2 * 60 * minute + 60_000
      await node.upkeep.keys()
      assert.deepEqual(await states(), [])
      await node.close()
    })

    test('the key set may be cached for less than a key is announced', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      for (const keyAnnounce of [60, 3600, 86_400, 30 * 86_400]) {
        const node = deployment.node({ policy: { ...policy, keyAnnounce } })
        const answer = await node.keySet(root)
        assert.ok(answer.kind === 'ok' && answer.value.maxAge > 0 && answer.value.maxAge * 2 <= keyAnnounce)
      }
    })
  })
}
