/** Mails on their way out as administrators see them: to whom, whether under way, tried again, dropped, tried out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailAdmin } from '../../src/admin/mails.ts'

const now = 5_000
const operator = { kind: 'operator', id: 'me' } as never
const tenant = 'acme' as never
const sealed = Buffer.from(JSON.stringify({ to: 'a@example.com' }))
const row = {
  tenant: 'acme',
  id: 'm1',
  kind: 'signed_in',
  subject: 'u1',
  attempts: 1,
  lastError: null,
  dueAt: now + 1,
  sealed,
}
interface Done {
  readonly how: string
  readonly at?: number
  readonly events: readonly {
    readonly name: string
    readonly subject: string | null
    readonly reason: string | null
    readonly data: object
  }[]
}

interface Scene {
  readonly held?: object | null
  readonly outcome?: string
  readonly mail?: object | null
}

function open({ held = row, outcome = 'changed', mail = {} }: Scene = {}) {
  const done: Done[] = []
  const note = (how: string) => async (it: Omit<Done, 'how'>) => (done.push({ how, ...it }), outcome)
  const admin = openMailAdmin({
    clock: { now: () => now },
    ids: { id: () => 'new' },
    mail,
    vault: {
      open: (text: Uint8Array, context: string) => (context === 'mail acme m1' ? text : null),
      seal: (text: Uint8Array) => text,
    },
    store: {
      mails: {
        find: async () => held,
        search: async () => (held === null ? [] : [held]),
        retry: note('retry'),
        drop: note('drop'),
        queue: async (_: unknown, events: Done['events']) => void done.push({ how: 'queue', events }),
      },
    },
  } as never)
  return { admin, done }
}
const told = (it: { readonly kind: string; readonly error?: unknown }) =>
  it.kind === 'ok' ? 'ok' : JSON.stringify(it.error)

test('a mail is shown with whom it is for, without what it says, and whether somebody tries it now', async () => {
  const shown = async (more: object = {}) => {
    const found = await open({ held: { ...row, ...more } }).admin.find(tenant, 'm1')
    assert.ok(found.kind === 'ok')
    return found.value
  }
  const { to, isUnderWay, ...rest } = await shown()
  assert.deepEqual([to, isUnderWay, 'sealed' in rest], ['a@example.com', true, false])
  for (const more of [{ attempts: 0 }, { lastError: 'x' }, { dueAt: now }])
    assert.equal((await shown(more)).isUnderWay, false, JSON.stringify(more))
  assert.equal((await shown({ id: 'other' })).to, null, 'what no key of ours opens')
  const list = await open().admin.list(tenant, { before: null, limit: 10 })
  assert.deepEqual(list.kind === 'ok' && list.value.map(({ id, to: whom }) => [id, whom]), [['m1', 'a@example.com']])
  assert.equal(told(await open({ held: null }).admin.find(tenant, 'm1')), '{"reason":"absent","what":"mail m1"}')
})

test('a mail is tried again or dropped, and the log is told which', async () => {
  const { admin, done } = open()
  assert.equal(told(await admin.retry(operator, tenant, 'm1')), 'ok')
  assert.equal(told(await admin.drop(operator, tenant, 'm1')), 'ok')
  const parts = done.map(({ how, at, events }) => [
    how,
    at,
    ...events.map(({ name, subject, reason, data }) => [name, subject, reason, data]),
  ])
  assert.deepEqual(parts, [
    ['retry', now, ['admin.mail_changed', 'u1', null, { id: 'm1', kind: 'signed_in', retried: true }]],
    ['drop', now, ['mail.failed', 'u1', 'dropped', { kind: 'signed_in', attempts: 1 }]],
  ])
  for (const how of ['retry', 'drop'] as const) {
    assert.match(told(await open({ held: null }).admin[how](operator, tenant, 'm1')), /"absent","what":"mail m1"/)
    assert.match(
      told(await open({ outcome: 'absent' }).admin[how](operator, tenant, 'm1')),
      /"absent","what":"mail m1"/,
    )
    assert.match(
      told(await open({ outcome: 'under-way' }).admin[how](operator, tenant, 'm1')),
      /"conflict","what":"mail m1 is being sent"/,
    )
  }
})

test('a mail to try it out needs an address and a mail server', async () => {
  const { admin, done } = open()
  const queued = await admin.test(operator, tenant, 'a@example.com')
  assert.deepEqual(queued.kind === 'ok' && queued.value, 'new')
  assert.deepEqual(
    done.map(({ how, events }) => [how, events[0]?.name, events[0]?.data]),
    [['queue', 'admin.mail_changed', { id: 'new', kind: 'test', queued: true }]],
  )
  assert.match(told(await admin.test(operator, tenant, 'nobody')), /"field":"to","problem":"is not a mail address"/)
  const none = open({ mail: null })
  assert.match(told(await none.admin.test(operator, tenant, 'a@example.com')), /no mail server is named: mail\.smtp/)
  assert.deepEqual(none.done, [])
})
