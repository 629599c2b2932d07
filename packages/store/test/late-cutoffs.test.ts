/** Who takes access away may have to wait for the database; what was given out meanwhile is taken away as well. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { connect } from '../src/drivers/sqlite/connection.ts'
import { openSqlite } from '../src/drivers/sqlite/engine.ts'
import { GroupWriter } from '../src/drivers/sqlite/group-writer.ts'
import { monotonicNow, type VerbCall } from '../src/drivers/sqlite/worker-message.ts'
import type { Store } from '../src/index.ts'
import { entriesOf } from '../src/verbs/entry.ts'
import { acme, at, event, issuance, revocable, tenantWithClient, user } from '../suite/samples.ts'
import { auditKey as key, openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

interface Opened {
  readonly store: Store
  /** Holds what the verb changes, until it is told to let go. */
  hold(): Promise<() => Promise<unknown>>
}

async function sqlite(t: TestContext): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-late-'))
  const path = join(folder, 'grantor.db')
  const store = await openSqlite({ path, auditKey })
  const beside = new DatabaseSync(path)
  t.after(async () => {
    beside.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return {
    store,
    async hold() {
      beside.exec('begin immediate')
      return async () => beside.exec('commit')
    },
  }
}

async function postgres(t: TestContext): Promise<Opened> {
  const { url, schema, drop } = await freshSchema()
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const store = await openPostgres({ url, schema, auditKey })
  stack.defer(() => store.close())
  const beside = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await beside.connect()
  stack.defer(() => beside.end())
  return {
    store,
    async hold() {
      await beside.query(`begin; select id from users where id = 'ada' for update`)
      return () => beside.query('commit')
    },
  }
}

const disabling = (version: number) => ({
  tenant: acme,
  id: 'ada',
  version,
  at: at(5_000),
  disabledAt: at(5_000),
  events: [event('admin.user_changed', { subject: 'ada', at: at(5_000), data: { cutoff: true, until: 305_000 } })],
})

for (const [name, open] of Object.entries({ sqlite, postgres })) {
  test(`${name}: a change that waits into the next second ends the tokens of that second`, async (t) => {
    const { store, hold } = await open(t)
    await tenantWithClient(store)
    await store.users.create(user('ada'), [event('admin.user_changed')])
    const cutAt = async (issuedAt: number) =>
      (await store.tokens.status(acme, revocable({ subject: 'ada', issuedAt: at(issuedAt) }))).revokedAt

    const letGo = await hold()
    const changing = store.users.change(disabling(1))
    await sleep(1_200)
    await letGo()
    equal(await changing, 'changed')
    notEqual(await cutAt(6_000), null)
    equal(await cutAt(100_000), null)

    await store.events.position()
    const logged = (await store.events.after(acme, 0, 10)).find(({ data }) => data?.['cutoff'] === true)
    ok(logged !== undefined && logged.at >= 6_200)
    // It is kept for as long as the last token that it kills.
    equal(Number(logged.data?.['until']) - logged.at, 300_000)
  })

  test(`${name}: one that does not has the time at which it was made`, async (t) => {
    const { store } = await open(t)
    await tenantWithClient(store)
    await store.users.create(user('ada'), [event('admin.user_changed')])
    equal(await store.users.change(disabling(1)), 'changed')
    const { revokedAt } = await store.tokens.status(acme, revocable({ subject: 'ada', issuedAt: at(5_000) }))
    equal(revokedAt, at(5_000))
  })
}

test('postgres: where the commit of such a change reaches into the next second, all tokens that were given out meanwhile end', async (t) => {
  const { url, schema, drop } = await freshSchema()
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const store = await openPostgres({ url, schema, auditKey })
  stack.defer(() => store.close())
  const basis = await tenantWithClient(store)
  await store.users.create(user('ada'), [event('admin.user_changed')])
  const beside = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await beside.connect()
  stack.defer(() => beside.end())
  // As if a standby took its time to confirm: once, for whatever cuts tokens off first.
  await beside.query(`create sequence commits;
    create function wait() returns trigger language plpgsql as $$ begin
      if nextval('${schema}.commits') = 1 then perform pg_sleep(1.2); end if; return null; end $$;
    create constraint trigger wait after insert on events_pending deferrable initially deferred
      for each row when (new.body like '%cutoff%') execute function wait()`)
  const changing = store.users.change(disabling(1))
  const asleep = `select 1 from pg_stat_activity where wait_event = 'PgSleep' and query = 'commit' and application_name = 'grantor'`
  while ((await beside.query(asleep)).rowCount === 0);
  equal(await store.tokens.issue(issuance(basis, { at: at(6_100) })), 'committed', 'nobody sees the change yet')
  equal(await changing, 'changed')
  const deadAt = async (issuedAt: number) =>
    (await store.tokens.status(acme, revocable({ subject: 'ada', issuedAt: at(issuedAt) }))).revokedAt
  notEqual(await deadAt(6_000), null)
  equal(await deadAt(100_000), null)
  await store.events.position()
  const told = (await store.events.after(acme, 0, 10)).filter(({ data }) => data?.['cutoff'] === true)
  deepEqual(
    told.map(({ reason }) => reason),
    [null, 'commit_late'],
  )
  const [first, again] = told
  notEqual(first?.id, again?.id)
  equal(Number(again?.data?.['until']) - Number(again?.at), Number(first?.data?.['until']) - Number(first?.at))
})

test('sqlite: where the commit of such a change reaches into the next second, nobody gets a token of it who did not see the change', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-late-'))
  const path = join(folder, 'grantor.db')
  const store = await openSqlite({ path, auditKey })
  const basis = await tenantWithClient(store)
  await store.users.create(user('ada'), [event('admin.user_changed')])
  await store.close()
  let commitTakes = 0
  const writer = new GroupWriter(path, key, (...args) => {
    const file = connect(...args)
    const run = (): unknown => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitTakes)
      return file.prepare('commit').run()
    }
    return { ...file, prepare: (text) => (text === 'commit' ? ({ run } as never) : file.prepare(text)) }
  })
  t.after(() => {
    writer.close()
    rmSync(folder, { recursive: true })
  })
  const call = (name: VerbCall['name'], ...args: unknown[]): VerbCall => ({
    kind: 'verb',
    name,
    args,
    breakAt: null,
    calledAt: monotonicNow(),
  })
  const { events: _events, ...token } = issuance(basis)
  const issue = (decidedAt: number) => call('tokens.issue', { ...token, at: at(decidedAt), entries: [] })
  const disable = (version: number) => {
    const { events, ...change } = disabling(version)
    return call('users.change', change, entriesOf(events))
  }

  deepEqual(writer.run([disable(1)]).values, ['changed'])
  deepEqual(writer.run([issue(5_000)]).values, ['committed'], 'within the second all that was given out is cut off')
  commitTakes = 1_100
  deepEqual(writer.run([disable(2)]).values, ['changed'])
  commitTakes = 0
  deepEqual(writer.run([issue(5_900), issue(6_050), issue(20_000)]).values, ['stale', 'stale', 'committed'])
  const afterwards = { ...issue(4_000), calledAt: monotonicNow() + 61_000 }
  deepEqual(writer.run([afterwards]).values, ['committed'], 'whose clock was set back is not held up for as long')
  // One that waited itself is dated when it is written: its second ends later.
  const waited = disable(3)
  const late = { ...waited, calledAt: waited.calledAt - 1_200 }
  deepEqual(writer.run([late]).values, ['changed'])
  deepEqual(writer.run([issue(20_000)]).values, ['committed'])
})
