/** The driver over several servers of PostgreSQL: real ones, with synchronous replication between two. */
import { equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type SeenTimeline, type Store, StoreUnavailable, type TimelineMemory } from '@grantor/store'
import type { Instant, TenantId, TokenId } from '@grantor/protocol/types'
import { openPostgres, type PostgresOptions } from '@grantor/store/postgres'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { until } from '../faults/until.ts'
import { type PostgresServer, promote, startPair } from './postgres-server.ts'

const key = new Uint8Array(32).fill(1)
const auditKey: PostgresOptions['auditKey'] = (sealed) => ({ key: sealed ?? key, sealed: sealed ?? key })

/** What outlives the processes of one machine. */
function machineMemory(): TimelineMemory {
  let held: SeenTimeline | null = null
  return { place: 'the memory', read: () => held, keep: (seen) => void (held = seen) }
}

async function open(url: string, timelines: TimelineMemory): Promise<Store & AsyncDisposable> {
  const store = await openPostgres({ url, auditKey, patience: 2_000, timelines })
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

const tenant = 'default' as TenantId

type NewEvent = Parameters<Store['events']['append']>[0][number]
const rejected = {
  id: 'an event',
  tenant,
  at: 1_000,
  name: 'token.rejected',
  actor: { kind: 'system', id: null },
  subject: null,
  clientId: null,
  grantId: null,
  jti: null,
  scope: null,
  reason: null,
  ip: null,
  traceId: null,
  data: null,
} as unknown as NewEvent

const write = (store: Store): Promise<void> =>
  store.events.append([{ ...rejected, id: randomUUID() as NewEvent['id'] }])

const succeeds = (store: Store): Promise<boolean> =>
  write(store).then(
    () => true,
    (error: unknown) => {
      ok(error instanceof StoreUnavailable, String(error))
      return false
    },
  )

async function assertNotWritten(server: PostgresServer, work: () => Promise<unknown>): Promise<void> {
  const written = async (): Promise<string> => {
    const text = `select (select pos from grantor.log_position) + (select count(*) from grantor.events_pending) as n`
    return String((await server.ask<{ n: string }>(text))[0]?.n)
  }
  const before = await written()
  await work()
  equal(await written(), before, 'the old primary is not written to')
}

test('over a pair of servers with synchronous replication', async (t) => {
  await using pair = await startPair()
  const [machine, another] = [machineMemory(), machineMemory()]
  const { primary, standby } = pair
  // That a wait was cancelled is a mere warning.
  await primary.ask('alter role postgres set client_min_messages = error')
  // In whatever order they are named.
  await using store = await open(`postgres://postgres@${standby.host},${primary.host}/postgres`, machine)
  await write(store)

  await t.test('a commit whose wait for the standby was cancelled is not acknowledged', async () => {
    await standby.kill()
    const waiting = rejects(write(store), StoreUnavailable)
    await until(
      () => primary.ask("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"),
      (rows) => rows.length > 0,
    )
    await waiting
    await standby.start()
    await until(() => succeeds(store), Boolean)
  })

  await t.test('nor is an end that is there already, for as long as the standby does not have it', async () => {
    const at = 1_000 as Instant
    const end = { tenant, jti: randomUUID() as TokenId, at, expiresAt: 2_000 as Instant, events: [] }
    const nobody = { subject: 'nobody', clientId: 'none', by: 'nobody' }
    const givesUp = async (asked: Promise<unknown>): Promise<void> => {
      const refused = rejects(asked, StoreUnavailable)
      await until(
        () => primary.ask("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"),
        (rows) => rows.length > 0,
      )
      await refused
    }
    await standby.kill()
    await givesUp(store.tokens.revoke(end))
    await givesUp(store.tokens.revoke(end))
    await givesUp(store.sessions.end(tenant, 'gone', at, []))
    await givesUp(store.consents.withdraw({ tenant, ...nobody, at, event: rejected, grantEvent: rejected }))
    await givesUp(store.untilDurable())
    await standby.start()
    await until(() => succeeds(store), Boolean)
    equal(await store.tokens.revoke(end), 'already-revoked')
    equal(await store.sessions.end(tenant, 'gone', at, []), 'already-ended')
  })

  await t.test('while it is away reads are answered, and what was given up holds few of its connections', async () => {
    const held = `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`
    await standby.kill()
    for (let round = 0; round < 4; round += 1) {
      const writes = Array.from({ length: 20 }, () => rejects(write(store), StoreUnavailable))
      // One after the other, for as long as the writes wait.
      const refused = Promise.all(writes)
      for (let over = false; !over;) {
        await store.events.after(tenant, 0, 1)
        over = await Promise.race([refused.then(() => true), setImmediate(false)])
      }
    }
    const [row] = await primary.ask<{ n: number }>(held)
    ok(Number(row?.n) > 0 && Number(row?.n) <= 10, `${row?.n} of its connections`)
    await standby.start()
    await until(() => succeeds(store), Boolean)
  })

  await t.test(
    'a primary that stood still while another took its place gets no write from connections it still has',
    async () => {
      const paused = await primary.processes()
      for (const pid of paused) process.kill(pid, 'SIGSTOP')
      try {
        await promote(standby)
        await until(() => succeeds(store), Boolean)
      } finally {
        for (const pid of paused) process.kill(pid, 'SIGCONT')
      }
      await assertNotWritten(primary, () => write(store))
    },
  )

  await t.test(
    'one that comes back ready to take everything gets nothing, from nodes that ran and from new ones',
    async () => {
      await primary.kill()
      await primary.start()
      await assertNotWritten(primary, () => write(store))
      await using started = await open(pair.url, another)
      await assertNotWritten(primary, () => write(started))
    },
  )

  await t.test('it gets nothing either while it is the only one that answers', async () => {
    await standby.kill()
    await assertNotWritten(primary, async () => {
      await until(
        () => succeeds(store),
        (done) => !done,
      )
      await rejects(write(store), (error) => error instanceof StoreUnavailable && /old primary/.test(error.message))
    })
  })

  await t.test('nor does a node take it that starts meanwhile, where it has seen the new one before', async () => {
    for (const memory of [machine, another])
      await assertNotWritten(primary, () => rejects(open(pair.url, memory), /old primary.*as the memory says/))
    await standby.start()
    await until(() => succeeds(store), Boolean)
  })

  await t.test('a server that only reads is an outage until it writes again', async () => {
    await standby.ask('alter system set default_transaction_read_only = on')
    await standby.ask('select pg_reload_conf()')
    await until(
      () => succeeds(store),
      (done) => !done,
    )
    await rejects(write(store), /read-only/)
    await standby.ask('alter system reset default_transaction_read_only')
    await standby.ask('select pg_reload_conf()')
    await until(() => succeeds(store), Boolean)
  })
})

test('connections to a server that was replaced behind the same name are given up', async () => {
  await using pair = await startPair()
  const { primary, standby } = pair
  // Without waiting for the standby: it takes every write also when it was replaced.
  await primary.kill()
  await primary.start()
  let current = primary
  await using name = await startTcpProxy('127.0.0.1', () => current.port)
  const url = `postgres://postgres@127.0.0.1:${name.port}/postgres?target_session_attrs=read-write`
  await using store = await open(url, machineMemory())
  await write(store)
  await until(
    () => standby.ask<{ there: boolean }>("select to_regclass('grantor.log_position') is not null as there"),
    ([row]) => row?.there === true,
  )
  await promote(standby)
  current = standby
  const connected = `select count(*)::int as n from pg_stat_activity where application_name = 'grantor'`
  await until(
    () => primary.ask<{ n: number }>(connected),
    ([row]) => row?.n === 0,
    // Sooner than one that nobody uses is closed anyway.
    20_000,
  )
  await until(() => succeeds(store), Boolean)
  await assertNotWritten(primary, () => write(store))
})

test('where no server answers the reason of each is told', async () => {
  await rejects(open(`postgres://postgres@127.0.0.1:1,127.0.0.1:2/postgres`, machineMemory()), (error) => {
    match(String(error), /none of its servers can be written to: 127\.0\.0\.1:1: .*ECONNREFUSED.*127\.0\.0\.1:2/)
    return error instanceof StoreUnavailable
  })
})
