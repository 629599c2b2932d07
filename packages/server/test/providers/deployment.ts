/** A deployment whose people sign in by the providers of upstream.ts, and browsers that are driven by hand. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Authority, Declaration } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import pg from 'pg'
import { HandBrowser, type PageAnswer, redirectUri, type RequestParts } from '../interact/deployment.ts'
import { startNode } from './node.ts'
import { type FakeProviders, openFakeProviders, upstreamSecret } from './upstream.ts'

export const main = 'default' as TenantId
const operator = { kind: 'operator', id: 'test' } as const

export const password = 'a password of ada'

export interface ProviderDeployment extends AsyncDisposable {
  readonly authority: Authority
  readonly providers: FakeProviders
  /** What a node is begun with. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Another node over the same database. */
  node(): Promise<AsyncDisposable>
  /** Ends this node, and begins one in its place. */
  stop(): Promise<void>
  restart(): Promise<void>
  send(path: string, how?: RequestParts): Promise<PageAnswer>
  browser(): HandBrowser
  /** Declares providers instead of those that are there. */
  declare(providers: readonly JsonObject[], more?: Declaration): Promise<void>
  provider(id: string, more?: JsonObject): JsonObject
}

const objects = {
  resources: [{ identifier: 'https://api.example', name: 'Invoices' }],
  scopes: [{ name: 'invoices:read', description: 'See invoices', resource: 'https://api.example' }],
  clients: [
    {
      client_id: 'web',
      client_secret: 'web-secret-of-32-or-more-characters-long',
      redirect_uris: [redirectUri],
      scope: 'openid email profile invoices:read',
      first_party: true,
    },
  ],
}

export type ProviderDatabase = 'sqlite' | 'postgres'

/** A schema of its own on the PostgreSQL of the tests, gone with the stack. */
function postgresSettings(stack: AsyncDisposableStack): Readonly<Record<string, string>> {
  const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''
  assert.notEqual(url, '', 'GRANTOR_TEST_DATABASE_URL must name a PostgreSQL server')
  const schema = `providers_${randomBytes(6).toString('hex')}`
  stack.defer(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
  })
  return {
    GRANTOR_DATABASE_URL: url,
    GRANTOR_DATABASE_SCHEMA: schema,
    GRANTOR_DATABASE_POOL: '3',
    GRANTOR_DATABASE_TIMEOUT: '60s',
    GRANTOR_MASTER_KEY: 'a master key of the test, long enough',
  }
}

export async function deployWithProviders(database: ProviderDatabase = 'sqlite'): Promise<ProviderDeployment> {
  await using stack = new AsyncDisposableStack()
  const providers = stack.use(await openFakeProviders())
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'grantor-providers-')), (it) => rmSync(it, { recursive: true }))
  const caFile = join(folder, 'upstream-ca.pem')
  writeFileSync(caFile, providers.ca)
  const env = {
    GRANTOR_DATA: folder,
    GRANTOR_PORT: '0',
    GRANTOR_MANAGEMENT_PORT: '0',
    GRANTOR_LOG: 'silent',
    GRANTOR_OUTBOUND_ALLOW: `localhost:${providers.port}`,
    GRANTOR_OUTBOUND_CA: caFile,
    ...(database === 'sqlite' ? {} : postgresSettings(stack)),
  }
  let node: Awaited<ReturnType<typeof startNode>> | null = await startNode(folder, env)
  const stop = async (): Promise<void> => {
    const ending = node
    node = null
    await ending?.running.close()
  }
  stack.defer(stop)
  const here = () => node ?? assert.fail('it was stopped')
  const apply = async (declaration: Declaration, prune: boolean): Promise<void> => {
    const declared = await here().deployment.authority.admin.declared.apply(operator, declaration, { prune })
    assert.ok(declared.kind === 'ok', JSON.stringify(declared))
  }
  await apply({ ...objects, tenants: [{ id: 'acme', name: 'Acme', ...objects }] }, false)
  const { caFile: authorityFile } = here().running
  const ca = authorityFile === null ? undefined : readFileSync(authorityFile)
  const agent = stack.adopt(new Agent({ ca, keepAlive: true }), (it) => it.destroy())
  const send: ProviderDeployment['send'] = (path, how = {}) => sendTo(agent, here().running.port, path, how)
  const owned = stack.move()
  return {
    get authority() {
      return here().deployment.authority
    },
    providers,
    folder,
    env,
    async node() {
      const other = await startNode(folder, { ...env, GRANTOR_ISSUER: here().running.issuer })
      return { [Symbol.asyncDispose]: () => other.running.close() }
    },
    stop,
    async restart() {
      node = await startNode(folder, env)
    },
    send,
    browser: () => new HandBrowser({ send, origin: here().running.issuer }),
    declare: (list, more = {}) => apply({ ...more, providers: list }, true),
    provider: (id, more = {}) => ({
      id,
      kind: 'oidc',
      name: `Provider ${id}`,
      issuer: providers.one.issuer,
      client_id: 'us',
      client_secret: upstreamSecret,
      ...more,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function sendTo(agent: Agent, port: number, path: string, how: RequestParts): Promise<PageAnswer> {
  const content = how.content ?? (how.form === undefined ? undefined : new URLSearchParams(how.form).toString())
  const type = content === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const method = how.method ?? (content === undefined ? 'GET' : 'POST')
  return new Promise((resolve, reject) => {
    const asking = request(
      { agent, host: 'localhost', servername: 'localhost', port, path, method, headers: { ...type, ...how.headers } },
      (response) => {
        const { statusCode: status = 0, headers } = response
        text(response).then((body) => resolve({ status, headers, body }), reject)
      },
    )
    asking.on('error', reject)
    asking.end(content)
  })
}
