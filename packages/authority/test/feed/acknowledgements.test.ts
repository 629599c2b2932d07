/** How far validators say that they have heard: what is noted of them, written and told, over a store that is a list. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { type Acknowledgement, longestStaleness } from '@grantor/protocol/feed'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ValidatorNote, ValidatorRow } from '@grantor/store'
import { openAcknowledgements } from '../../src/feed/acknowledgements.ts'

const tenant = 'acme' as TenantId
const reader = { tenant, clientId: 'api' }
const said = (pos: number, more: Partial<Acknowledgement> = {}): Acknowledgement => ({
  validator: 'validator-0000001',
  position: { epoch: 'e1', pos },
  delay: 40,
  closesAfter: 10_000,
  leaves: false,
  ...more,
})

function open({
  head = 1000,
  rows = [],
}: { readonly head?: number; readonly rows?: readonly Partial<ValidatorRow>[] } = {}) {
  const state = { now: 100_000, epoch: 'e1', head, advanced: 0, isAway: false }
  const written: ValidatorNote[][] = []
  const swept: number[] = []
  const asked: unknown[][] = []
  const validators = {
    note: async (notes: readonly ValidatorNote[]) => {
      if (state.isAway) throw new Error('the store is away')
      written.push([...notes])
    },
    forget: async (now: number) => void swept.push(now),
    known: async (...of: unknown[]) => (asked.push(of), rows),
  }
  const feedLog = {
    state: () => ({ epoch: 'e1', head }),
    advance: async () => ((state.advanced += 1), { epoch: state.epoch, head: state.head }),
    follow: () => () => undefined,
  }
  const store = { validators, epoch: async () => 'e1' }
  const acknowledgements = openAcknowledgements({ clock: { now: () => state.now }, feedLog, store } as never)
  /** All that was noted so far is written when it closes. */
  const notes = async () => {
    await acknowledgements.close()
    return written.flat()
  }
  return { acknowledgements, state, written, swept, asked, notes }
}

test('what a validator has heard is noted with the time at which it had, the newest first, and a repetition once', async () => {
  const { acknowledgements, state, notes } = open()
  assert.equal(await acknowledgements.take(reader, said(5)), 'taken')
  state.now += 100
  assert.equal(await acknowledgements.take(reader, said(7, { delay: 0, closesAfter: 20_000 })), 'taken')
  state.now += 100
  assert.equal(await acknowledgements.take(reader, said(7)), 'taken')
  assert.deepEqual(await notes(), [
    {
      ...reader,
      id: 'validator-0000001',
      epoch: 'e1',
      heard: [
        { pos: 7, at: 100_100 },
        { pos: 5, at: 99_960 },
      ],
      closesAfter: 10_000,
      connections: 1,
      seenAt: 100_200,
    },
  ])
})

test('of one validator the last twenty are kept', async () => {
  const { acknowledgements, notes } = open()
  for (let pos = 1; pos <= 21; pos += 1) await acknowledgements.take(reader, said(pos))
  const [only] = await notes()
  assert.deepEqual(
    only?.heard.map(({ pos }) => pos),
    Array.from({ length: 20 }, (_, n) => 21 - n),
  )
})

test('validators are told apart by tenant, client and name', async () => {
  const { acknowledgements, notes } = open()
  for (const who of [reader, { ...reader, clientId: 'other' }, { ...reader, tenant: 'other' as TenantId }])
    for (const validator of ['validator-0000001', 'validator-0000002'])
      await acknowledgements.take(who, said(5, { validator }))
  assert.equal((await notes()).length, 6)
})

test('what is ahead of the log is looked up, and refused where it is; of another log everything is', async () => {
  const { acknowledgements, state, notes } = open({ head: 10 })
  assert.equal(await acknowledgements.take(reader, said(10)), 'taken')
  assert.equal(state.advanced, 0, 'the log is not read for what this node knows of')
  assert.equal(await acknowledgements.take(reader, said(11)), 'ahead')
  state.head = 11
  assert.equal(await acknowledgements.take(reader, said(11)), 'taken')
  assert.equal(await acknowledgements.take(reader, said(5, { position: { epoch: 'e2', pos: 5 } })), 'epoch')
  assert.equal((await notes())[0]?.heard.length, 2)
})

test('after a restore of the log what was heard of the other one does not count', async () => {
  const { acknowledgements, state, notes } = open()
  await acknowledgements.take(reader, said(5))
  state.epoch = 'e2'
  await acknowledgements.take(reader, said(3, { position: { epoch: 'e2', pos: 3 } }))
  const [only] = await notes()
  assert.deepEqual([only?.epoch, only?.heard.map(({ pos }) => pos)], ['e2', [3]])
})

test('who leaves has heard of everything by then', async () => {
  const { acknowledgements, state, notes } = open()
  await acknowledgements.take(reader, said(5))
  state.now += 100
  assert.equal(await acknowledgements.take(reader, said(6, { leaves: true })), 'taken')
  const [only] = await notes()
  assert.deepEqual(only?.heard, [
    { pos: Number.MAX_SAFE_INTEGER, at: 100_100 },
    { pos: 5, at: 99_960 },
  ])
})

test('who left stays in the receipts of what was revoked while it was there, and is in none of what came later', async () => {
  const left = {
    connections: 1,
    epoch: 'e1',
    heard: [
      { pos: Number.MAX_SAFE_INTEGER, at: 99_500 as Instant },
      { pos: 5, at: 90_000 as Instant },
    ],
    closesAfter: 10_000,
    since: 0 as Instant,
    seenAt: 99_500 as Instant,
  }
  const { acknowledgements } = open({ rows: [left] })
  const receipts = await acknowledgements.receiptsOf(tenant, [
    { pos: 5, at: 89_000 as Instant },
    { pos: 6, at: 99_400 as Instant },
    { pos: 7, at: 99_501 as Instant },
  ])
  assert.deepEqual(
    receipts.map((it) => [it?.validators, it?.acknowledged]),
    [
      [1, 1],
      [1, 1],
      [0, 0],
    ],
  )
  await acknowledgements.close()
})

test('rows are swept twice a minute, however often notes are written', async () => {
  const { acknowledgements, state, swept } = open()
  const write = async (pos: number) => {
    await acknowledgements.take(reader, said(pos))
    await acknowledgements.receiptsOf(tenant, [{ pos: 5, at: 99_000 as Instant }])
  }
  await write(5)
  await write(6)
  state.now += 30_000
  await write(7)
  assert.deepEqual(swept, [100_000, 130_000])
  await acknowledgements.close()
})

test('receipts are kept for a day', async () => {
  const { acknowledgements, state, asked } = open()
  state.now = 86_400_000 + 1000
  const known = await acknowledgements.receiptsOf(tenant, [
    { pos: 5, at: 1000 as Instant },
    { pos: 4, at: 999 as Instant },
  ])
  assert.deepEqual(
    known.map((it) => it?.validators ?? null),
    [0, null],
  )
  assert.deepEqual(await acknowledgements.receiptsOf(tenant, [{ pos: 4, at: 999 as Instant }]), [null])
  assert.equal(asked.length, 1, 'nothing is asked for what is not kept')
  await acknowledgements.close()
})

test('five hundred are written in one commit, and none is left out', async () => {
  const { acknowledgements, written, notes } = open()
  for (let n = 0; n < 1001; n += 1) await acknowledgements.take(reader, said(5, { validator: `validator-${n}` }))
  assert.equal(new Set((await notes()).map(({ id }) => id)).size, 1001)
  assert.deepEqual(
    written.map((it) => it.length),
    [500, 500, 1],
  )
})

test('streams that never acknowledge are counted together, and with the last of them their row is written no more', async () => {
  const { acknowledgements, state, notes } = open()
  const ends = [acknowledgements.countSilent(reader), acknowledgements.countSilent(reader)]
  const other = acknowledgements.countSilent({ ...reader, clientId: 'other' })
  const elsewhere = acknowledgements.countSilent({ ...reader, tenant: 'other' as TenantId })
  ends[0]?.()
  other()
  const [own, far, ...more] = await notes()
  assert.deepEqual(more, [])
  assert.match(own?.id ?? '', /^silent-./)
  assert.deepEqual(own, {
    ...reader,
    id: own?.id,
    epoch: '',
    heard: [],
    closesAfter: longestStaleness * 1000,
    connections: 1,
    seenAt: state.now,
  })
  assert.equal(far?.tenant, 'other')
  ends[1]?.()
  elsewhere()
  assert.equal((await notes()).length, 2)
})

test('of a revocation those count who were there: not who came later, nor who was gone by then', async () => {
  const at = 1_000_000
  const row = (more: Partial<ValidatorRow>): Partial<ValidatorRow> => ({
    connections: 1,
    epoch: 'e1',
    heard: [],
    closesAfter: 10_000,
    since: 0 as Instant,
    seenAt: at as Instant,
    ...more,
  })
  const heard = (pos: number, when: number) => ({ pos, at: when as Instant })
  const { acknowledgements, state, asked } = open({
    rows: [
      row({ heard: [heard(12, at + 900), heard(10, at + 70), heard(9, at - 900)] }),
      row({ heard: [heard(9, at)] }),
      row({ heard: [heard(12, at)], epoch: 'e0' }),
      row({ connections: 3, closesAfter: 55_000 }),
      row({ since: (at + 1) as Instant }),
      row({ since: at as Instant, heard: [heard(10, at + 80)] }),
      row({ seenAt: (at - 90_000) as Instant, heard: [heard(10, at + 20), heard(8, at - 90_000)] }),
      row({ seenAt: (at - 90_001) as Instant }),
      // Its own bound is longer than that: it may still go by what it knew.
      row({ seenAt: (at - 100_000) as Instant, closesAfter: 100_000 }),
    ],
  })
  state.now = at + 20_000
  const [receipt, later] = await acknowledgements.receiptsOf(tenant, [
    { pos: 10, at: at as Instant },
    { pos: 13, at: (at + 5) as Instant },
  ])
  assert.deepEqual(receipt, {
    validators: 9,
    acknowledged: 3,
    slowest: 80,
    waiting: 4,
    closed: 2,
    notAcknowledging: 4,
    closesAt: at + 100_000,
  })
  assert.equal(later?.acknowledged, 0)
  assert.deepEqual(asked, [[[tenant, 'default'], at, 90_000]])
  assert.deepEqual(await acknowledgements.receiptsOf(tenant, []), [])
  assert.equal(asked.length, 1, 'nothing is asked for nothing')
  await acknowledgements.close()
})

test('a receipt is of what was acknowledged up to then', async () => {
  const { acknowledgements, written } = open()
  await acknowledgements.take(reader, said(5))
  await acknowledgements.receiptsOf(tenant, [{ pos: 5, at: 99_000 as Instant }])
  assert.equal(written.flat().length, 1)
  await acknowledgements.close()
})

test('notes gather for a moment, are written by themselves, and each once', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    const { acknowledgements, written } = open()
    acknowledgements.begin()
    const settle = async () => {
      for (let n = 0; n < 10; n += 1) await Promise.resolve()
    }
    await acknowledgements.take(reader, said(5))
    await acknowledgements.take(reader, said(6, { validator: 'validator-0000002' }))
    mock.timers.tick(199)
    await settle()
    assert.equal(written.flat().length, 0)
    mock.timers.tick(1)
    await settle()
    assert.equal(written.flat().length, 2, 'together')
    acknowledgements.countSilent(reader)
    mock.timers.tick(200)
    await settle()
    assert.equal(written.flat().length, 3, 'what was written is not written again')
    await acknowledgements.take(reader, said(7))
    mock.timers.tick(200)
    await settle()
    assert.equal(written.flat().length, 5, 'who never acknowledges is there still')
    await acknowledgements.close()
  } finally {
    mock.timers.reset()
  }
})

test('who floods is told to come back, and what was taken is not lost', async () => {
  const { acknowledgements, notes } = open()
  for (let n = 0; n < 50_000; n += 1) await acknowledgements.take(reader, said(5, { validator: `validator-${n}` }))
  assert.equal(await acknowledgements.take(reader, said(5)), 'crowded')
  assert.equal((await notes()).length, 50_000)
})

test('what could not be written while the store was away is written when it is there again, and who left meanwhile', async () => {
  const { acknowledgements, state, notes } = open()
  const other = { validator: 'validator-0000002' }
  const gone = { validator: 'validator-0000003' }
  for (const who of [{}, other, gone]) await acknowledgements.take(reader, said(5, who))
  state.isAway = true
  await assert.rejects(acknowledgements.receiptsOf(tenant, [{ pos: 5, at: 99_000 as Instant }]), /away/)
  state.now += 100
  await acknowledgements.take(reader, said(7))
  await acknowledgements.take(reader, said(7, { ...gone, leaves: true }))
  state.isAway = false
  assert.deepEqual(
    (await notes()).map(({ id, heard }) => [id, heard]),
    [
      [
        'validator-0000001',
        [
          { pos: 7, at: 100_060 },
          { pos: 5, at: 99_960 },
        ],
      ],
      ['validator-0000002', [{ pos: 5, at: 99_960 }]],
      [
        'validator-0000003',
        [
          { pos: Number.MAX_SAFE_INTEGER, at: 100_100 },
          { pos: 5, at: 99_960 },
        ],
      ],
    ],
  )
})

test('what is being written counts among what waits: a store that stays away fills no memory', async () => {
  const { acknowledgements, state, notes } = open()
  state.isAway = true
  for (let n = 0; n < 50_000; n++) await acknowledgements.take(reader, said(5, { validator: `validator-${n}` }))
  const asked = acknowledgements.receiptsOf(tenant, [{ pos: 5, at: 99_000 as Instant }])
  assert.equal(await acknowledgements.take(reader, said(5)), 'crowded')
  await assert.rejects(asked, /away/)
  state.isAway = false
  assert.equal((await notes()).length, 50_000)
  assert.equal(await acknowledgements.take(reader, said(5)), 'taken')
})

test('who leaves while it is being written, and what was heard of another log since, is not kept from before', async () => {
  const { acknowledgements, state, notes } = open()
  const gone = { validator: 'validator-0000003' }
  for (const who of [{}, gone]) await acknowledgements.take(reader, said(5, who))
  state.isAway = true
  const asked = acknowledgements.receiptsOf(tenant, [{ pos: 5, at: 99_000 as Instant }])
  const left = acknowledgements.take(reader, said(5, { ...gone, leaves: true }))
  await assert.rejects(asked, /away/)
  await left
  state.isAway = false
  state.epoch = 'e2'
  await acknowledgements.take(reader, said(2, { position: { epoch: 'e2', pos: 2 } }))
  assert.deepEqual(
    (await notes()).map(({ id, heard }) => [id, heard.map(({ pos }) => pos)]),
    [
      ['validator-0000003', [Number.MAX_SAFE_INTEGER, 5]],
      ['validator-0000001', [2]],
    ],
  )
})
