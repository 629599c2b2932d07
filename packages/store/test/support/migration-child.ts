/** Migrates in a process of its own, and prints a line for each batch. */
import { openPostgres } from '../../src/drivers/postgres/engine.ts'
import { openSqlite } from '../../src/drivers/sqlite/engine.ts'
import { openAuditKey as auditKey } from './audit-key.ts'
import { withCounting } from './counted-rows.ts'

const [dialect, address = '', schema = ''] = process.argv.slice(2)
const report = (_: unknown, done: number): void => console.log(String(done))
const store = await (dialect === 'sqlite'
  ? openSqlite({ path: address, auditKey, upgrade: { migrations: withCounting('sqlite'), report } })
  : openPostgres({ url: address, schema, auditKey, upgrade: { migrations: withCounting('postgres'), report } }))
await store.close()
