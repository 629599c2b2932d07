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
