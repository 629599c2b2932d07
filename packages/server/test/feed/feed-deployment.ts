/** A listening deployment, and validators of an API beside it, as they are in production: over TLS, by the toolkit's own means. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '@grantor/protocol/types'
import { createValidator, type IssuerOptions, type Validator, type ValidatorOptions } from '@grantor/resource'
import pg from 'pg'
import { compose, type Deployment } from '../../src/compose.ts'
import { sqliteFile } from '../../src/compose-store.ts'
import { loadSettings } from '../../src/config/load.ts'
import { listen, type RunningServer } from '../../src/listen.ts'
import { type CallAnswer, type HttpsClient, httpsClient } from './https-client.ts'

export const api = 'https://api.example'
export const secret = 'zz9canary-secret-of-more-than-32-characters'
export const redirectUri = 'https://client.example/cb'
export const operator = { kind: 'operator', id: 'test' } as const

export const machine = (id: string, scope: string): JsonObject => ({
  client_id: id,
  client_secret: secret,
  grant_types: ['client_credentials'],
  response_types: [],
  scope,
})

const objects: JsonObject = {
  resources: [
    { identifier: api, name: 'Invoices API' },
    { identifier: 'https://opaque.example', token_format: 'opaque' },
  ],
  scopes: [
    { name: 'invoices:read', description: 'See invoices', resource: api },
    { name: 'files:read', description: 'See files', resource: 'https://opaque.example' },
  ],
  clients: [
    machine('svc', 'invoices:read files:read'),
    machine('other', 'invoices:read metrics:read'),
    { ...machine('api', 'revocations:read events:report'), resource_server: api },
  ],
}

export const declaration: JsonObject = {
  ...objects,
  clients: [
    ...(objects['clients'] as readonly JsonObject[]),
    {
      ...machine('web', 'openid offline_access invoices:read'),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
    },
    {
      ...machine('pairwise', 'openid offline_access invoices:read'),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      subject_type: 'pairwise',
    },
  ],
  users: ['alice', 'bob', 'carol', 'dave'].map((username) => ({ username, password: 'correct-horse' })),
  tenants: [
    { id: 'acme', name: 'Acme', ...objects },
    { id: 'globex', name: 'Globex', ...objects },
  ],
}

export interface FeedDeployment extends AsyncDisposable {
  readonly deployment: Deployment
  readonly running: RunningServer
  /** A token of the tenant for the API, over HTTP. */
  token(client?: string, more?: Readonly<Record<string, string>>, tenant?: string): Promise<string>
  /** A form from an authenticated client. */
  post(path: string, client: string, form: Readonly<Record<string, string>>): Promise<CallAnswer>
  readonly ask: HttpsClient['ask']
  readonly open: HttpsClient['open']
  /** What somebody with access to the database could do. */
  tamper(sql: string): Promise<void>
  validator(issuer?: Partial<IssuerOptions>, more?: Partial<ValidatorOptions>): Validator
}

export type Database = 'sqlite' | 'postgres'
/** One alone where many runs are made and none is about the database (scripts/mutation/test-runs.ts). */
export const databases: readonly Database[] =
  process.env['GRANTOR_TEST_DATABASES'] === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']

export async function startFeedDeployment(
  database: Database = 'sqlite',
  env: Readonly<Record<string, string>> = {},
): Promise<FeedDeployment> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-feed-'))
  const schema = `feed_${randomBytes(6).toString('hex')}`
  const url = process.env['GRANTOR_TEST_DATABASE_URL']
  assert.ok(database === 'sqlite' || url !== undefined, 'GRANTOR_TEST_DATABASE_URL must name a PostgreSQL server')
  const databaseSettings: Readonly<Record<string, string>> =
    database === 'sqlite'
      ? {}
      : {
          GRANTOR_DATABASE_URL: url ?? '',
          GRANTOR_DATABASE_SCHEMA: schema,
          GRANTOR_DATABASE_POOL: '3',
          GRANTOR_DATABASE_TIMEOUT: '60s',
          GRANTOR_MASTER_KEY: 'a master key of the test, long enough',
        }
  const base = { GRANTOR_DATA: folder, GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0', GRANTOR_LOG: 'silent' }
  const loaded = loadSettings({ flags: {}, env: { ...base, ...databaseSettings, ...env }, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  const deployment = await compose(loaded.value.settings, 'server')
  const applied = await deployment.authority.admin.declared.apply(operator, declaration)
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const running = await listen(deployment)
  const { issuer } = running
  const ca = readFileSync(running.caFile ?? '', 'utf8')
  const validators: Validator[] = []
  const { ask, open, close } = httpsClient(issuer, ca)
  const tamper = async (sql: string): Promise<void> => {
    if (database === 'sqlite') {
      using file = new DatabaseSync(sqliteFile(loaded.value.settings), { timeout: 5000 })
      return file.exec(sql)
    }
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
    await client.connect()
    await client.query(sql)
    return client.end()
  }
  const post: FeedDeployment['post'] = (path, client, form) =>
    ask(path, { form, headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` } })
  return {
    deployment,
    running,
    ask,
    open,
    post,
    async token(client = 'svc', more = { scope: 'invoices:read' }, tenant = '') {
      const answer = await post(`${tenant}/token`, client, { grant_type: 'client_credentials', ...more })
      assert.equal(answer.status, 200, answer.body)
      return String(answer.json()['access_token'])
    },
    tamper,
    validator(of = {}, more = {}) {
      const validator = createValidator({
        audience: api,
        issuers: [{ issuer, tenants: true, credentials: { clientId: 'api', clientSecret: secret }, ...of }],
        ca,
        ...more,
      })
      validators.push(validator)
      return validator
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(validators.map((validator) => validator.close()))
      close()
      await running.close()
      rmSync(folder, { recursive: true })
      if (database === 'postgres') await tamper(`drop schema if exists ${schema} cascade`)
    },
  }
}

/** The verdict's code; 'accepted' for a good one. */
export async function verdictOf(validator: Validator, token: string): Promise<string> {
  const verdict = await validator.validate({ authorization: `Bearer ${token}` })
  return verdict.kind === 'ok' ? 'accepted' : verdict.error.code
}

/** Looks until it is so. The bound is no measurement: what takes this long is broken. */
export async function eventually(is: () => Promise<boolean>, what: string, bound = 60_000): Promise<void> {
  const deadline = performance.now() + bound
  while (!(await is())) {
    if (performance.now() > deadline) throw new Error(`not within ${bound} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
