/** A page is as long as was asked for, also where some of the people in between cannot be read. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { group, guarded, role, scope } from '../suite/people/group-samples.ts'
import { acme, change, user } from '../suite/samples.ts'
import { openAuditKey } from './support/audit-key.ts'

const ids = Array.from({ length: 12 }, (_, n) => `u${String(n).padStart(2, '0')}`)
const broken = new Set(['u01', 'u02', 'u03', 'u05', 'u11'])
const readable = ids.filter((id) => !broken.has(id))

test('people who cannot be read are passed over, and the page is filled with those who come after', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-pages-'))
  const path = join(folder, 'grantor.db')
  const engine = await sqliteEngine({ path, auditKey: openAuditKey })
  t.after(() => engine.close().then(() => rmSync(folder, { recursive: true })))
  const store = storeFromEngine(engine)
  const putScopes = [scope('a:read')]
  await store.directory.apply([change({ putResources: [guarded], putScopes, putRoles: [role('reader', ['a:read'])] })])
  await store.groups.create(group('team'), [])
  for (const id of ids) await store.users.create(user(id, { ownRoles: ['reader'], groups: ['Group team'] }), [])
  const beside = new DatabaseSync(path)
  for (const id of broken) beside.prepare(`update users set claims = '{' where id = ?`).run(id)
  beside.close()
  for (const limit of [1, 2, 3, 4, 7, 8, 100])
    for (const more of [{}, { role: 'reader' }, { group: 'team' }, { role: 'reader', group: 'team' }]) {
      const listed = await store.users.list(acme, { after: null, limit, ...more })
      deepEqual(
        listed.map(({ id }) => id),
        readable.slice(0, limit),
        `${limit} ${JSON.stringify(more)}`,
      )
    }
  for (const limit of [1, 2, 5, 7, 8])
    for (const [after, from] of [
      [null, 0],
      ['name-of-u00', 1],
    ] as const) {
      const found = await store.users.search(acme, { prefix: 'name-of-', after, limit })
      deepEqual(
        found.map(({ id }) => id),
        readable.slice(from, from + limit),
      )
    }
})
