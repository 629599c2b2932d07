/** What a person gets of themselves: all that is held, with its times, and nothing that opens anything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { ownData } from '../../src/account/own-data.ts'
import { root } from '../support/deployment.ts'

const [now, then] = [Date.parse('2026-11-15T12:00:00Z') as Instant, Date.parse('2026-11-01T00:00:00Z') as Instant]
const [nowText, thenText] = ['2026-11-15T12:00:00.000Z', '2026-11-01T00:00:00.000Z']

const account = { person: { tenant: root, id: 'alice' } } as never

/** A person with one of everything, or with nothing; what was asked for is noted. */
function storeOf(has: boolean) {
  const asked: unknown[] = []
  const gives = (...answer: readonly unknown[]) => {
    const [full, empty] = answer
    return (...args: readonly unknown[]) => (asked.push(args), Promise.resolve(has ? full : empty))
  }
  const session = {
    id: 's',
    createdAt: then,
    lastSeenAt: now,
    expiresAt: now,
    ip: '192.0.2.1',
    userAgent: 'Browser',
    authentication: { acr: 'one', amr: ['pwd'] },
    handle: 'opens it',
  }
  const user = {
    username: 'alice',
    claims: { name: 'Alice' },
    attributes: { room: 7 },
    groups: ['Staff'],
    roles: ['clerk'],
    createdAt: then,
    administrator: 'owner',
    passwordChangedAt: then,
    passwordHash: 'opens it',
    terms: { version: '2', at: then },
    deletionDueAt: now,
  }
  const passkey = { name: 'Key', createdAt: then, lastUsedAt: null, synced: true, publicKey: 'opens it' }
  const browser = { userAgent: 'Browser', createdAt: then, expiresAt: now, handle: 'opens it' }
  const store = {
    users: { byId: gives(user, { username: 'alice', claims: {}, createdAt: then, passwordHash: null }) },
    consents: { ofSubject: gives([{ scope: new Set(['openid']) }], []) },
    grants: { search: gives([{ id: 'g' }], []) },
    sessions: { livingOf: gives([session], []) },
    events: { ofSubject: gives([], []) },
    factors: {
      passkeys: gives([passkey], []),
      totp: gives({ createdAt: then, lastUsedAt: now, secret: 'opens it' }, null),
      browsers: gives([browser], []),
      of: gives({ recoveryCodes: 7 }, { recoveryCodes: 0 }),
    },
    identities: {
      of: gives([{ provider: 'corp', issuer: 'https://corp.example', upstreamSubject: 'a1', createdAt: then }], []),
    },
    backchannel: { userCodeHash: gives('opens it', null) },
  }
  return { asked, deps: { clock: { now: () => now }, store } as never }
}

test('everything that is held is told, and nothing that opens anything', async () => {
  const { asked, deps } = storeOf(true)
  const told = await ownData(account, deps)
  assert.deepEqual(told, {
    made_at: nowText,
    account: {
      id: 'alice',
      username: 'alice',
      claims: { name: 'Alice' },
      attributes: { room: 7 },
      groups: ['Staff'],
      roles: ['clerk'],
      created_at: thenText,
      administrator: 'owner',
      password_changed_at: thenText,
      terms: { version: '2', accepted_at: thenText },
      deletion_due_at: nowText,
    },
    sign_in_methods: {
      password: true,
      passkeys: [{ name: 'Key', synced: true, created_at: thenText, last_used_at: null }],
      authenticator_app: { created_at: thenText, last_used_at: nowText },
      providers: [{ provider: 'corp', issuer: 'https://corp.example', subject: 'a1', linked_at: thenText }],
      recovery_codes: 7,
      remembered_browsers: [{ user_agent: 'Browser', created_at: thenText, expires_at: nowText }],
      code_for_requests: true,
    },
    sessions: [
      {
        id: 's',
        created_at: thenText,
        last_seen_at: nowText,
        expires_at: nowText,
        ip: '192.0.2.1',
        user_agent: 'Browser',
        acr: 'one',
        amr: ['pwd'],
      },
    ],
    consents: [{ scope: ['openid'] }],
    grants: [{ id: 'g' }],
    events: [],
  })
  assert.ok(!JSON.stringify(told).includes('opens it'))
  assert.ok(
    asked.every((args) => JSON.stringify(args).startsWith('["default",')),
    'all of one tenant',
  )
  assert.equal(JSON.stringify(asked).match(/1000/g)?.length, 4, 'a bound to each list')
})

test('who has none of it is told so', async () => {
  const { account: person, sign_in_methods: methods } = await ownData(account, storeOf(false).deps)
  assert.deepEqual(person, {
    id: 'alice',
    username: 'alice',
    claims: {},
    attributes: {},
    groups: [],
    roles: [],
    created_at: thenText,
    administrator: null,
    password_changed_at: null,
    terms: null,
    deletion_due_at: null,
  })
  assert.deepEqual(methods, {
    password: false,
    passkeys: [],
    authenticator_app: null,
    providers: [],
    recovery_codes: 0,
    remembered_browsers: [],
    code_for_requests: false,
  })
})
