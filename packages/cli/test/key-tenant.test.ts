/** Keys and tenants at the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Folder, folder } from './grantor.ts'

interface Key {
  readonly kid: string
  readonly alg: string
  readonly state: string
}

const keys = async (here: Folder) => (await here.json('key', 'list')) as unknown as readonly Key[]
const states = (list: readonly Key[], alg: string) => list.filter((key) => key.alg === alg).map(({ state }) => state)

test('rotate publishes and waits, --now signs at once and keeps the old key, drop removes one', async () => {
  using here = folder()
  await using server = await here.start()
  assert.ok(server.ready.port > 0)
  const first = await keys(here)
  assert.ok(first.length > 0, 'a started server has its ring')
  assert.deepEqual([...new Set(first.map(({ state }) => state))], ['current'])
  const { alg } = first[0] ?? { alg: '' }
  await here.json('key', 'rotate')
  assert.deepEqual(states(await keys(here), alg), ['current', 'next'])
  await here.json('key', 'rotate', '--now')
  const rotated = await keys(here)
  assert.deepEqual(states(rotated, alg), ['retiring', 'current'])
  const { kid } = rotated.find((key) => key.state === 'retiring') ?? { kid: '' }
  assert.deepEqual(await here.json('key', 'drop', kid), { kid, dropped: true })
  assert.equal((await keys(here)).find((key) => key.kid === kid)?.state, 'dropped')
  assert.equal((await here.run(['key', 'drop', kid])).code, 4)
  assert.equal((await here.call(['key', 'drop', 'nothing'])).code, 3)
})

test('no listing of keys holds a private part', async () => {
  using here = folder()
  await using server = await here.start()
  assert.ok(server.ready.port > 0)
  const { stdout } = await here.call(['key', 'list', '--json'])
  assert.doesNotMatch(stdout, /"d"|"p"|"q"|sealed/)
  assert.match(stdout, /"public_jwk"/)
})

test('a tenant is created once, disabled, enabled, and never created by disabling', async () => {
  using here = folder()
  const made = await here.json('tenant', 'create', 'acme', '--name', 'Acme')
  assert.deepEqual([made['id'], made['name'], String(made['issuer']).endsWith('/t/acme')], ['acme', 'Acme', true])
  assert.equal((await here.call(['tenant', 'create', 'acme'])).code, 4)
  const state = async () =>
    ((await here.json('tenant', 'list')) as unknown as { id: string; disabled_at: string | null }[]).find(
      ({ id }) => id === 'acme',
    )?.disabled_at
  assert.equal(await state(), null)
  assert.match(String((await here.json('tenant', 'disable', 'acme'))['disabled_at']), /^\d{4}/)
  assert.match(String(await state()), /^\d{4}/)
  await here.json('tenant', 'enable', 'acme')
  assert.equal(await state(), null)
  assert.equal((await here.call(['tenant', 'disable', 'nobody'])).code, 3)
  assert.equal(((await here.json('tenant', 'list')) as unknown as unknown[]).length, 2)
})

test('a tenant is removed only after it was disabled, and its log stays', async () => {
  using here = folder()
  await here.json('tenant', 'create', 'acme')
  const early = await here.call(['tenant', 'remove', 'acme'])
  assert.equal(early.code, 4)
  assert.match(early.stderr, /disable it first/)
  await here.json('tenant', 'disable', 'acme')
  assert.deepEqual(await here.json('tenant', 'remove', 'acme'), { id: 'acme', removed: true })
  assert.equal((await here.call(['tenant', 'remove', 'acme'])).code, 3)
  const { stdout } = await here.call(['audit', 'export', '--tenant', 'acme'])
  assert.equal(stdout.trimEnd().split('\n').length, 3)
})

test('names that try to be something else are no tenants', async () => {
  using here = folder()
  for (const id of ['../etc', 'Acme', 'default', 'a b', 'аcme', "x';drop", 'xn--a', '-a', 'a'.repeat(41)]) {
    const { code, stderr } = await here.call(['tenant', 'create', '--', id])
    assert.equal(code, 2, `${id}: ${stderr}`)
  }
})

test('the clients of one tenant mean nothing in another', async () => {
  using here = folder()
  await here.json('tenant', 'create', 'acme')
  await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials', '--tenant', 'acme')
  assert.equal((await here.call(['client', 'show', 'svc'])).code, 3)
  assert.equal((await here.json('client', 'show', 'svc', '--tenant', 'acme'))['tenant'], 'acme')
})

test('a tenant that is not there is said to be, by every command that acts within one', async () => {
  using here = folder()
  const verbs = [
    ['client', 'list'],
    ['client', 'create', 'x', '--grant-type', 'client_credentials'],
    ['token', 'inspect', 'ga_x'],
    ['key', 'list'],
    ['key', 'rotate', '--now'],
    ['user', 'list'],
    ['user', 'create', 'x'],
    ['audit', 'head'],
  ]
  for (const verb of verbs) {
    const { code, stdout, stderr } = await here.call([...verb, '--tenant', 'nowhere'])
    assert.deepEqual([code, stdout], [3, ''], verb.join(' '))
    assert.match(stderr, /there is no tenant nowhere/)
  }
})
