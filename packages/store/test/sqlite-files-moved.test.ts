/** A file of SQLite that is moved away, removed or replaced while it is open takes no write that the next start would miss. */
import { deepEqual, rejects } from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSqlite } from '../src/drivers/sqlite/engine.ts'
import { type Store, StoreUnavailable } from '../src/index.ts'
import { acme, at, event } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { verified } from './support/verified-log.ts'

interface Opened {
  readonly store: Store
  readonly folder: string
  /** The files of the database, by their names in the folder. */
  files(): readonly string[]
}

async function opened(t: TestContext): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-moved-'))
  const store = await openSqlite({ path: join(folder, 'grantor.db'), auditKey })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  await store.events.append([event('token.rejected', { reason: 'before' })])
  return { store, folder, files: () => readdirSync(folder).filter((name) => name.startsWith('grantor.db')) }
}

const write = (store: Store, reason: string): Promise<void> =>
  store.events.append([event('token.rejected', { reason })])

test('SQLite: a database that is moved away takes no write, and goes on when it is put back', async (t) => {
  const { store, folder, files } = await opened(t)
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const moved = files()
  for (const name of moved) renameSync(join(folder, name), join(elsewhere, name))
  const why = (error: unknown): boolean => error instanceof StoreUnavailable && /moved away/.test(error.message)
  await rejects(write(store, 'lost'), why)
  await rejects(store.probeWrite(at(1)), why, 'health tells of it')
  deepEqual(files(), [], 'no other one is begun in its place')
  for (const name of moved) renameSync(join(elsewhere, name), join(folder, name))
  await write(store, 'after')
  deepEqual(await verified(store, acme), ['before', 'after'])
})

for (const name of ['grantor.db', 'grantor.db-wal', 'grantor.db-shm']) {
  test(`SQLite: without its ${name} it takes no write`, async (t) => {
    const { store, folder } = await opened(t)
    rmSync(join(folder, name))
    await rejects(write(store, 'lost'), StoreUnavailable)
    await rejects(write(store, 'lost'), StoreUnavailable)
  })
}

test('SQLite: where another file lies in its place nothing is written into either', async (t) => {
  const { store, folder } = await opened(t)
  const [path, old] = [join(folder, 'grantor.db'), join(folder, 'old.db')]
  renameSync(path, old)
  copyFileSync(old, path)
  await rejects(write(store, 'lost'), StoreUnavailable)
  rmSync(path)
  renameSync(old, path)
  await write(store, 'after')
  deepEqual(await verified(store, acme), ['before', 'after'])
})
