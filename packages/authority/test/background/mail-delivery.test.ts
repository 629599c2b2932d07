/** The delivery of mails by itself: how many at once, when again, how often it looks for news, and what closing leaves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '@grantor/store'
import { openMailDelivery } from '../../src/background/mail-delivery.ts'

const now = 1_000_000_000
const row = {
  tenant: 'acme',
  id: 'm1',
  kind: 'signed_in',
  subject: 'alice',
  attempts: 1,
  madeAt: now - 5,
  expiresAt: now + 100_000_000,
  sealed: Buffer.from(JSON.stringify({ to: 'alice@example.com' })),
}

type Outcome = { readonly did: 'sent' } | { readonly did: 'failed'; readonly why: string }

interface Scene {
  readonly rows?: readonly object[]
  readonly send?: (letter: object, signal: AbortSignal) => Promise<Outcome>
  readonly take?: (...during: readonly number[]) => Promise<object | null>
  readonly look?: () => Promise<number | null>
  readonly news?: () => Promise<readonly object[]>
  readonly catalogue?: object | null
}

function open({ rows = [], catalogue = null, ...more }: Scene = {}) {
  const done: (readonly unknown[])[] = []
  const note =
    (what: string) =>
    async (...about: readonly unknown[]) =>
      void done.push([what, ...about])
  const waiting = [...rows]
  const mails = {
    cursor: async () => (done.push(['looks for news']), more.look === undefined ? 7 : more.look()),
    news: more.news ?? (async () => []),
    derive: note('begins to read'),
    takeDue: more.take ?? (async () => waiting.shift() ?? null),
    postpone: note('postpones'),
    settle: async (_: string, id: string, [event]: readonly { readonly name: string }[]) =>
      void done.push([event?.name, id]),
  }
  const delivery = openMailDelivery(
    { send: more.send ?? (async () => ({ did: 'sent' })) } as never,
    {
      clock: { now: () => now },
      ids: { id: () => 'e' },
      issuers: { issuerOf: (tenant: string) => `https://as.example/t/${tenant}` },
      directory: { catalogue: async () => catalogue, servedCatalogue: async () => null },
      vault: { open: (sealed: Uint8Array) => sealed },
      store: {
        mails,
        events: { watch: () => (done.push(['begins']), () => {}), position: async () => 9 },
        links: { mail: note('answers a reset') },
        invitations: { make: note('answers a sign-up') },
        signInLinks: { mail: note('answers a wish for a link') },
      },
    } as never,
  )
  const did = () => done.map(([what]) => what).filter((what) => what !== 'looks for news')
  const looks = () => done.filter(([what]) => what === 'looks for news').length
  return { delivery, done, did, looks }
}

/** Whatever can go on without anybody else has gone on. */
const settled = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise((over) => setImmediate(over))
}

test('four mails are on the wire at once, and the others follow', async () => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let begun = 0
  const rows = Array.from({ length: 6 }, (_, n) => ({ ...row, id: `m${n}` }))
  const { delivery, did } = open({ rows, send: () => ((begun += 1), promise) })
  const whole = delivery.deliverDue()
  await settled()
  assert.equal(begun, 4)
  resolve({ did: 'sent' })
  await whole
  assert.deepEqual([begun, did()], [6, Array.from({ length: 6 }, () => 'mail.sent')])
})

test('a mail is taken for five minutes, and one whose time is over is given up unsent', async () => {
  const taken: (readonly number[])[] = []
  const rows = [{ ...row, expiresAt: now }]
  const { delivery, did } = open({
    take: async (...during) => (taken.push(during), rows.shift() ?? null),
    send: () => assert.fail('sent'),
  })
  await delivery.deliverDue()
  assert.deepEqual(taken[0], [now, now + 300_000])
  assert.deepEqual(did(), ['mail.failed'])
})

test('what failed is tried again after half a minute, doubling, at most an hour, and no later than it ends', async () => {
  for (const [attempts, seconds, life] of [
    [1, 30, 1e9],
    [2, 60, 1e9],
    [7, 1920, 1e9],
    [8, 3600, 1e9],
    [40, 3600, 1e9],
    [7, 1000, 1e6],
  ] as const) {
    const rows = [{ ...row, attempts, expiresAt: now + life }]
    const { delivery, done } = open({ rows, send: async () => ({ did: 'failed', why: 'away' }) })
    await delivery.deliverDue()
    assert.deepEqual(done.at(1), ['postpones', 'acme', 'm1', now + seconds * 1000, 'away'], `${attempts}`)
  }
})

test('a mail says whose server sends it, and which tenant as far as there is one', async () => {
  const letters: object[] = []
  const send = async (letter: object) => (letters.push(letter), { did: 'sent' as const })
  for (const catalogue of [{ tenant: { id: 'acme' } }, null])
    await open({ rows: [row], send, catalogue }).delivery.deliverDue()
  const letter = { to: 'alice@example.com', id: 'm1', issuer: 'https://as.example/t/acme', madeAt: now - 5 }
  assert.deepEqual(letters, [{ ...letter, tenant: { id: 'acme' } }, letter])
})

test('what somebody asked for is answered by its kind, and not sent as it is', async () => {
  for (const [kind, answer] of [
    ['reset_asked', 'answers a reset'],
    ['sign_up_asked', 'answers a sign-up'],
    ['sign_in_link_asked', 'answers a wish for a link'],
  ]) {
    const sealed = Buffer.from(JSON.stringify({ named: 'alice', email: 'alice@example.com' }))
    const { delivery, did } = open({ rows: [{ ...row, kind, sealed }], send: () => assert.fail('sent') })
    await delivery.deliverDue()
    assert.deepEqual(did(), [answer])
  }
})

test('news are looked for at most every half second, or when all that is due is wanted', async (t) => {
  let time = 10_000
  t.mock.method(performance, 'now', () => time)
  const { delivery, looks } = open()
  const woken = async (after: number) => {
    time += after
    delivery.wake()
    await settled()
    return looks()
  }
  assert.deepEqual([await woken(0), await woken(499), await woken(1), await woken(499)], [1, 1, 2, 2])
  await delivery.deliverDue()
  assert.deepEqual([looks(), await woken(499), await woken(1)], [3, 3, 4])
})

test('it has looked once before it begins, and begins where the store is away, too', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const first = open({ look: () => promise })
  const begun = first.delivery.begin()
  await settled()
  assert.deepEqual([first.looks(), first.did()], [1, []])
  resolve(7)
  await begun
  assert.deepEqual(first.did(), ['begins'])
  await first.delivery.close()
  const away = open({ look: () => Promise.reject(new StoreUnavailable('away')) })
  await away.delivery.begin()
  assert.deepEqual(away.did(), ['begins'])
  await away.delivery.close()
})

test('however much happened since it last looked, nobody waits for it to begin', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly object[]>()
  const { delivery, did } = open({ news: () => promise })
  await delivery.begin()
  assert.deepEqual(did(), ['begins'])
  resolve([])
  await delivery.close()
})

test('where nobody ever looked it is noted where, before anything can happen', async () => {
  const { delivery, done, did } = open({ look: async () => null, news: () => assert.fail('read') })
  await delivery.begin()
  assert.deepEqual(done.find(([what]) => what === 'begins to read')?.[1], { from: null, to: 9, mails: [] })
  assert.deepEqual(did().slice(0, 2), ['begins to read', 'begins'])
  await delivery.close()
})

test('closing waits two seconds for what is on the wire, and then cuts it off', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let signal = AbortSignal.abort()
  const send = (_: object, given: AbortSignal) => {
    signal = given
    return new Promise<Outcome>((over) =>
      given.addEventListener('abort', () => over({ did: 'failed', why: 'cut off' })),
    )
  }
  const { delivery, did } = open({ rows: [row], send })
  delivery.wake()
  await settled()
  let closed = false
  const closing = delivery.close().then(() => (closed = true))
  t.mock.timers.tick(1_999)
  await settled()
  assert.deepEqual([signal.aborted, closed], [false, false])
  t.mock.timers.tick(1)
  await closing
  assert.deepEqual([signal.aborted, did()], [true, ['postpones']])
})

test('closing with nothing on the wire cuts nothing off, also not later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let signal = AbortSignal.abort()
  const send = async (_: object, given: AbortSignal) => ((signal = given), { did: 'sent' as const })
  const { delivery } = open({ rows: [row], send })
  await delivery.deliverDue()
  await delivery.close()
  t.mock.timers.tick(10_000)
  assert.equal(signal.aborted, false)
})

test('what is taken after everything was cut off is due again at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise, resolve } = Promise.withResolvers<object | null>()
  const { delivery, done } = open({ take: () => promise, send: () => assert.fail('sent') })
  delivery.wake()
  await settled()
  const closing = delivery.close()
  t.mock.timers.tick(2_000)
  resolve(row)
  await closing
  assert.deepEqual(done.at(-1), ['postpones', 'acme', 'm1', row.madeAt, 'the server stopped'])
})
