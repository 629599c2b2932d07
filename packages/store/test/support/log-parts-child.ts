/** A node over a log of small parts: appends, makes parts ahead and drops old ones for ever, and says what was acknowledged. */
import { openPostgres } from '../../src/drivers/postgres/engine.ts'
import { acme, at, event } from '../../suite/samples.ts'
import { openAuditKey } from './audit-key.ts'

const [url = '', schema = '', leastLogPart = ''] = process.argv.slice(2)
const store = await openPostgres({ url, schema, auditKey: openAuditKey, leastLogPart: Number(leastLogPart) })
const now = at(1_000 + 30 * 24 * 60 * 60 * 1000)

async function dropOldest(): Promise<void> {
  const part = await store.events.oldestPart(now)
  if (part === null) return
  for (const head of part.heads)
    await store.events.prune({ ...head, at: now, signature: store.events.macOf(head, 'checkpoint') }, [])
  await store.events.dropPart(part)
}

for (let n = 1; ; n += 1) {
  await store.events.append([event('token.issued', { tenant: acme, at: at(1_000) })])
  process.stdout.write('+')
  if (n % 4 === 0) await store.events.position()
  if (n % 4 === 0) await store.events.keepPartsAhead(now)
  if (n % 4 === 0) await dropOldest()
}
