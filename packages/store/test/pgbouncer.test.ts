/** The storage contract behind PgBouncer in transaction mode: those parts of it that lean hardest on the database. */
import { ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../../interop/pgbouncer.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { StoreRefused } from '../src/index.ts'
import { eventSuite } from '../suite/events.ts'
import { raceSuite } from '../suite/races.ts'
import { openAuditKey } from './support/audit-key.ts'
import { ask } from './support/fresh-schema.ts'

const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''
const run = randomBytes(4).toString('hex')
/** One for each store, because the role brings the schema; each takes the next. */
const roles = Array.from({ length: 64 }, (_, n) => `pooled_${run}_${n}`)
let pooler: Promise<PgBouncer> | null = null
let taken = 0

async function freshRole(): Promise<{ readonly role: string; readonly schema: string; drop(): Promise<void> }> {
  const role = roles[taken++] ?? ''
  const schema = `${role}_data`
  await ask(url, `create role ${role} login password '${role}'`)
  await ask(url, `create schema ${schema} authorization ${role}`)
  return {
    role,
    schema,
    async drop() {
      await ask(url, `drop schema ${schema} cascade`)
      await ask(url, `drop role ${role}`)
    },
  }
}

async function open(listens: boolean): Promise<Engine> {
  const { role, schema, drop } = await freshRole()
  await ask(url, `alter role ${role} set search_path = ${schema}`)
  const directUrl = new URL(url)
  directUrl.username = directUrl.password = role
  pooler ??= startPgBouncer(url, roles)
  const through = { url: (await pooler).urlOf(role), directUrl: listens ? directUrl.href : null }
  const options = { schema, auditKey: openAuditKey, patience: 60_000, preparedStatements: false }
  const engine = await postgresEngine({ ...options, ...through })
  return { ...engine, close: () => engine.close().then(drop) }
}

const skip = hasPgBouncer() ? false : 'PgBouncer is not here; `npm test` installs it where it can'

describe('behind PgBouncer in transaction mode', { skip }, () => {
  after(async () => (await pooler)?.[Symbol.asyncDispose]())
  describe('races', { concurrency: 2 }, () => raceSuite(() => open(true)))
  describe('events, heard by polling', { concurrency: 2 }, () => eventSuite(() => open(false)))

  test('a role that does not bring the schema is refused, and told the line that is missing', async () => {
    const { role, schema, drop } = await freshRole()
    pooler ??= startPgBouncer(url, roles)
    const through = { url: (await pooler).urlOf(role), schema, auditKey: openAuditKey, preparedStatements: false }
    await rejects(postgresEngine(through), (error) => {
      ok(error instanceof StoreRefused)
      ok(error.message.includes(`ALTER ROLE ${role} IN DATABASE`) && error.message.includes(`search_path = ${schema}`))
      return true
    })
    await drop()
  })
})
