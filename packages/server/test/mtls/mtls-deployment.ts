/** A listening deployment that trusts an authority of client certificates, and calls with and without certificates. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '@grantor/protocol/types'
import pg from 'pg'
import { compose, type Deployment } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import { listen, type RunningServer } from '../../src/listen.ts'
import { type CertificateAndKey, issueCertificate } from '../../src/tls/issue-certificate.ts'

export const operator = { kind: 'operator', id: 'test' } as const
export const api = 'https://api.example'
export const secret = 'a-secret-of-32-or-more-characters-long'

const day = 86_400_000

/** From and to which day it is good, today being 0. */
export const valid = (from = -1, to = 1) => ({
  notBefore: new Date(Date.now() + from * day),
  notAfter: new Date(Date.now() + to * day),
})

export const newAuthority = (name = 'CN=Clients'): Promise<CertificateAndKey> =>
  issueCertificate({ name, validity: valid(-10, 10), names: null, signer: null })

interface Wish {
  readonly name?: string
  readonly names?: readonly string[]
  readonly days?: readonly [number, number]
  readonly purpose?: 'server' | 'client'
}

/** A certificate of a client; signed by itself where no authority is named. */
export const newCertificate = (
  signer: CertificateAndKey | null,
  { name = 'CN=client', names = [], days = [-1, 1], purpose = 'client' }: Wish = {},
): Promise<CertificateAndKey> => issueCertificate({ name, validity: valid(...days), names, signer, purpose })

export const derOf = ({ cert }: CertificateAndKey): Buffer => new X509Certificate(cert).raw
export const thumbprintOf = (it: CertificateAndKey): string =>
  createHash('sha256').update(derOf(it)).digest('base64url')
export const jwkOf = ({ cert }: CertificateAndKey): JsonObject =>
  new X509Certificate(cert).publicKey.export({ format: 'jwk' }) as JsonObject

export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
  json(): JsonObject
}

export interface Call {
  readonly certificate?: CertificateAndKey | null
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** The address the call comes from. */
  readonly from?: string
}

export interface MtlsDeployment extends AsyncDisposable {
  readonly deployment: Deployment
  readonly running: RunningServer
  readonly authority: CertificateAndKey
  readonly folder: string
  /** At the port that asks for certificates, unless a whole address is given. */
  post(path: string, form: Readonly<Record<string, string>>, call?: Call): Promise<Answer>
  get(path: string, call?: Call): Promise<Answer>
  /** Reasons in the operator's log, the newest last. */
  reasons(): readonly string[]
}

export type Database = 'sqlite' | 'postgres'
const testDatabase = process.env['GRANTOR_TEST_DATABASE_URL']
export const databases: readonly Database[] = testDatabase === undefined ? ['sqlite'] : ['sqlite', 'postgres']

export async function startMtls(
  database: Database = 'sqlite',
  env: Readonly<Record<string, string>> = {},
): Promise<MtlsDeployment> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-mtls-'))
  const authority = await newAuthority()
  const [clientCa, logFile] = [join(folder, 'clients.pem'), join(folder, 'log')]
  writeFileSync(clientCa, authority.cert)
  const schema = `grantor_mtls_${randomBytes(6).toString('hex')}`
  const base = {
    GRANTOR_DATA: folder,
    GRANTOR_PORT: '0',
    GRANTOR_MTLS_PORT: '0',
    GRANTOR_MANAGEMENT_PORT: '0',
    GRANTOR_MTLS_CLIENT_CA: clientCa,
    GRANTOR_LOG: 'info',
    GRANTOR_LOG_FILE: logFile,
    GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
    GRANTOR_LIMIT_TOKEN_FAILURES_ADDRESS: 'off',
    ...(database === 'sqlite'
      ? {}
      : {
          GRANTOR_DATABASE_URL: testDatabase ?? '',
          GRANTOR_DATABASE_SCHEMA: schema,
          GRANTOR_MASTER_KEY: randomBytes(32).toString('base64'),
        }),
  }
  const loaded = loadSettings({ flags: {}, env: { ...base, ...env }, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  const deployment = await compose(loaded.value.settings, 'server')
  const running = await listen(deployment)
  const ca = running.caFile === null ? undefined : readFileSync(running.caFile)
  const send = (method: string, path: string, content: string | null, call: Call): Promise<Answer> => {
    const { certificate = null, headers = {}, from } = call
    const url = new URL(path, `https://localhost:${running.mtlsPort ?? running.port}`)
    return new Promise((resolve, reject) => {
      const options = { method, agent: false, ...(from === undefined ? {} : { localAddress: from, family: 4 }) }
      const shown = certificate === null ? {} : { cert: certificate.cert, key: certificate.key }
      const asking = request(url, { ...options, ca, ...shown }, (response) => {
        text(response).then(
          (body) =>
            resolve({
              status: response.statusCode ?? 0,
              body,
              headers: response.headers,
              json: () => JSON.parse(body) as JsonObject,
            }),
          reject,
        )
      })
      asking.on('error', reject)
      for (const [name, value] of Object.entries(headers)) asking.setHeader(name, value)
      if (content !== null) asking.setHeader('content-type', 'application/x-www-form-urlencoded')
      asking.end(content ?? undefined)
    })
  }
  return {
    deployment,
    running,
    authority,
    folder,
    post: (path, form, call = {}) => send('POST', path, new URLSearchParams(form).toString(), call),
    get: (path, call = {}) => send('GET', path, null, call),
    reasons: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => (JSON.parse(line) as { reason?: string }).reason ?? []),
    async [Symbol.asyncDispose]() {
      await running.close()
      if (database === 'postgres') await dropSchema(schema)
      rmSync(folder, { recursive: true })
    },
  }
}

async function dropSchema(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: testDatabase })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await client.end()
}

/** A client that gets tokens for itself, at the one API. */
export const service = (clientId: string, more: JsonObject): JsonObject => ({
  client_id: clientId,
  grant_types: ['client_credentials'],
  scope: 'orders:read',
  ...more,
})

export async function declare(it: MtlsDeployment, clients: readonly JsonObject[], tenants: readonly JsonObject[] = []) {
  const applied = await it.deployment.authority.admin.declared.apply(operator, {
    resources: [{ identifier: api, name: 'API', token_format: 'jwt' }],
    scopes: [{ name: 'orders:read', description: 'See orders', resource: api }],
    clients,
    tenants,
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
}

export const tokenForm = (clientId: string): Readonly<Record<string, string>> => ({
  grant_type: 'client_credentials',
  client_id: clientId,
})
