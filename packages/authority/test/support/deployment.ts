/** A deployment for tests: the real authority over a real store, with a clock that stands still until it is moved. */
import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import {
  type Authority,
  type Clock,
  type EndpointRequest,
  limits,
  localPeople,
  usualPasswords,
  memoryLimiter,
  noClientAuthorities,
  noLdap,
  openAuthority,
  type Outbound,
  type Ports,
  type Vault,
} from '@grantor/authority'
import type { Actor } from '@grantor/protocol/events'
import { defaultPolicy, formOf } from '@grantor/protocol/oauth'
import { err } from '@grantor/protocol/result'
import type { Handle, Instant, JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import type { AuditKeySource, Store } from '@grantor/store'
import { openPostgres, type PostgresOptions } from '@grantor/store/postgres'
import { openSqlite } from '@grantor/store/sqlite'
import pg from 'pg'

/** Milliseconds. A test of a limit has one of its own: what it waits for may never come. */
export const bounded = { timeout: 300_000 }

export const root = 'default' as TenantId
export const operator: Actor = { kind: 'operator', id: 'test' }
export const api = 'https://api.example'
export const secret = 'zz9canary-secret-of-more-than-32-characters'

/** A world without other servers; a test that needs one gives its own to `node`. */
export const nowhere: Outbound = {
  fetch: () => Promise.resolve(err('unreachable')),
  submit: () => Promise.resolve(err('unreachable')),
  deliver: () => Promise.resolve(err('unreachable')),
  post: () => Promise.resolve(err('unreachable')),
  notify: () => Promise.resolve(err('unreachable')),
}

export interface Deployment {
  readonly authority: Authority
  readonly store: Store
  readonly ports: Ports
  /** Milliseconds; move it to let time pass. */
  clock: number
  /** Another node over the same database, with its own memory. */
  node(more?: Partial<Ports>): Authority
  /** The same with connections of its own, as on another machine; on SQLite, as a command beside the server. */
  remoteNode(): Promise<Authority>
  /** What an intruder with access to the database could do. */
  tamper(sql: string): Promise<void>
  /** Everything that the database holds now, as text. */
  dump(): Promise<string>
}

export type Database = 'sqlite' | 'postgres'
/** One alone where many runs are made and none is about the database (scripts/mutation/test-runs.ts). */
export const databases: readonly Database[] =
  process.env['GRANTOR_TEST_DATABASES'] === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']

/** Opens a deployment over a fresh database; it is closed and forgotten after the test file. */
export async function openDeployment(
  database: Database = 'sqlite',
  log: Pick<PostgresOptions, 'leastLogPart'> = {},
): Promise<Deployment> {
  const { store, open, forget, tamper, dump } = await freshStore(database, log)
  // Within a second, so that whoever rounds to one the wrong way is noticed.
  const deployment = { clock: Date.parse('2026-11-15T12:00:00.400Z') }
  const clock: Clock = {
    now: () => deployment.clock as Instant,
    margin: 0,
    until: async (at) => void (deployment.clock = Math.max(deployment.clock, at)),
  }
  const ports: Ports = {
    store,
    policy: defaultPolicy,
    clock,
    people: localPeople(store, clock),
    signUpHook: null,
    passwords: usualPasswords,
    consentTextVersion: 'test',
    limits,
    limiter: memoryLimiter(clock),
    outbound: nowhere,
    ldap: noLdap,
    mail: null,
    ids: {
      id: () => randomUUIDv7(),
      secret: (prefix) => `${prefix}${randomBytes(32).toString('base64url')}` as Secret,
      salt: () => randomBytes(32),
      handleOf: (text) => hash('sha256', text, 'base64url') as Handle,
    },
    clientAuthorities: noClientAuthorities,
    issuers: { issuerOf: (tenant) => (tenant === root ? 'https://as.example' : `https://as.example/t/${tenant}`) },
    vault: vaultWith(randomBytes(32)),
  }
  const nodes: Authority[] = []
  const node = (more: Partial<Ports> = {}) => {
    const opened = openAuthority({ ...ports, ...more })
    nodes.push(opened)
    return opened
  }
  const stores = [store]
  const remoteNode = async () => {
    const own = await open()
    stores.unshift(own)
    return node({ store: own, people: localPeople(own, clock) })
  }
  const authority = node()
  after(async () => {
    for (const opened of nodes) await opened.close()
    for (const opened of stores) await opened.close()
    await forget()
  })
  return Object.assign(deployment, { authority, store, ports, node, remoteNode, tamper, dump })
}

interface FreshStore {
  readonly store: Store
  /** Once more, beside it. */
  open(): Promise<Store>
  forget(): Promise<void>
  tamper(sql: string): Promise<void>
  dump(): Promise<string>
}

const asText = (rows: readonly unknown[]): string =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, it: unknown) => (it instanceof Uint8Array ? Buffer.from(it).toString('latin1') : it)),
    )
    .join('\n')

async function freshStore(database: Database, log: Pick<PostgresOptions, 'leastLogPart'>): Promise<FreshStore> {
  const key = randomBytes(32)
  const auditKey: AuditKeySource = (sealed) => ({ key, sealed: sealed ?? key })
  if (database === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'grantor-authority-'))
    const path = join(folder, 'grantor.db')
    const store = await openSqlite({ path, auditKey })
    const open = () => openSqlite({ path, auditKey, role: 'command' })
    const tamper = async (sql: string) => {
      const connection = new DatabaseSync(path, { timeout: 5000 })
      try {
        connection.exec(sql)
      } finally {
        connection.close()
      }
    }
    const dump = async () => {
      const connection = new DatabaseSync(path, { timeout: 5000, readOnly: true })
      try {
        const tables = connection.prepare("select name from sqlite_master where type = 'table'").all()
        return tables.map(({ name }) => asText(connection.prepare(`select * from "${String(name)}"`).all())).join('\n')
      } finally {
        connection.close()
      }
    }
    return { store, open, tamper, dump, forget: () => rm(folder, { recursive: true }) }
  }
  const url = process.env['GRANTOR_TEST_DATABASE_URL']
  if (url === undefined) throw new Error('GRANTOR_TEST_DATABASE_URL is not set; run the tests with npm test')
  const schema = `authority_${randomBytes(6).toString('hex')}`
  const open = () => openPostgres({ url, schema, auditKey, notary: true, patience: 60_000, ...log })
  const store = await open()
  const tamper = async (sql: string) => {
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  const dump = async () => {
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
    await client.connect()
    try {
      const tables = await client.query<{ name: string }>(
        'select table_name as name from information_schema.tables where table_schema = current_schema()',
      )
      const texts: string[] = []
      for (const { name } of tables.rows) texts.push(asText((await client.query(`select * from "${name}"`)).rows))
      return texts.join('\n')
    } finally {
      await client.end()
    }
  }
  return { store, open, tamper, dump, forget: () => tamper(`drop schema ${schema} cascade`) }
}

function vaultWith(key: Uint8Array): Vault {
  const seal: Vault['seal'] = (plain, context) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  return {
    isCurrent: () => true,
    seal,
    sealShortLived: seal,
    open(sealed, context) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(context))
        decipher.setAuthTag(sealed.subarray(-16))
        return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}

/** Declares an API with two scopes, a service that may use it, and the API's own client that may introspect. */
export const declaration = {
  resources: [
    { identifier: api, name: 'Invoices API' },
    { identifier: 'https://opaque.example', token_format: 'opaque' },
  ],
  scopes: [
    { name: 'invoices:read', description: 'See invoices', resource: api },
    { name: 'invoices:write', description: 'Change invoices', resource: api },
    { name: 'files:read', description: 'See files', resource: 'https://opaque.example' },
  ],
  clients: [
    machine('svc', 'invoices:read invoices:write files:read'),
    machine('other', 'invoices:read'),
    { ...machine('api', ''), resource_server: api },
  ],
} satisfies JsonObject

export function machine(id: string, scope: string): JsonObject {
  return {
    client_id: id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope,
  }
}

export async function declare(
  deployment: Pick<Deployment, 'authority'>,
  wanted: JsonObject = declaration,
): Promise<void> {
  const outcome = await deployment.authority.admin.declared.apply(operator, wanted)
  if (outcome.kind === 'error') throw new Error(JSON.stringify(outcome.error))
}

interface Sender {
  readonly as?: string
  readonly secret?: string
  readonly tenant?: TenantId
}

/** What a request brings whose client proves nothing. */
export const unproven = { authorization: null, clientCertificate: null, proof: null }

/** A request as the transport would hand it over. */
export function asking(body: string, from: Sender = {}): EndpointRequest {
  const credentials = `${from.as ?? 'svc'}:${from.secret ?? secret}`
  return {
    tenant: from.tenant ?? root,
    form: formOf(new URLSearchParams(body)),
    ...unproven,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    ip: '192.0.2.1',
    traceId: null,
  }
}

/** Gets a token, or fails the test. */
export async function tokenFrom(authority: Authority, body: string, from: Sender = {}): Promise<string> {
  const answer = await authority.token(asking(`grant_type=client_credentials&${body}`, from))
  if (answer.kind === 'error') throw new Error(`no token: ${answer.error.reason}`)
  return answer.value['access_token'] as string
}

export async function isActive(authority: Authority, token: string, from: Sender = {}): Promise<boolean> {
  const answer = await authority.introspect(asking(`token=${token}`, from))
  if (answer.kind === 'error') throw new Error(`no introspection: ${answer.error.reason}`)
  return answer.value['active'] === true
}
