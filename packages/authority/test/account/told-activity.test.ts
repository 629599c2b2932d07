/** How a history is read: what was just done is part of it, in bounds, and nothing twice or lost between two pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActivityQuery, activityOf } from '../../src/account/activity.ts'
import { root } from '../support/deployment.ts'

interface Logged {
  readonly name: string
  readonly reason?: string | null
  readonly clientId?: string | null
  readonly data?: object | null
  readonly actor?: object
}

/** Of a log that is read up to where its position was last asked for; the first of the list is the newest. */
function historyOf(list: readonly Logged[]) {
  const rows = list.map((it, at) => ({
    reason: null,
    clientId: null,
    data: null,
    ip: '192.0.2.1',
    actor: { kind: 'user', id: 'alice' },
    at: 1000 - at,
    seq: list.length - at,
    ...it,
  }))
  const reads: number[] = []
  let seen = false
  const events = {
    position: async () => ((seen = true), 1),
    ofSubject: async (_: string, id: string, { before, limit }: { before: number | null; limit: number }) => {
      reads.push(limit)
      return seen && id === 'alice' ? rows.filter(({ seq }) => before === null || seq < before).slice(0, limit) : []
    },
  }
  const directory = {
    client: async (_: string, id: string) =>
      id === 'gone' ? null : { metadata: id === 'named' ? { client_name: 'Named' } : {} },
  }
  const page = (query: Partial<ActivityQuery> = {}) =>
    activityOf({ person: { tenant: root, id: 'alice' } } as never, { before: null, group: null, ...query }, {
      store: { events },
      directory,
    } as never)
  return { page, reads }
}

const many = (count: number, name: string): readonly Logged[] => Array.from({ length: count }, () => ({ name }))

test('what the person did a moment ago is part of it', async () => {
  const { events } = await historyOf([{ name: 'session.started' }]).page()
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['session.started'],
  )
})

test('a page holds twenty-five; where it ends exactly there is nothing after it', async () => {
  const exact = await historyOf(many(25, 'session.started')).page()
  assert.deepEqual([exact.events.length, exact.older], [25, null])
  const log = historyOf(many(26, 'session.started'))
  const first = await log.page()
  assert.deepEqual([first.events.length, first.older], [25, 2])
  const rest = await log.page({ before: first.older })
  assert.deepEqual([rest.events.length, rest.older], [1, null])
})

test('what is rare among much is looked for among a thousand, and from there on by the next page', async () => {
  const log = historyOf([...many(1_000, 'session.started'), { name: 'consent.granted' }])
  const first = await log.page({ group: 'apps' })
  assert.deepEqual([first.events, first.older], [[], 2])
  assert.deepEqual(log.reads, Array<number>(10).fill(100))
  const next = await log.page({ group: 'apps', before: first.older })
  assert.deepEqual([next.events.length, next.older], [1, null])
})

test('an app is told by its name, by its id where it has none or is gone; who acted for nobody has no app', async () => {
  const ids = ['named', 'plain', 'gone', null]
  const { events } = await historyOf(ids.map((clientId) => ({ name: 'consent.granted', clientId }))).page()
  assert.deepEqual(
    events.map(({ client }) => client),
    ['Named', 'plain', 'gone', null],
  )
})

test('where a client acted, neither its address nor its device is told; of a person both, where they were said', async () => {
  const data = { device: 'Firefox · Linux' }
  const { events } = await historyOf([
    { name: 'token.replayed', actor: { kind: 'client', id: 'c' }, data },
    { name: 'session.started', data },
    { name: 'session.started', data: { device: 7 } },
  ]).page()
  assert.deepEqual(
    events.map(({ ip, device }) => [ip, device]),
    [
      [null, null],
      ['192.0.2.1', 'Firefox · Linux'],
      ['192.0.2.1', null],
    ],
  )
})

test('what only accompanies something else is not told; what ended by itself is', async () => {
  const accompanying = [
    'replaced',
    'session_ended',
    'user_changed',
    'client_changed',
    'consent_withdrawn',
    'code_replayed',
    'refresh_replayed',
  ]
  const { events } = await historyOf([
    ...['session.ended', 'grant.revoked'].flatMap((name) => accompanying.map((reason) => ({ name, reason }))),
    { name: 'session.ended' },
    { name: 'grant.revoked', reason: 'by_administrator' },
    { name: 'login.failed', reason: 'replaced' },
    { name: 'token.issued' },
    { name: 'admin.user_changed', reason: 'profile_changed', data: { password_reset: 'yes' } },
    { name: 'admin.user_changed', reason: 'password_changed' },
    { name: 'admin.user_changed', data: { password_reset: true } },
  ]).page()
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['session.ended', 'grant.revoked', 'login.failed', 'password.changed', 'password.changed'],
  )
})
