/** The command line beside a running server: each sees what the other does. */
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { type Folder, folder } from './grantor.ts'
import { requestJson } from './https.ts'

const objects = `resources: [{ identifier: https://api.example, name: API }]
scopes: [{ name: a:read, description: Read, resource: https://api.example }]
`
const issuer = { GRANTOR_ISSUER: 'https://localhost:8443' }

async function withClient(here: Folder): Promise<string> {
  here.write('objects.yaml', objects)
  await here.json('apply', 'objects.yaml')
  const made = await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials', '--scope', 'a:read')
  return String(made['client_secret'])
}

test('a client made and deleted beside a running server is known to it and then unknown', async () => {
  using here = folder()
  await using server = await here.start()
  const secret = await withClient(here)
  const token = () =>
    requestJson(`https://localhost:${server.ready.port}/token`, {
      folder: here,
      form: { grant_type: 'client_credentials' },
      basic: ['svc', secret],
    })
  assert.equal((await token()).status, 200)
  await here.json('client', 'delete', 'svc')
  assert.equal((await token()).status, 401)
})

test('a rotated secret works at once, and the old one ends with its overlap', async () => {
  using here = folder()
  await using server = await here.start()
  const old = await withClient(here)
  const status = async (secret: string) =>
    (
      await requestJson(`https://localhost:${server.ready.port}/token`, {
        folder: here,
        form: { grant_type: 'client_credentials' },
        basic: ['svc', secret],
      })
    ).status
  assert.equal(await status(old), 200)
  const newest = String((await here.json('client', 'rotate-secret', 'svc'))['client_secret'])
  assert.deepEqual([await status(newest), await status(old)], [200, 200])
  const last = String((await here.json('client', 'rotate-secret', 'svc', '--overlap', '0'))['client_secret'])
  assert.deepEqual([await status(last), await status(newest), await status(old)], [200, 401, 401])
})

test('a token is inspected and revoked at the command line, and the server refuses it', async () => {
  using here = folder()
  await using server = await here.start([], issuer)
  const secret = await withClient(here)
  const base = `https://localhost:${server.ready.port}`
  const basic = ['svc', secret] as const
  const { body } = await requestJson(`${base}/token`, {
    folder: here,
    form: { grant_type: 'client_credentials' },
    basic,
  })
  const token = String(body['access_token'])
  const active = async () =>
    (await requestJson(`${base}/introspect`, { folder: here, form: { token }, basic })).body['active']
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await here.run([...args, '--json'], { stdin: `${token}\n`, env: issuer })
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const before = await run('token', 'inspect', token)
  assert.deepEqual(
    [before['active'], before['client_id'], before['scope'], before['revoked_at']],
    [true, 'svc', 'a:read', null],
  )
  assert.equal(await active(), true)
  assert.deepEqual(await run('token', 'revoke', '-'), { revoked: true, already: false })
  assert.equal(await active(), false)
  assert.deepEqual(await run('token', 'revoke'), { revoked: true, already: true })
  const after = await run('token', 'inspect')
  assert.equal(after['active'], false)
  assert.match(String(after['revoked_at']), /^\d{4}-\d\d-\d\dT/)
  const strange = await here.run(['token', 'inspect', 'ga_nothing'])
  assert.equal(strange.code, 3)
})

test('audit tail --follow shows what happens as it happens, without a gap, until it is told to stop', async () => {
  using here = folder()
  await here.json('client', 'create', 'first', '--grant-type', 'client_credentials')
  const tail = here.spawn(['audit', 'tail', '--follow', '--json'])
  try {
    const lines = createInterface(tail.stdout)[Symbol.asyncIterator]()
    const next = async () =>
      JSON.parse(String((await lines.next()).value)) as { seq: number; name: string; client_id: string | null }
    let event = await next()
    while (event.client_id !== 'first') event = await next()
    await here.json('client', 'create', 'second', '--grant-type', 'client_credentials')
    await here.json('client', 'delete', 'second')
    const [made, deleted] = [await next(), await next()]
    assert.deepEqual([made.name, made.client_id, made.seq], ['client.registered', 'second', event.seq + 1])
    assert.deepEqual([deleted.name, deleted.client_id, deleted.seq], ['client.deleted', 'second', event.seq + 2])
    tail.kill('SIGTERM')
    assert.equal(await new Promise((resolve) => tail.once('exit', resolve)), 0)
  } finally {
    tail.kill('SIGKILL')
  }
})
