/** PostgreSQL keeps the storage contract. */
import { postgresEngine } from '../src/drivers/postgres.ts'
import { storeSuite } from '../src/suite/index.ts'
import { freshSchema } from './fresh-schema.ts'
import { openAuditKey } from './audit-key.ts'

storeSuite(async () => {
  const { url, schema, drop } = await freshSchema()
  const engine = await postgresEngine({ url, schema, auditKey: openAuditKey })
  return { ...engine, close: () => engine.close().then(drop) }
})
