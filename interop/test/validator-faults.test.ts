/** A validator that cannot do its work at a real server says why, in one line, and in the health of its API. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { resourceServer } from '@grantor/api'
import { fetchHandler } from '@grantor/api/fetch'
import { createValidator, systemTime, type IssuerFault, type Validator, type ValidatorOptions } from '@grantor/resource'
import { api } from '../deployments.ts'
import { freePort } from '../plain-browser.ts'
import { type Server, startServer, temporaryFolder } from '../server.ts'

const secret = 'a-secret-of-32-or-more-characters-long'
const seed = {
  resources: [{ identifier: api, name: 'Invoices', token_format: 'jwt' }],
  clients: [
    {
      client_id: 'invoices',
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: 'revocations:read events:report',
      resource_server: api,
    },
  ],
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(50)
}

const validatorAt = (issuer: string, more: Partial<ValidatorOptions>, clientSecret = secret) =>
  createValidator({
    audience: api,
    issuers: [{ issuer, credentials: { clientId: 'invoices', clientSecret } }],
    ...more,
  })

interface Health {
  readonly status: number | string
  readonly faults?: readonly { readonly code: string; readonly issuer: string; readonly reason: string }[]
}

async function healthOf(validator: Validator, issuer: string): Promise<{ status: number; text: string; told: Health }> {
  const server = resourceServer({
    name: 'Invoices',
    audience: api,
    issuers: [issuer],
    validator,
    versions: [{ name: 'v1', collections: [] }],
  })
  const response = await fetchHandler(server)(new Request(`${api}/health/ready`))
  const text = await response.text()
  return { status: response.status, text, told: JSON.parse(text) as Health }
}

const ask = (validator: Validator) => validator.validate({ authorization: 'Bearer nobody' })

test('a wrong secret, a missing authority, a clock that is off, an issuer that is away: each is stated once, and its end', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const port = await freePort()
  const env = { GRANTOR_LOG: 'warn', GRANTOR_PORT: String(port) }
  const start = () => startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  let server: Server = stack.use(await start())
  const { issuer } = server
  const ca = server.ca ?? ''
  const opened = (more: Partial<ValidatorOptions>, clientSecret?: string) => {
    const told: IssuerFault[] = []
    const validator = validatorAt(issuer, { onTrouble: (fault) => told.push(fault), ...more }, clientSecret)
    stack.defer(() => validator.close())
    return { validator, told, stated: () => told.map(({ code, state }) => `${code} ${state}`) }
  }

  const wrong = opened({ ca }, 'another-secret-of-32-or-more-characters')
  await until(() => wrong.told.length > 0)
  for (let n = 0; n < 20; n++) await ask(wrong.validator)
  assert.deepEqual(wrong.stated(), ['client_refused begun'])
  assert.match(
    wrong.told[0]?.message ?? '',
    /\/token refuses .*\(401 invalid_client\): check its client id and its secret/,
  )
  assert.doesNotMatch(wrong.told[0]?.message ?? '', /another-secret/)
  const health = await healthOf(wrong.validator, issuer)
  assert.equal(health.status, 503)
  assert.deepEqual(
    health.told.faults?.map((one) => [one.issuer, one.code]),
    [[issuer, 'client_refused']],
  )
  assert.doesNotMatch(health.text, /invoices-|secret-of/)

  const untrusting = opened({})
  await until(() => untrusting.told.length > 0)
  assert.deepEqual(untrusting.stated(), ['certificate_untrusted begun'])
  assert.match(untrusting.told[0]?.message ?? '', /(SELF_SIGNED_CERT|UNABLE_TO)\w+\): give the authority .* `ca`/)
  assert.match((await healthOf(untrusting.validator, issuer)).text, /certificate_untrusted/)

  const late = opened({
    ca,
    time: { ...systemTime, now: () => (Date.now() + 600_000) as ReturnType<typeof systemTime.now> },
  })
  await until(() => late.told.some(({ code }) => code === 'clock_differs'))
  assert.match(late.told.find(({ code }) => code === 'clock_differs')?.message ?? '', /(599|600) s ahead/)

  const fine = opened({ ca })
  await fine.validator.whenReady()
  assert.deepEqual(fine.stated(), [])
  assert.deepEqual((await healthOf(fine.validator, issuer)).told, { status: 'ok' })
  await server.stop()
  await until(() => fine.told.length > 0)
  assert.match(fine.told[0]?.message ?? '', /cannot be reached \(E\w+\)/)
  const away = await healthOf(fine.validator, issuer)
  assert.deepEqual([away.status, away.told.faults?.[0]?.code], [200, 'issuer_unreachable'])
  server = stack.use(await start())
  await until(() => fine.told.length > 1)
  assert.deepEqual(fine.stated(), ['issuer_unreachable begun', 'issuer_unreachable over'])
  assert.deepEqual(fine.validator.faults?.(), [])
})

test('where nobody takes it, it is one line on stderr', async (t) => {
  const lines = t.mock.method(console, 'error', () => {})
  const issuer = `https://127.0.0.1:${await freePort()}`
  const validator = validatorAt(issuer, {})
  await until(() => lines.mock.callCount() > 0)
  for (let n = 0; n < 20; n++) await ask(validator)
  await validator.close()
  assert.deepEqual(
    lines.mock.calls.map(({ arguments: stated }) => stated),
    [[`grantor: ${issuer}: ${issuer} cannot be reached (ECONNREFUSED)`]],
  )
})
