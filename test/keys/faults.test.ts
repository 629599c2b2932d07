/** Keys under faults, on two real servers: dropped, slept through, rotated at once, killed in the middle. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type Fleet, openFleet } from '../fleet/fleet.ts'
import { declared, isActive, kidOf, publishedKids, tokenOf } from '../fleet/objects.ts'

interface ListedKey {
  readonly kid: string
  readonly alg: string
  readonly state: string
}

const keysOf = async (fleet: Fleet): Promise<readonly ListedKey[]> =>
  JSON.parse((await fleet.run(['key', 'list', '--json'])).stdout) as ListedKey[]

async function assertLogWhole(fleet: Fleet): Promise<void> {
  const { code, stderr } = await fleet.run(['audit', 'verify'])
  assert.equal(code, 0, stderr)
  const { stdout } = await fleet.run(['audit', 'export'])
  const events = stdout
    .split('\n')
    .filter((line) => line.includes('"key.'))
    .map((line) => JSON.parse(line) as { name: string; data: { kid: string } })
    .map(({ name, data }) => `${name} ${data.kid}`)
  assert.equal(new Set(events).size, events.length, 'each is told once')
  const published = new Set(events.filter((it) => it.startsWith('key.published')).map((it) => it.split(' ')[1]))
  for (const { kid } of await keysOf(fleet)) assert.ok(published.has(kid), 'no key without its event')
}

test('a dropped key is dead at once on every node, and another signs', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await using two = await fleet.start()
  const tokens = [await tokenOf(one), await tokenOf(two)]
  const [token = ''] = tokens
  assert.equal((await fleet.run(['key', 'drop', kidOf(token), '--yes'])).code, 0)
  for (const node of [one, two]) {
    for (const dead of tokens) assert.equal(await isActive(node, dead), false)
    assert.ok(!(await publishedKids(node)).includes(kidOf(token)))
    assert.notEqual(kidOf(await tokenOf(node)), kidOf(token))
  }
  assert.equal(kidOf(await tokenOf(one)), kidOf(await tokenOf(two)))
})

test('a node stopped with SIGSTOP through two rotations and a drop wakes up right', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await using two = await fleet.start()
  const first = await tokenOf(two)
  process.kill(two.server.pid, 'SIGSTOP')
  try {
    assert.equal((await fleet.run(['key', 'rotate', '--now'])).code, 0)
    const second = await tokenOf(one)
    assert.equal((await fleet.run(['key', 'rotate', '--now'])).code, 0)
    assert.equal((await fleet.run(['key', 'drop', kidOf(first), '--yes'])).code, 0)
    const third = await tokenOf(one)
    process.kill(two.server.pid, 'SIGCONT')
    assert.deepEqual(
      [await isActive(two, first), await isActive(two, second), await isActive(two, third)],
      [false, true, true],
    )
    assert.equal(kidOf(await tokenOf(two)), kidOf(third))
    assert.deepEqual((await publishedKids(two)).toSorted(), (await publishedKids(one)).toSorted())
  } finally {
    process.kill(two.server.pid, 'SIGCONT')
  }
})

test('kill -9 in mid-rotation, and rotations at the same moment, leave one current key and a whole log', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await tokenOf(one)
  // Killed at another moment each time: before it connects, while it makes the key, while it writes.
  for (let time = 0; time < 6; time++) {
    await killWithin(fleet.spawn(['key', 'rotate', '--now']), 300 + 90 * time)
  }
  const together = await Promise.all(Array.from({ length: 3 }, () => fleet.run(['key', 'rotate', '--now'])))
  assert.ok(together.some(({ code }) => code === 0))
  assert.ok(together.every(({ code }) => code === 0 || code === 4))
  await using two = await fleet.start()
  const current = (await keysOf(fleet)).filter(({ state }) => state === 'current')
  assert.equal(new Set(current.map(({ alg }) => alg)).size, current.length)
  const kids = [kidOf(await tokenOf(one)), kidOf(await tokenOf(two))]
  assert.deepEqual([...new Set(kids)], [current.find(({ alg }) => alg === 'ES256')?.kid])
  await assertLogWhole(fleet)
})

/** The moment is what is varied here; nothing is concluded from how long anything took. */
async function killWithin(child: ChildProcess, ms: number): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  if (child.exitCode === null) await once(child, 'exit')
  clearTimeout(timer)
}
