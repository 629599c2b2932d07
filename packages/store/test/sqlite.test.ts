/** SQLite keeps the storage contract. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { storeSuite } from '../suite/index.ts'
import { openAuditKey } from './support/audit-key.ts'

storeSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-store-'))
  const engine = await sqliteEngine({ path: join(folder, 'grantor.db'), auditKey: openAuditKey })
  return { ...engine, close: () => engine.close().then(() => rmSync(folder, { recursive: true })) }
})
