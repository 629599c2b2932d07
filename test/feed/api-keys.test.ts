/** API keys and real processes: what was revoked stays revoked when the server is killed in the middle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createValidator } from '@grantor/resource'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Server, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, service, unlimited } from '../faults/service-client.ts'
import { api, eventually, seed as base } from './validators.ts'

const keeper = ['keeper', 'zz9canary-keeper-secret-of-32-characters'] as const
const seed = {
  ...base,
  clients: [
    ...base.clients,
    {
      client_id: keeper[0],
      client_secret: keeper[1],
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'admin:api-keys:write',
    },
  ],
}
const reader = seed.clients.find((client) => 'resource_server' in client) ?? assert.fail()
const count = 60

async function keysOf(http: HttpClient): Promise<readonly string[]> {
  const form = { grant_type: 'client_credentials' }
  const granted = await http.send('/token', { form, basic: keeper })
  const { access_token: token } = JSON.parse(granted.body) as { access_token: string }
  const json = { name: 'Export', client_id: service[0], resource: api }
  const make = async (): Promise<string> => {
    const made = await http.send('/v1/api-keys', { json, headers: { authorization: `Bearer ${token}` } })
    assert.equal(made.status, 201, made.body)
    return (JSON.parse(made.body) as { key: string }).key
  }
  return Promise.all(Array.from({ length: count }, make))
}

function validatorOf({ issuer, ca }: Pick<Server, 'issuer' | 'ca'>) {
  const credentials = { clientId: reader.client_id, clientSecret: reader.client_secret }
  const validator = createValidator({
    audience: api,
    issuers: [{ issuer, credentials, apiKeys: true }],
    ca: ca ?? '',
    onTrouble: () => {},
  })
  return {
    validator,
    async verdict(key: string): Promise<string> {
      const verdict = await validator.validate({ authorization: `Bearer ${key}` })
      return verdict.kind === 'ok' ? 'accepted' : verdict.error.code
    },
    [Symbol.asyncDispose]: () => validator.close(),
  }
}

async function killedAmongRevocations(options: ServerOptions): Promise<void> {
  const first = await startServer(options)
  await using early = validatorOf(first)
  using http = httpClientOf(first)
  await early.validator.whenReady()
  const keys = await keysOf(http)
  for (const key of keys) assert.equal(await early.verdict(key), 'accepted')
  const acknowledged: string[] = []
  const waiting = [...keys]
  const revoke = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const answer = await requestRevocation(http, key).catch(() => null)
      if (answer === null) return
      if (answer.status === 200) acknowledged.push(key)
      if (acknowledged.length === count / 3) await first.kill()
    }
  }
  await Promise.all(Array.from({ length: 4 }, revoke))
  assert.ok(acknowledged.length >= count / 3 && acknowledged.length < count)
  await using second = await startServer({ ...options, env: { ...options.env, GRANTOR_PORT: String(first.port) } })
  await using late = validatorOf(second)
  await late.validator.whenReady()
  for (const key of acknowledged) assert.equal(await late.verdict(key), 'invalid_token')
  // Who was there all the time hears of it by the feed, or asks.
  for (const key of acknowledged) {
    const isRefused = async () => ['token_revoked', 'invalid_token'].includes(await early.verdict(key))
    await eventually(isRefused, 'an acknowledged revocation is heard of')
  }
}

test('SQLite: kill -9 among revocations of API keys; each that was acknowledged is refused after the restart', async () => {
  using folder = temporaryFolder()
  await killedAmongRevocations({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
})

test('PostgreSQL: kill -9 among revocations of API keys; each that was acknowledged is refused after the restart', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const masterKey = { GRANTOR_MASTER_KEY: 'a-master-key-for-feed-tests-0123456789' }
  const env = { ...unlimited, ...masterKey, ...database.settings }
  await killedAmongRevocations({ data: folder.path, seed: folder.write('seed.json', seed), env })
})
