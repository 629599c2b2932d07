/** Passwords as they are typed and as they are chosen for somebody: one form, and one policy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Store } from '@grantor/store'
import { hash } from '@node-rs/argon2'
import { checkPassword, hashPassword, passwordFormProblem, usualPasswords } from '../../src/people/password.ts'
import { databases, declare, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

const composed = 'pässwörtchen'.normalize('NFC')
const decomposed = composed.normalize('NFD')

test('RFC 8265 §4.2.2: a password is one, however a keyboard composes its letters', async () => {
  for (const [chosen, typed] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const)
    assert.equal(await checkPassword(await hashPassword(chosen), typed), true)
})

test('RFC 8265 §4.2.2: letters that differ to a person stay different: NFC, not NFKC', async () => {
  const stored = await hashPassword('ﬁnd²secret')
  assert.equal(await checkPassword(stored, 'ﬁnd²secret'), true)
  for (const other of ['find²secret', 'ﬁnd2secret', 'find2secret'])
    assert.equal(await checkPassword(stored, other), false)
})

test('a hash that was made of what was typed, before passwords were normalised, still opens', async () => {
  const old = await hash(decomposed, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  assert.equal(await checkPassword(old, decomposed), true)
  assert.equal(await checkPassword(old, 'pässwörtcheN'), false)
  assert.equal(await checkPassword(null, decomposed), false)
})

test('the policy counts the letters of the one form', () => {
  assert.equal(passwordFormProblem('ä'.repeat(7).normalize('NFD'), 'x', usualPasswords), 'too_short')
  assert.equal(passwordFormProblem('ä'.repeat(8), 'x', usualPasswords), null)
  assert.equal(passwordFormProblem('jürgen-m'.normalize('NFD'), 'jürgen-m', usualPasswords), 'is_name')
})

for (const database of databases)
  test(`a declared password, and one that an operator gives, obeys the policy; then people sign in with it (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { declared, users } = deployment.authority.admin
    const named = (password: string) => ({ users: [{ username: 'jürgen-m', password }] })
    for (const password of ['', 'short', 'jürgen-m', 'x'.repeat(513)]) {
      const refused = await declared.apply(operator, named(password))
      assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid', password.slice(0, 10))
      assert.deepEqual(
        refused.error.problems.map(({ field }) => field),
        ['users[0].password'],
      )
      const made = await users.create(operator, root, { username: 'jürgen-m', password, claims: {} })
      assert.ok(made.kind === 'error' && made.error.reason === 'invalid')
      const reset = await users.resetPassword(operator, root, { username: 'alice', password: password.slice(0, 6) })
      assert.ok(reset.kind === 'error' && reset.error.reason === 'invalid')
    }
    assert.equal((await deployment.store.users.byUsername(root, 'jürgen-m')) === null, true)
    await declare(deployment, named(decomposed))
    const person = new PersonAtBrowser(deployment.authority)
    await person.begin()
    assert.equal((await person.signIn('jürgen-m', composed)).go, 'consent')
    const again = await declared.plan(named(composed))
    assert.deepEqual(again.kind === 'ok' && again.value.steps, [])
  })

test('the demo may declare what everybody knows', async () => {
  const deployment = await openDeployment()
  const alice = { users: [{ username: 'alice', password: 'alice' }] }
  const { declared } = deployment.authority.admin
  assert.equal((await declared.apply(operator, alice)).kind, 'error')
  assert.equal((await declared.apply(operator, alice, { prune: false, anyPassword: true })).kind, 'ok')
})

test('a password that an administrator sets ends what was issued while it was hashed', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { store } = deployment
  const changes: Parameters<Store['users']['change']>[0][] = []
  const change: Store['users']['change'] = (it) => {
    changes.push(it)
    return store.users.change(it)
  }
  const node = deployment.node({ store: { ...store, users: { ...store.users, change } } })
  const settled = { reset: false }
  const resetting = node.admin.users
    .resetPassword(operator, root, { username: 'alice', password: 'another-horse' })
    .finally(() => (settled.reset = true))
  // Every turn of the event loop is later than the one before; hashing takes many.
  while (!settled.reset) {
    deployment.clock += 1
    await setImmediate()
  }
  assert.equal((await resetting).kind, 'ok')
  const [it] = changes
  assert.deepEqual(
    it?.events.map(({ at }) => at),
    [it?.at],
  )
})
