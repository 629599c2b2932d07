/** A listening deployment with clients that have streams of shared signals, and a server that they are pushed to. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, JsonObject } from '@grantor/protocol/types'
import {
  type Database,
  type FeedDeployment,
  machine,
  operator,
  redirectUri,
  startFeedDeployment,
} from '../feed/feed-deployment.ts'
import type { CallAnswer } from '../feed/https-client.ts'
import { openHttpsServer } from '../outbound/test-servers.ts'

export const sessionRevoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'
export const credentialChange = 'https://schemas.openid.net/secevent/caep/event-type/credential-change'
export const claimsChange = 'https://schemas.openid.net/secevent/caep/event-type/token-claims-change'
export const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification'

export interface Pushed {
  readonly set: string
  readonly headers: IncomingMessage['headers']
}

export interface SsfDeployment extends AsyncDisposable {
  readonly it: FeedDeployment
  readonly pushed: Pushed[]
  /** Where pushes go; `/broken` answers 503, `/wrong` 400. */
  readonly inbox: (path?: string) => string
  ssf(path: string, options?: SsfOptions): Promise<CallAnswer>
  made(body: JsonObject, options?: SsfOptions): Promise<string>
}

interface SsfOptions {
  readonly method?: string
  readonly body?: Json
  readonly by?: string
  readonly tenant?: string
  readonly scope?: string
}

const both = 'ssf.read ssf.manage'

const app = (id: string, more: JsonObject = {}): JsonObject => ({
  ...machine(id, `openid offline_access invoices:read ${both}`),
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  claim_mappings: [{ claim: 'teams', from: 'groups', scope: 'openid' }],
  ...more,
})

export async function startSsfDeployment(database: Database): Promise<SsfDeployment> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-ssf-'))
  const pushed: Pushed[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    pushed.push({ set: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(202).end()
  }
  const wrong = (_request: IncomingMessage, response: ServerResponse): unknown =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"err":"invalid_key"}')
  const receiver = await openHttpsServer({
    '/in': (request, response) => void take(request, response),
    '/wrong': (request, response) => void wrong(request, response),
    '/broken': (_request, response) => response.writeHead(503).end(),
  })
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, receiver.ca)
  const env = { GRANTOR_OUTBOUND_ALLOW: `localhost:${receiver.port}`, GRANTOR_OUTBOUND_CA: ca }
  const it = await startFeedDeployment(database, env)
  const applied = await it.deployment.authority.admin.declared.apply(operator, {
    clients: [
      app('web'),
      app('pairwise', { subject_type: 'pairwise' }),
      machine('watcher', both),
      machine('reader', 'ssf.read'),
    ],
    users: [{ username: 'erin', password: 'correct-horse', email: 'erin@example.com', email_verified: true }],
    tenants: [{ id: 'acme', clients: [machine('watcher', both)] }],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const tokens = new Map<string, Promise<string>>()
  const ssf: SsfDeployment['ssf'] = async (path, { method, body, by = 'web', tenant = '', scope } = {}) => {
    const asked = scope ?? (by === 'reader' ? 'ssf.read' : both)
    const key = `${tenant} ${by} ${asked}`
    const token = tokens.get(key) ?? it.token(by, { scope: asked }, tenant)
    tokens.set(key, token)
    return it.ask(`${tenant}/ssf${path}`, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { json: body }),
      headers: { authorization: `Bearer ${await token}` },
    })
  }
  return {
    it,
    pushed,
    inbox: (path = '/in') => `https://localhost:${receiver.port}${path}`,
    ssf,
    async made(body, options) {
      const answer = await ssf('/streams', { ...options, body })
      assert.equal(answer.status, 201, answer.body)
      return String(answer.json()['stream_id'])
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Header and claims of a SET, checked against the published keys by Node's own means. */
export async function readSet(set: string, it: FeedDeployment): Promise<{ header: JsonObject; claims: JsonObject }> {
  const [head = '', body = '', signature = ''] = set.split('.')
  const decoded = (part: string): JsonObject => JSON.parse(Buffer.from(part, 'base64url').toString()) as JsonObject
  const header = decoded(head)
  const { keys } = (await it.ask('/jwks')).json() as { keys: JsonObject[] }
  const jwk = keys.find((key) => key['kid'] === header['kid'])
  assert.ok(jwk !== undefined, 'its key is published')
  const { createPublicKey, verify } = await import('node:crypto')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
  return { header, claims: decoded(body) }
}
