/** An Idempotency-Key at an API of several processes on PostgreSQL: killed between write and answer, at once, begun again. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { postgresPool, storeNames } from '../deferred/stores.ts'
import { accessToken, signingKey } from '../deferred/tokens.ts'

const program = fileURLToPath(new URL('api-process.ts', import.meta.url))
const key = signingKey()

interface ApiNode {
  readonly child: ChildProcess
  create(idempotencyKey: string, label?: string): Promise<Response>
}

async function startNode(schema: string, ...more: readonly string[]): Promise<ApiNode> {
  const child = spawn(process.execPath, [program, schema, JSON.stringify({ keys: [key.jwk] }), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const headers = { authorization: `Bearer ${accessToken(key)}`, 'content-type': 'application/json' }
  return {
    child,
    create: (idempotencyKey, label = 'x') =>
      fetch(`http://127.0.0.1:${Number(line)}/v1/things`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ label }),
      }),
  }
}

async function openThings() {
  const schema = `nodes_${process.pid}_${Date.now()}`
  const pool = await postgresPool(schema)
  await pool.query('create table things (id text primary key, label text not null)')
  const count = async () => Number((await pool.query('select count(*) as n from things')).rows[0].n)
  return { schema, pool, count }
}

for (const name of storeNames.filter((one) => one === 'PostgreSQL')) {
  test(`I6: killed between its handler's write and its answer, then sent to another node: one thing, one answer [${name}]`, async () => {
    const { schema, pool, count } = await openThings()
    const dying = await startNode(schema, 'die')
    await assert.rejects(dying.create('one'))
    assert.equal(await count(), 1)
    const other = await startNode(schema)
    // Whoever comes while the lease runs is told to wait, and writes nothing.
    const early = await other.create('one')
    assert.deepEqual([early.status, early.headers.get('retry-after') !== null], [409, true])
    await pool.query('update idempotency set lease_until = 0')
    const made = await other.create('one')
    assert.deepEqual([made.status, made.headers.get('idempotency-replayed')], [201, null])
    const body = await made.text()
    assert.equal(await count(), 1)
    assert.equal((await other.create('one', 'another')).status, 422)
    const third = await startNode(schema)
    const again = await third.create('one')
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    assert.equal(await again.text(), body)
    assert.equal(await count(), 1)
  })

  test(`of forty at once on two nodes one is made, and all are told of the same one, also after a restart [${name}]`, async () => {
    const { schema, count } = await openThings()
    const nodes = [await startNode(schema), await startNode(schema)] as const
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => nodes[i % 2 === 0 ? 0 : 1].create('two')))
    const fresh = answers.filter((it) => it.status === 201 && it.headers.get('idempotency-replayed') === null)
    assert.equal(fresh.length, 1)
    assert.ok(answers.every(({ status }) => status === 201 || status === 409))
    assert.equal(await count(), 1)
    const body = await fresh[0]?.text()
    for (const { child } of nodes) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const later = await (await startNode(schema)).create('two')
    assert.deepEqual([later.status, later.headers.get('idempotency-replayed')], [201, 'true'])
    assert.equal(await later.text(), body)
    assert.equal(await count(), 1)
  })
}
