/** What the writer remembers of the directory never outlives a change of it: in the same group, beside it, or taken back. */
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { Connection } from '../src/drivers/sqlite/connection.ts'
import { Looks } from '../src/drivers/sqlite/basis-cache.ts'
import { WriterMemory } from '../src/drivers/sqlite/writer-memory.ts'
import { openSqlite, sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { storeOver } from '../src/drivers/engine-store.ts'
import { acme, at, basisNow, client, event, issuance, other, tenantWithClient } from '../suite/samples.ts'
import { sql } from '../src/verbs/verb.ts'
import { holds } from '../src/verbs/directory/basis.ts'
import { openAuditKey } from './audit-key.ts'

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-looks-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'grantor.db')
}

test('of tokens in one group with the removal of their client, those behind it are stale', async (t) => {
  const store = await openSqlite({ path: freshFile(t), auditKey: openAuditKey })
  const basis = await tenantWithClient(store)
  // Asked for in one turn of the event loop, so they travel and commit as one group.
  const answers = await Promise.all([
    store.tokens.issue(issuance(basis)),
    store.tokens.issue(issuance(basis)),
    store.clients.remove(acme, 'web', at(3_000), [event('client.deleted')]),
    store.tokens.issue(issuance(basis)),
  ])
  deepEqual(answers, ['committed', 'committed', 'removed', 'stale'])
  await store.close()
})

test('a change by another connection is seen by the very next token', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const basis = await tenantWithClient(store)
  equal(await store.tokens.issue(issuance(basis)), 'committed')
  const beside = await openSqlite({ path, auditKey: openAuditKey, claim: 'beside' })
  await beside.clients.remove(acme, 'web', at(3_000), [event('client.deleted')])
  equal(await store.tokens.issue(issuance(basis)), 'stale')
  await beside.clients.create(client('web'), [event('client.registered')])
  equal(await store.tokens.issue(issuance(basis)), 'stale')
  equal(await store.tokens.issue(issuance(await basisNow(store))), 'committed')
  await beside.close()
  await store.close()
})

test('a change that is taken back leaves its basis standing', async (t) => {
  const engine = await sqliteEngine({ path: freshFile(t), auditKey: openAuditKey })
  const store = storeOver(engine)
  const basis = await tenantWithClient(store)
  for (let step = 0; step < 3; step++) {
    const answers = await Promise.allSettled([
      store.tokens.issue(issuance(basis)),
      engine.run('clients.remove', [acme, 'web', at(3_000), []], step),
      store.tokens.issue(issuance(basis)),
    ])
    deepEqual(
      answers.map((it) => (it.status === 'fulfilled' ? it.value : 'broken')),
      ['committed', 'broken', 'committed'],
    )
  }
  await engine.close()
})

test('what is looked at lies in the two tables whose changes are noticed', async (t) => {
  const store = await openSqlite({ path: freshFile(t), auditKey: openAuditKey })
  const basis = await tenantWithClient(store)
  await store.close()
  for (const it of [basis, { ...basis, client: null }]) {
    const step = holds(it).next().value
    const text = typeof step === 'object' && step.do === 'look' ? step.statement.text : ''
    const tables = [...text.matchAll(/\b(?:from|join)\s+(\w+)/g)].map((match) => match[1])
    deepEqual(tables, it.client === null ? ['tenants'] : ['tenants', 'clients'])
  }
})

test('a change elsewhere, as the sweep makes it all day, is no reason to look again', () => {
  let looked = 0
  const looks = new Looks({ all: () => (looked++, []) } as unknown as Connection, new WriterMemory())
  const basis = { tenant: acme, revision: 1, client: null }
  const look = () => looks.at({ do: 'look', basis, statement: sql`select 1 from tenants` })
  look()
  for (const text of ['delete from codes where expires_at < ?1', 'insert into revoked_tokens (tenant) values (?1)']) {
    looks.changedBy(text)
    look()
  }
  equal(looked, 1)
  for (const text of [
    'update clients set version = ?1',
    'delete from tenants where id = ?1',
    'update clients set x = 1',
  ]) {
    looks.changedBy(text)
    look()
  }
  equal(looked, 4)
})

test('what was seen of one basis is never said of another, whoever is asked for in between', () => {
  const basisOf = fc.record({
    tenant: fc.constantFrom(acme, other),
    revision: fc.constantFrom(1, 2),
    client: fc.option(fc.record({ id: fc.constantFrom('a', 'b'), version: fc.constantFrom(1, 2) })),
  })
  const changes = fc.constantFrom('update clients set x = 1', 'delete from codes')
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: basisOf }, changes)), (steps) => {
      let looked = 0
      const all = (it: { readonly text: string }) => (looked++, [{ text: it.text }])
      const looks = new Looks({ all } as unknown as Connection, new WriterMemory())
      for (const step of steps) {
        if (typeof step === 'string') {
          looks.changedBy(step)
          continue
        }
        const text = JSON.stringify(step)
        deepEqual(looks.at({ do: 'look', basis: step, statement: { do: 'sql', text, values: [] } }), [{ text }])
        const again = looked
        looks.at({ do: 'look', basis: step, statement: { do: 'sql', text, values: [] } })
        equal(looked, again)
      }
    }),
  )
})
