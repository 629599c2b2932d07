/** What the writer remembers of the directory never outlives a change of it: in the same group, beside it, or taken back. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { BasisCache } from '../src/drivers/sqlite/basis-cache.ts'
import { connect, type Connection } from '../src/drivers/sqlite/connection.ts'
import { openSqlite, sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { GroupWriter } from '../src/drivers/sqlite/group-writer.ts'
import type { VerbCall } from '../src/drivers/sqlite/worker-message.ts'
import { WriterMemory } from '../src/drivers/sqlite/writer-memory.ts'
import { basisHolds, directoryColumns } from '../src/verbs/directory/basis.ts'
import { acme, at, basisNow, client, event, issuance, other, tenantWithClient } from '../suite/samples.ts'
import { auditKey, openAuditKey } from './support/audit-key.ts'

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-basis-'))
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
  const beside = await openSqlite({ path, auditKey: openAuditKey, role: 'command' })
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
  const store = storeFromEngine(engine)
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

test('what a basis is checked against are columns whose changes verbs declare', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const basis = await tenantWithClient(store)
  await store.close()
  const db = new DatabaseSync(path)
  const read = new Set<string>()
  db.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) read.add(`${table}.${column}`)
    return constants.SQLITE_OK
  })
  for (const it of [basis, { ...basis, client: null }]) {
    const step = basisHolds(it).next().value
    db.prepare(typeof step === 'object' && step.do === 'check-basis' ? step.statement.text : '')
  }
  db.close()
  deepEqual([...read].sort(), ['clients.id', 'clients.tenant', 'clients.version', 'tenants.id', 'tenants.revision'])
  const columns = Object.entries(directoryColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  ok(read.isSubsetOf(new Set(columns)))
})

test('a change elsewhere, as the sweep makes it all day, is no reason to read a basis again', async (t) => {
  const path = freshFile(t)
  const store = await openSqlite({ path, auditKey: openAuditKey })
  const basis = await tenantWithClient(store)
  await store.close()
  let checks = 0
  const writer = new GroupWriter(path, auditKey, (...args) => {
    const file = connect(...args)
    return { ...file, all: (it) => (it.text.startsWith('select 1 as holds') && checks++, file.all(it)) }
  })
  t.after(() => writer.close())
  const { events: _events, ...it } = issuance(basis)
  const issue: VerbCall = {
    kind: 'verb',
    name: 'tokens.issue',
    args: [{ ...it, entries: [] }],
    breakAt: null,
    calledAt: 0,
  }
  const sweep: VerbCall = { kind: 'verb', name: 'sweep', args: [at(9), 10], breakAt: null, calledAt: 0 }
  const rotate: VerbCall = {
    kind: 'verb',
    name: 'clients.create',
    args: [client('new'), []],
    breakAt: null,
    calledAt: 0,
  }
  deepEqual(writer.run([issue, sweep, issue]).values, ['committed', 0, 'committed'])
  deepEqual([writer.run([sweep, issue]).values, checks], [[0, 'committed'], 1])
  deepEqual([writer.run([rotate, issue]).values, checks], [['created', 'committed'], 2])
})

test('what was read of one basis is never said of another, whoever is asked for in between', () => {
  const basisOf = fc.record({
    tenant: fc.constantFrom(acme, other),
    revision: fc.constantFrom(1, 2),
    client: fc.option(fc.record({ id: fc.constantFrom('a', 'b'), version: fc.constantFrom(1, 2) })),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: basisOf }, fc.constant('changed' as const))), (steps) => {
      let reads = 0
      const all = (it: { readonly text: string }) => (reads++, [{ text: it.text }])
      const bases = new BasisCache({ all } as unknown as Connection, new WriterMemory())
      for (const basis of steps) {
        if (basis === 'changed') {
          bases.forget()
          continue
        }
        const text = JSON.stringify(basis)
        const check = () => bases.check({ do: 'check-basis', basis, statement: { do: 'sql', text, values: [] } })
        deepEqual(check(), [{ text }])
        const before = reads
        check()
        equal(reads, before)
      }
    }),
  )
})
