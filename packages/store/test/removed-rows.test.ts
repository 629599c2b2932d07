/** With a person, a client or a tenant goes all that was theirs, and nothing of the same name in another tenant. */
import { deepEqual, notEqual } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '../src/contract/store.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { all } from '../src/verbs/verb.ts'
import { everything } from '../suite/database-rows.ts'
import { at, event } from '../suite/samples.ts'
import { workedDatabase } from './support/worked-database.ts'

const tenantNames = async (engine: Engine): Promise<readonly TenantId[]> =>
  (await engine.read(all({ do: 'sql', text: 'select id from tenants order by id', values: [] }))).map(
    (row) => String(row['id']) as TenantId,
  )

type Removal = (store: Store, tenant: TenantId) => Promise<unknown>

const removals: Readonly<Record<string, Removal>> = {
  async person(store, tenant) {
    const { version = 0 } = (await store.users.byId(tenant, 'ada')) ?? {}
    const events = [event('admin.user_changed', { tenant, reason: 'removed' })]
    return store.users.remove({ tenant, id: 'ada', version, by: 'operator', at: at(3_000), events })
  },
  client: (store, tenant) => store.clients.remove(tenant, 'web', at(3_000), [event('client.deleted', { tenant })]),
  async tenant(store, tenant) {
    const expected = (await store.directory.catalogue(tenant))?.tenant.revision ?? null
    const none = { putResources: [], dropResources: [], putScopes: [], dropScopes: [] }
    const clients = { createClients: [], replaceClients: [], dropClients: [] }
    const disabling = { tenant, expected, disabledAt: at(3_000), at: at(3_000), events: [], ...none, ...clients }
    await store.directory.apply([disabling])
    return store.directory.removeTenant(tenant, at(3_000), [event('admin.tenant_changed', { tenant })])
  },
}

/** Every row that is not of that tenant. */
async function elsewhere(engine: Engine, tenant: string): Promise<Record<string, readonly string[]>> {
  const own = (row: string) => row.includes(`"tenant":"${tenant}"`) || row.includes(`"id":"${tenant}"`)
  const found = await everything(engine)
  const apart = Object.entries(found).filter(([table]) => !counters.has(table))
  return Object.fromEntries(apart.map(([table, rows]) => [table, rows.filter((row) => !own(row))]))
}

/** Of the whole deployment: how far it has counted. */
const counters = new Set(['deployment', 'log_position'])

for (const [what, remove] of Object.entries(removals))
  test(`what is removed with a ${what} is of its tenant alone`, async (t) => {
    const { engine, store } = await workedDatabase(t)
    const tenant = 'tenant-1' as TenantId
    const [before, all] = [await elsewhere(engine, tenant), JSON.stringify(await everything(engine))]
    await remove(store, tenant)
    const after = await elsewhere(engine, tenant)
    const touched = Object.keys(before).filter((table) => before[table]?.join() !== after[table]?.join())
    deepEqual(touched, [])
    notEqual(JSON.stringify(await everything(engine)), all, 'something happened')
  })

/** How many rows name it, by table, after it was removed from every tenant. */
async function namedAfter(t: TestContext, remove: Removal, columns: readonly string[], name: string) {
  const { engine, store } = await workedDatabase(t)
  for (const tenant of await tenantNames(engine)) await remove(store, tenant)
  const left: Record<string, number> = {}
  const words = columns.map((column) => `'${column}'`).join(', ')
  const text = `select m.name as name, c.name as named from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and c.name in (${words})`
  for (const row of await engine.read(all({ do: 'sql', text, values: [] }))) {
    const counting = `select count(*) as rows from ${String(row['name'])} where ${String(row['named'])} = '${name}'`
    const rows = Number((await engine.read(all({ do: 'sql', text: counting, values: [] })))[0]?.['rows'])
    if (rows > 0) left[String(row['name'])] = rows
  }
  return { left }
}

/** The record of what was agreed to, of what was allowed and of what happened; what a stream has yet to be told of; minutes. */
const leftOfPerson = ['consents', 'device_codes', 'events', 'grants', 'sessions', 'stream_subjects']

test('of a person who is removed nothing is left but the record, and what is over by itself', async (t) => {
  const { left } = await namedAfter(t, removals['person'] as Removal, ['subject', 'held_by'], 'ada')
  deepEqual(Object.keys(left).toSorted(), leftOfPerson)
})

/** The record again; what was spent, so that it stays spent; what is over in minutes; the places in lists, which are swept. */
const leftOfClient = ['assertions', 'consents', 'grants', 'pushed_requests', 'status_entries']

test('of a client that is removed nothing is left but the record, and what is over by itself', async (t) => {
  const { left } = await namedAfter(t, removals['client'] as Removal, ['client_id', 'client'], 'web')
  deepEqual(Object.keys(left).toSorted(), leftOfClient)
})
