/** Twenty rotations under load on two real servers: whoever follows the published keys refuses no valid token. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { defaultTenant as root } from '@grantor/server'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { Agent, fetch as undiciFetch } from 'undici'
import { until } from '../faults/until.ts'
import { issuer, type Node, openFleet } from '../fleet/fleet.ts'
import { declared, isActive, kidOf, tokenOf } from '../fleet/objects.ts'

const rotations = 20
const operator = { kind: 'operator', id: 'test' } as const

/** A validator nobody here wrote, which fetches the key set of this node when it meets an unknown kid. */
function follower({ server }: Node, agent: Agent) {
  const keys = createRemoteJWKSet(new URL(`https://localhost:${server.port}/jwks`), {
    cooldownDuration: 0,
    [customFetch]: (url, init) => undiciFetch(url, { ...init, dispatcher: agent }),
  })
  return (token: string) => jwtVerify(token, keys, { issuer, audience: 'https://api.example', typ: 'at+jwt' })
}

test('20 rotations during load: jose follows, and no valid token is refused by anyone', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await using two = await fleet.start()
  await using third = await fleet.compose()
  const agent = new Agent({ connect: { ca: one.server.ca ?? '' } })
  const nodes = [one, two]
  const followers = nodes.map((node) => follower(node, agent))
  const seen = nodes.map(() => new Set<string>())
  const over = new AbortController()
  let count = 0

  async function work(at: 0 | 1): Promise<void> {
    while (!over.signal.aborted) {
      const token = await tokenOf(nodes[at] as Node)
      for (const verify of followers) await verify(token)
      assert.equal(await isActive(nodes[1 - at] as Node, token), true)
      seen[at]?.add(kidOf(token))
      count += 1
    }
  }

  const working = [work(0), work(1)]
  const broken = Promise.all(working).then(() => undefined)
  const { authority } = third
  const everywhere = (keys: number) =>
    Promise.race([broken, until(setImmediate, () => seen.every((kids) => kids.size >= keys))])
  try {
    await everywhere(1)
    for (let n = 0; n < rotations; n++) {
      // Every fourth is announced first, and then begun before its time; every fifth is a command.
      if (n % 4 === 3) assert.ok((await authority.admin.keys.rotate(operator, root, { now: false })).kind === 'ok')
      if (n % 5 === 4) assert.equal((await fleet.run(['key', 'rotate', '--now'])).code, 0)
      else assert.ok((await authority.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      await everywhere(n + 2)
    }
  } finally {
    over.abort()
  }
  await Promise.all(working)
  await agent.close()
  assert.ok(seen.every((kids) => kids.size > rotations) && count > 2 * rotations, `${count} tokens`)
  const { stdout } = await fleet.run(['audit', 'export'])
  const told = stdout.split('\n').filter((line) => line.includes('"key.'))
  const named = told
    .map((line) => JSON.parse(line) as { name: string; data: { kid: string; alg: string } })
    .filter(({ data }) => data.alg === 'ES256')
  assert.equal(new Set(named.map(({ name, data }) => `${name} ${data.kid}`)).size, named.length, 'told once each')
  assert.equal(named.filter(({ name }) => name === 'key.published').length, rotations + 1)
  assert.equal(named.filter(({ name }) => name === 'key.activated').length, rotations + 1)
  assert.equal((await fleet.run(['audit', 'verify'])).code, 0)
})
