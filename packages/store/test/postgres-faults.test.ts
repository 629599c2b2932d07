/** PostgreSQL under faults: connections cut, locks held, nodes stopped, commits that come late. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { StoreRefused, StoreUnavailable, type Store } from '../src/index.ts'
import { migrationsOf } from '../src/schema/migrations.ts'
import { acme, at, change, client, event, issuance, statusEntry, tenantWithClient } from '../suite/samples.ts'
import { openAuditKey } from './support/audit-key.ts'
import { ask, freshSchema, type FreshSchema } from './support/fresh-schema.ts'
import { verified } from './support/verified-log.ts'

interface TestSchema extends FreshSchema {
  /** Opens a node over the schema; it is closed with the test. */
  node(more?: { readonly notary?: boolean; readonly patience?: number }): Promise<Store>
  /** A plain connection inside the schema. */
  raw(): Promise<pg.Client>
}

async function testSchema(t: TestContext): Promise<TestSchema> {
  const fresh = await freshSchema()
  const ends: (() => Promise<unknown>)[] = []
  t.after(async () => {
    for (const end of ends) await end()
    await fresh.drop()
  })
  return {
    ...fresh,
    // Under its own name, so that its connections can be told from others'.
    url: `${fresh.url}?application_name=${fresh.schema}`,
    async node(more = {}) {
      const store = await openPostgres({
        url: `${fresh.url}?application_name=${fresh.schema}`,
        schema: fresh.schema,
        auditKey: openAuditKey,
        ...more,
      })
      ends.push(() => store.close())
      return store
    },
    async raw() {
      const client = new pg.Client({ connectionString: fresh.url, options: `-c search_path=${fresh.schema}` })
      await client.connect()
      ends.unshift(() => client.end())
      return client
    },
  }
}

const rejected = (reason: string) => [event('token.rejected', { reason })]

test('connections cut in the middle of verbs are StoreUnavailable, nothing acknowledged is lost, and service resumes', async (t) => {
  const { url, schema, node } = await testSchema(t)
  const store = await node()
  const acknowledged: string[] = []
  const refused: unknown[] = []
  const done = new AbortController()
  const writeAndCount = async (name: number): Promise<void> => {
    for (let n = 0; !done.signal.aborted; n += 1) {
      const reason = `${name}/${n}`
      try {
        // Both kinds of verb: a single statement, and one between BEGIN and COMMIT.
        if (n % 2 === 0) await store.events.append(rejected(reason))
        else await store.directory.apply([change({ tenant: `${name}-${n}` as typeof acme, events: rejected(reason) })])
        acknowledged.push(reason)
      } catch (error) {
        ok(error instanceof StoreUnavailable, String(error))
        refused.push(error)
      }
    }
  }
  const writers = Array.from({ length: 6 }, (_, name) => writeAndCount(name))
  while (refused.length === 0) {
    await ask(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = '${schema}' and pid <> pg_backend_pid()`,
    )
  }
  const before = acknowledged.length
  while (acknowledged.length < before + 20) await store.ping().catch(() => {})
  done.abort()
  await Promise.all(writers)
  const kept = new Set(await verified(store, acme))
  deepEqual(
    acknowledged.filter((reason) => !kept.has(reason)),
    [],
  )
})

test('a table that stays locked becomes StoreUnavailable, and is used again when it is free', async (t) => {
  const { node, raw } = await testSchema(t)
  const store = await node()
  const basis = await tenantWithClient(store)
  const holder = await raw()
  await holder.query('begin')
  await holder.query('lock table tenants in access exclusive mode')
  await rejects(store.tokens.issue(issuance(basis)), StoreUnavailable)
  await holder.query('rollback')
  equal(await store.tokens.issue(issuance(basis)), 'committed')
})

test('a database that is away or silent is StoreUnavailable at the start', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as { readonly port: number }
  await rejects(openPostgres({ url: `postgres://x@127.0.0.1:${port}/x`, auditKey: openAuditKey }), StoreUnavailable)
  await rejects(openPostgres({ url: 'postgres://x@127.0.0.1:1/x', auditKey: openAuditKey }), StoreUnavailable)
})

test('a connection that nobody speaks on asks the other side within seconds whether it is there', async (t) => {
  const { url, schema, node } = await testSchema(t)
  const store = await node()
  store.events.watch(() => {})()
  await store.ping()
  const found = await ask(url, `select client_port as port from pg_stat_activity where application_name = '${schema}'`)
  const ports = new Set(found.map(({ port }) => Number(port)))
  // https://docs.kernel.org/networking/proc_net_tcp.html: timer 2 is the one that asks, then when in hundredths.
  const timers = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => / [\dA-F]{8}:([\dA-F]{4}) [\dA-F]{8}:[\dA-F]{4} 01 \S+ 02:([\dA-F]{8}) /.exec(line))
    .filter((row) => row !== null && ports.has(Number.parseInt(row[1] ?? '', 16)))
    .map((row) => Number.parseInt(row?.[2] ?? '', 16))
  ok(timers.length > 0)
  ok(
    timers.every((hundredths) => hundredths <= 2_000),
    timers.join(),
  )
})

test('a table that another version widens is read and written as before, by every connection', async (t) => {
  const { node, raw } = await testSchema(t)
  const store = await node()
  await store.directory.apply([change({ createClients: [client('web')] })])
  const everywhere = (): Promise<unknown> =>
    Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        // A read of one statement, one of several, a verb of one, and a verb of many.
        equal((await store.clients.find(acme, 'web'))?.id, 'web')
        ok((await store.directory.catalogue(acme)) !== null)
        await store.events.append([event('token.rejected')])
        await store.directory.apply([change({ tenant: `t${n}` as typeof acme })])
      }),
    )
  await everywhere()
  const db = await raw()
  for (const table of ['tenants', 'clients', 'grants', 'deployment', 'events', 'events_pending']) {
    await db.query(`alter table ${table} add column widened integer`)
    await everywhere()
  }
})

test('nodes that start together migrate once and share one epoch', async (t) => {
  const { node, raw } = await testSchema(t)
  const stores = await Promise.all([node(), node(), node(), node()])
  equal(new Set(await Promise.all(stores.map((store) => store.epoch()))).size, 1)
  const { rows } = await (await raw()).query<{ number: number }>('select number from migrations order by number')
  deepEqual(
    rows.map((row) => row.number),
    migrationsOf('postgres').map(({ number }) => number),
  )
})

test('a newer or altered schema is refused with a reason', async (t) => {
  const { node, raw } = await testSchema(t)
  await node()
  const db = await raw()
  await db.query("insert into migrations values (99, 'from-the-future', 'x')")
  await rejects(node(), /made by a newer Grantor/)
  await db.query("delete from migrations where number = 99; update migrations set checksum = 'edited' where number = 1")
  await rejects(node(), StoreRefused)
})

test('a schema name that could be anything else is refused', async () => {
  for (const schema of ['', 'a;b', 'A', '1a', 'a'.repeat(42), 'a b', 'pg"']) {
    await rejects(openPostgres({ url: 'postgres://127.0.0.1:1/x', schema, auditKey: openAuditKey }), StoreRefused)
  }
})

test('three nodes that write and seal at once make one chain without gaps', async (t) => {
  const { node } = await testSchema(t)
  const stores = await Promise.all([node(), node(), node()])
  const all = Array.from({ length: 300 }, (_, n) => String(n))
  await Promise.all(all.map((reason, n) => (stores[n % 3] as Store).events.append(rejected(reason))))
  await Promise.all(stores.map((store) => store.events.position()))
  const reasons = await verified(stores[0], acme)
  deepEqual([reasons.length, new Set(reasons)], [all.length, new Set(all)])
})

test('an event that commits late is sealed later, and no reader skips it', async (t) => {
  const { node, raw } = await testSchema(t)
  const store = await node({ notary: false })
  const late = await raw()
  await late.query('begin')
  const body = JSON.stringify({
    id: 'late',
    at: 1,
    tenant: acme,
    name: 'token.revoked',
    actor: { kind: 'system' },
    reason: 'late',
  })
  await late.query('insert into events_pending (tenant, at, feed, body) values ($1, 1, 1, $2)', [acme, body])
  await store.events.append([event('token.revoked', { reason: 'early' })])
  const seen = await store.events.position()
  deepEqual(
    (await store.events.feed({ pos: 0, tenant: null, limit: 10 })).map((it) => it.reason),
    ['early'],
  )
  await late.query('commit')
  await store.events.position()
  deepEqual(
    (await store.events.feed({ pos: seen, tenant: null, limit: 10 })).map((it) => it.reason),
    ['late'],
  )
  deepEqual(await verified(store, acme), ['early', 'late'])
})

test('a node stopped or killed while it seals holds up nobody', async (t) => {
  const { url, schema, node } = await testSchema(t)
  const store = await node()
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'support', 'postgres-child.ts'), url, schema], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill(signal)
    await store.events.append(rejected(signal))
    // Everything committed so far, the child's included, has its place when this answers.
    await store.events.position()
    ok((await verified(store, acme)).includes(signal))
  }
})

test('one node hears what another changed and sealed', async (t) => {
  const { node } = await testSchema(t)
  const [one, two] = await Promise.all([node(), node()])
  const changed = new Promise<void>((resolve) => {
    one.directory.watch((tenant) => tenant === acme && resolve())
  })
  await two.directory.apply([change()])
  await changed
  const seen = await one.events.position()
  const woken = new Promise<void>((resolve) => {
    one.events.watch(
      () => void one.events.feed({ pos: seen, tenant: null, limit: 1 }).then((it) => it.length > 0 && resolve()),
    )
  })
  await two.events.append([event('token.revoked')])
  await woken
})

test('sealing in the background needs no one to ask', async (t) => {
  const { node } = await testSchema(t)
  const store = await node()
  const sealed = new Promise<void>((resolve) => {
    store.events.watch(() => void store.events.head(acme).then((head) => head?.seq === 3 && resolve()))
  })
  await store.events.append([event('login.failed'), event('login.failed'), event('login.failed')])
  await sealed
})

test('a text that PostgreSQL cannot hold is in no row, and cannot be written', async (t) => {
  const { node } = await testSchema(t)
  const store = await node()
  const basis = await tenantWithClient(store)
  equal(await store.clients.find(acme, 'a\0b'), null)
  equal(await store.directory.catalogue('a\0b' as typeof acme), null)
  const [ended, other] = [{ dimension: 'client', key: 'a\0b' } as const, { dimension: 'client', key: 'web' } as const]
  await store.tokens.issue(issuance(basis, { statusEntry: statusEntry(1) }))
  const places = await store.statusLists.places(
    acme,
    [ended, other].map((it) => ({ ...it, issuedUpTo: at(9_000) })),
  )
  equal(places.length, 1, 'those beside it are found')
  await rejects(store.tokens.issue(issuance({ ...basis, client: { id: 'a\0b', version: 1 } })))
  equal(await store.tokens.issue(issuance(basis)), 'committed')
})

test('limits taken together at two nodes, and given back meanwhile, are counted once each', async (t) => {
  const schema = await testSchema(t)
  // However slow the machine: who waits too long for a turn would be refused.
  const patience = 60_000
  const nodes = [await schema.node({ patience }), await schema.node({ patience })]
  const unit = (key: string, units: number) => ({ key, now: 1_000_000, interval: 1_000_000 / units, span: 1_000_000 })
  const wanted = (n: number) => [unit(`address ${n % 3}`, 50), unit(`account ${n % 7}`, 50), unit('tenant', 20)]
  const [first] = nodes
  for (let n = 0; n < 10; n += 1) await first?.limits.takeUnits(wanted(n))
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const store = nodes[n % 2] ?? nodes[0]
      // Every sixth is one that had been taken before and was no failure.
      if (n % 6 === 0) return store?.limits.giveBackUnits(wanted(n / 6)).then(() => null)
      return store?.limits.takeUnits(wanted(n)).then((it) => it.every(({ taken }) => taken))
    }),
  )
  // Ten were taken before and ten given back; who came before those may have found none left.
  const took = answers.filter((it) => it === true).length
  ok(took >= 10 && took <= 20, `${took} of 20`)
  equal(await first?.limits.tatOf('tenant'), 1_000_000 + took * 50_000)
})

test('a limit that everybody counts by holds one connection, however many wait for it', async (t) => {
  const schema = await testSchema(t)
  const [store, raw] = [await schema.node(), await schema.raw()]
  const unit = { key: 'everybody', now: 1_000_000, interval: 1_000, span: 1_000_000 }
  await store.limits.takeUnits([unit])
  await raw.query('begin')
  await raw.query("select tat from limits where key = 'everybody' for update")
  // Far more than the pool has connections.
  const waiting = Array.from({ length: 40 }, () => store.limits.takeUnits([unit]))
  await Promise.all(Array.from({ length: 20 }, () => store.ping()))
  equal((await store.limits.takeUnits([{ ...unit, key: 'another' }]))[0]?.taken, true)
  await raw.query('commit')
  const taken = (await Promise.all(waiting)).flat()
  ok(taken.every((it) => it.taken))
  deepEqual(Math.max(...taken.map(({ tat }) => tat)), unit.now + 41 * unit.interval)
})
