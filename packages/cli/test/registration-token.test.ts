/** Initial access tokens at the command line, and what a declared tenant says of registration. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folder } from './grantor.ts'

test('RFC 7591 §3: a token to register with is shown once, listed without itself, and revoked', async () => {
  using here = folder()
  const made = await here.json('registration-token', 'create', '--uses', '3', '--expires', '24h')
  const token = String(made['token'])
  assert.match(token, /^gt_[\w-]{43}$/)
  const { stdout } = await here.call(['registration-token', 'list'])
  assert.match(stdout, /USES LEFT/)
  const listed = (await here.json('registration-token', 'list')) as unknown as readonly Record<string, unknown>[]
  assert.deepEqual(
    listed.map((it) => [it['id'], it['uses_left'], typeof it['expires_at']]),
    [[made['id'], 3, 'string']],
  )
  const { stdout: log } = await here.call(['audit', 'tail', '--json'])
  assert.ok(!`${stdout}${JSON.stringify(listed)}${log}`.includes(token.slice(3)))
  assert.match(log, /admin\.registration_token_changed/)
  assert.equal((await here.call(['registration-token', 'revoke', String(made['id'])])).code, 0)
  assert.equal((await here.call(['registration-token', 'revoke', String(made['id'])])).code, 3)
})

test('what is no count and no duration is said so', async () => {
  using here = folder()
  for (const wrong of [
    ['--uses', '0'],
    ['--uses', 'x'],
    ['--expires', '0s'],
    ['--expires', 'soon'],
    ['--expires', '3661d'],
    ['--expires', '999999999d'],
    ['--tenant', 'nobody'],
  ]) {
    const { code, stdout } = await here.call(['registration-token', 'create', ...wrong])
    assert.notEqual(code, 0, wrong.join(' '))
    assert.doesNotMatch(stdout, /gt_/)
  }
  assert.deepEqual(await here.json('registration-token', 'list'), [])
})

test('what a tenant says of registration is planned, applied and exported', async () => {
  using here = folder()
  const file = 'tenants:\n  - id: acme\n    registration: { mode: token, scopes: [openid], unused_life: 3600 }\n'
  here.write('objects.yaml', file)
  assert.match((await here.call(['plan', 'objects.yaml'])).stdout, /acme/)
  assert.equal((await here.call(['apply', 'objects.yaml'])).code, 0)
  const exported = await here.json('export')
  const [acme] = exported['tenants'] as readonly Record<string, unknown>[]
  assert.deepEqual(acme?.['registration'], { mode: 'token', scopes: ['openid'], unused_life: 3600 })
  here.write('exported.json', JSON.stringify(exported))
  assert.deepEqual(await here.json('plan', 'exported.json'), { steps: [] })
  here.write('changed.yaml', file.replace('token', 'off'))
  assert.match((await here.call(['plan', 'changed.yaml'])).stdout, /registration/)
  here.write('wrong.yaml', file.replace('token', 'ajar'))
  const wrong = await here.call(['plan', 'wrong.yaml'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /wrong\.yaml:3: tenants\[0\]\.registration\.mode/)
})
