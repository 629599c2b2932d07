/** A stolen database, write-ahead log included, tells nothing: no key, password, secret or token, in any form. */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compose, defaultTenant, type Deployment, loadSettings } from '@grantor/server'
import { formOf } from '@grantor/protocol/oauth'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { temporaryFolder } from '../../interop/server.ts'
import { deviceGrant, issueSecrets, television } from './issued-secrets.ts'

const master = 'zz9canary-master-key-of-more-than-32-characters'
const secret = 'zz9canary-secret-of-more-than-32-characters'
const password = 'zz9canary-password'
const operator = { kind: 'operator', id: 'test' } as const
const declared = {
  resources: [
    { identifier: 'https://api.example', token_format: 'jwt' },
    { identifier: 'https://opaque.example', token_format: 'opaque' },
  ],
  scopes: [
    { name: 'a:read', description: 'A', resource: 'https://api.example' },
    { name: 'b:read', description: 'B', resource: 'https://opaque.example' },
  ],
  users: [{ username: 'alice', password }],
  clients: [
    { client_id: 'svc', client_secret: secret, grant_types: ['client_credentials'], scope: 'a:read b:read' },
    { client_id: television, token_endpoint_auth_method: 'none', grant_types: [deviceGrant], scope: 'a:read' },
  ],
}

async function tokenFor({ authority }: Deployment, scope: string): Promise<string> {
  const answer = await authority.token({
    tenant: defaultTenant,
    form: formOf(new URLSearchParams({ grant_type: 'client_credentials', scope })),
    authorization: `Basic ${Buffer.from(`svc:${secret}`).toString('base64')}`,
    clientCertificate: null,
    proof: null,
    ip: null,
    traceId: null,
  })
  assert.ok(answer.kind === 'ok')
  return answer.value['access_token'] as string
}

/** Everything that must not be found, as bytes. A part of a key is as good as all of it. */
async function canariesOf(deployment: Deployment): Promise<readonly Buffer[]> {
  const tokens = [await tokenFor(deployment, 'a:read'), await tokenFor(deployment, 'b:read')]
  await deployment.authority.begin()
  assert.ok((await deployment.authority.admin.keys.rotate(operator, defaultTenant, { now: true })).kind === 'ok')
  const secrets: Buffer[] = []
  for (const { tenant, kid, alg, sealedPrivate } of await deployment.store.keys.list(defaultTenant)) {
    const der = deployment.vault.open(sealedPrivate, `signing-key ${tenant} ${alg} ${kid}`)
    assert.ok(der, 'the test itself can open it')
    const jwk = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
    secrets.push(Buffer.from(der))
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
      if (jwk[part] !== undefined) secrets.push(Buffer.from(jwk[part], 'base64url'))
    }
  }
  assert.ok(secrets.length >= 4)
  const auditKey = deployment.vault.open(await deployment.store.keys.auditKey(), 'audit-key')
  assert.ok(auditKey)
  const given = (await issueSecrets(deployment, { username: 'alice', password })).map((it) => Buffer.from(it))
  const bytes = [
    ...secrets,
    ...given,
    Buffer.from(auditKey),
    ...[master, secret, password].map((it) => Buffer.from(it)),
  ]
  return [
    ...bytes.flatMap(spellings),
    ...tokens.flatMap((token) => [token, token.split('.').at(-1) ?? '']).map((it) => Buffer.from(it)),
  ]
}

/** Raw, hexadecimal, and base64 wherever it may begin in a longer text (PEM, DER in text, JWK). */
function spellings(secretBytes: Buffer): readonly Buffer[] {
  const inner = [0, 1, 2].map((skip) => secretBytes.subarray(skip, skip + 24))
  const base64 = inner.flatMap((part) => [part.toString('base64'), part.toString('base64url')])
  const hex = [secretBytes.toString('hex'), secretBytes.toString('hex').toUpperCase()]
  const reversed = Buffer.from(secretBytes.toReversed())
  return [secretBytes, reversed, ...[...base64, ...hex].map((text) => Buffer.from(text))]
}

async function steal(env: Readonly<Record<string, string>>, loot: (data: string) => Promise<Buffer>): Promise<void> {
  using folder = temporaryFolder()
  // Nobody listens there: what is mailed stays in the queue.
  const mail = { GRANTOR_MAIL_SMTP: 'smtp://127.0.0.1:1', GRANTOR_MAIL_FROM: 'login@example.com' }
  const all = { GRANTOR_DATA: folder.path, GRANTOR_MASTER_KEY: master, ...mail, ...env }
  const loaded = loadSettings({ flags: {}, env: all, cwd: folder.path })
  assert.ok(loaded.kind === 'ok')
  const deployment = await compose(loaded.value.settings, 'server')
  try {
    const applied = await deployment.authority.admin.declared.apply(operator, declared)
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const canaries = await canariesOf(deployment)
    const stolen = await loot(folder.path)
    assert.ok(stolen.includes('alice') && stolen.includes('a:read'), 'the loot is the database')
    for (const canary of canaries)
      assert.ok(!stolen.includes(canary), `found: ${canary.subarray(0, 12).toString('hex')}…`)
  } finally {
    await deployment.close()
  }
}

test('SQLite: nothing is readable from the file and its write-ahead log, taken while the server runs', async () => {
  await steal({}, async (data) => {
    const files = readdirSync(data).filter((name) => name.startsWith('grantor.db'))
    assert.ok(files.includes('grantor.db-wal'))
    return Buffer.concat(files.map((name) => readFileSync(join(data, name))))
  })
})

test('PostgreSQL: nothing is readable from a dump of every table', async () => {
  await using database = await temporaryDatabase()
  await steal({ ...database.settings }, async () => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query("select tablename from pg_tables where schemaname = 'grantor'")
    const parts: Buffer[] = []
    for (const { tablename } of rows as { tablename: string }[]) {
      const dump = await client.query(`select * from grantor."${tablename}"`)
      for (const row of dump.rows as object[])
        for (const value of Object.values(row))
          parts.push(
            Buffer.isBuffer(value)
              ? value
              : Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`),
          )
    }
    await client.end()
    assert.ok(rows.length > 10)
    return Buffer.concat(parts)
  })
})
