/** How many events are lost from the ends of logs: counted over any number of tenants, and without reading the logs. */
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { openSqlite } from '../src/drivers/sqlite/engine.ts'
import type { Store } from '../src/index.ts'
import { lost } from '../src/verbs/events.ts'
import type { Statement } from '../src/verbs/verb.ts'
import { acme, event, other } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'
import { scanning } from './support/postgres-plans.ts'

/** More tenants than one statement looks up. */
const many = 2_500
const names = Array.from({ length: many }, (_, n) => `t${n}`)

interface Opened {
  readonly store: Store
  /** Behind its back. */
  write(text: string): Promise<unknown>
}

async function onPostgres(t: TestContext): Promise<Opened> {
  const { url, schema, drop } = await freshSchema()
  const store = await openPostgres({ url, schema, auditKey, patience: 60_000 })
  t.after(() => store.close().then(drop))
  return { store, write: (text) => ask(`${url}?options=-c%20search_path%3D${schema}`, text) }
}

async function onSqlite(t: TestContext): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-lost-'))
  const path = join(folder, 'grantor.db')
  const store = await openSqlite({ path, auditKey })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const write = async (text: string): Promise<void> => {
    using db = new DatabaseSync(path)
    db.exec(text)
  }
  return { store, write }
}

for (const [name, open] of Object.entries({ PostgreSQL: onPostgres, SQLite: onSqlite }))
  test(`on ${name} the ends of all logs are counted, however many tenants there are`, async (t) => {
    const { store, write } = await open(t)
    const last = { tenant: names.at(-1) as typeof acme }
    for (const it of [{ tenant: acme }, { tenant: other }, last, last, last])
      await store.events.append([event('token.issued', it)])
    await store.events.position()
    await write(`insert into logs (tenant) values ${names.map((it) => `('${it}')`).join()} on conflict do nothing`)
    equal(await store.events.lost(), 0)
    await write(`delete from events where tenant = '${last.tenant}' and seq > 1`)
    equal(await store.events.lost(), 2)
    await write(`delete from events where tenant = '${acme}'`)
    equal(await store.events.lost(), 3)
    await write(`delete from logs where tenant = '${other}'`)
    equal(await store.events.lost(), 4)
  })

test('on PostgreSQL only the last event of each log is read', async (t) => {
  const statements: Statement[] = []
  const verb = lost()
  for (let step = verb.next(); step.done !== true; step = verb.next([]))
    if (step.value.do === 'sql') statements.push(step.value)
  deepEqual(await scanning(t, statements), [])
})
