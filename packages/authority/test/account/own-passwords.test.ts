/** A person's own password: what keeps it from being changed, in which order, and what a change takes along. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { usualPasswords } from '@grantor/authority'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { changePassword, chooseNewPassword } from '../../src/account/change-password.ts'
import { hashPassword } from '../../src/people/password.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant
const person = { tenant: root, id: 'alice', username: 'alice' }
const account = { person, session: { id: 's1', browser: 'b' } } as never
const visitor = { tenant: root, ip: '192.0.2.1', traceId: null } as never
const [old, next] = ['correct-horse', 'battery-staple-9']
let hash = ''
before(async () => void (hash = await hashPassword(old)))

interface World {
  readonly user?: object | null
  readonly throttled?: boolean
  readonly outcome?: string
}

function world({ user, throttled = false, outcome = 'changed' }: World = {}) {
  const changes: (JsonObject & { readonly events: readonly JsonObject[] })[] = []
  const given: unknown[] = []
  const counted: unknown[] = []
  const known = { ...person, version: 3, passwordHash: hash, mustChangePassword: true }
  const deps = {
    clock: { now: () => now },
    ids: { id: () => 'id' },
    passwords: usualPasswords,
    limits: {
      takeAll: async (keys: unknown) => {
        counted.push(keys)
        return { decisions: [], refused: throttled ? { allowed: false, wait: 1, effectiveWindow: 9 } : null }
      },
      giveBack: async (keys: unknown) => void given.push(keys),
    },
    store: {
      users: {
        byId: async () => (user === null ? null : { ...known, ...user }),
        change: async (it: (typeof changes)[number]) => (changes.push(it), outcome),
      },
    },
  }
  return { deps: deps as never, changes, given, counted }
}

/** Without the new hash, which is another every time. */
function changed({ changes }: ReturnType<typeof world>) {
  const [{ passwordHash, events, ...rest } = assert.fail('nothing was changed')] = changes
  assert.ok(typeof passwordHash === 'string' && passwordHash !== hash)
  return [rest, events.map(({ name, reason, data, subject, actor }) => [name, reason, data, subject, actor])]
}
const change = [
  { tenant: root, id: 'alice', version: 3, endSessionsBut: 's1', at: now },
  [['admin.user_changed', 'password_changed', { cutoff: true }, 'alice', { kind: 'user', id: 'alice' }]],
]

describe('by the old one', () => {
  const act = (it: ReturnType<typeof world>, current = old, wanted = next) =>
    changePassword(account, { current, next: wanted }, visitor, it.deps)

  test('it is changed, every other session ends, and the try was no guess', async () => {
    const it = world()
    assert.equal(await act(it), 'changed')
    assert.deepEqual(changed(it), change)
    const key = [['loginBrowser', 'default alice b']]
    assert.deepEqual([it.counted, it.given], [[key], [key]])
  })

  test('what is no password, or no other one, is no guess either', async () => {
    const it = world()
    assert.deepEqual([await act(it, old, 'short'), await act(it, old, old)], ['too_short', 'unchanged'])
    assert.deepEqual([it.counted, it.changes], [[], []])
  })

  test('a wrong one stays counted; whoever guessed too often is not looked at', async () => {
    const it = world()
    assert.equal(await act(it, 'a guess'), 'wrong')
    assert.deepEqual([it.counted.length, it.given, it.changes], [1, [], []])
    const full = world({ throttled: true })
    assert.deepEqual([await act(full), full.changes, full.given], ['throttled', [], []])
    for (const who of [{ user: null }, { user: { passwordHash: null } }]) {
      const none = world(who)
      assert.deepEqual([await act(none), none.changes, none.given], ['wrong', [], []])
    }
    assert.equal(await act(world({ outcome: 'changed-meanwhile' })), 'wrong')
  })
})

describe('instead of one that was made for the person', () => {
  const act = (it: ReturnType<typeof world>, wanted = next) => chooseNewPassword(account, wanted, visitor, it.deps)

  test('it is changed, and every other session ends', async () => {
    const it = world()
    assert.equal(await act(it), 'changed')
    assert.deepEqual(changed(it), change)
  })

  test('the same, a bad one, and one that came too late change nothing', async () => {
    for (const [more, wanted, did] of [
      [{}, old, 'unchanged'],
      [{}, 'short', 'too_short'],
      [{ user: { mustChangePassword: false } }, next, 'changed'],
      [{ user: null }, next, 'changed'],
    ] as const) {
      const it = world(more)
      assert.deepEqual([await act(it, wanted), it.changes], [did, []])
    }
    assert.equal(await act(world({ outcome: 'changed-meanwhile' })), 'outrun')
  })
})
