/** A log that an older program sealed, with its seals in a table of their own, is still sealed after the migration. */
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { bodyChainHash, genesis, macOf } from '../src/contract/chain.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { openSqlite } from '../src/drivers/sqlite/engine.ts'
import type { Store } from '../src/index.ts'
import { type Dialect, migrationsOf, migrationsTable } from '../src/schema/migrations.ts'
import { entryOf } from '../src/verbs/entry.ts'
import { event } from '../suite/samples.ts'
import { auditKey, openAuditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'
import { verified } from './support/verified-log.ts'

const [acme, pruned] = ['acme' as TenantId, 'pruned' as TenantId]

/** Three events of one tenant in two batches, and a tenant of whom only the checkpoint is left. */
function olderLog(dialect: Dialect): readonly string[] {
  const binary = (bytes: Uint8Array): string => {
    const hex = Buffer.from(bytes).toString('hex')
    return dialect === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`
  }
  const statements = [migrationsTable]
  for (const { number, name, text, checksum } of migrationsOf(dialect).filter((it) => it.number <= 10)) {
    statements.push(text, `insert into migrations values (${number}, '${name}', '${checksum}')`)
  }
  const seal = (tenant: TenantId, seq: number, hash: Uint8Array): string =>
    `insert into seals (tenant, seq, hash, mac, at)
      values ('${tenant}', ${seq}, ${binary(hash)}, ${binary(macOf(auditKey, { tenant, seq, hash }, 'seal'))}, 1)`
  let hash = genesis
  for (let seq = 1; seq <= 3; seq++) {
    const { at, feed, body } = entryOf(event('token.issued', { tenant: acme, reason: `${seq}` }))
    hash = bodyChainHash(hash, body)
    statements.push(`insert into events (pos, tenant, seq, at, feed, body, hash)
      values (${seq}, '${acme}', ${seq}, ${at}, ${feed}, '${body.replaceAll("'", "''")}', ${binary(hash)})`)
    if (seq > 1) statements.push(seal(acme, seq, hash))
  }
  statements.push(
    seal(pruned, 7, hash),
    `insert into checkpoints (tenant, seq, hash, at, signature) values ('${pruned}', 7, ${binary(hash)}, 1, ${binary(hash)})`,
    'update log_position set pos = 10',
  )
  return statements
}

async function stillSealed(store: Store): Promise<void> {
  deepEqual(
    (await store.events.rows(acme, 0, 10)).map(({ mac }) => mac !== null),
    [false, true, true],
  )
  equal(await store.events.lost(), 0)
  deepEqual(await store.events.tenants({ after: null, limit: 10 }), [acme, pruned])
  equal((await store.events.head(pruned))?.seq, 7)
  await store.events.append([event('token.issued', { tenant: acme }), event('token.issued', { tenant: pruned })])
  equal((await verified(store, acme)).length, 4)
  deepEqual(
    (await store.events.rows(pruned, 0, 10)).map(({ seq }) => seq),
    [8],
  )
  equal(await store.events.lost(), 0)
}

test('on SQLite', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-older-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'grantor.db')
  const older = new DatabaseSync(path)
  for (const statement of olderLog('sqlite')) older.exec(statement)
  older.close()
  const store = await openSqlite({ path, auditKey: openAuditKey })
  t.after(() => store.close())
  await stillSealed(store)
})

test('on PostgreSQL', async (t) => {
  const { url, schema, drop } = await freshSchema()
  await ask(url, [`create schema ${schema}`, `set search_path to ${schema}`, ...olderLog('postgres')].join(';\n'))
  const store = await openPostgres({
    url,
    schema,
    auditKey: openAuditKey,
    patience: 60_000,
    upgrade: { olderNodesStopped: true },
  })
  // In this order: a store that still works may deadlock with who drops its tables, and is then never closed.
  t.after(() => store.close().then(drop))
  await stillSealed(store)
})
