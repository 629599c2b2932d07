/** Whatever is altered in a row of the log, verification finds it, or the alteration says nothing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { bodyChainHash, genesis, type LogRow } from '@grantor/store'
import fc from 'fast-check'
import { type Damage, verifyLog } from '../../src/admin/verify-log.ts'
import { localOrigin, newEvent } from '../../src/events.ts'
import { type Database, databases, type Deployment, openDeployment } from '../support/deployment.ts'

const tenants = ['acme' as TenantId, 'globex' as TenantId] as const

/** Two tenants whose events alternate, some of them for the feed and some for a person, in several batches. */
async function written(database: Database): Promise<Deployment> {
  const deployment = await openDeployment(database)
  for (let batch = 0; batch < 4; batch++) {
    const events = tenants.flatMap((tenant) =>
      (['token.issued', 'token.revoked', 'login.failed'] as const).map((name) =>
        newEvent(deployment.ports, localOrigin(tenant), name, { actor: { kind: 'user', id: 'p' }, subject: 'p' }),
      ),
    )
    await deployment.store.events.append(events)
    await deployment.store.events.position()
  }
  return deployment
}

async function damageIn({ store }: Deployment): Promise<readonly Damage[]> {
  const listed = await store.events.tenants({ after: null, limit: 100 })
  const reports = await Promise.all(listed.map((tenant) => verifyLog(store, tenant, null)))
  return reports.flatMap(({ damage }) => damage)
}

const rowsOf = async ({ store }: Deployment): Promise<readonly LogRow[]> =>
  (await Promise.all(tenants.map((tenant) => store.events.rows(tenant, 0, 1000)))).flat()

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const bytesFor = (database: Database) => (value: Uint8Array) => {
  const hex = Buffer.from(value).toString('hex')
  return database === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`
}

/** A value for each column, as SQL. */
function alterations(database: Database): Readonly<Record<string, fc.Arbitrary<string>>> {
  const bytes = bytesFor(database)
  const number = fc.oneof(fc.integer({ min: -3, max: 40 }), fc.integer({ min: 41, max: 2 ** 31 })).map(String)
  const someBytes = fc
    .oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 40 }))
    .map(bytes)
  const someText = fc.stringMatching(/^[ -~]{0,30}$/)
  return {
    pos: number,
    tenant: fc.oneof(fc.constantFrom(...tenants, 'nobody'), someText).map(text),
    seq: number,
    at: number,
    feed: fc.constantFrom('0', '1', '2', '-1'),
    subject: fc.oneof(fc.constant('null'), someText.map(text)),
    body: fc.oneof(someText, fc.constantFrom('', '{}', 'null', '[]', '"x"', '{"actor":null}', '{"name":1}')).map(text),
    hash: someBytes,
    mac: fc.oneof(fc.constant('null'), someBytes),
  }
}

function present(row: LogRow, column: string, bytes: (value: Uint8Array) => string): string {
  const { pos, seq, feed, body, hash, mac, columns } = row
  const held: Readonly<Record<string, string>> = {
    pos: `${pos}`,
    seq: `${seq}`,
    feed: `${feed}`,
    body: text(body),
    hash: bytes(hash),
    mac: mac === null ? 'null' : bytes(mac),
    tenant: text(String(columns['tenant'])),
    at: String(columns['at']),
    subject: columns['subject'] == null ? 'null' : text(String(columns['subject'])),
  }
  return held[column] ?? ''
}

for (const database of databases) {
  describe(`the columns of the log on ${database}`, () => {
    test('property: every alteration of one column of one row is found, but a seal taken from the middle', async () => {
      const deployment = await written(database)
      const rows = await rowsOf(deployment)
      assert.deepEqual(await damageIn(deployment), [])
      const alteration = fc
        .constantFrom(...Object.entries(alterations(database)))
        .chain(([column, value]) => fc.record({ column: fc.constant(column), value, row: fc.constantFrom(...rows) }))
      await fc.assert(
        fc.asyncProperty(alteration, async ({ column, value, row }) => {
          const before = present(row, column, bytesFor(database))
          if (value === before) return
          const at = (pos: string): string => (column === 'pos' ? pos : `${row.pos}`)
          try {
            await deployment.tamper(`update events set ${column} = ${value} where pos = ${row.pos}`)
          } catch {
            return // The database itself does not hold it: a number that is there already.
          }
          try {
            const last = rows.findLast((it) => it.columns['tenant'] === row.columns['tenant'])
            const weakensNothing = column === 'mac' && value === 'null' && row !== last
            const damage = await damageIn(deployment)
            assert.equal(damage.length === 0, weakensNothing, `${column} of ${row.pos}: ${JSON.stringify(damage)}`)
          } finally {
            await deployment.tamper(`update events set ${column} = ${before} where pos = ${at(value)}`)
          }
        }),
        { numRuns: 120 },
      )
      assert.deepEqual(await damageIn(deployment), [])
    })

    test('two events of different tenants that changed positions are found', async () => {
      const deployment = await written(database)
      const [last, first] = tenants.map((tenant) => tenant)
      const rows = await rowsOf(deployment)
      const a = rows.findLast((row) => row.columns['tenant'] === last)?.pos ?? 0
      const b = rows.find((row) => row.columns['tenant'] === first && row.pos > a)?.pos ?? 0
      assert.ok(a > 0 && b > a)
      const swap = [`pos = -1 where pos = ${a}`, `pos = ${a} where pos = ${b}`, `pos = ${b} where pos = -1`]
      for (const it of swap) await deployment.tamper(`update events set ${it}`)
      assert.ok((await damageIn(deployment)).some(({ kind }) => kind === 'edited'))
    })

    test('events chained by their text alone, as older programs did, are held to their order and their name', async () => {
      const deployment = await written(database)
      const bytes = bytesFor(database)
      const { store } = deployment
      for (const tenant of tenants) {
        let hash: Uint8Array = genesis
        for (const row of await store.events.rows(tenant, 0, 1000)) {
          hash = bodyChainHash(hash, row.body)
          const mac = store.events.macOf({ tenant, seq: row.seq, hash }, 'seal')
          await deployment.tamper(`update events set hash = ${bytes(hash)}, mac = ${bytes(mac)} where pos = ${row.pos}`)
        }
      }
      assert.deepEqual(await damageIn(deployment), [])
      await deployment.tamper('update events set feed = 1 - feed where pos = 2')
      assert.deepEqual(
        (await damageIn(deployment)).map(({ kind, seq }) => [kind, seq]),
        [['misplaced', 2]],
      )
      await deployment.tamper('update events set feed = 1 - feed where pos = 2')
      for (const it of ['pos = -1 where pos = 2', 'pos = 2 where pos = 3', 'pos = 3 where pos = -1'])
        await deployment.tamper(`update events set ${it}`)
      assert.ok((await damageIn(deployment)).some(({ kind }) => kind === 'misplaced'))
    })

    test('a body that is no event is named, and the rest is verified', async () => {
      for (const body of ['', 'no JSON', '{"id"', 'null', '[]', '{}']) {
        const deployment = await written(database)
        await deployment.tamper(`update events set body = ${text(body)} where pos = 2`)
        await deployment.tamper('update events set at = at + 1 where pos = 7')
        const found = (await damageIn(deployment)).map(({ kind, seq }) => `${kind} ${seq}`)
        assert.deepEqual(found, ['edited 2', 'unreadable 2', 'misplaced 4'])
      }
    })
  })
}
