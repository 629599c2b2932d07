/** Issuances in one statement: who has to wait for a row waits alone, and what shares a row does not share a batch. */
import { deepEqual, equal } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type BatchedCalls, Batches } from '../src/drivers/postgres/batching/batches.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import type { Store } from '../src/index.ts'
import { acme, grantId, handle, issuance, opening, refresh, tenantWithClient } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

async function opened(t: TestContext): Promise<{ readonly store: Store; readonly client: pg.Client }> {
  const { url, schema, drop } = await freshSchema()
  const store = await openPostgres({ url, schema, auditKey, patience: 60_000 })
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  t.after(async () => {
    await Promise.all([store.close(), client.end()])
    await drop()
  })
  return { store, client }
}

test('a grant that another transaction has in its hands holds up nobody else', async (t) => {
  const { store, client } = await opened(t)
  const basis = await tenantWithClient(store)
  for (const name of ['g1', 'g2', 'g3']) await store.grants.open(opening(basis, name, { consent: null, events: [] }))
  const redeem = (name: string) =>
    store.tokens.issue(
      issuance(basis, {
        grantId: grantId(name),
        spend: { kind: 'code', handle: handle(`code ${name}`) },
        successor: refresh(name, name),
      }),
    )
  await client.query('begin')
  await client.query(`update grants set last_used_at = 1 where tenant = $1 and id = 'g1'`, [acme])
  const answers: string[] = []
  const all = ['g1', 'g2', 'g3'].map(async (name) => void answers.push(`${name} ${await redeem(name)}`))
  await Promise.all(all.slice(1))
  // Whoever waits would be here by now, if it did not wait.
  await setTimeout(100)
  deepEqual(answers.toSorted(), ['g2 committed', 'g3 committed'])
  await client.query(`update grants set revoked_at = 2 where tenant = $1 and id = 'g1'`, [acme])
  await client.query('commit')
  await Promise.all(all)
  equal(answers.at(-1), 'g1 grant-dead')
  equal((await store.grants.code(acme, handle('code g1')))?.spentAt, null)
})

test('calls that share a key go one batch after the other, all others together', async () => {
  const sent: (readonly string[])[] = []
  const how: BatchedCalls<string, string> = {
    together: async (calls) => (sent.push(calls), calls.map((call) => (call === 'c' ? undefined : `together ${call}`))),
    alone: async (call) => `alone ${call}`,
    keysOf: (call) => call.split(''),
  }
  const batches = new Batches(how, 60_000)
  const answers = await Promise.all(['ab', 'c', 'bd', 'e', 'dx', 'f'].map((call) => batches.add(call)))
  deepEqual(sent, [['ab', 'c', 'e', 'dx', 'f'], ['bd']])
  deepEqual(answers, ['together ab', 'alone c', 'together bd', 'together e', 'together dx', 'together f'])
})
