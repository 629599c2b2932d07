/** A page is as long as was asked for, also where some of the people or clients in between cannot be read. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { group, guarded, role, scope } from '../suite/people/group-samples.ts'
import { acme, change, client, other, user } from '../suite/samples.ts'
import { openAuditKey } from './support/audit-key.ts'

const ids = Array.from({ length: 12 }, (_, n) => `u${String(n).padStart(2, '0')}`)
const broken = new Set(['u01', 'u02', 'u03', 'u05', 'u11'])
const readable = ids.filter((id) => !broken.has(id))

/** A store, and a connection to its file past it. */
async function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-pages-'))
  const path = join(folder, 'grantor.db')
  const engine = await sqliteEngine({ path, auditKey: openAuditKey })
  const beside = new DatabaseSync(path)
  t.after(async () => {
    beside.close()
    await engine.close()
    rmSync(folder, { recursive: true })
  })
  return { store: storeFromEngine(engine), beside }
}

test('people who cannot be read are passed over, and the page is filled with those who come after', async (t) => {
  const { store, beside } = await opened(t)
  const putScopes = [scope('a:read')]
  await store.directory.apply([change({ putResources: [guarded], putScopes, putRoles: [role('reader', ['a:read'])] })])
  await store.groups.create(group('team'), [])
  const held = { ownRoles: ['reader'], groups: ['Group team'], claims: { email: 'home@example.com' } }
  for (const id of ids) await store.users.create(user(id, held), [])
  for (const id of broken) beside.prepare(`update users set claims = '{' where id = ?`).run(id)
  for (const limit of [1, 2, 3, 4, 7, 8, 100])
    for (const more of [
      {},
      { role: 'reader' },
      { group: 'team' },
      { role: 'reader', group: 'team' },
      { group: 'team', email: 'home@example.com' },
    ]) {
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

test('clients that cannot be read are passed over, and the page is filled, forwards and backwards', async (t) => {
  const { store, beside } = await opened(t)
  await store.directory.apply([change({ createClients: ids.map((id) => client(id)) })])
  for (const id of broken) beside.prepare(`update clients set metadata = '{' where id = ?`).run(id)
  for (const descending of [false, true])
    for (const limit of [1, 2, 3, 5, 7, 8]) {
      const all = descending ? readable.toReversed() : readable
      for (const [after, left] of [[null, all] as const, [all[1] ?? '', all.slice(2)] as const])
        deepEqual(
          (await store.clients.list(acme, { after, limit, descending })).map(({ id }) => id),
          left.slice(0, limit),
          `${limit} after ${after}`,
        )
    }
})

test('clients of an older program that are named as people are found, those that are off are not', async (t) => {
  const { store, beside } = await opened(t)
  for (const tenant of [acme, other]) {
    const made = (id: string) => client(id, { tenant })
    await store.directory.apply([change({ tenant, createClients: ['a', 'b', 'off', 'own'].map(made) })])
    for (const id of ['eve', 'bob', 'cyd']) await store.users.create(user(id, { tenant }), [])
  }
  await store.users.create(user('own-of-other', { tenant: other }), [])
  // As it was before the names of people and of clients were kept apart.
  beside.exec('pragma foreign_keys = off')
  for (const [from, to] of Object.entries({ a: 'bob', b: 'eve', off: 'cyd' })) {
    beside.prepare('update client_secrets set client = ? where client = ?').run(to, from)
    beside.prepare('update clients set id = ? where id = ?').run(to, from)
  }
  beside.exec(`update users set id = 'own' where id = 'own-of-other'`)
  beside.exec(`update clients set disabled_at = 5 where id = 'cyd'`)
  deepEqual(
    (await store.clients.namedAsPeople()).map(({ tenant, id, secrets }) => [tenant, id, secrets.length]),
    [
      [acme, 'bob', 1],
      [acme, 'eve', 1],
      [other, 'bob', 1],
      [other, 'eve', 1],
      [other, 'own', 1],
    ],
  )
})
