/** kill -9 between an event and its delivery, and between its arrival and the answer: a webhook is told at least once. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { JsonObject } from '@grantor/protocol/types'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Environment, runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { type ForeignServer, startForeignServer } from '../outbound/foreign-server.ts'
import { httpClientOf } from './http-client.ts'
import { requestRevocation, requestToken, seed, tokenIn, unlimited } from './service-client.ts'
import { until } from './until.ts'

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const arrivals = (foreign: ForeignServer, count: number) =>
  until(
    () => setTimeout(20, foreign.posted.length),
    (it) => it >= count,
  )

/** A node takes its time from the database where that is PostgreSQL: there what a dead one had taken is made due instead. */
async function makeDue(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('update grantor.event_deliveries set due_at = made_at where due_at is not null')
    await client.query('update grantor.event_receivers set next_at = created_at, rest_until = created_at')
  } finally {
    await client.end()
  }
}

async function tellOnce(database: Environment): Promise<void> {
  using folder = temporaryFolder()
  await using foreign = await startForeignServer()
  const webhooks = [
    { id: 'shop', url: `${foreign.origin}/in`, events: ['token.revoked', 'grant.revoked'], secret: webhookSecret },
  ]
  const clock = folder.write('clock', '0')
  const env = { ...unlimited, ...database, ...foreign.env, SUITE_CLOCK: clock }
  const later = (milliseconds: string) =>
    database['GRANTOR_DATABASE_URL'] === undefined
      ? folder.write('clock', milliseconds)
      : makeDue(database['GRANTOR_DATABASE_URL'])
  const options = {
    data: folder.path,
    seed: folder.write('seed.json', { ...seed, webhooks }),
    execArgv: ['--import', join(import.meta.dirname, '../../interop/suite/clock.ts')],
  }
  // The first node does not trust who answers there, so that whatever it tried before it died came to nothing.
  await using first = await startServer({ ...options, env: { ...env, GRANTOR_OUTBOUND_CA: '' } })
  using http = httpClientOf(first)
  const revoked = await requestRevocation(http, tokenIn(await requestToken(http)))
  assert.equal(revoked.status, 200)
  await first.kill()
  assert.deepEqual(foreign.posted, [])

  // Whatever a dead node had taken is due again half a minute later. The next one dies before it hears an answer.
  await later('60000')
  foreign.silent = true
  await using second = await startServer({ ...options, env })
  await arrivals(foreign, 1)
  await second.kill()

  await later('120000')
  foreign.silent = false
  await using third = await startServer({ ...options, env })
  await arrivals(foreign, 2)
  const [once = assert.fail(), again = assert.fail()] = foreign.posted
  assert.equal(again, once, 'the same event, with the id that it had before')
  const log = await until(
    async () => {
      const run = await runCommand(['webhook', 'deliveries', 'shop', '--json'], { data: folder.path, env })
      assert.equal(run.code, 0, run.stderr)
      return JSON.parse(run.stdout) as readonly JsonObject[]
    },
    ([row]) => row?.['state'] === 'delivered',
  )
  const { data } = JSON.parse(once) as { readonly data: JsonObject }
  assert.deepEqual([log.length, log[0]?.['id']], [1, data['id']], 'one event, one record')
  assert.equal(await third.stop(), 0)
}

test('SQLite: what a killed node was to tell a webhook is told by the next, with the same id each time', () =>
  tellOnce({}))

test('PostgreSQL: what a killed node was to tell a webhook is told by the next, with the same id each time', async () => {
  await using database = await temporaryDatabase()
  await tellOnce({ ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-fault-tests-0123456789' })
})
