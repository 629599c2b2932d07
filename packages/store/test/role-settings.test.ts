/** What the role that Grantor connects as brings with it, or its database, is no reason to fail or to promise too much. */
import { equal, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { StoreRefused, StoreUnavailable } from '../src/index.ts'
import { event, issuance, tenantWithClient } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask } from './support/fresh-schema.ts'

const adminUrl = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''

/** A role of the test's own, and a schema of the same name. */
async function freshRole(t: TestContext) {
  const role = `r_${randomBytes(6).toString('hex')}`
  await ask(adminUrl, `create role ${role} login password '${role}'`)
  await ask(adminUrl, `create schema ${role} authorization ${role}`)
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(async () => {
    await ask(adminUrl, `drop schema ${role} cascade`)
    await ask(adminUrl, `drop role ${role}`)
  })
  const address = new URL(adminUrl)
  address.username = address.password = role
  return {
    // One after the other: PostgreSQL keeps all settings of a role in one row.
    async settings(settings: Readonly<Record<string, string>>) {
      for (const [name, to] of Object.entries(settings)) await ask(adminUrl, `alter role ${role} set ${name} = ${to}`)
    },
    async open(more: { readonly preparedStatements?: boolean } = {}) {
      const engine = await postgresEngine({ url: address.href, schema: role, auditKey, notary: false, ...more })
      stack.defer(() => engine.close())
      return storeFromEngine(engine)
    },
    async raw() {
      const client = new pg.Client({ connectionString: adminUrl, options: `-c search_path=${role}` })
      await client.connect()
      stack.defer(() => client.end())
      return client
    },
  }
}

const hurtful = {
  lock_timeout: "'1ms'",
  statement_timeout: "'1ms'",
  idle_in_transaction_session_timeout: "'1ms'",
  default_transaction_isolation: 'serializable',
  client_min_messages: 'error',
}

test('a session goes by our settings and not by those of its role', async (t) => {
  const { settings, open, raw } = await freshRole(t)
  const db = await raw()
  await settings(hurtful)
  const store = await open()
  const basis = await tenantWithClient(store)
  await db.query(`create table seen (isolation text, waits_for_locks text, tells text);
    grant insert on seen to public;
    create function see() returns trigger language plpgsql as $$ begin
      insert into seen values (current_setting('transaction_isolation'), current_setting('lock_timeout'),
        current_setting('client_min_messages'));
      return null; end $$;
    create trigger see after insert on events_pending for each statement execute function see()`)
  equal(await store.tokens.issue(issuance(basis)), 'committed')
  const { rows } = await db.query('select * from seen')
  equal(JSON.stringify(rows), JSON.stringify([{ isolation: 'read committed', waits_for_locks: '0', tells: 'warning' }]))
})

test('behind a pooler what the role waits for a lock is an outage when it is over', async (t) => {
  const { settings, open, raw } = await freshRole(t)
  const db = await raw()
  const [{ schema } = { schema: '' }] = (await db.query<{ schema: string }>('select current_schema() as schema')).rows
  await settings({ search_path: schema, lock_timeout: "'50ms'" })
  const store = await open({ preparedStatements: false })
  const basis = await tenantWithClient(store)
  await db.query('begin; lock table clients, events_pending, limits in access exclusive mode')
  const refused = [
    store.tokens.issue(issuance(basis)),
    store.events.append([event('token.rejected')]),
    store.limits.takeUnits([{ key: 'tenant', now: 1, interval: 1, span: 1 }]),
    store.clients.find(basis.tenant, 'web'),
    store.directory.catalogue(basis.tenant),
  ]
  await Promise.all(refused.map((it) => rejects(it, StoreUnavailable)))
  await db.query('rollback')
  equal(await store.tokens.issue(issuance(basis)), 'committed')
})

test('behind a pooler a role that hears of errors only is refused: a wait for the standby may be cancelled', async (t) => {
  const { settings, open, raw } = await freshRole(t)
  const db = await raw()
  const [{ schema } = { schema: '' }] = (await db.query<{ schema: string }>('select current_schema() as schema')).rows
  await settings({ search_path: schema, client_min_messages: 'error' })
  await rejects(open({ preparedStatements: false }), (error) => {
    return error instanceof StoreRefused && /SET client_min_messages = warning/.test(error.message)
  })
})

test('a verb that collides as often as it is tried is refused for now, and is no fault', async (t) => {
  const { open, raw } = await freshRole(t)
  const store = await open()
  const basis = await tenantWithClient(store)
  const db = await raw()
  for (const code of ['serialization_failure', 'deadlock_detected']) {
    await db.query(`create or replace function collide() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '${code}'; end $$;
      create or replace trigger collide before insert on events_pending for each statement execute function collide()`)
    await rejects(store.tokens.issue(issuance(basis)), StoreUnavailable)
    await rejects(store.events.append([event('token.rejected')]), StoreUnavailable)
  }
  await db.query('drop trigger collide on events_pending')
  equal(await store.tokens.issue(issuance(basis)), 'committed')
})
