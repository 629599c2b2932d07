/** No secret is found in logs, metrics, error answers or the database: every one used here sings, and then we listen. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Environment, runCommand, type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpResponse, type HttpClient, httpClientOf, basicHeader } from './http-client.ts'
import { requestIntrospection, requestRevocation, requestToken, seed, service, tokenIn } from './service-client.ts'

const device = 'urn:ietf:params:oauth:grant-type:device_code'
const ledger = 'https://ledger.example'
const declared = {
  resources: [...seed.resources, { identifier: ledger, name: 'Ledger', token_format: 'opaque' }],
  scopes: [...seed.scopes, { name: 'entries:read', description: 'See your entries', resource: ledger }],
  clients: seed.clients.map((client) => ({
    ...client,
    grant_types: ['client_credentials', device],
    scope: 'invoices:read entries:read',
  })),
}
const mail = { GRANTOR_MAIL_SMTP: 'smtp://127.0.0.1:9', GRANTOR_MAIL_FROM: 'grantor@example.com' }
const masterKey = 'zz9canary-master-key-of-more-than-32-characters'
const wrong = ['service', 'zz9canary-wrong-secret-of-32-characters-and-more'] as const

/** Uses every kind of secret in every place it can be put, right and wrong; returns what was said and what must not be found. */
async function sing(
  http: HttpClient,
  apiKey: string,
): Promise<{ readonly answers: readonly HttpResponse[]; readonly tokens: readonly string[] }> {
  const jwt = tokenIn(await requestToken(http))
  const grant = { grant_type: 'client_credentials', resource: ledger }
  const opaque = tokenIn(await http.send('/token', { basic: service, form: grant }))
  const kept = [
    await requestIntrospection(http, jwt),
    await requestIntrospection(http, opaque),
    await requestRevocation(http, jwt),
    await requestIntrospection(http, apiKey),
  ]
  const secrets = await registered(http)
  // The browser is told to keep it, and nobody else hears of it.
  for (const path of ['/reset-password', '/account/address']) {
    const { status, headers } = await http.send(`${path}?token=${link}`)
    assert.deepEqual([status, headers.location], [303, path])
  }
  const form = { ...grant, client_id: service[0], client_secret: service[1] }
  const misplaced = new URLSearchParams(form).toString()
  const answers = [
    await http.send('/token', { basic: wrong, form: grant }),
    await http.send('/token', { basic: ['zz9canary-nobody', service[1]], form: grant }),
    await http.send('/token', { basic: service, form }),
    await http.send('/token', { form: { ...form, grant_type: jwt } }),
    await http.send(`/token?${misplaced}`, { form: {} }),
    await http.send(`/jwks?access_token=${jwt}`),
    await http.send(`/${opaque}`),
    await http.send('/token', { basic: service, form: { ...grant, scope: opaque } }),
    await http.send('/introspect', { basic: wrong, form: { token: jwt } }),
    await http.send('/revoke', { form: { token: opaque, client_secret: wrong[1] } }),
    await http.send('/jwks', { headers: { authorization: `Bearer ${opaque}`, traceparent: jwt } }),
    ...(await misuse(http, secrets)),
    ...(await misusedKey(http, apiKey)),
  ]
  assert.deepEqual(
    kept.map((answer) => answer.status),
    [200, 200, 200, 200],
  )
  assert.equal((JSON.parse(kept.at(-1)?.body ?? '') as { readonly active: boolean }).active, true)
  return { answers, tokens: [jwt, opaque, apiKey, ...Object.values(secrets), link] }
}

/** As one that was mailed looks. */
const link = `gp_${'zz9canary-link-'.padEnd(43, 'x')}`

/** A client registers itself, and a device begins to sign somebody in: what they were told. */
async function registered(http: HttpClient): Promise<Readonly<Record<string, string>>> {
  const made = await http.send('/register', { json: { redirect_uris: ['https://client.example/cb'] } })
  assert.equal(made.status, 201, made.body)
  const client = JSON.parse(made.body) as Readonly<Record<string, string>>
  const { client_secret: secret = '', registration_access_token: access = '' } = client
  const asked = await http.send('/device_authorization', { basic: service, form: { scope: 'invoices:read' } })
  assert.equal(asked.status, 200, asked.body)
  const { device_code: code = '' } = JSON.parse(asked.body) as Readonly<Record<string, string>>
  const polled = await http.send('/token', { basic: service, form: { grant_type: device, device_code: code } })
  assert.equal(polled.status, 400, polled.body)
  return { secret, access, code }
}

/** The same where they do not belong. */
const misuse = (http: HttpClient, { secret = '', access = '', code = '' }: Readonly<Record<string, string>>) =>
  Promise.all([
    http.send(`/register/${access}`, { headers: { authorization: `Bearer ${access}` } }),
    http.send(`/register?access_token=${access}`),
    http.send('/token', { basic: ['nobody', secret], form: { grant_type: device, device_code: code } }),
    http.send('/introspect', { basic: service, form: { token: code } }),
    http.send(`/device?user_code=${code}&device_code=${code}`),
    http.send(`/logout?id_token_hint=${code}&state=${access}`),
  ])

/** A key where only tokens, secrets or nothing at all belong; and one that is mistyped. */
const misusedKey = (http: HttpClient, key: string) =>
  Promise.all([
    http.send(`/${key}`),
    http.send(`/jwks?access_token=${key}`),
    http.send('/userinfo', { headers: { authorization: `Bearer ${key}` } }),
    http.send('/v1/users', { headers: { authorization: `Bearer ${key}` } }),
    http.send('/token', { basic: [service[0], key], form: { grant_type: 'client_credentials' } }),
    http.send('/token', { basic: service, form: { grant_type: 'client_credentials', scope: key } }),
    http.send('/introspect', { basic: wrong, form: { token: key } }),
    http.send('/introspect', { basic: service, form: { token: `${key}x` } }),
  ])

function assertSilent(place: string, text: string, tokens: readonly string[]): void {
  const canaries = [
    'zz9canary-service',
    'zz9canary-wrong',
    'zz9canary-master',
    Buffer.from('zz9canary-service').toString('base64').slice(0, -2),
    basicHeader(service).slice(6),
    ...tokens,
    // A signature alone would make a bearer token of claims that anybody can guess.
    ...tokens.map((token) => token.split('.').at(-1) ?? token),
  ]
  for (const canary of canaries) assert.ok(!text.includes(canary), `${place} holds ${canary.slice(0, 24)}…`)
}

async function listen(env: Environment, database: (data: string) => Promise<string>): Promise<void> {
  using folder = temporaryFolder()
  using elsewhere = temporaryFolder()
  const options = {
    data: folder.path,
    seed: elsewhere.write('seed.json', declared),
    env: { GRANTOR_MASTER_KEY: masterKey, GRANTOR_LOG: 'trace', ...mail, ...env },
  }
  const server: Server = await startServer(options)
  using http = httpClientOf(server)
  const asked = ['--client', service[0], '--resource', 'https://api.example', '--name', 'Nightly']
  const made = await runCommand(['api-key', 'create', ...asked, '--json'], options)
  assert.equal(made.code, 0, made.stderr)
  const { key } = JSON.parse(made.stdout) as { readonly key: string }
  assert.match(key, /^gk_/)
  const { answers, tokens } = await sing(http, key)
  const listed = await runCommand(['api-key', 'list', '--json'], options)
  assert.match(listed.stdout, /Nightly/)
  assertSilent('the list of keys', listed.stdout, tokens)
  const metrics = await (await fetch(`http://127.0.0.1:${server.managementPort}/metrics`)).text()
  assert.equal(await server.stop(), 0)
  const log = await runCommand(['audit', 'export'], options)
  assert.ok(log.stdout.includes('token.issued'))
  assertSilent('the output', server.output(), tokens)
  assertSilent('the metrics', metrics, tokens)
  assertSilent('the audit log', log.stdout, tokens)
  assertSilent('the database', await database(folder.path), tokens)
  for (const { body, headers } of answers) assertSilent('an answer', body + JSON.stringify(headers), tokens)
}

/** All files of the data folder, byte for byte: the database, its write-ahead log, and whatever else lies there. */
async function filesOf(folder: string): Promise<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile())
  assert.ok(files.some((path) => path.endsWith('grantor.db')))
  return files.map((path) => readFileSync(path, 'latin1')).join('\n')
}

async function rowsOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query(
      "select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    assert.ok(tables.length > 5)
    let text = ''
    for (const { schemaname, tablename } of tables as { schemaname: string; tablename: string }[]) {
      const { rows } = await client.query(`select * from "${schemaname}"."${tablename}"`)
      for (const row of rows)
        for (const value of Object.values(row as object))
          text += Buffer.isBuffer(value) ? value.toString('latin1') : `${JSON.stringify(value)}\n`
    }
    return text
  } finally {
    await client.end()
  }
}

test('SQLite: no secret in logs, metrics, error answers, the audit log or any file of the data folder', async () => {
  await listen({}, filesOf)
})

test('PostgreSQL: no secret in logs, metrics, error answers, the audit log or any row', async () => {
  await using database = await temporaryDatabase()
  await listen({ ...database.settings }, () => rowsOf(database.url))
})
