/** People at the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administratorKinds } from '@grantor/protocol/people'
import { folder } from './grantor.ts'

type People = readonly { readonly username: string; readonly disabled_at: string | null }[]

test('an account is made with a password that is shown once, listed, stopped and let in again', async () => {
  using here = folder()
  const made = await here.json('user', 'create', 'alice', '--name', 'Alice Doe', '--email', 'alice@example.com')
  assert.deepEqual([made['username'], made['name'], made['email_verified']], ['alice', 'Alice Doe', false])
  const password = String(made['password'])
  assert.ok(password.length >= 20)
  const listed = await here.run(['user', 'list', '--json'])
  assert.doesNotMatch(listed.stdout, /password|argon2/)
  const state = async () => ((await here.json('user', 'list')) as unknown as People)[0]?.disabled_at
  assert.equal(await state(), null)
  await here.json('user', 'disable', 'alice')
  assert.match(String(await state()), /^\d{4}/)
  await here.json('user', 'enable', 'alice')
  assert.equal(await state(), null)
  const reset = await here.json('user', 'reset-password', 'alice')
  assert.notEqual(reset['password'], password)
})

test('a password that was handed in is taken and not shown', async () => {
  using here = folder()
  const secret = 'correct horse battery staple'
  const { code, stdout, stderr } = await here.run(['user', 'create', 'bob', '--password-file', '-', '--json'], {
    stdin: `${secret}\n`,
  })
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stdout, /password|horse/)
  here.write('same.yaml', `users: [{ username: bob, password: ${secret} }]\n`)
  assert.deepEqual(await here.json('plan', 'same.yaml'), { steps: [] })
})

test('somebody becomes an administrator of any kind there is, and no longer one', async () => {
  using here = folder()
  await here.json('user', 'create', 'alice', '--administrator', 'owner')
  await here.json('user', 'create', 'bob')
  for (const kind of [...administratorKinds, 'none'])
    assert.equal(
      (await here.json('user', 'administrator', 'bob', kind))['administrator'],
      kind === 'none' ? null : kind,
    )
  for (const words of [
    ['administrator', 'bob', 'king'],
    ['create', 'carol', '--administrator', 'king'],
  ]) {
    const { code, stderr } = await here.call(['user', ...words])
    assert.deepEqual([code, stderr.includes(administratorKinds.join(', '))], [2, true], stderr)
  }
})

test('a name that is taken ends with 4, one that cannot be with 2, one that is not there with 3', async () => {
  using here = folder()
  await here.json('user', 'create', 'alice')
  assert.equal((await here.call(['user', 'create', 'alice'])).code, 4)
  assert.equal((await here.call(['user', 'create', 'al ice'])).code, 2)
  // Whoever has no second factor has none to lose.
  assert.equal((await here.call(['user', 'reset-factors', 'alice'])).code, 3)
  for (const verb of ['disable', 'enable', 'reset-password', 'reset-factors']) {
    assert.equal((await here.call(['user', verb, 'nobody'])).code, 3, verb)
  }
})
