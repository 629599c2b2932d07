/** Whether what a person has just taken back is stopped everywhere: their own, of the last two minutes, after a moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestReceipt } from '../../src/account/receipt.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000
const revoked = (more: object = {}) => ({
  name: 'grant.revoked',
  subject: 'alice',
  grantId: 'g',
  at: now,
  data: null,
  ...more,
})

const stopped = { validators: 3, stopsWithin: 0 }

async function receiptOf(events: readonly object[], waiting: readonly (number | null)[] = [0], closesIn = 500) {
  const left = [...waiting]
  const asked: unknown[] = []
  const reads: unknown[] = []
  let seen = false
  const receipt = await newestReceipt(
    { person: { tenant: root, id: 'alice' } } as never,
    {
      clock: { now: () => now },
      store: {
        events: {
          position: async () => ((seen = true), 1),
          before: async (...by: unknown[]) => (reads.push(by), seen ? events : []),
        },
      },
      acknowledgements: {
        receiptsOf: async (_: string, list: readonly unknown[]) => {
          asked.push(list)
          const next = left.length > 1 ? left.shift() : left[0]
          return next === null ? [] : [{ validators: 3, waiting: next, closesAt: now + closesIn }]
        },
      },
    } as never,
  )
  return { receipt, asked, reads }
}

test('the newest that was revoked of the person is looked for in the newest of the log', async () => {
  const own = revoked({ grantId: 'newest' })
  const { receipt, asked, reads } = await receiptOf([revoked({ subject: 'bob' }), own, revoked()])
  assert.deepEqual([receipt, asked], [stopped, [[own]]])
  assert.deepEqual(reads, [[root, Number.MAX_SAFE_INTEGER, 500]])
})

test('what is no revocation, another’s or older than two minutes is no news', async () => {
  for (const event of [
    revoked({ subject: 'bob' }),
    revoked({ name: 'session.started' }),
    revoked({ at: now - 120_001 }),
  ]) {
    const { receipt, asked } = await receiptOf([event])
    assert.deepEqual([receipt, asked], [null, []])
  }
  assert.deepEqual((await receiptOf([revoked({ at: now - 120_000 })])).receipt, stopped)
})

test('validators are waited for, for a moment and no longer; where nobody has to be told, not at all', async () => {
  const soon = await receiptOf([revoked()], [2, 1, 0])
  assert.deepEqual([soon.receipt, soon.asked.length], [stopped, 3])
  const none = await receiptOf([revoked()], [null])
  assert.deepEqual([none.receipt, none.asked.length], [null, 1])
  const slow = await receiptOf([revoked()], [3])
  assert.deepEqual([slow.receipt, slow.asked.length], [{ validators: 3, stopsWithin: 1 }, 13])
})

test('how long it takes at most is told by the clock of the deployment, in whole minutes or hours where it is longer', async () => {
  const told = async (closesIn: number) => (await receiptOf([revoked()], [1], closesIn)).receipt?.stopsWithin
  assert.deepEqual(
    await Promise.all([54_100, 60_000, 118_800, 3_600_000, 86_399_000].map(told)),
    [55, 60, 120, 3600, 86_400],
  )
})
