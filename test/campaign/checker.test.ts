/** The checker of campaigns: accepts a correct history, and each rule finds the history that breaks it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, type RuleName, rules, validatorBound } from './checker.ts'
import type { Entry, LoggedEvent } from './history.ts'
import { drawPlan, type Plan } from './plan.ts'

const at = (asked: number) => ({ asked, at: asked + 5 })
const plan: Plan = { seed: 1, on: 'postgres', nodes: 2, seconds: 60, faults: [] }
const event = (seq: number, name: string, more: Partial<LoggedEvent>): Entry => ({ kind: 'event', seq, name, ...more })

/** A correct history: everything happens once, and is in the log. */
const right: readonly Entry[] = [
  { kind: 'plan', ...plan },
  { kind: 'issued', jti: 'a', ...at(10) },
  { kind: 'introspected', node: 1, jti: 'a', active: true, ...at(20) },
  { kind: 'validated', validator: 1, jti: 'a', verdict: 'accepted', ...at(25) },
  { kind: 'revoked', jti: 'a', ...at(30) },
  { kind: 'validated', validator: 1, jti: 'a', verdict: 'accepted', ...at(35 + validatorBound.stale) },
  { kind: 'introspected', node: 2, jti: 'a', active: false, ...at(36) },
  { kind: 'redeemed', code: 'c', jti: 'b', token: 'r1', ...at(40) },
  { kind: 'unanswered', what: 'refresh', of: 'r1', ...at(50) },
  { kind: 'refreshed', from: 'r1', to: 'r2', jti: 'd', ...at(60) },
  { kind: 'grant revoked', token: 'r2', jti: 'd', doubtful: false, ...at(70) },
  { kind: 'client made', client: 'x', ...at(80) },
  { kind: 'client made', client: 'y', ...at(85) },
  { kind: 'client delete tried', client: 'y', ...at(90) },
  { kind: 'client deleted', client: 'y', ...at(90) },
  { kind: 'refused', token: 'r9', triedFor: 50_000, doubtful: false },
  { kind: 'recovered', node: 1, after: 200 },
  { kind: 'stopped', node: 1, code: 0 },
  { kind: 'verified', code: 0, text: '' },
  event(1, 'token.issued', { jti: 'a' }),
  event(2, 'token.revoked', { jti: 'a' }),
  event(3, 'token.issued', { jti: 'b', grant: 'g' }),
  event(4, 'token.refreshed', { jti: 'd', grant: 'g' }),
  event(5, 'grant.revoked', { grant: 'g' }),
  event(6, 'client.registered', { client: 'x' }),
  event(7, 'client.registered', { client: 'y' }),
  event(8, 'client.deleted', { client: 'y' }),
  { kind: 'client', client: 'x' },
  { kind: 'statistics', issued: 2, revoked: 2 },
]

const without = (is: (entry: Entry) => boolean): readonly Entry[] => right.filter((entry) => !is(entry))
const withMore = (...more: readonly Entry[]): readonly Entry[] => [...right, ...more]
const renumbered = (entries: readonly Entry[]): readonly Entry[] => {
  let seq = 0
  return entries.map((entry) => (entry.kind === 'event' ? { ...entry, seq: ++seq } : entry))
}
const isEvent = (name: string) => (entry: Entry) => entry.kind === 'event' && entry.name === name
const late = 100 + validatorBound.stale + validatorBound.slack

const broken: Readonly<Record<RuleName, readonly (readonly [why: string, history: readonly Entry[]])[]>> = {
  'a code gives tokens once': [['twice', withMore({ kind: 'redeemed', code: 'c', jti: 'b', token: 'r5', ...at(41) })]],
  'a refresh token has one successor': [
    ['two', withMore({ kind: 'refreshed', from: 'r1', to: 'r3', jti: 'd', ...at(61) })],
  ],
  'revoked stays revoked at every node': [
    ['active at a node', withMore({ kind: 'introspected', node: 1, jti: 'a', active: true, ...at(40) })],
    ['a token of a revoked grant', withMore({ kind: 'introspected', node: 1, jti: 'd', active: true, ...at(80) })],
  ],
  'a revoked grant gives nothing': [
    ['refreshed', withMore({ kind: 'refreshed', from: 'r2', to: 'r3', jti: 'd', ...at(90) })],
  ],
  'every validator stops within the bound': [
    ['accepted', withMore({ kind: 'validated', validator: 1, jti: 'a', verdict: 'accepted', ...at(late) })],
  ],
  'dead stays dead': [
    [
      'at a node',
      withMore(
        { kind: 'introspected', node: 1, jti: 'z', active: false, ...at(40) },
        {
          kind: 'introspected',
          node: 2,
          jti: 'z',
          active: true,
          ...at(50),
        },
      ),
    ],
    [
      'at a validator',
      withMore(
        { kind: 'validated', validator: 2, jti: 'z', verdict: 'token_revoked', ...at(40) },
        {
          kind: 'validated',
          validator: 2,
          jti: 'z',
          verdict: 'accepted',
          ...at(50),
        },
      ),
    ],
  ],
  'every acknowledged change is in the log once': [
    ...['token.issued', 'token.refreshed', 'token.revoked', 'grant.revoked', 'client.registered', 'client.deleted'].map(
      (name) => [`no ${name}`, renumbered(without(isEvent(name)))] as const,
    ),
    ['a revocation twice', withMore(event(9, 'token.revoked', { jti: 'a' }))],
    ['a client twice', withMore(event(9, 'client.registered', { client: 'x' }))],
  ],
  'the log is whole': [
    ['does not verify', withMore({ kind: 'verified', code: 6, text: 'damaged' })],
    ['was not verified', without(({ kind }) => kind === 'verified')],
    ['has a gap', without((entry) => entry.kind === 'event' && entry.seq === 4)],
    ['has one number twice', withMore(event(8, 'session.started', {}))],
  ],
  'nothing acknowledged is lost': [
    ['a client is gone', without((entry) => entry.kind === 'client')],
    ['a deleted one is back', withMore({ kind: 'client', client: 'y' })],
    ['a grant is over', withMore({ kind: 'refused', token: 'r3', triedFor: 10, doubtful: false })],
  ],
  'the statistics agree with the log': [
    ['one fewer', withMore({ kind: 'statistics', issued: 1, revoked: 2 })],
    ['one more', withMore({ kind: 'statistics', issued: 2, revoked: 3 })],
  ],
  'no answer but those that are documented': [
    ['500', withMore({ kind: 'unexpected', what: 'revoke', status: 500, body: '', ...at(90) })],
  ],
  'every node comes back and stops when told': [
    ['away', withMore({ kind: 'recovered', node: 2, after: null })],
    ['stopped badly', withMore({ kind: 'stopped', node: 2, code: 1 })],
  ],
}

test('a history in which all is right breaks no rule', () => {
  assert.deepEqual(checkHistory(right), [])
  assert.deepEqual(Object.keys(broken), Object.keys(rules), 'every rule is tried')
})

for (const [rule, cases] of Object.entries(broken))
  for (const [why, history] of cases)
    test(`${rule}: noticed where it does not hold (${why})`, () => {
      const found = checkHistory(history).map((violation) => violation.rule)
      assert.ok(found.includes(rule as RuleName), found.join())
    })

test('on SQLite a clock that jumps ends tokens without a word in the log, and what is dead of age may live again', () => {
  const jump = { fault: 'clock jump', target: 'node 1', at: 5, lasts: 5, amount: 3600 } as const
  const jumped = [{ kind: 'plan', ...plan, on: 'sqlite', faults: [jump] } as const, ...right.slice(1)]
  const history = jumped.filter((entry) => !(entry.kind === 'event' && entry.name === 'token.revoked'))
  const found = checkHistory(renumbered(history)).map((violation) => violation.rule)
  assert.deepEqual(found, ['the statistics agree with the log'])
})

test('one seed is one plan, another is another, and every fault of a target ends before the next begins', () => {
  const draw = (seed: number, on: Plan['on']) => drawPlan({ seed, on, nodes: 3, seconds: 120 })
  for (const on of ['sqlite', 'postgres'] as const) {
    assert.deepEqual(draw(7, on), draw(7, on))
    assert.notDeepEqual(draw(7, on), draw(8, on))
    const faults = new Set<string>()
    for (let seed = 0; seed < 50; seed++)
      for (const list of Object.values(Object.groupBy(draw(seed, on).faults, ({ target }) => target)))
        for (const [index, { fault, at: begins }] of (list ?? []).entries()) {
          const before = list?.[index - 1]
          faults.add(fault)
          assert.ok(before === undefined || before.at + before.lasts < begins)
        }
    assert.ok(faults.has('kill') && faults.has('hold') && faults.has('clock drift'), [...faults].join())
  }
})
