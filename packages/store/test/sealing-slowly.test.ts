/** A database that does not manage a whole batch of the log in its time is asked for less, and the log goes on. */
import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { StoreUnavailable } from '../src/index.ts'
import { acme, event } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'
import { verified } from './support/verified-log.ts'

test('events that waited while the log could not be written get their place, however slowly it takes them', async (t) => {
  const { url, schema, drop } = await freshSchema()
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const store = await openPostgres({ url, schema, auditKey, notary: false, patience: 1_000 })
  stack.defer(() => store.close())
  await ask(
    url,
    `create function ${schema}.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.003); return new; end $$;
    create trigger slow before insert on ${schema}.events for each row execute function ${schema}.slow()`,
  )
  const reasons = Array.from({ length: 600 }, (_, n) => `waited ${n}`)
  await store.events.append(reasons.map((reason) => event('token.rejected', { reason })))
  let position = 0
  for (let attempts = 0; position === 0 && attempts < 8; attempts += 1)
    position = await store.events.position().catch((error: unknown) => {
      ok(error instanceof StoreUnavailable, String(error))
      return 0
    })
  equal(position, reasons.length)
  equal(JSON.stringify(await verified(store, acme)), JSON.stringify(reasons))
})
