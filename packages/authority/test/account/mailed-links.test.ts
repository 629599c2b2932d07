/** What is asked for by mail: by whom it is counted, how long its link lives, and what is told when it is used. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant, JsonObject, Secret } from '@grantor/protocol/types'
import { changeAddress, checkAddress, confirmAddress } from '../../src/account/email-address.ts'
import { peopleNamed } from '../../src/account/named-people.ts'
import { answerResetRequest, requestReset, resettableUser } from '../../src/account/reset-password.ts'
import { answerSignInLinkRequest } from '../../src/sign-in-link/request.ts'
import { offeredSignIn } from '../../src/sign-in-link/use.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant
const shown = 'gp_shown' as Secret
const alice = {
  tenant: root,
  id: 'alice',
  username: 'alice',
  version: 7,
  disabledAt: null,
  passwordHash: null,
  claims: { email: 'alice@example.com', name: 'Alice' } as JsonObject,
}
const account = (person: object = alice) =>
  ({ person, authentication: { at: now }, session: { id: 's', browser: 'b' } }) as never
const visitor = (more: object = {}) =>
  ({ tenant: root, browser: null, ip: '192.0.2.1', userAgent: 'UA', traceId: null, sessions: [], ...more }) as never

interface World {
  readonly user?: object | null
  readonly known?: readonly string[]
  /** Which of the counts is used up. */
  readonly full?: string
  readonly link?: object | null
  readonly spends?: string
  readonly people?: readonly object[]
  readonly served?: boolean
}

/** As much of a node as mail needs; what is sealed can be read here. */
function world({ user = alice, known = [], link = null, spends = 'spent', ...more }: World = {}) {
  const taken: string[] = []
  const given: unknown[] = []
  const mailed: { links: { link: JsonObject; mail: JsonObject }[]; events: JsonObject[]; instead: unknown }[] = []
  const spent: { handle: string; change: JsonObject; mails: JsonObject[]; events: JsonObject[] }[] = []
  const queued: JsonObject[] = []
  const decision = (key: string) => {
    taken.push(key)
    const allowed = key !== more.full
    return { allowed, remaining: allowed ? 2 : 0, effectiveWindow: 60, wait: allowed ? 0 : 60_000 }
  }
  const asked: unknown[] = []
  const deps = {
    clock: { now: () => now, margin: 0, until: () => Promise.resolve() },
    ids: { id: () => 'id', secret: (prefix: string) => `${prefix}new`, handleOf: (text: string) => `#${text}` },
    policy: defaultPolicy,
    issuers: { issuerOf: () => 'https://as.example' },
    directory: {
      servedCatalogue: async () => (more.served === false ? null : { tenant: { accounts: { sign_in_links: true } } }),
    },
    people: { find: async () => user },
    limits: {
      take: async (name: string, key: string) => decision(`${name} ${key}`),
      takeByAddress: async (name: string, ip: string) => decision(`${name} ${ip}`),
      takeAll: async (keys: readonly (readonly string[])[]) => {
        const decisions = keys.map((key) => decision(key.join(' ')))
        return { decisions, refused: decisions.find(({ allowed }) => !allowed) ?? null }
      },
      giveBack: async (keys: unknown) => void given.push(keys),
    },
    vault: { seal: (plain: Uint8Array) => plain, open: (sealed: Uint8Array) => sealed },
    store: {
      sessions: { knownIn: async () => known.map((subject) => ({ subject, acr: null })) },
      users: {
        byId: async () => user,
        byUsername: async () => null,
        byEmail: async (...by: unknown[]) => (asked.push(by), more.people ?? [alice]),
      },
      mails: { queue: async (rows: JsonObject[]) => void queued.push(...rows) },
      signInLinks: {
        find: async () => link,
        mail: async (it: (typeof mailed)[number]) => void mailed.push(it),
      },
      links: {
        find: async () => link,
        mail: async (it: (typeof mailed)[number]) => void mailed.push(it),
        spend: async (it: (typeof spent)[number]) => (spent.push(it), spends),
      },
    },
  }
  return { deps: deps as never, taken, given, mailed, spent, queued, asked }
}

const written = (mail: JsonObject | undefined): JsonObject =>
  JSON.parse(Buffer.from(mail?.['sealed'] as unknown as Uint8Array).toString()) as JsonObject

describe('a forgotten password', () => {
  const ask = (it: ReturnType<typeof world>, browser: string | null) =>
    requestReset({ named: ' alice ', language: 'de' }, visitor({ browser }), it.deps)

  test('strangers are counted by their address, and each browser that is known by itself', async () => {
    const stranger = world()
    assert.deepEqual(await ask(stranger, 'gb_one'), { did: 'asked' })
    assert.deepEqual(await ask(stranger, null), { did: 'asked' })
    assert.deepEqual(stranger.taken, ['resetAddress 192.0.2.1', 'resetAddress 192.0.2.1'])
    const known = world({ known: ['alice'] })
    await ask(known, 'gb_one')
    await ask(known, 'gb_two')
    assert.deepEqual(known.taken, ['resetAddress browser default #gb_one', 'resetAddress browser default #gb_two'])
  })

  test('whoever asks too often waits, and nothing is queued; else it waits as long as a link lives', async () => {
    const full = world({ full: 'resetAddress 192.0.2.1' })
    assert.deepEqual(await ask(full, null), { did: 'throttled', seconds: 60 })
    assert.deepEqual(full.queued, [])
    const it = world({ known: ['alice'] })
    await ask(it, 'gb_one')
    const [row] = it.queued
    assert.deepEqual([row?.['madeAt'], row?.['expiresAt']], [now, now + defaultPolicy.resetTtl * 1000])
    const where = { at: now, ip: '192.0.2.1', userAgent: 'UA' }
    assert.deepEqual(written(row), { named: 'alice', browser: '#gb_one', language: 'de', where })
  })

  test('each who is meant gets a link of their own, in their language, and each is told of in the log', async () => {
    const twin = { ...alice, id: 'twin', username: 'twin', claims: { email: 'alice@example.com', locale: 'fr' } }
    const it = world({ people: [alice, twin] })
    const sealed = Buffer.from(
      JSON.stringify({ named: 'alice@example.com', language: 'de', where: { ip: '192.0.2.7' } }),
    )
    const row = { tenant: root, id: 'm', sealed }
    assert.equal(await answerResetRequest(row as never, it.deps), 'answered')
    const [only, ...more] = it.mailed
    assert.deepEqual([more, only?.instead], [[], row])
    const expiresAt = now + defaultPolicy.resetTtl * 1000
    const link = {
      tenant: root,
      handle: '#gp_new',
      purpose: 'reset',
      email: 'alice@example.com',
      madeAt: now,
      expiresAt,
    }
    assert.deepEqual(
      only?.links.map((one) => one.link),
      [
        { ...link, subject: 'alice' },
        { ...link, subject: 'twin' },
      ],
    )
    assert.deepEqual(
      only?.links.map(({ mail }) => [mail['expiresAt'], written(mail)['language'], written(mail)['facts']]),
      [
        [expiresAt, 'de', facts('alice')],
        [expiresAt, 'fr', facts('twin')],
      ],
    )
    assert.deepEqual(
      only?.events.map(({ name, subject, ip, actor }) => [name, subject, ip, actor]),
      ['alice', 'twin'].map((subject) => [
        'password.reset_requested',
        subject,
        '192.0.2.7',
        { kind: 'user', id: null },
      ]),
    )
  })

  const facts = (username: string) => ({
    kind: 'reset',
    username,
    link: 'https://as.example/reset-password?token=gp_new',
    where: { ip: '192.0.2.7' },
  })

  test('a link sets the password of somebody who is there and may sign in, and of nobody else', async () => {
    const link = { purpose: 'reset', expiresAt: now + 1, subject: 'alice', email: 'Alice@example.com' }
    const of = async (more: World) =>
      (await resettableUser(shown, visitor(), world({ link, ...more }).deps))?.id ?? null
    assert.equal(await of({}), 'alice')
    assert.equal(await of({ link: { ...link, purpose: 'address' } }), null)
    assert.equal(await of({ user: null }), null)
    assert.equal(await of({ user: { ...alice, disabledAt: 1 } }), null)
    // Its mail was on the way to the old address when the new one was confirmed.
    assert.equal(await of({ user: { ...alice, claims: { email: 'new@example.com' } } }), null)
  })
})

describe('who is meant by a name', () => {
  const named = async (more: World, browser: string | null = null, counted: '' | 'sign-in-link ' | null = '') => {
    const it = world(more)
    const found = await peopleNamed({ tenant: root }, { named: 'x', browser: browser as never, counted }, it.deps)
    return { ids: found.map(({ id }) => id), ...it }
  }

  test('of a mailbox five people at most; nobody who is disabled, has no address, or was asked for too often', async () => {
    const disabled = { ...alice, id: 'disabled', disabledAt: 1 }
    const mute = { ...alice, id: 'mute', claims: {} }
    const bob = { ...alice, id: 'bob' }
    const it = await named({ people: [disabled, mute, alice, bob], full: 'resetAccount default alice' })
    assert.deepEqual(it.ids, ['bob'])
    assert.deepEqual(it.taken, ['resetAccount default alice', 'resetAccount default bob'])
    assert.deepEqual(it.asked, [[root, 'x', 5]])
    assert.deepEqual((await named({ served: false })).ids, [])
  })

  test('a browser of theirs has a count of its own, and each kind of mail, too', async () => {
    assert.deepEqual((await named({ known: ['alice'] }, 'b')).taken, ['resetAccount default alice b'])
    assert.deepEqual((await named({ known: ['bob'] }, 'b')).taken, ['resetAccount default alice'])
    assert.deepEqual((await named({ known: ['alice'] })).taken, ['resetAccount default alice'])
    assert.deepEqual((await named({}, null, 'sign-in-link ')).taken, ['resetAccount sign-in-link default alice'])
    const mailed = await named({ full: 'resetAccount default alice' }, null, null)
    assert.deepEqual([mailed.ids, mailed.taken], [['alice'], []], 'an administrator is not kept from it by strangers')
  })
})

describe('an address', () => {
  const by = { visitor: visitor(), language: 'de' }

  test('its link lives as long as it may, names the account, and is counted by it', async () => {
    const it = world()
    assert.equal(await checkAddress(account(), by, it.deps), 'sent')
    assert.deepEqual(it.taken, ['resetAccount address default alice'])
    const expiresAt = now + defaultPolicy.addressCheckTtl * 1000
    const [{ links: [made], ...rest } = assert.fail()] = it.mailed
    assert.deepEqual(rest, { instead: null, events: [] })
    assert.deepEqual(made?.link, {
      tenant: root,
      handle: '#gp_new',
      purpose: 'address',
      subject: 'alice',
      email: 'alice@example.com',
      madeAt: now,
      expiresAt,
    })
    assert.deepEqual([made?.mail['expiresAt'], made?.mail['subject']], [expiresAt, 'alice'])
    const { to, language, facts } = written(made?.mail)
    const link = 'https://as.example/account/address?token=gp_new'
    const where = { at: now, ip: '192.0.2.1', userAgent: 'UA' }
    assert.deepEqual(
      [to, language, facts],
      ['alice@example.com', 'de', { kind: 'address', username: 'alice', link, where }],
    )
    const full = world({ full: 'resetAccount address default alice' })
    assert.deepEqual(await checkAddress(account(), by, full.deps), { did: 'throttled', seconds: 60 })
    assert.deepEqual(full.mailed, [])
  })

  test('to change it is one guess at the password, given back where it was right or there is none', async () => {
    const wish = { ...by, email: 'new@example.com', password: 'x' }
    const it = world()
    assert.equal(await changeAddress(account(), wish, it.deps), 'sent', 'who has no password has shown a passkey')
    assert.deepEqual(it.given, [[['loginBrowser', 'default alice b']]])
    const gone = world({ user: null })
    assert.equal(await changeAddress(account(), wish, gone.deps), 'wrong')
    assert.deepEqual([gone.given, gone.mailed], [[], []])
    const full = world({ full: 'loginBrowser default alice b' })
    assert.deepEqual(await changeAddress(account(), wish, full.deps), { did: 'throttled', seconds: 60 })
    assert.deepEqual(full.mailed, [])
  })

  const link = { purpose: 'address', expiresAt: now + 1, subject: 'alice', email: 'alice@example.com' }
  const confirm = async (more: World) => {
    const it = world({ link, ...more })
    const said = await confirmAddress({ secret: shown, account: account() }, visitor(), it.deps)
    return { said, ...it }
  }

  test('the log tells that it was checked, and with whom it rests', async () => {
    const { said, spent } = await confirm({})
    const [only = assert.fail()] = spent
    assert.deepEqual([said, spent.length, only.handle, only.mails], ['confirmed', 1, '#gp_shown', []])
    const claims = { ...alice.claims, email: 'alice@example.com', email_verified: true }
    assert.deepEqual(only.change, { tenant: root, id: 'alice', version: 7, claims, at: now })
    assert.deepEqual(
      only.events.map(({ name, reason, subject, actor, ip }) => [name, reason, subject, actor, ip]),
      [['admin.user_changed', 'address_checked', 'alice', { kind: 'user', id: 'alice' }, '192.0.2.1']],
    )
  })

  test('one that moves is told as that, and to the old address; the first there is moves nothing', async () => {
    const moved = (await confirm({ link: { ...link, email: 'new@example.com' } })).spent[0] ?? assert.fail()
    assert.equal(moved.events[0]?.['reason'], 'address_changed')
    assert.deepEqual(
      moved.mails.map((mail) => [written(mail)['to'], (written(mail)['facts'] as JsonObject)['kind'], mail['subject']]),
      [['alice@example.com', 'address_changed', 'alice']],
    )
    const first = (await confirm({ user: { ...alice, claims: {} } })).spent[0] ?? assert.fail()
    assert.deepEqual([first.events[0]?.['reason'], first.mails], ['address_checked', []])
    const spelt = (await confirm({ link: { ...link, email: 'ALICE@example.com' } })).spent[0] ?? assert.fail()
    assert.deepEqual([spelt.events[0]?.['reason'], spelt.mails], ['address_checked', []])
  })

  test('whose account was changed at the same moment is confirmed all the same', async () => {
    const outcomes = ['changed-meanwhile', 'spent']
    const it = world({ link })
    const { links } = (it.deps as { readonly store: { readonly links: { spend: unknown } } }).store
    links.spend = async () => outcomes.shift()
    const by = { secret: shown, account: account() }
    assert.equal(await confirmAddress(by, visitor(), it.deps), 'confirmed')
    assert.deepEqual(outcomes, [])
  })

  test('a link that is another’s, for something else, used meanwhile, or of nobody, confirms nothing', async () => {
    for (const other of [null, { ...link, subject: 'bob' }, { ...link, purpose: 'reset' }]) {
      const { said, spent } = await confirm({ link: other })
      assert.deepEqual([said, spent], ['gone', []])
    }
    assert.deepEqual((await confirm({ user: null })).spent, [])
    assert.equal((await confirm({ spends: 'gone' })).said, 'gone')
  })
})

test('a sign-in link that waited in the queue while the password was changed is worth nothing', async () => {
  const asked = { named: 'alice', browser: '#b', known: false, returnTo: null, language: null, where: { at: now - 10 } }
  const offered = async (passwordChangedAt: number | null) => {
    const person = { ...alice, passwordHash: 'x', passwordChangedAt }
    const { mailed, deps } = world({ people: [person] })
    const row = { tenant: root, sealed: Buffer.from(JSON.stringify(asked)) }
    assert.equal(await answerSignInLinkRequest(row as never, deps), 'answered')
    const { link } = mailed[0]?.links[0] ?? assert.fail()
    return (await offeredSignIn(shown, visitor({ browser: 'b' }), world({ user: person, link }).deps)).did
  }
  assert.deepEqual(
    [await offered(null), await offered(now - 11), await offered(now - 9)],
    ['offered', 'offered', 'gone'],
  )
})
