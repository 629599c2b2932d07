/** What people type and browsers call themselves: without the space around it, no longer than is kept, and nothing else changed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { changeAddress } from '../../src/account/email-address.ts'
import { typedName } from '../../src/account/named-people.ts'
import { changeProfile, type Profile, profileOf } from '../../src/account/profile.ts'
import { circumstancesOf } from '../../src/account/reset-password.ts'
import { requestSignUp } from '../../src/sign-up/request.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'
import { openDeployment, root } from '../support/deployment.ts'

const now = 1_000_000 as Instant
const clock = { now: () => now, margin: 0, until: () => Promise.resolve() }
const ids = { id: () => 'id', handleOf: (text: string) => text }
const visitor = { tenant: root, ip: '192.0.2.1', userAgent: null, browser: null } as never
const long = `${'x'.repeat(300)}y`

describe('what a browser calls itself', () => {
  test('three hundred characters of it are told in mails', () => {
    for (const [userAgent, kept] of [
      [null, null],
      ['short', 'short'],
      [long, 'x'.repeat(300)],
    ] as const)
      assert.deepEqual(circumstancesOf({ ip: '192.0.2.1', userAgent }, { clock }), {
        at: now,
        ip: '192.0.2.1',
        userAgent: kept,
      })
  })

  test('three hundred characters of it are kept with its session', async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    class Talkative extends PersonAtBrowser {
      override visitor() {
        return { ...super.visitor(), userAgent: long }
      }
    }
    const alice = new Talkative(deployment.authority)
    await alice.begin()
    await alice.signIn()
    const [session] = await deployment.store.sessions.search(root, deployment.clock as Instant, {
      subject: null,
      before: null,
      limit: 5,
    })
    assert.equal(session?.userAgent, 'x'.repeat(300))
  })
})

test('a name that somebody is looked for by has no space around it and 320 characters at most', () => {
  assert.equal(typedName('  alice '), 'alice')
  assert.equal(typedName(`  ${'a'.repeat(321)}`), 'a'.repeat(320))
})

describe('a profile', () => {
  const user = { version: 3, claims: { name: 'Old', email: 'a@example.com', locale: 'de' } }
  async function changed(typed: Partial<Profile>, outcome = 'changed') {
    let claims: JsonObject | null = null
    const users = {
      byId: () => Promise.resolve(outcome === 'gone' ? null : user),
      change: (it: { claims: JsonObject; version: number }) => {
        assert.equal(it.version, 3)
        claims = it.claims
        return Promise.resolve(outcome)
      },
    }
    const empty = Object.fromEntries(Object.keys(profileOf({ claims: {} })).map((name) => [name, '']))
    const account = { person: { tenant: root, id: 'alice' } } as never
    const said = await changeProfile(account, { ...empty, ...typed }, visitor, {
      clock,
      ids,
      store: { users },
    } as never)
    return [said, claims]
  }

  test('is kept without the space around it; what is left empty goes, what is no part of it stays', async () => {
    assert.deepEqual(await changed({ name: '  Alice  ' }), ['saved', { email: 'a@example.com', name: 'Alice' }])
    assert.deepEqual(await changed({ name: ' ' }), ['saved', { email: 'a@example.com' }])
  })

  test('names the field that is wrong, and says where it was outrun', async () => {
    assert.deepEqual(await changed({ name: '\u0000' }), [{ wrong: 'name' }, null])
    assert.deepEqual(await changed({ locale: 'not a language' }), [{ wrong: 'locale' }, null])
    assert.deepEqual(await changed({ locale: `en-x${'-aaaaaaaa'.repeat(200)}` }), [{ wrong: 'locale' }, null])
    assert.deepEqual((await changed({ name: 'x' }, 'changed-meanwhile'))[0], 'outrun')
    assert.deepEqual(await changed({ name: 'x' }, 'gone'), ['outrun', null])
  })

  test('shows what is a text, and nothing for the rest', () => {
    const { name, locale } = profileOf({ claims: { name: 'Alice', locale: 7 } })
    assert.deepEqual([name, locale], ['Alice', ''])
  })
})

test('an address that is typed with space around it is that address', async () => {
  const person = { tenant: root, id: 'alice', claims: { email: 'a@example.com' } }
  const account = { person, authentication: { at: 0 } } as never
  const said = (email: string) =>
    changeAddress(account, { email, password: 'x', visitor, language: null }, { clock, policy: defaultPolicy } as never)
  assert.deepEqual(await Promise.all([' A@example.com ', 'a@example.com'].map(said)), ['unchanged', 'unchanged'])
  assert.deepEqual(await Promise.all(['a b@example.com', '', 'nobody'].map(said)), Array<string>(3).fill('malformed'))
})

test('who signs up is known by the address without the space around it', async () => {
  const sealed: JsonObject[] = []
  const accounts = { sign_up: true, sign_up_domains: ['example.com'] }
  const deps = {
    clock,
    ids,
    policy: defaultPolicy,
    signUpHook: null,
    directory: { servedCatalogue: () => Promise.resolve({ tenant: { accounts } }) },
    limits: { takeByAddress: () => Promise.resolve(null) },
    vault: {
      seal: (plain: Uint8Array) => {
        sealed.push(JSON.parse(Buffer.from(plain).toString()) as JsonObject)
        return plain
      },
    },
    store: { mails: { queue: () => Promise.resolve() } },
  } as never
  const asked = (email: string) => requestSignUp({ email, returnTo: null, language: null }, visitor, deps)
  assert.deepEqual(await Promise.all([' new@example.com ', 'a b@example.com', 'a@other.example'].map(asked)), [
    'asked',
    'malformed',
    'domain',
  ])
  assert.ok(JSON.stringify(sealed).includes('"new@example.com"'), JSON.stringify(sealed))
})
