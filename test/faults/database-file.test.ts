/** A database that cannot be ours: another program's file, a folder that is read-only, one that is missing. One clear line each. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { type CommandResult, type Folder, runCommand, temporaryFolder } from '../../interop/server.ts'

const anyPorts = { GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0' }

/** Everything in a folder, to the byte, but for the shared memory by which readers of a database say that they read. */
function contents(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('-shm'))
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      return `${name} ${statSync(path).isFile() ? hash('sha256', readFileSync(path)) : 'folder'}`
    })
}

function assertOneLine({ code, stdout, stderr }: CommandResult, says: RegExp): void {
  assert.equal(code, 1, stderr)
  assert.equal(stdout, '')
  const [first = '', ...more] = stderr.trimEnd().split('\n')
  assert.match(first, says)
  assert.ok(more.length <= 1 && more.every((line) => line.includes('fix:')), stderr)
}

const strangers: readonly (readonly [what: string, make: (file: string) => Disposable | void])[] = [
  ['a database of somebody else', (file) => foreignDatabase(file).close()],
  ['one that is being written to', (file) => writtenDatabase(file)],
  ['a text', (file) => writeFileSync(file, 'Dear diary,\n')],
  ['bytes', (file) => writeFileSync(file, Buffer.alloc(8192, 7))],
  ['a folder', (file) => void mkdirSync(join(file, 'inside'), { recursive: true })],
]

function foreignDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`create table migrations (id integer); insert into migrations values (1); pragma user_version = 7`)
  return db
}

/** Its tables are in the log beside it, and nowhere else yet. */
function writtenDatabase(file: string): Disposable {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; create table bookmarks (url text); insert into bookmarks values (1)')
  return { [Symbol.dispose]: () => db.close() }
}

for (const [what, make] of strangers) {
  test(`${what} in place of the database is refused in one line, and nothing is touched`, async () => {
    using folder = temporaryFolder()
    const options = { data: folder.path, env: anyPorts }
    using programs = new DisposableStack()
    programs.use(make(join(folder.path, 'grantor.db')) ?? null)
    const before = contents(folder.path)
    for (const args of [['start'], ['client', 'list']]) {
      assertOneLine(await runCommand(args, options), /grantor\.db (belongs to another program|is a folder)/)
      assert.deepEqual(contents(folder.path), before)
    }
    const doctor = await runCommand(['doctor'], options)
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /grantor\.db (belongs to another program|is a folder)/)
    assert.deepEqual(contents(folder.path), before)
  })
}

test('an empty file is a database that was not begun: it is begun now', async () => {
  using folder = temporaryFolder()
  folder.write('grantor.db', '')
  assert.equal((await runCommand(['client', 'list'], { data: folder.path })).code, 0)
})

/** Root may write wherever the file system lets it, so there the file system says no. */
function readOnly(folder: Folder): Disposable {
  try {
    execFileSync('mount', ['--bind', folder.path, folder.path], { stdio: 'ignore' })
    execFileSync('mount', ['-o', 'remount,bind,ro', folder.path], { stdio: 'ignore' })
    return { [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder.path]) }
  } catch {
    chmodSync(folder.path, 0o500)
    return { [Symbol.dispose]: () => chmodSync(folder.path, 0o700) }
  }
}

test('a data folder that is read-only is told in one line, with a database in it or without', async () => {
  for (const begun of [false, true]) {
    using folder = temporaryFolder()
    const options = { data: folder.path, env: anyPorts }
    if (begun) assert.equal((await runCommand(['client', 'list'], options)).code, 0)
    const before = contents(folder.path)
    using mounts = new DisposableStack()
    mounts.use(readOnly(folder))
    const { code, stderr } = await runCommand(['start'], options)
    assert.ok(code === 1 || code === 5, stderr)
    assert.match(stderr, /read-only|may not be used|readonly|unable to open/)
    assert.doesNotMatch(stderr, /defect|at .*\.ts/)
    assert.ok(stderr.trimEnd().split('\n').length <= 2, stderr)
    assert.deepEqual(contents(folder.path), before)
  }
})

test('a data folder below a file is told in one line', async () => {
  using folder = temporaryFolder()
  const file = folder.write('file', 'text')
  const told = await runCommand(['start'], {
    data: folder.path,
    env: { ...anyPorts, GRANTOR_DATA: join(file, 'data') },
  })
  assertOneLine(told, /ENOTDIR/)
})

const files = ['grantor.db', 'grantor.db-wal', 'grantor.db-shm', 'grantor.db-claim']

test('SQLite: a database that is missing beside the key that sealed it is not replaced, unless a flag says so', async () => {
  using folder = temporaryFolder()
  const options = { data: folder.path, env: anyPorts }
  const run = (...args: string[]): Promise<CommandResult> => runCommand(args, options)
  assert.equal((await run('client', 'create', 'kept', '--grant-type', 'client_credentials')).code, 0)
  const backup = join(folder.path, 'backup')
  assert.equal((await run('backup', backup)).code, 0)
  for (const name of files) rmSync(join(folder.path, name), { force: true })
  for (const state of ['absent', 'empty']) {
    if (state === 'empty') folder.write('grantor.db', '')
    const before = contents(folder.path)
    for (const args of [['start'], ['client', 'list']])
      assertOneLine(await run(...args), /sealed one before.*--new-database/)
    const doctor = await run('doctor')
    assert.deepEqual([doctor.code, /--new-database/.test(doctor.stdout)], [1, true])
    assert.deepEqual(contents(folder.path), before)
  }
  rmSync(join(folder.path, 'grantor.db'))
  assert.equal((await run('restore', backup)).code, 0)
  assert.match((await run('client', 'list')).stdout, /kept/)
  for (const name of files) rmSync(join(folder.path, name), { force: true })
  const begun = await run('client', 'list', '--new-database')
  assert.equal(begun.code, 0, begun.stderr)
  assert.doesNotMatch(begun.stdout, /kept/)
  assert.equal((await run('client', 'list')).code, 0)
})

test('SQLite: a start that was cut off after the key was made can be made again', async () => {
  using whole = temporaryFolder()
  assert.equal((await runCommand(['client', 'list'], { data: whole.path })).code, 0)
  using folder = temporaryFolder()
  copyFileSync(join(whole.path, 'master.key'), join(folder.path, 'master.key'))
  assert.equal((await runCommand(['client', 'list'], { data: folder.path })).code, 0)
})

test('PostgreSQL: an empty database beside the key that sealed another is not begun, unless a flag says so', async () => {
  using folder = temporaryFolder()
  await using first = await temporaryDatabase()
  await using second = await temporaryDatabase()
  const run = (url: string, key: string, ...args: string[]): Promise<CommandResult> =>
    runCommand(args, { data: folder.path, env: { GRANTOR_DATABASE_URL: url, GRANTOR_MASTER_KEY: key } })
  const [key, another] = ['one-master-key-of-32-characters-or-more', 'another-master-key-of-32-characters-or-more']
  assert.equal((await run(first.url, key, 'client', 'list')).code, 0)
  assertOneLine(await run(second.url, key, 'client', 'list'), /schema grantor .* is empty.*--new-database/)
  assert.equal(await hasSchema(second.url), false)
  assert.equal((await run(first.url, key, 'client', 'list')).code, 0)
  const begun = await run(second.url, key, 'client', 'list', '--new-database')
  assert.equal(begun.code, 0, begun.stderr)
  await using third = await temporaryDatabase()
  assert.equal((await run(third.url, another, 'client', 'list')).code, 0)
})

async function hasSchema(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(`select 1 from pg_namespace where nspname = 'grantor'`)).rowCount === 1
  } finally {
    await client.end()
  }
}
