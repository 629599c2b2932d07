/** What the operator's log says of refusals: which check, what was expected, which setting; and never a secret. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually, operator, secret, startFeedDeployment } from '../feed/feed-deployment.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a secret by another method, an assertion for somebody else and keys that cannot be had are told apart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-log-'))
  const file = join(folder, 'log')
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  try {
    await using it = await startFeedDeployment('sqlite', { GRANTOR_LOG: 'warn', GRANTOR_LOG_FILE: file })
    const signing = {
      client_id: 'signing',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://keys.example.invalid/jwks',
      scope: 'invoices:read',
    }
    const applied = await it.deployment.authority.admin.declared.apply(operator, { clients: [signing] })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const form = { grant_type: 'client_credentials', client_id: 'svc', client_secret: secret }
    for (let n = 0; n < 3; n++) assert.equal((await it.ask('/token', { form })).status, 401)
    const claims = { iss: 'signing', sub: 'signing', jti: 'one', exp: Math.floor(Date.now() / 1000) + 60 }
    for (const aud of ['https://elsewhere.example', it.running.issuer]) {
      const assertion = `${part({ alg: 'ES256', kid: 'k' })}.${part({ ...claims, aud })}.${'A'.repeat(86)}`
      const signed = { grant_type: 'client_credentials', client_assertion_type: assertionType }
      assert.equal((await it.ask('/token', { form: { ...signed, client_assertion: assertion } })).status, 401)
    }
    await eventually(
      async () => lines().some(({ reason }) => reason === 'assertion_key'),
      'the last refusal in the log',
    )
    const refused = lines().filter(({ msg }) => msg === 'a client was not authenticated')
    assert.deepEqual(
      refused.map(({ clientId, reason, expected, setting }) => [clientId, reason, expected, setting]),
      [
        ['svc', 'sent_client_secret_post', 'client_secret_basic', undefined],
        ['signing', 'assertion_aud', undefined, 'assertion_audience'],
        ['signing', 'assertion_key', undefined, undefined],
      ],
    )
    const asked = lines().find(({ host }) => host === 'keys.example.invalid')
    assert.equal(typeof asked?.['check'], 'string')
    assert.ok(!readFileSync(file, 'utf8').includes(secret))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a server of others that cannot be asked: the log names the host, what for, which client, and the setting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-log-'))
  const file = join(folder, 'log')
  try {
    await using it = await startFeedDeployment('sqlite', { GRANTOR_LOG: 'warn', GRANTOR_LOG_FILE: file })
    const { outbound, authority } = it.deployment
    const closed = 'https://10.0.0.1'
    const purposes = ['logo_uri', 'jwks_uri'] as const
    const metadata = {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      scope: 'invoices:read',
    }
    // Names that nobody has: what is registered may still not be there.
    const asked = [
      {
        client_id: 'pictured',
        ...metadata,
        jwks_uri: 'https://keys.invalid/jwks',
        logo_uri: 'https://logo.invalid/l.png',
      },
    ]
    const applied = await authority.admin.declared.apply(operator, { clients: asked })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    await it.ask('/logos?client_id=pictured')
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: 'pictured', sub: 'pictured', aud: it.running.issuer, jti: 'one', exp: now + 60 }
    const assertion = `${part({ alg: 'ES256', kid: 'k' })}.${part(claims)}.${'A'.repeat(86)}`
    const signed = { grant_type: 'client_credentials', client_assertion_type: assertionType }
    await it.ask('/token', { form: { ...signed, client_assertion: assertion } })
    const sector = { redirect_uris: ['https://client.example/cb'], subject_type: 'pairwise' }
    await it.ask('/register', { json: { ...sector, sector_identifier_uri: 'https://sector.invalid/list.json' } })
    const document = new URLSearchParams({ client_id: 'https://document.invalid/app', response_type: 'code' })
    await it.ask(`/authorize?${document.toString()}`, { headers: { accept: 'text/html' } })
    // As the delivery of a logout asks, and keys at an address that became private: closed by a setting.
    await outbound.deliver(`${closed}/out`, {}, { purpose: 'backchannel_logout_uri', clientId: 'web' })
    const lines = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'asked another server')
    await eventually(async () => new Set(lines().map(({ purpose }) => purpose)).size >= 5, 'all five in the log')
    const named = (purpose: string) => lines().find((line) => line['purpose'] === purpose)
    for (const purpose of purposes) assert.equal(named(purpose)?.['clientId'], 'pictured', purpose)
    assert.equal(named('sector_identifier_uri')?.['host'], 'sector.invalid')
    assert.equal(named('client_metadata_document')?.['clientId'], 'https://document.invalid/app')
    const { clientId, setting, outcome } = named('backchannel_logout_uri') ?? {}
    assert.deepEqual([clientId, outcome, setting], ['web', 'address', 'outbound.allow'])
    for (const line of lines()) assert.equal(typeof line['check'], 'string')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
