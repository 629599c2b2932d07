/** Which events people are mailed of: to whom, with what, for how long; and what is nobody's news. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { NewMail } from '@grantor/store'
import { queueNotices } from '../../src/mail/notices.ts'

const now = 100_000_000_000

interface Told {
  readonly kind: string
  readonly to: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly life: number
}

async function mailed(events: readonly Partial<SealedEvent>[], cursor: number | null = 0): Promise<readonly Told[]> {
  const told: Told[] = []
  const state = { cursor }
  const all = events.map((event, n) => ({
    tenant: 'default',
    subject: 'alice',
    clientId: null,
    ip: '192.0.2.1',
    at: now,
    reason: null,
    data: null,
    pos: n + 1,
    ...event,
  }))
  const people: Readonly<Record<string, object>> = {
    alice: { username: 'alice', claims: { email: 'a@example.com', locale: 'de' }, disabledAt: null },
    disabled: { username: 'disabled', claims: { email: 'd@example.com' }, disabledAt: 1 },
    unaddressed: { username: 'unaddressed', claims: {}, disabledAt: null },
  }
  await queueNotices({
    clock: { now: () => now },
    ids: { id: () => 'id' },
    vault: { seal: (plain: Uint8Array) => plain },
    people: { find: async (_: string, subject: string) => people[subject] ?? null },
    directory: {
      currentClient: async (_: string, id: string) =>
        id === 'named' ? { metadata: { client_name: 'Shop' } } : id === 'nameless' ? { metadata: {} } : null,
    },
    store: {
      events: { position: async () => 77 },
      sessions: { byId: async (_: string, sid: string) => (sid === 's' ? { userAgent: 'Firefox' } : null) },
      mails: {
        cursor: async () => state.cursor,
        news: async (pos: number, limit: number) => all.filter((event) => event.pos > pos).slice(0, limit),
        async derive({ to, mails }: { to: number; mails: readonly NewMail[] }) {
          state.cursor = to
          for (const mail of mails) {
            const content = JSON.parse(Buffer.from(mail.sealed).toString()) as { to: string; facts: Told['facts'] }
            told.push({ kind: mail.kind, to: content.to, facts: content.facts, life: mail.expiresAt - mail.madeAt })
          }
        },
      },
    },
  } as unknown as Parameters<typeof queueNotices>[0])
  assert.equal(state.cursor, cursor === null ? 77 : events.length)
  return told
}

const kinds = async (...events: Partial<SealedEvent>[]) => (await mailed(events)).map(({ kind }) => kind)

test('each event that concerns an account has its mail, and others have none', async () => {
  assert.deepEqual(
    await kinds(
      { name: 'session.started', data: { known_browser: false } },
      { name: 'session.started', data: { known_browser: true } },
      { name: 'session.started' },
      { name: 'consent.granted', clientId: 'named' },
      { name: 'factor.added', data: { factor: 'totp' } },
      { name: 'factor.added', data: { factor: 'recovery_codes' } },
      { name: 'factor.removed' },
      { name: 'factor.recovered' },
      { name: 'admin.user_changed', reason: 'password_changed' },
      { name: 'admin.user_changed', data: { password_reset: true } },
      { name: 'admin.user_changed', data: { password_reset: false } },
      { name: 'admin.user_changed' },
      { name: 'token.issued' },
      { name: 'account.deletion_requested' },
      { name: 'account.deletion_cancelled' },
    ),
    [
      'signed_in',
      'app_connected',
      'factor_added',
      'factor_removed',
      'recovery_code_used',
      'password_changed',
      'password_changed',
      'deletion_requested',
      'deletion_cancelled',
    ],
  )
})

test('nobody is mailed who is gone, disabled, without an address, or not named', async () => {
  for (const subject of ['nobody', 'disabled', 'unaddressed', null])
    assert.deepEqual(await kinds({ name: 'factor.removed', subject }), [], String(subject))
})

test('news of a day are told, older ones are not', async () => {
  const day = 86_400_000
  assert.deepEqual(await kinds({ name: 'factor.removed', at: (now - day) as never }), ['factor_removed'])
  assert.deepEqual(await kinds({ name: 'factor.removed', at: (now - day - 1) as never }), [])
})

test('a mail says where and when, by which browser, and which app, by its name or its id', async () => {
  const [signedIn] = await mailed([{ name: 'session.started', data: { known_browser: false, sid: 's' } }])
  const where = { at: now, ip: '192.0.2.1', userAgent: 'Firefox' }
  assert.deepEqual(signedIn, {
    kind: 'signed_in',
    to: 'a@example.com',
    facts: { kind: 'signed_in', username: 'alice', where },
    life: 86_400_000,
  })
  for (const [clientId, client] of [
    ['named', 'Shop'],
    ['nameless', 'nameless'],
    ['unknown', 'unknown'],
    [null, ''],
  ] as const) {
    const [told] = await mailed([{ name: 'consent.granted', clientId }])
    assert.deepEqual(told?.facts, {
      kind: 'app_connected',
      username: 'alice',
      where: { ...where, userAgent: null },
      client,
    })
  }
})

test('a request by the back channel is told while it can be answered, with its message', async () => {
  const asked = (data: object) => mailed([{ name: 'backchannel.requested', clientId: 'named', data: data as never }])
  const [told] = await asked({ expires_at: now + 5000, binding_message: 'W4SCT' })
  assert.deepEqual([told?.life, told?.facts['bindingMessage'], told?.facts['client']], [5000, 'W4SCT', 'Shop'])
  const [silent] = await asked({ expires_at: now + 1 })
  assert.deepEqual([silent?.life, silent?.facts['bindingMessage']], [1, null])
  assert.deepEqual(await asked({ expires_at: now }), [])
  const [odd] = await asked({ expires_at: 'soon' })
  assert.equal(odd?.life, 86_400_000)
  const [other] = await mailed([{ name: 'factor.removed', data: { expires_at: now - 1 } }])
  assert.equal(other?.life, 86_400_000, 'of nothing else that ends')
})

test('the first reading begins at the end, and a long log is read page by page', async () => {
  assert.deepEqual(await mailed([], null), [])
  const many = Array.from({ length: 250 }, () => ({ name: 'factor.removed' }) as const)
  assert.equal((await mailed(many)).length, 250)
})
