/** A deployment for tests: the real authority over a real store, with a clock that stands still until it is moved. */
import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUIDv7 } from 'node:crypto'
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
import type { Store } from '@grantor/store'
import type { PostgresOptions } from '@grantor/store/postgres'
import { type Database, freshStore } from './fresh-store.ts'

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

export type { Database }
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
