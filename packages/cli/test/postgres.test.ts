/** The same commands over PostgreSQL, beside a running server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertKeyOpensOrders } from './demo-keys.ts'
import { type Folder, folder } from './grantor.ts'
import { requestJson } from './https.ts'
import { schema } from './schema.ts'

async function json(here: Folder, env: Readonly<Record<string, string>>, ...args: string[]) {
  const { code, stdout, stderr } = await here.run([...args, '--json'], { env })
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('a client made at the command line gets a token from a server on PostgreSQL, an API key opens Orders, and the log of both verifies', async () => {
  using here = folder()
  await using database = await schema()
  const { env } = database
  await using server = await here.start(['--demo'], env)
  await assertKeyOpensOrders(here, server, env)
  const made = await json(here, env, 'client', 'create', 'svc', '--grant-type', 'client_credentials')
  const basic = ['svc', String(made['client_secret'])] as const
  const { status } = await requestJson(`${server.ready.issuer}/token`, {
    folder: here,
    form: { grant_type: 'client_credentials' },
    basic,
  })
  assert.equal(status, 200)
  const report = await json(here, env, 'audit', 'verify')
  assert.deepEqual([report['ok'], report['damage']], [true, []])
  const tail = await here.run(['audit', 'tail', '--json'], { env })
  assert.match(tail.stdout, /"token\.issued"/)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

test('the SQLite backup says what to use instead', async () => {
  using here = folder()
  await using database = await schema()
  const absent = await here.call(['backup', 'x.db'], { env: database.env })
  assert.deepEqual([absent.code, /no database in the schema/.test(absent.stderr)], [3, true], absent.stderr)
  assert.equal((await here.call(['tenant', 'list'], { env: database.env })).code, 0)
  const { code, stderr } = await here.run(['backup', 'x.db'], { env: database.env })
  assert.equal(code, 2)
  assert.match(stderr, /pg_dump/)
})

test('several workers answer behind one ready line, and end with the process it names', async () => {
  using here = folder()
  await using database = await schema()
  await using server = await here.start(['--workers', '2'], database.env)
  assert.equal(server.ready.pid, server.process.pid)
  for (let time = 0; time < 4; time++)
    assert.equal((await requestJson(`${server.ready.issuer}/jwks`, { folder: here })).status, 200)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
  assert.equal(server.lines.length, 1)
  await assert.rejects(requestJson(`${server.ready.issuer}/jwks`, { folder: here }), /ECONNREFUSED/)
})
