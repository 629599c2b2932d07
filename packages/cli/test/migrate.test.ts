/** `grantor migrate`: what the schema of a database is, and what is to be done to it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { migrationsOf } from '@grantor/store'
import { type Folder, folder } from './grantor.ts'
import { schema } from './schema.ts'

const known = migrationsOf('sqlite')

interface Listed {
  readonly number: number
  readonly kind: string
  readonly state: string
}

function database(here: Folder): DatabaseSync {
  return new DatabaseSync(join(here.path, 'data', 'grantor.db'), { timeout: 5000 })
}

/** A database as a program left it that knew the first so many. */
function olderDatabase(here: Folder, upTo: number): void {
  mkdirSync(join(here.path, 'data'), { mode: 0o700 })
  using file = database(here)
  file.exec('create table migrations (number integer primary key, name text not null, checksum text not null)')
  for (const { number, name, text, checksum } of known.slice(0, upTo)) {
    file.exec(text)
    file.prepare('insert into migrations values (?, ?, ?)').run(number, name, checksum)
  }
}

test('status says 3 without a database, 0 where nothing is to be done, and makes nothing', async () => {
  using here = folder()
  assert.equal((await here.call(['migrate', 'status'])).code, 3)
  assert.throws(() => here.read('data/grantor.db'), /ENOENT/)
  assert.equal((await here.call(['migrate', 'up'])).code, 3)
  assert.equal((await here.call(['tenant', 'list'])).code, 0)
  const files = readdirSync(join(here.path, 'data'))
  const { code, stdout } = await here.call(['migrate', 'status', '--json'])
  assert.equal(code, 0)
  assert.deepEqual(readdirSync(join(here.path, 'data')), files)
  const listed = JSON.parse(stdout) as readonly Listed[]
  assert.deepEqual(
    listed.map(({ number, state }) => [number, state]),
    known.map(({ number }) => [number, 'applied']),
  )
  assert.equal(listed[0]?.kind, 'first')
  assert.equal(listed[12]?.kind, 'expand')
  assert.match((await here.call(['migrate', 'up'])).stderr, /Nothing is to be done/)
})

test('status of PostgreSQL keeps nothing in the folder either, not even which server it found', async () => {
  using here = folder()
  await using database = await schema()
  const url = new URL(database.env['GRANTOR_DATABASE_URL'] ?? '')
  url.searchParams.set('target_session_attrs', 'read-write')
  const env = { ...database.env, GRANTOR_DATABASE_URL: url.href }
  const { code, stderr } = await here.call(['migrate', 'status'], { env })
  assert.equal(code, 3, stderr)
  assert.equal(existsSync(join(here.path, 'data')), false)
})

test('an older database: status 4, a plan that changes nothing, and up brings it on', async () => {
  using here = folder()
  const first = known.length - 3
  olderDatabase(here, first)
  const status = await here.call(['migrate', 'status'])
  assert.equal(status.code, 4)
  assert.match(status.stderr, /3 migrations are to be done/)
  const plan = await here.call(['migrate', 'up', '--plan'])
  assert.equal(plan.code, 0, plan.stderr)
  assert.match(plan.stdout, new RegExp(`^00${first + 1} expand-\\S+: nodes of the version before go on\n {7}\\w+`))
  assert.equal((await here.call(['migrate', 'status'])).code, 4, 'nothing was changed')
  const up = await here.call(['migrate', 'up', '--json'])
  assert.equal(up.code, 0, up.stderr)
  assert.deepEqual(
    (JSON.parse(up.stdout) as readonly Listed[]).map(({ number }) => number),
    [first + 1, first + 2, first + 3],
  )
  assert.equal((await here.call(['migrate', 'status'])).code, 0)
})

test('a database from before the rules is brought on only where no older node runs', async () => {
  using here = folder()
  olderDatabase(here, 11)
  for (const args of [
    ['migrate', 'status'],
    ['migrate', 'up'],
    ['tenant', 'list'],
  ]) {
    const refused = await here.call(args)
    assert.equal(refused.code, 1, `${args.join(' ')}: ${refused.stdout}`)
    assert.match(refused.stderr, /too old for this program: schema 12 .*migrate up --older-nodes-stopped/)
  }
  assert.match((await here.call(['migrate', 'up', '--plan'])).stdout, /0012 log-in-parts: .* must be stopped/)
  assert.equal((await here.call(['migrate', 'up', '--older-nodes-stopped'])).code, 0)
  assert.equal((await here.call(['tenant', 'list'])).code, 0)
})

test('what a newer version added is listed; what it took away is refused, with what to do', async () => {
  using here = folder()
  await here.call(['tenant', 'list'])
  {
    using file = database(here)
    file.exec(`insert into migrations values (98, 'expand-later', 'x')`)
  }
  const beside = await here.call(['migrate', 'status'])
  assert.equal(beside.code, 0)
  assert.match(beside.stdout, /98 +expand-later +expand +newer/)
  {
    using file = database(here)
    file.exec(`insert into migrations values (99, 'contract-98-later', 'x')`)
  }
  const refused = await here.call(['migrate', 'status'])
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /99 +contract-98-later +contract +newer, refused/)
  assert.match(refused.stderr, /made by a newer Grantor.*Start the newer program, or restore a backup/)
})
