/** A node of its own over a PostgreSQL schema: appends for ever, sealing as it goes, and says when it has begun. */
import { openPostgres } from '../../src/drivers/postgres/engine.ts'
import { event } from '../../suite/samples.ts'
import { openAuditKey } from './audit-key.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const store = await openPostgres({ url, schema, auditKey: openAuditKey })
for (let n = 0; ; n += 1) {
  await store.events.append([event('token.rejected', { reason: `child ${n}` })])
  if (n === 50) process.stdout.write('running\n')
}
