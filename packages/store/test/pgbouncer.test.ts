/** The storage contract behind PgBouncer in transaction mode: those parts of it that lean hardest on the database. */
import { deepEqual, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../../interop/pgbouncer.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { StoreRefused } from '../src/index.ts'
import { eventSuite } from '../suite/events.ts'
import { raceSuite } from '../suite/races.ts'
import { openAuditKey } from './support/audit-key.ts'
import { countedTable, rowCount, withCounting, withIndex } from './support/counted-rows.ts'
import { ask } from './support/fresh-schema.ts'

const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''
const run = randomBytes(4).toString('hex')
/** One for each store, because the role brings the schema; each takes the next. */
const roles = Array.from({ length: 64 }, (_, n) => `pooled_${run}_${n}`)
let pooler: Promise<PgBouncer> | null = null
let taken = 0

async function freshRole(): Promise<{ readonly role: string; readonly schema: string; drop(): Promise<void> }> {
  const role = roles[taken++] ?? ''
  const schema = `${role}_data`
  await ask(url, `create role ${role} login password '${role}'`)
  await ask(url, `create schema ${schema} authorization ${role}`)
  return {
    role,
    schema,
    async drop() {
      await ask(url, `drop schema ${schema} cascade`)
      await ask(url, `drop role ${role}`)
    },
  }
}

/** What a node is opened with that has nothing but the pooler. */
async function freshPooled() {
  const { role, schema, drop } = await freshRole()
  await ask(url, `alter role ${role} set search_path = ${schema}`)
  const direct = new URL(url)
  direct.username = direct.password = role
  pooler ??= startPgBouncer(url, roles)
  const through = { url: (await pooler).urlOf(role), preparedStatements: false }
  const options = { ...through, schema, auditKey: openAuditKey, patience: 60_000 }
  return { options, directUrl: direct.href, drop }
}

async function open(listens: boolean): Promise<Engine> {
  const { options, directUrl, drop } = await freshPooled()
  const engine = await postgresEngine({ ...options, directUrl: listens ? directUrl : null })
  return { ...engine, close: () => engine.close().then(drop) }
}

const skip = hasPgBouncer() ? false : 'PgBouncer is not here; `npm test` installs it where it can'

describe('behind PgBouncer in transaction mode', { skip }, () => {
  after(async () => (await pooler)?.[Symbol.asyncDispose]())
  describe('races', { concurrency: 2 }, () => raceSuite(() => open(true)))
  describe('events, heard by polling', { concurrency: 2 }, () => eventSuite(() => open(false)))

  test('many nodes count by one limit, and none is counted twice', async (t) => {
    const pooled = await freshPooled()
    t.after(pooled.drop)
    const nodes = await Promise.all([1, 2, 3].map(() => postgresEngine(pooled.options)))
    t.after(() => Promise.all(nodes.map((node) => node.close())))
    const unit = (key: string) => ({ key, now: 1_000_000, interval: 10_000, span: 1_000_000 })
    // Far more than there are connections, for one row that all want and for a few that some do.
    const answers = await Promise.all(
      Array.from({ length: 240 }, (_, n) => {
        const units = [unit(`address ${n % 5}`), unit('everybody')]
        return (nodes[n % 3] as Engine).run('limits.takeUnits', [units])
      }),
    )
    const taken = answers.filter((units) => units.every((it) => it.taken)).length
    deepEqual([taken, answers.length], [100, 240])
  })

  for (const [name, migrations] of [
    ['rows batch by batch', withCounting('postgres')],
    ['an index beside writers', withIndex()],
  ] as const)
    test(`nodes that start together migrate ${name}, though every transaction has another connection`, async (t) => {
      const pooled = await freshPooled()
      t.after(pooled.drop)
      await (await postgresEngine(pooled.options)).close()
      const filled = `insert into counted select generate_series(1, ${rowCount})`
      await ask(pooled.directUrl, `${countedTable}; ${filled}`)
      const over = new AbortController()
      // Others between, so that the pooler hands connections around.
      const others = [1, 2, 3, 4].map(async () => {
        while (!over.signal.aborted) await ask(pooled.options.url, 'select pg_sleep(0.002)')
      })
      const opening = [1, 2].map(() => postgresEngine({ ...pooled.options, upgrade: { migrations } }))
      const nodes = await Promise.all(opening).finally(() => over.abort())
      for (const node of nodes) await node.close()
      await Promise.all(others)
      if (migrations.at(-1)?.batches === undefined) return
      deepEqual(await ask(pooled.directUrl, 'select times, count(*)::integer as n from counted group by times'), [
        { times: 1, n: rowCount },
      ])
    })

  test('a role that does not bring the schema is refused, and told the line that is missing', async () => {
    const { role, schema, drop } = await freshRole()
    pooler ??= startPgBouncer(url, roles)
    const through = { url: (await pooler).urlOf(role), schema, auditKey: openAuditKey, preparedStatements: false }
    await rejects(postgresEngine(through), (error) => {
      ok(error instanceof StoreRefused)
      ok(error.message.includes(`ALTER ROLE ${role} IN DATABASE`) && error.message.includes(`search_path = ${schema}`))
      return true
    })
    await drop()
  })
})
