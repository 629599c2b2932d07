/** What is open is looked at twice a second while there is anything, each from its own beginning, and cut when it is over. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type OpenExchange, openExchanges, watchCaller } from '../../src/protect/open-exchanges.ts'
import type { Caller } from '../../src/validate/caller.ts'
import type { Ending } from '../../src/validate/ending.ts'
import type { Validator } from '../../src/validate/validator.ts'

const start = 1_800_000_000_000
const callerOf = (subject: string) => ({ subject }) as unknown as Caller

function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: start })
  const asked: (readonly [string, number])[] = []
  const endings = new Map<string, Ending | Promise<Ending | null>>()
  const validator = {
    endOf(caller: Caller, openedAt: number) {
      asked.push([caller.subject, openedAt - start])
      return endings.get(caller.subject) ?? null
    },
  } as unknown as Validator
  const cuts: string[] = []
  const opened = (subject: string | null, seenAt = 0): OpenExchange => ({
    caller: subject === null ? null : callerOf(subject),
    seenAt,
    cut: (ending) => void cuts.push(`${subject} ${ending}`),
  })
  const looks = (milliseconds: number) => {
    t.mock.timers.tick(milliseconds)
    return asked.splice(0)
  }
  return { validator, open: openExchanges(validator), endings, cuts, opened, looks }
}

test('all of a validator is looked at together, and nobody where nothing is open', (t) => {
  const { validator, open, opened, looks } = scene(t)
  assert.equal(openExchanges(validator), open)
  assert.notEqual(openExchanges({ ...validator }), open)
  const alice = opened('alice')
  open.add(alice)
  assert.deepEqual(looks(499), [])
  assert.deepEqual(looks(1), [['alice', 0]])
  open.delete(alice)
  assert.deepEqual(looks(5000), [])
  // Begun again, it is one look at a time.
  open.add(opened('bob'))
  open.add(opened('cyd'))
  assert.deepEqual(looks(500), [
    ['bob', 5500],
    ['cyd', 5500],
  ])
  assert.equal(looks(1000).length, 4)
})

test('what is new was opened since the last look, and stays so; what says since when is believed', (t) => {
  const { open, opened, looks } = scene(t)
  open.add(opened('alice'))
  open.add(opened('known', start + 7))
  looks(500)
  open.add(opened('bob'))
  const seen = [
    ['alice', 0],
    ['known', 7],
    ['bob', 500],
  ]
  assert.deepEqual(looks(500), seen)
  assert.deepEqual(looks(500), seen)
})

test('a place where nobody is, is passed over', (t) => {
  const { open, opened, looks } = scene(t)
  open.add(opened(null))
  assert.deepEqual(looks(500), [])
})

test('what is over is cut, and what is not goes on', (t) => {
  const { open, opened, looks, endings, cuts } = scene(t)
  open.add(opened('alice'))
  open.add(opened('bob'))
  endings.set('bob', 'expired')
  looks(500)
  assert.deepEqual(cuts, ['bob expired'])
})

test('what is learned late cuts only what is still open for the same caller', async (t) => {
  const { open, opened, looks, endings, cuts } = scene(t)
  const [same, another] = [opened('alice'), { ...opened('bob') }]
  open.add(same)
  open.add(another)
  endings.set('alice', Promise.resolve('revoked'))
  endings.set('bob', Promise.resolve('revoked'))
  looks(500)
  Object.assign(another, { caller: callerOf('cyd') })
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  assert.deepEqual(cuts, ['alice revoked'])
  endings.set('alice', Promise.resolve(null))
  looks(500)
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  assert.deepEqual(cuts, ['alice revoked'])
})

test('a list that three looks wait for cuts what is open once, and nothing that has ended meanwhile', async (t) => {
  const { validator, open, opened, looks, endings, cuts } = scene(t)
  const list = Promise.withResolvers<Ending | null>()
  for (const subject of ['alice', 'bob', 'cyd']) endings.set(subject, list.promise)
  const alice = opened('alice')
  const cutOnce: OpenExchange = { ...alice, cut: (ending) => (open.delete(cutOnce), alice.cut(ending)) }
  const bob = opened('bob')
  open.add(cutOnce)
  open.add(bob)
  const watch = watchCaller(validator, callerOf('cyd'))
  assert.equal(looks(1500).length, 9)
  open.delete(bob)
  watch.close()
  list.resolve('stale')
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  assert.deepEqual([cuts, watch.signal.aborted], [['alice stale'], false])
})

test('a validator of one’s own that says nothing of ends ends nothing', (t) => {
  const { opened, cuts } = scene(t)
  const open = openExchanges({} as unknown as Validator)
  open.add(opened('alice'))
  t.mock.timers.tick(500)
  assert.deepEqual([open.endOf(callerOf('alice'), start), cuts], [null, []])
})

test('work of one’s own is watched from where it begins, hears of one end, and of none once it is closed', (t) => {
  const { validator, endings, looks } = scene(t)
  t.mock.timers.tick(40)
  const watch = watchCaller(validator, callerOf('alice'))
  assert.deepEqual(looks(500), [['alice', 40]])
  endings.set('alice', 'stale')
  looks(500)
  assert.deepEqual([watch.signal.aborted, watch.signal.reason], [true, 'stale'])
  assert.deepEqual(looks(500), [])
  endings.clear()
  {
    using closing = watchCaller(validator, callerOf('bob'))
    assert.equal(closing.signal.aborted, false)
    assert.equal(looks(500).length, 1)
  }
  assert.deepEqual(looks(1000), [])
})
