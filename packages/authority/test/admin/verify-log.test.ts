/** The log cannot be rewritten: every kind of tampering is found, and said where. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chainHash } from '@grantor/store'
import { newEvent, localOrigin } from '../../src/events.ts'
import { verifyLog } from '../../src/admin/verify-log.ts'
import { databases, declare, type Deployment, openDeployment, root, tokenFrom } from '../support/deployment.ts'

/** A log of a dozen events, all sealed. */
async function written(database: (typeof databases)[number]): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declare(deployment)
  for (let i = 0; i < 5; i++) await tokenFrom(deployment.authority, 'scope=invoices:read')
  await deployment.store.events.position()
  return deployment
}

const kinds = async (deployment: Deployment, kept: Parameters<typeof verifyLog>[2] = null) => {
  const report = await verifyLog(deployment.store, root, kept)
  return report.damage.map((it) => `${it.kind} ${it.seq}`)
}

/** Swaps the places of events 5 and 6; no number comes twice on the way. */
const swap = [
  'update events set seq = -5 where seq = 5',
  'update events set seq = 5 where seq = 6',
  'update events set seq = 6 where seq = -5',
]
/** '0' and '1' differ in one bit; every id begins with 0 for the next centuries. */
const flipped = `update events set body = replace(body, '"id":"0', '"id":"1') where seq = 6`

for (const database of databases) {
  describe(`the log on ${database}`, () => {
    test('an untouched log verifies, with its head', async () => {
      const deployment = await written(database)
      const report = await verifyLog(deployment.store, root, null)
      assert.deepEqual(report.damage, [])
      assert.ok(report.events >= 10)
      const head = await deployment.authority.admin.events.head(root)
      assert.ok(head.kind === 'ok')
      assert.equal(head.value?.hash, report.head?.hash)
      assert.deepEqual(await kinds(deployment, report.head), [])
    })

    test('an edited event is found', async () => {
      const deployment = await written(database)
      await deployment.tamper(`update events set body = body || ' ' where seq = 6`)
      assert.deepEqual(await kinds(deployment), ['edited 6'])
    })

    test('one flipped bit is found', async () => {
      const deployment = await written(database)
      await deployment.tamper(flipped)
      assert.deepEqual(await kinds(deployment), ['edited 6'])
    })

    test('a person hidden from a search, or put into one, is found', async () => {
      const deployment = await written(database)
      await deployment.store.events.append([
        newEvent(deployment.ports, localOrigin(root), 'login.failed', {
          actor: { kind: 'user', id: 'p' },
          subject: 'p',
        }),
      ])
      const seq = await deployment.store.events.position()
      await deployment.tamper(`update events set subject = null where pos = ${seq}`)
      await deployment.tamper(`update events set subject = 'p' where seq = 6`)
      assert.deepEqual(await kinds(deployment), ['misplaced 6', `misplaced ${seq}`])
    })

    test('removed events are found, and named from the first to the last', async () => {
      const deployment = await written(database)
      await deployment.tamper('delete from events where seq in (6, 7, 8)')
      const { damage } = await verifyLog(deployment.store, root, null)
      assert.deepEqual(damage[0], { kind: 'missing', seq: 6, description: 'events 6 to 8 are gone' })
    })

    test('an event put in between is found', async () => {
      const deployment = await written(database)
      for (let seq = 20; seq >= 6; seq--)
        await deployment.tamper(`update events set seq = ${seq + 1} where seq = ${seq}`)
      await deployment.tamper(`update events set body = replace(body, 'token.issued', 'token.revoked') where seq = 7`)
      assert.notDeepEqual(await kinds(deployment), [])
    })

    test('two events that changed places are found', async () => {
      const deployment = await written(database)
      for (const statement of swap) await deployment.tamper(statement)
      const found = await kinds(deployment)
      assert.ok(found.includes('edited 5') && found.includes('edited 6'), found.join())
    })

    test('a cut tail is found by the count of all that was sealed, and without it by a head kept elsewhere', async () => {
      const deployment = await written(database)
      const { head } = await verifyLog(deployment.store, root, null)
      assert.ok(head)
      // Cut where an earlier batch ended: the cleanest cut there is.
      const end = (await deployment.store.events.rows(root, 0, 1000)).filter((row) => row.mac !== null).at(-2)?.seq ?? 0
      await deployment.tamper(`delete from events where seq > ${end}`)
      assert.deepEqual(await kinds(deployment), [`tail_cut ${end + 1}`])
      assert.equal(await deployment.store.events.lost(), head.seq - end)
      await deployment.tamper(`update log_position set pos = ${end}`)
      assert.deepEqual(await kinds(deployment), [], 'nothing inside the database shows it')
      assert.deepEqual(await kinds(deployment, head), [`tail_cut ${end + 1}`])
    })

    test('a log that is struck from the lists by which it is found counts as gone', async () => {
      const lists = database === 'sqlite' ? ['logs', 'log_parts'] : ['logs']
      for (const list of lists) {
        const deployment = await written(database)
        await deployment.tamper(`delete from ${list}`)
        assert.ok(
          (await kinds(deployment)).some((it) => it.startsWith('tail_cut')),
          list,
        )
      }
    })

    test('a history rewritten with all its hashes is found, because the macs cannot be made', async () => {
      const deployment = await written(database)
      const rows = await deployment.store.events.rows(root, 0, 1000)
      let previous: Uint8Array = new Uint8Array(32)
      for (const row of rows) {
        const body = row.seq === 6 ? row.body.replace('"id":"0', '"id":"1') : row.body
        previous = chainHash(previous, { ...row, body })
        const hash = Buffer.from(previous).toString('hex')
        const bytes = database === 'sqlite' ? `x'${hash}'` : `'\\x${hash}'`
        await deployment.tamper(
          `update events set body = '${body.replaceAll("'", "''")}', hash = ${bytes} where seq = ${row.seq}`,
        )
      }
      const found = await kinds(deployment)
      assert.ok(found.length > 0 && found.every((it) => it.startsWith('seal_broken')), found.join())
    })

    test('a forged seal is found', async () => {
      const deployment = await written(database)
      const zero = '00'.repeat(32)
      const bytes = database === 'sqlite' ? `x'${zero}'` : `'\\x${zero}'`
      await deployment.tamper(`update events set mac = ${bytes} where seq = (select max(seq) from events)`)
      assert.ok((await kinds(deployment)).some((it) => it.startsWith('seal_broken')))
    })
  })
}

test('a long walk tells how far it is, and ends where nobody waits for it any more', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { ports, store } = deployment
  const about = { actor: { kind: 'operator', id: 'test' } } as const
  for (let n = 0; n < 4; n++)
    await store.events.append(
      Array.from({ length: 500 }, () => newEvent(ports, localOrigin(root), 'admin.mail_changed', about)),
    )
  await store.events.position()
  const [told, cut] = [[] as (readonly number[])[], new AbortController()]
  const watch = { progress: (done: number, total: number) => void told.push([done, total]), signal: cut.signal }
  const { events, damage } = await verifyLog(store, root, null, watch)
  assert.deepEqual(
    [told, damage],
    [
      [
        [1000, events],
        [2000, events],
      ],
      [],
    ],
  )
  const ending = { ...watch, progress: () => cut.abort(new Error('nobody waits')) }
  await assert.rejects(verifyLog(store, root, null, ending), /nobody waits/)
})
