/** `grantor audit verify`, the real command, on a log that someone changed: it finds each kind of damage and says which. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Folder, runCommand, temporaryFolder } from '../../interop/server.ts'
import { seed } from '../faults/service-client.ts'

interface Attack {
  readonly what: string
  readonly sql: string
  readonly finds: RegExp
  /** Whether only a head that was kept elsewhere shows it. */
  readonly needsHead?: true
}

const attacks: readonly Attack[] = [
  {
    what: 'an edited event',
    sql: `update events set body = replace(body, '"name":"', '"name":"not.') where seq = 3`,
    finds: /event 3: edited/,
  },
  {
    what: 'one bit',
    sql: `update events set body = replace(body, '"id":"0', '"id":"1') where seq = 4`,
    finds: /event 4: edited/,
  },
  { what: 'a removed event', sql: 'delete from events where seq = 3', finds: /event 3: missing/ },
  {
    what: 'an inserted event',
    sql: `update events set seq = -seq where seq >= 3;
      update events set seq = 1 - seq where seq < 0;
      insert into events (pos, tenant, seq, at, feed, body, hash)
        select 1000, tenant, 3, at, feed, replace(body, '"id":"0', '"id":"1'), hash from events where seq = 2`,
    finds: /event 3: edited/,
  },
  {
    what: 'two events that changed places',
    sql: `update events set seq = -3 where seq = 3; update events set seq = 3 where seq = 4;
      update events set seq = 4 where seq = -3`,
    finds: /event 3: edited[^]*event 4: edited/,
  },
  { what: 'a tail cut, the count left', sql: 'delete from events where seq > 4', finds: /tail_cut/ },
  {
    what: 'a tail cut, and the count with it',
    sql: 'delete from events; update log_position set pos = 0',
    finds: /tail_cut/,
    needsHead: true,
  },
  { what: 'a forged seal', sql: `update events set mac = zeroblob(32) where mac is not null`, finds: /seal_broken/ },
]

/** A copy of the data folder, with the attack carried out. */
function attacked(whole: Folder, attack: string): string {
  const data = mkdtempSync(join(whole.path, 'copy-'))
  for (const name of ['grantor.db', 'master.key']) copyFileSync(join(whole.path, name), join(data, name))
  using database = new DatabaseSync(join(data, 'grantor.db'))
  database.exec(attack)
  return data
}

test('audit verify finds what was edited, removed, inserted, reordered and cut off, says which, and ends with 6', async () => {
  using folder = temporaryFolder()
  const options = { data: folder.path }
  assert.equal((await runCommand(['apply', folder.write('objects.json', seed)], options)).code, 0)
  assert.equal((await runCommand(['client', 'create', 'late', '--grant-type', 'client_credentials'], options)).code, 0)
  const kept = await runCommand(['audit', 'head', '--json'], options)
  assert.equal(kept.code, 0, kept.stderr)
  const head = folder.write('head.json', kept.stdout)
  assert.equal((await runCommand(['audit', 'verify', '--head', head], options)).code, 0)

  for (const { what, sql, finds, needsHead } of attacks) {
    const data = attacked(folder, sql)
    const plain = await runCommand(['audit', 'verify'], { data })
    assert.equal(plain.code, needsHead === true ? 0 : 6, `${what}: ${plain.stderr}`)
    const held = needsHead === true ? await runCommand(['audit', 'verify', '--head', head], { data }) : plain
    assert.equal(held.code, 6, what)
    assert.match(held.stderr, finds, what)
  }
})
