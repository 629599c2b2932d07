/** PostgreSQL keeps the storage contract. */
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { storeSuite } from '../suite/index.ts'
import { openAuditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

// Fifty racers on a busy machine are slow, and not away.
storeSuite(async () => {
  const { url, schema, drop } = await freshSchema()
  const engine = await postgresEngine({ url, schema, auditKey: openAuditKey, patience: 60_000 })
  return { ...engine, close: () => engine.close().then(drop) }
})
