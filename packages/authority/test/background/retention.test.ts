/** Retention: old events go behind a checkpoint that still verifies, and nobody can make the service drop young ones. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { verifyLog } from '../../src/admin/verify-log.ts'
import { dropOldEvents } from '../../src/background/retention.ts'
import { databases, declare, type House, openHouse, root, tokenFrom } from '../support/deployment.ts'

const policy = { ...defaultPolicy, eventRetention: 86_400 }
const day = 86_400_000

async function drop(house: House): Promise<void> {
  await dropOldEvents({ ...house.ports, policy })
}

/** Old events, and two days later young ones; returns the sequence number of the last old one. */
async function aged(house: House): Promise<number> {
  await declare(house)
  for (let n = 0; n < 4; n++) await tokenFrom(house.authority, 'scope=invoices:read')
  await house.store.events.position()
  const last = (await house.store.events.head(root))?.seq ?? 0
  house.clock += 2 * day
  for (let n = 0; n < 3; n++) await tokenFrom(house.authority, 'scope=invoices:read')
  await house.store.events.position()
  return last
}

const kinds = async (house: House) =>
  (await verifyLog(house.store, root, null)).damage.map(({ kind, seq }) => `${kind} ${seq}`)

for (const database of databases) {
  describe(`retention on ${database}`, () => {
    test('old events go, the rest verifies from the checkpoint on, again and again', async () => {
      const house = await openHouse(database)
      const old = await aged(house)
      await drop(house)
      const report = await verifyLog(house.store, root, null)
      assert.deepEqual([report.damage, report.from], [[], old + 1])
      await drop(house)
      house.clock += 2 * day
      await tokenFrom(house.authority, 'scope=invoices:read')
      await house.store.events.position()
      await drop(house)
      const later = await verifyLog(house.store, root, null)
      assert.deepEqual([later.damage, later.events], [[], 1])
      assert.ok(later.from > report.from)
    })

    test('a whole log that is old leaves its head, and goes on from there', async () => {
      const house = await openHouse(database)
      await aged(house)
      house.clock += 2 * day
      await drop(house)
      assert.equal((await house.store.events.after(root, 0, 100)).length, 0)
      await tokenFrom(house.authority, 'scope=invoices:read')
      await house.store.events.position()
      const report = await verifyLog(house.store, root, null)
      assert.deepEqual([report.damage, report.events], [[], 1])
    })

    test('a forged checkpoint is found, and nothing is dropped behind it', async () => {
      const house = await openHouse(database)
      const old = await aged(house)
      await drop(house)
      await house.tamper(`update checkpoints set seq = seq + 1`)
      await house.tamper(`delete from events where seq = ${old + 1}`)
      assert.ok((await kinds(house)).some((it) => it.startsWith('checkpoint_broken')))
      house.clock += 2 * day
      await drop(house)
      assert.ok((await house.store.events.after(root, 0, 100)).length > 0)
    })

    test('a seal does not pass for a checkpoint', async () => {
      const house = await openHouse(database)
      await aged(house)
      await drop(house)
      await house.tamper(`update checkpoints set
        seq = (select max(seq) from events where tenant = 'default'),
        hash = (select hash from events where tenant = 'default' order by seq desc limit 1),
        signature = (select mac from events where tenant = 'default' order by seq desc limit 1)`)
      await house.tamper('delete from events')
      assert.ok((await kinds(house)).some((it) => it.startsWith('checkpoint_broken')))
    })

    test('young events made to look old are not dropped, and an edited one is kept as evidence', async () => {
      const house = await openHouse(database)
      const old = await aged(house)
      await house.tamper('update events set at = 0')
      await drop(house)
      assert.equal((await house.store.events.checkpoint(root))?.seq, old)
      assert.ok((await house.store.events.after(root, 0, 100)).length >= 3)

      const second = await openHouse(database)
      await aged(second)
      await second.tamper(`update events set body = body || ' ' where seq = 3`)
      await drop(second)
      assert.ok((await kinds(second)).includes('edited 3'))
    })
  })
}
