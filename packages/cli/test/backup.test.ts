/** Backup and restore of a SQLite deployment. */
import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Folder, folder } from './grantor.ts'
import { requestJson } from './https.ts'

const issuer = { GRANTOR_ISSUER: 'https://localhost:8443' }

function keyTo(there: Folder, here: Folder): void {
  mkdirSync(join(there.path, 'data'), { recursive: true, mode: 0o700 })
  copyFileSync(join(here.path, 'data', 'master.key'), join(there.path, 'data', 'master.key'))
}

test('a backup taken beside a running server comes back whole, and what was issued before is void', async () => {
  using here = folder()
  using there = folder()
  const made = await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  const basic = ['svc', String(made['client_secret'])] as const
  await using server = await here.start([], issuer)
  const form = { grant_type: 'client_credentials' }
  const { status, body } = await requestJson(`https://localhost:${server.ready.port}/token`, {
    folder: here,
    form,
    basic,
  })
  assert.equal(status, 200, JSON.stringify(body))
  const taken = await here.run(['backup', 'copy.db'])
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stderr, /master key is not in it/)
  assert.equal(statSync(join(here.path, 'copy.db')).mode & 0o777, 0o600)
  chmodSync(join(here.path, 'copy.db'), 0o644)

  keyTo(there, here)
  const restored = await there.run(['restore', join(here.path, 'copy.db')])
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual(readdirSync(join(there.path, 'data')).toSorted(), ['grantor.db', 'master.key'])
  assert.equal(statSync(join(there.path, 'data', 'grantor.db')).mode & 0o777, 0o600)
  assert.equal((await there.json('client', 'show', 'svc'))['client_id'], 'svc')
  const report = await there.json('audit', 'verify')
  assert.equal(report['ok'], true)
  await using again = await there.start([], issuer)
  const asked = { folder: there, form: { token: String(body['access_token']) }, basic }
  assert.deepEqual((await requestJson(`https://localhost:${again.ready.port}/introspect`, asked)).body, {
    active: false,
  })
  assert.equal(
    (await requestJson(`https://localhost:${again.ready.port}/token`, { folder: there, form, basic })).status,
    200,
  )
})

test('a restore whose new epoch SQLite could not take into the file leaves none, and says so', async () => {
  using here = folder()
  using there = folder()
  await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  assert.equal((await here.call(['backup', 'copy.db'])).code, 0)
  keyTo(there, here)
  const data = join(there.path, 'data')
  const restoring = there.run(['restore', join(here.path, 'copy.db')])
  // As with a full disk: while somebody else has it open, what was written stays in the log beside it.
  using held = new DatabaseSync(await writtenCopy(data), { timeout: 30_000 })
  held.prepare('select epoch from deployment').get()
  const { code, stderr } = await restoring
  assert.equal(code, 1, stderr)
  assert.match(stderr, /the new epoch could not be written/)
  assert.deepEqual(readdirSync(data), ['master.key'])
  assert.equal((await there.call(['restore', join(here.path, 'copy.db')])).code, 0)
})

/** The copy that a restore works on, as soon as it writes to it. */
async function writtenCopy(data: string): Promise<string> {
  for (;;) {
    const staged = readdirSync(data).find((name) => name.startsWith('restore-'))
    const file = join(data, staged ?? '', 'grantor.db')
    if (staged !== undefined && existsSync(`${file}-wal`)) return file
    await new Promise(setImmediate)
  }
}

test('in a folder without a database there is nothing to back up, to verify or to rotate, and none is made', async () => {
  using here = folder()
  for (const command of ['backup copy.db', 'export', 'audit verify', 'audit head', 'audit tail', 'audit export'].concat(
    ['key list', 'key rotate --now', 'key drop x', 'key rewrap'],
  )) {
    const { code, stdout, stderr } = await here.call(command.split(' '))
    assert.deepEqual([code, stdout], [3, ''], `${command}: ${stderr}`)
    assert.match(stderr, /there is no database in .*\/data\n.*--data/)
  }
  assert.deepEqual(readdirSync(here.path), [])
  const made = await here.call(['tenant', 'list'])
  assert.match(made.stderr, /There was no database in .*\/data; a new one was made/)
  assert.equal((await here.call(['tenant', 'list'])).stderr, '')
  assert.equal((await here.call(['backup', 'copy.db'])).code, 0)
})

test('neither backup nor restore overwrites, and a restore needs the right master key', async () => {
  using here = folder()
  using there = folder()
  const server = await here.start()
  await server.stop()
  assert.equal((await here.call(['backup', 'copy.db'])).code, 0)
  assert.equal((await here.call(['backup', 'copy.db'])).code, 4)
  assert.equal((await here.call(['restore', 'copy.db'])).code, 4)
  const copy = join(here.path, 'copy.db')
  const keyless = await there.call(['restore', copy])
  assert.equal(keyless.code, 2)
  assert.match(keyless.stderr, /master key/)
  const wrong = await there.call(['restore', copy], {
    env: { GRANTOR_MASTER_KEY: 'another-master-key-of-32-characters-or-more' },
  })
  assert.equal(wrong.code, 1, wrong.stderr)
  assert.match(wrong.stderr, /does not open/)
  assert.equal((await there.call(['restore', 'nowhere.db'])).code, 3)
  keyTo(there, here)
  const left = join('data', 'grantor.db-wal')
  there.write(left, 'of a database that was moved away without it')
  const mixed = await there.call(['restore', copy])
  assert.equal(mixed.code, 4, mixed.stderr)
  assert.match(mixed.stderr, /grantor\.db-wal/)
  assert.ok(!existsSync(join(there.path, 'data', 'grantor.db')))
  rmSync(join(there.path, left))
  assert.equal((await there.call(['restore', copy])).code, 0)
  there.write('text.db', 'not a database')
  assert.equal((await there.call(['restore', 'text.db'])).code, 2)
})
