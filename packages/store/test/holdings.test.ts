/** A tenant that is removed leaves nothing behind but its log: every table that names a tenant is emptied of it. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { holdings } from '../src/verbs/directory/tenant-holdings.ts'
import { openAuditKey } from './support/audit-key.ts'

/** What outlives a tenant, and why. */
const kept: ReadonlySet<string> = new Set([
  // The log, and what is counted from it.
  'events',
  'logs',
  'checkpoints',
  'statistics_days',
  'statistics_minutes',
  // That it was, and that its tokens are dead: also under the same name made anew.
  'directory_changes',
  'token_cutoffs',
  // Gone by themselves in minutes.
  'used_proofs',
])

test('what holds something of a tenant is emptied with it, once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-holdings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'grantor.db')
  await (await sqliteEngine({ path, auditKey: openAuditKey })).close()
  const database = new DatabaseSync(path, { readOnly: true })
  t.after(() => database.close())
  const tables = database
    .prepare(
      `select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'tenant' where m.type = 'table'`,
    )
    .all()
    .map(({ name }) => String(name))
  const emptied = holdings('acme' as TenantId).map(({ text }) => /^delete from (\w+) where tenant = /.exec(text)?.[1])
  deepEqual(
    emptied.filter((name) => name !== undefined).toSorted(),
    tables.filter((name) => !kept.has(name)).toSorted(),
  )
})
