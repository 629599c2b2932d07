/** API keys at the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isApiKey } from '@grantor/protocol/oauth'
import { folder } from './grantor.ts'

const objects = `resources:
  - { identifier: https://api.example, name: API }
scopes:
  - { name: 'a:read', resource: https://api.example, description: Read }
  - { name: 'a:write', resource: https://api.example, description: Write }
clients:
  - client_id: export
    grant_types: [client_credentials]
    token_endpoint_auth_method: client_secret_basic
    client_secret: zz9canary-zz9canary-zz9canary-zz9canary
    scope: a:read a:write
`
const flags = ['--client', 'export', '--resource', 'https://api.example', '--name', 'Nightly export']

test('an API key is shown once, listed without itself, and revoked', async () => {
  using here = folder()
  here.write('objects.yaml', objects)
  assert.equal((await here.call(['apply', 'objects.yaml'])).code, 0)
  const more = ['--scope', 'a:read', '--expires', '90d', '--address', '192.0.2.0/24', '--address', '2001:db8::1']
  const made = await here.json('api-key', 'create', ...flags, ...more)
  const key = String(made['key'])
  assert.ok(isApiKey(key))
  assert.deepEqual(
    [made['client_id'], made['resource'], made['scope'], made['addresses']],
    ['export', 'https://api.example', 'a:read', ['192.0.2.0/24', '2001:db8::1']],
  )
  const { stdout } = await here.call(['api-key', 'list', '--client', 'export'])
  assert.match(stdout, /Nightly export/)
  const listed = (await here.json('api-key', 'list')) as unknown as readonly Record<string, unknown>[]
  assert.deepEqual(
    listed.map((it) => [it['id'], it['scope'], it['last_used_at']]),
    [[made['id'], 'a:read', null]],
  )
  const none = (await here.json('api-key', 'list', '--resource', 'https://b.example')) as unknown
  assert.deepEqual(none, [])
  assert.equal((await here.call(['api-key', 'revoke', String(made['id'])])).code, 0)
  assert.equal((await here.call(['api-key', 'revoke', String(made['id'])])).code, 3)
  const { stdout: log } = await here.call(['audit', 'tail', '--json'])
  assert.match(log, /api_key\.created/)
  assert.match(log, /api_key\.revoked/)
  assert.ok(!`${stdout}${JSON.stringify(listed)}${log}`.includes(key.slice(3)))
})

test('what is wrong with a key that is asked for is told by its flag, and nothing is made', async () => {
  using here = folder()
  here.write('objects.yaml', objects)
  assert.equal((await here.call(['apply', 'objects.yaml'])).code, 0)
  for (const [said, ...wrong] of [
    ['--client', '--client', 'nobody'],
    ['--resource', '--resource', 'https://b.example'],
    ['--name', '--name', ''],
    ['--scope', '--scope', 'a:delete'],
    ['--expires', '--expires', 'soon'],
    ['--address', '--address', '10.0.0.1/8'],
  ] as const) {
    const { code, stdout, stderr } = await here.call(['api-key', 'create', ...flags, ...wrong])
    assert.equal(code, 2, said)
    assert.match(stderr, new RegExp(said))
    assert.doesNotMatch(stdout, /gk_/)
  }
  assert.notEqual((await here.call(['api-key', 'create'])).code, 0)
  assert.deepEqual(await here.json('api-key', 'list'), [])
})
