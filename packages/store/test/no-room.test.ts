/** A PostgreSQL that has no connection to spare: those that a node has are used on, where several servers are asked, too. */
import { equal, ok, rejects } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { type DatabaseHost, readAddress } from '../src/drivers/postgres/address.ts'
import { clientConfig } from '../src/drivers/postgres/connection.ts'
import { ConnectionPool } from '../src/drivers/postgres/pool.ts'
import { PrimaryFinder } from '../src/drivers/postgres/primary.ts'
import { StoreUnavailable } from '../src/index.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'

interface LimitedNode {
  readonly pool: ConnectionPool
  readonly finder: PrimaryFinder
  readonly other: DatabaseHost
  /** Takes every connection that the role may still have. */
  fill(): Promise<void>
  /** Lets them go. */
  empty(): Promise<void>
}

const text = 'select 1'
const one = { text, values: [] }

/** Its role may have three connections; the second of its servers is away. */
async function limitedNode(t: TestContext): Promise<LimitedNode> {
  const { url, schema } = await freshSchema()
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  await ask(url, `create role ${schema} login password '${schema}' connection limit 3`)
  stack.defer(async () => void (await ask(url, `drop role ${schema}`)))
  const address = new URL(url)
  address.username = address.password = schema
  address.searchParams.set('target_session_attrs', 'read-write')
  const target = { schema, poolSize: 3, patience: 3_000, preparedStatements: true }
  const servers = readAddress(address.href.replace(address.host, `${address.host},127.0.0.1:1`))
  const finder = new PrimaryFinder(servers, target.patience, (host) => clientConfig(target, host))
  const pool = new ConnectionPool(target, finder)
  stack.defer(() => pool.end())
  const held: pg.Client[] = []
  const empty = async (): Promise<void> => void (await Promise.all(held.splice(0).map((client) => client.end())))
  stack.defer(empty)
  const fill = async (): Promise<void> => {
    for (;;) {
      const client = new pg.Client({ ...clientConfig(target, { url: address.href, name: 'it' }) })
      try {
        await client.connect()
        held.push(client)
      } catch (error) {
        equal((error as { readonly code?: unknown }).code, '53300')
        return
      }
    }
  }
  return { pool, finder, other: servers.hosts[1] as DatabaseHost, fill, empty }
}

test('a look for which the server has no connection leaves the node with those it has', async (t) => {
  const { pool, finder, fill } = await limitedNode(t)
  await pool.query(one)
  const before = finder.trusted
  ok(before !== null)
  await fill()
  equal(await finder.look(), before)
  equal(finder.trusted, before)
  equal((await pool.query(one)).rows.length, 1)
})

test('what another server lacks casts no doubt on the one in use, while it is looked for', async (t) => {
  const { finder, other } = await limitedNode(t)
  const found = await finder.find()
  const rows = [{ standby: true, read_only: true }]
  const standby = { query: async () => ({ rows }) } as unknown as pg.ClientBase
  await rejects(finder.check(standby, other), /a standby/)
  equal(finder.trusted, found)
  await rejects(finder.check(standby, found), /a standby/)
  equal(finder.trusted, null)
})

test('a connection more that is not to be had fails who wanted it, and nobody else', async (t) => {
  const { pool, finder, fill } = await limitedNode(t)
  await pool.query(one)
  await fill()
  const using = pool.query({ text: 'select pg_sleep(0.5)', values: [] })
  await rejects(pool.query(one), { code: '53300' })
  ok(finder.trusted !== null)
  await using
  await pool.query(one)
})

test('a server that is in doubt is not used before it was asked, and it is when there is room again', async (t) => {
  const { pool, finder, fill, empty } = await limitedNode(t)
  await pool.query(one)
  await fill()
  finder.doubt()
  await rejects(finder.look(), StoreUnavailable)
  equal(finder.trusted, null)
  await rejects(pool.query(one), StoreUnavailable)
  await empty()
  let answered = false
  while (!answered)
    answered = await pool.query(one).then(
      () => true,
      () => false,
    )
  ok(finder.trusted !== null)
})
