/** `grantor audit verify` against a database that someone wrote to. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Folder, folder } from './grantor.ts'

async function withEvents(here: Folder): Promise<void> {
  for (const id of ['a', 'b', 'c']) await here.json('client', 'create', id, '--grant-type', 'client_credentials')
}

const tamper = (here: Folder, sql: string): void => {
  using database = new DatabaseSync(join(here.path, 'data', 'grantor.db'))
  assert.ok(database.prepare(sql).run().changes > 0, 'the attack hit something')
}

test('an untouched log verifies, and its head can be kept and shown again', async () => {
  using here = folder()
  await withEvents(here)
  const head = await here.run(['audit', 'head', '--json'])
  const kept = JSON.parse(head.stdout) as { seq: number; hash: string; signed: string }
  assert.match(kept.signed, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  here.write('head.json', head.stdout)
  await here.json('client', 'delete', 'c')
  const report = await here.json('audit', 'verify', '--head', 'head.json')
  assert.deepEqual([report['ok'], report['damage']], [true, []])
})

test('an edited and a removed event are found, named and end with 6', async () => {
  const attacks: readonly [sql: string, message: RegExp][] = [
    [`update events set body = replace(body, '"b"', '"x"') where seq = 3`, /event 3: edited/],
    ['delete from events where seq = 3', /event 3: missing/],
  ]
  for (const [sql, message] of attacks) {
    using here = folder()
    await withEvents(here)
    tamper(here, sql)
    const { code, stdout, stderr } = await here.run(['audit', 'verify', '--json'])
    assert.equal(code, 6, stderr)
    assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, false)
    assert.match(stderr, message)
  }
})

test('a head that is none, or of another tenant, is refused', async () => {
  using here = folder()
  await withEvents(here)
  here.write('head.json', '{"seq": "one"}')
  assert.equal((await here.call(['audit', 'verify', '--head', 'head.json'])).code, 2)
  here.write('head.json', '{"tenant": "acme", "seq": 1, "hash": "00"}')
  assert.equal((await here.call(['audit', 'verify', '--head', 'head.json'])).code, 2)
  assert.equal((await here.call(['audit', 'verify', '--head', 'nowhere.json'])).code, 3)
  assert.equal((await here.call(['audit', 'verify', '--tenant', 'amce'])).code, 3, 'nothing was verified')
})
