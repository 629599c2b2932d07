/** SQLite under faults: killed, full, locked, raced, copied. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { connect } from '../src/drivers/sqlite/connection.ts'
import { openSqlite } from '../src/drivers/sqlite/engine.ts'
import { GroupWriter } from '../src/drivers/sqlite/group-writer.ts'
import type { CallFailure, VerbCall } from '../src/drivers/sqlite/worker-message.ts'
import { WriterQueue } from '../src/drivers/sqlite/writer-queue.ts'
import { StoreRefused, StoreUnavailable } from '../src/index.ts'
import { migrationsOf, migrationsTable } from '../src/schema/migrations.ts'
import { entryOf } from '../src/verbs/entry.ts'
import { acme, change, event } from '../suite/samples.ts'
import { smallDisk } from '../../../test/faults/small-disk.ts'
import { auditKey, openAuditKey } from './support/audit-key.ts'
import { verified } from './support/verified-log.ts'

const child = join(import.meta.dirname, 'support', 'sqlite-child.ts')

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-faults-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'grantor.db')
}

const appendCall = (...args: unknown[]): VerbCall => ({
  kind: 'verb',
  name: 'events.append',
  args,
  breakAt: null,
  calledAt: 0,
})
const append = (reason: string): VerbCall => appendCall([entryOf(event('token.rejected', { reason }))])

test('a server killed with SIGKILL loses no acknowledged verb, and its claim dies with it', async (t) => {
  const path = freshFile(t)
  const writer = spawn(process.execPath, [child, path, 'write'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: string[] = []
  for await (const line of createInterface(writer.stdout)) {
    if (acknowledged.push(line) === 400) writer.kill('SIGKILL')
  }
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const kept = new Set(await verified(store, acme))
  deepEqual(
    acknowledged.filter((reason) => !kept.has(reason)),
    [],
  )
  await store.close()
})

test('a full disk fails the whole group as an outage, corrupts nothing, and heals', async (t) => {
  const path = freshFile(t)
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
  let full = true
  const writer = new GroupWriter(path, auditKey, (...args) => {
    const file = connect(...args)
    // SQLITE_FULL, as from a file system without space.
    if (full) file.db.exec('pragma max_page_count = 80')
    return file
  })
  let written = 0
  let failed: readonly CallFailure[] = []
  while (failed.length === 0 && written < 10_000) {
    const answers = writer.run([append(`${written}`), append('x'.repeat(2_000)), append('y')])
    failed = answers.failures
    if (failed.length === 0) written += 3
  }
  deepEqual(
    failed.map(({ index, outage }) => [index, outage]),
    [
      [0, true],
      [1, true],
      [2, true],
    ],
  )
  deepEqual(
    writer.run([append('still full'), append('x'.repeat(9_000))]).failures.map(({ outage }) => outage),
    [true, true],
  )
  full = false
  deepEqual(writer.run([append('healed')]).failures, [])
  writer.close()
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const reasons = await verified(store, acme)
  deepEqual([reasons.length, reasons.at(-1)], [written + 1, 'healed'])
  await store.close()
})

test('a file that someone else keeps locked is StoreUnavailable until it is free', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const holder = new DatabaseSync(path)
  holder.exec('begin immediate')
  const blocked = [store.events.append([event('login.failed')]), store.events.append([event('login.failed')])]
  for (const each of blocked) await rejects(each, StoreUnavailable)
  equal(await store.directory.catalogue(acme), null)
  holder.exec('rollback')
  holder.close()
  await store.events.append([event('login.failed')])
  equal((await verified(store, acme)).length, 1)
  await store.close()
})

test('when the writer thread dies its callers are told so, and the next one goes on', async (t) => {
  const path = freshFile(t)
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
  const queue = new WriterQueue({ path, auditKey }, () => {}, new URL('./support/dying-writer.ts', import.meta.url))
  const lost = [queue.run(append('a')), queue.run(append('b'))]
  for (const each of lost) await rejects(each, StoreUnavailable)
  equal(await queue.run(append('c')), undefined)
  await queue.close()
  await rejects(queue.run(append('d')), StoreUnavailable)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  deepEqual(await verified(store, acme), ['c'])
  await store.close()
})

test('an argument that cannot be sent fails its batch and not the process', async (t) => {
  const path = freshFile(t)
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
  const queue = new WriterQueue({ path, auditKey }, () => {})
  const unsendable = appendCall(() => {})
  await rejects(queue.run(unsendable), /cannot be sent/)
  equal(await queue.run(append('fine')), undefined)
  await queue.close()
})

test('a second server on one file is refused in words, a command beside it is not', async (t) => {
  const path = freshFile(t)
  const server = await openSqlite({ path, auditKey: openAuditKey })
  await rejects(openSqlite({ path, auditKey: openAuditKey }), (error: Error) => {
    ok(error instanceof StoreRefused)
    match(error.message, /another Grantor server is using/)
    return true
  })
  symlinkSync(path, `${path}.link`)
  await rejects(openSqlite({ path: `${path}.link`, auditKey: openAuditKey }), /another Grantor server is using/)
  const beside = await openSqlite({ path, auditKey: openAuditKey, role: 'command' })
  await beside.close()
  await server.close()
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
})

test('writes beside the server continue its chain, and the server notices them', async (t) => {
  const path = freshFile(t)
  const server = await openSqlite({ path, auditKey: openAuditKey })
  const beside = await openSqlite({ path, auditKey: openAuditKey, role: 'command' })
  const changed = new Promise<void>((resolve) => {
    server.directory.watch((tenant) => tenant === acme && resolve())
  })
  await beside.directory.apply([change({ events: [] })])
  await changed
  for (let n = 0; n < 10; n += 1) {
    await server.events.append([event('token.rejected', { reason: `server ${n}` })])
    await beside.events.append([event('token.rejected', { reason: `beside ${n}` })])
  }
  const both = Array.from({ length: 10 }, (_, n) => [`server ${n}`, `beside ${n}`]).flat()
  deepEqual(await verified(server, acme), both)
  await Promise.all([beside.close(), server.close()])
})

test('four processes that start together migrate once', async (t) => {
  const path = freshFile(t)
  const starts = Array.from({ length: 4 }, async () => {
    const [code] = (await once(spawn(process.execPath, [child, path, 'open'], { stdio: 'inherit' }), 'exit')) as [
      number,
    ]
    return code
  })
  deepEqual(await Promise.all(starts), [0, 0, 0, 0])
  const db = new DatabaseSync(path)
  deepEqual(
    db
      .prepare('select number from migrations order by number')
      .all()
      .map((row) => row['number']),
    migrationsOf('sqlite').map(({ number }) => number),
  )
  db.close()
})

test('a newer or altered schema is refused with a reason, and the claim is given back', async (t) => {
  const path = freshFile(t)
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
  const db = new DatabaseSync(path)
  db.exec("insert into migrations values (99, 'from-the-future', 'x')")
  await rejects(openSqlite({ path, auditKey: openAuditKey }), /made by a newer Grantor/)
  db.exec("delete from migrations where number = 99; update migrations set checksum = 'edited' where number = 1")
  await rejects(openSqlite({ path, auditKey: openAuditKey }), StoreRefused)
  db.close()
})

test('a backup under load is one consistent state, and never overwrites', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const done = new AbortController()
  const load = (async () => {
    for (let n = 0; !done.signal.aborted; n += 1)
      await store.events.append([event('token.rejected', { reason: String(n) })])
  })()
  await store.backup(`${path}.copy`)
  done.abort()
  await load
  await rejects(store.backup(`${path}.copy`), /EEXIST/)
  const copy = await openSqlite({ path: `${path}.copy`, auditKey: openAuditKey })
  const reasons = await verified(copy, acme)
  deepEqual(
    reasons,
    Array.from({ length: reasons.length }, (_, n) => String(n)),
  )
  equal(await copy.epoch(), await store.epoch())
  await Promise.all([copy.close(), store.close()])
})

test('of two backups to one name one is made and whole, and the other is told', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  await store.events.append([event('token.rejected', { reason: 'kept' })])
  const made = await Promise.allSettled([store.backup(`${path}.copy`), store.backup(`${path}.copy`)])
  const failures = made.flatMap((it) => (it.status === 'rejected' ? [String(it.reason)] : []))
  equal(failures.length, 1)
  match(failures[0] ?? '', /EEXIST/)
  const copy = await openSqlite({ path: `${path}.copy`, auditKey: openAuditKey })
  deepEqual(await verified(copy, acme), ['kept'])
  deepEqual(
    readdirSync(dirname(path)).filter((name) => name.includes('partial')),
    [],
  )
  await Promise.all([copy.close(), store.close()])
})

test('a backup removes from its folder what one that was killed has left, and nothing that is being written', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const [killed, journal, written] = ['', '-journal', ''].map((end) => `${path}.${randomUUID()}.partial${end}`)
  for (const file of [killed, journal, written, `${path}.partial`]) writeFileSync(file ?? '', 'half of it')
  const long = Date.now() / 1000 - 2 * 60 * 60
  for (const file of [killed, journal, `${path}.partial`]) utimesSync(file ?? '', long, long)
  await store.backup(`${path}.copy`)
  deepEqual(
    readdirSync(dirname(path)).filter((name) => name.includes('partial')),
    [basename(written ?? ''), 'grantor.db.partial'].toSorted(),
  )
  await store.close()
})

test('nobody but the owner reads the file, what lies beside it, or a backup', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  await store.events.append([event('login.failed')])
  await store.backup(`${path}.copy`)
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.copy`]) equal(statSync(file).mode & 0o077, 0, file)
  await store.close()
})

test('a closed store says so, to reads and verbs alike', async (t) => {
  const store = await openSqlite({ path: freshFile(t), auditKey: openAuditKey })
  await store.epoch()
  await store.close()
  await store.close()
  await rejects(store.epoch(), StoreUnavailable)
  await rejects(store.events.append([event('login.failed')]), StoreUnavailable)
})

test('an older database that is opened on a full volume stays at its schema, and is brought on when there is room', async (t) => {
  const disk = smallDisk()
  t.after(() => disk[Symbol.dispose]())
  if (!disk.mounted) return t.skip('no volume of its own can be mounted here')
  const path = join(disk.path, 'grantor.db')
  const known = migrationsOf('sqlite')
  const older = known.slice(0, 8)
  {
    using file = new DatabaseSync(path)
    file.exec(migrationsTable)
    for (const { number, name, text, checksum } of older) {
      file.exec(text)
      file.prepare('insert into migrations (number, name, checksum) values (?, ?, ?)').run(number, name, checksum)
    }
  }
  const applied = (): number => {
    using file = new DatabaseSync(path)
    return (file.prepare('select count(*) as n from migrations').get() as { readonly n: number }).n
  }
  for (const room of [0, 16_384, 65_536]) {
    disk.fill(0, room)
    await rejects(openSqlite({ path, auditKey: openAuditKey }), StoreUnavailable)
    disk.free()
    equal(applied(), older.length, `${room} bytes`)
  }
  await (await openSqlite({ path, auditKey: openAuditKey })).close()
  equal(applied(), known.length)
})
