/** Verbs whose work grows with the database outlast what a request waits for PostgreSQL; all others are refused in time. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { StoreUnavailable } from '../src/index.ts'
import { isPatient, type VerbName, verbs } from '../src/verbs/index.ts'
import { acme, at, change, entries, grantId } from '../suite/samples.ts'
import { populated, verbCalls } from '../suite/verb-calls.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

interface Nodes {
  /** One that waits for a second, and one that waits for as long as any test. */
  readonly hasty: Engine
  readonly calm: Engine
  /** A plain connection inside the schema. */
  readonly raw: pg.Client
}

async function openNodes(t: TestContext): Promise<Nodes> {
  const { url, schema, drop } = await freshSchema()
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const open = async (patience: number): Promise<Engine> => {
    const engine = await postgresEngine({ url, schema, auditKey, patience, notary: false })
    stack.defer(() => engine.close())
    return engine
  }
  const raw = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await raw.connect()
  stack.defer(() => raw.end())
  const calm = await open(60_000)
  await populated(storeFromEngine(calm))
  return { hasty: await open(1_000), calm, raw }
}

/** As if it held millions: longer than a statement of the hasty one may take, and than its connections may be silent. */
const slow = (table: string): string => `
  create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(2.5); return null; end $$;
  create trigger slow before update or delete on ${table} for each statement execute function slow()`

const patient = (Object.keys(verbs) as VerbName[]).filter((name) => 'patient' in verbs[name])

test('the verbs that may take long are few, and none of them comes with every request', () => {
  deepEqual(patient, [
    'clients.remove',
    'directory.apply',
    'directory.removeTenant',
    'directory.beginNewEpoch',
    'directory.setBack',
  ])
  const dropping = change({ dropClients: [{ id: 'web', version: 1 }] })
  equal(isPatient('directory.apply', [[change()], []]), false)
  equal(isPatient('directory.apply', [[change(), dropping], []]), true)
})

test('what grows with the database takes as long as it needs', { concurrency: patient.length }, async (t) => {
  const each = patient.map((name) =>
    t.test(name, async (t) => {
      const { hasty, calm, raw } = await openNodes(t)
      const args = await verbCalls[name]({ engine: calm, store: storeFromEngine(calm) })
      await raw.query(slow(name === 'directory.setBack' ? 'codes' : 'grants'))
      await hasty.run(name, args)
      await storeFromEngine(hasty).ping()
    }),
  )
  await Promise.all(each)
})

test('what does not is refused in time', async (t) => {
  const { hasty, calm, raw } = await openNodes(t)
  await raw.query(slow('grants'))
  const revocation = { tenant: acme, id: grantId('g1'), at: at(2_000) }
  await rejects(hasty.run('grants.revoke', [revocation, entries('grant.revoked')]), StoreUnavailable)
  equal(await calm.run('grants.revoke', [revocation, entries('grant.revoked')]), 'revoked')
})

test('for what somebody else holds no verb waits longer than another', async (t) => {
  const { hasty, calm, raw } = await openNodes(t)
  const args = await verbCalls['clients.remove']({ engine: calm, store: storeFromEngine(calm) })
  await raw.query('begin; select clock from deployment for update')
  await rejects(hasty.run('clients.remove', args), StoreUnavailable)
  await raw.query('rollback')
  equal(await hasty.run('clients.remove', args), 'removed')
})
