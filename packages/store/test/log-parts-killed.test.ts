/** A node that makes and drops parts of the log is killed in the middle of it, again and again: the log has neither gap nor break. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { linkForm, type Store } from '../src/index.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { acme, at } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'

const least = 8

/** Appends until it is killed; how many events it heard to be kept. */
async function appendedUntilKilled(place: readonly [url: string, schema: string], lives: number): Promise<number> {
  const program = join(import.meta.dirname, 'support', 'log-parts-child.ts')
  const child = spawn(process.execPath, [program, ...place, String(least)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acknowledged = 0
  child.stdout.on('data', (text: Buffer) => (acknowledged += text.length))
  try {
    await once(child.stdout, 'data')
    await setTimeout(lives)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return acknowledged
}

/** What is left of the chain, from its checkpoint on, as a verifier walks it; the last number. */
async function verifiedEnd(store: Store): Promise<number> {
  await store.events.position()
  const checkpoint = await store.events.checkpoint(acme)
  let { seq, hash } = checkpoint ?? { seq: 0, hash: null }
  for (;;) {
    const rows = await store.events.rows(acme, seq, 500)
    for (const row of rows) {
      seq += 1
      equal(row.seq, seq)
      if (hash !== null) notEqual(linkForm(hash, row, row.hash), null)
      hash = row.hash
    }
    if (rows.length === 0) return seq
  }
}

test('no acknowledged event is lost, and none lies where it is not found', async (t) => {
  const { url, schema, drop } = await freshSchema()
  const store = await openPostgres({ url, schema, auditKey, leastLogPart: least, patience: 30_000 })
  t.after(async () => {
    await store.close()
    await drop()
  })
  let acknowledged = 0
  let dropped = 0
  for (const lives of [120, 163, 211, 258, 307, 350]) {
    acknowledged += await appendedUntilKilled([url, schema], lives)
    const end = await verifiedEnd(store)
    ok(end >= acknowledged, `${acknowledged} were acknowledged, the log ends at ${end}`)
    equal(await store.events.lost(), 0)
    dropped = (await store.events.checkpoint(acme))?.seq ?? 0
  }
  ok(dropped > 0, 'parts were dropped')
  await store.events.keepPartsAhead(at(1_000))
  const begun = await ask(
    url,
    `select conname from pg_constraint where conname like 'events_without_%'
    and connamespace = '${schema}'::regnamespace`,
  )
  deepEqual(begun, [], 'what was begun is finished')
})
