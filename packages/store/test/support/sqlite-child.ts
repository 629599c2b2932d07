/** A process of its own over a SQLite file: `write` appends and prints each acknowledged number, `open` opens and ends. */
import { openSqlite } from '../../src/drivers/sqlite/engine.ts'
import { event } from '../../suite/samples.ts'
import { openAuditKey } from './audit-key.ts'

const [path = '', task] = process.argv.slice(2)
const store = await openSqlite({
  path,
  auditKey: openAuditKey,
  role: task === 'write' ? 'server' : 'command',
})
if (task === 'write') {
  let next = 0
  const appendForEver = async (): Promise<void> => {
    for (;;) {
      const reason = String((next += 1))
      await store.events.append([event('token.rejected', { reason })])
      process.stdout.write(`${reason}\n`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, appendForEver))
}
await store.close()
