/** The real command, and beside it an MCP server that its tokens open: both over TLS, under one local authority. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Credentials, createValidator } from '@grantor/resource'
import { Agent, fetch as undiciFetch } from 'undici'
import { notesListener } from './mcp-server.ts'
import { type Environment, runCommand, type Server, startServer, temporaryFolder } from './server.ts'

export interface McpStage extends AsyncDisposable {
  readonly server: Server
  /** The address of the MCP server, and the audience of its tokens. */
  readonly mcp: string
  /** Of the client that the MCP server reads revocations with. */
  readonly credentials: Credentials
  /** Where the PEM of the authority is that both certificates come from. */
  readonly caFile: string
  /** The platform's fetch, trusting that authority and nothing else. */
  readonly fetch: (url: string | URL, init?: object) => Promise<Response>
}

export const bob = { username: 'bob', password: 'correct-horse-battery' }
export const callback = 'http://127.0.0.1:49152/callback'
const api = { clientId: 'notes-api', clientSecret: 'notes-api-secret-of-32-or-more-characters' }

/** What the operator of the MCP server declares. */
const objects = (mcp: string) => ({
  users: [bob],
  resources: [{ identifier: mcp, name: 'Notes' }],
  scopes: [
    { name: 'notes:read', description: 'Read your notes', resource: mcp },
    { name: 'notes:write', description: 'Write notes for you', resource: mcp },
  ],
  clients: [
    {
      client_id: api.clientId,
      client_secret: api.clientSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'revocations:read events:report',
      resource_server: mcp,
    },
    {
      client_id: 'agent',
      client_name: 'Agent',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'offline_access notes:read notes:write',
    },
  ],
})

export async function setMcpStage(path = '/mcp', env: Environment = {}): Promise<McpStage> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const wish = { data: folder.path, env: { GRANTOR_LOG: 'warn', ...env } }
  const server = stack.use(await startServer(wish))
  const pem = (name: string): string => readFileSync(join(folder.path, 'tls', name), 'utf8')
  const listening = createServer({ cert: pem('server.pem'), key: pem('server.key') }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  stack.defer(() => listening.close().closeAllConnections())
  const mcp = `https://localhost:${(listening.address() as AddressInfo).port}${path}`
  const applied = await runCommand(['apply', folder.write('objects.json', objects(mcp))], wish)
  if (applied.code !== 0) throw new Error(applied.stderr)
  const ca = pem('ca.pem')
  const validator = createValidator({ audience: mcp, issuers: [{ issuer: server.issuer, credentials: api }], ca })
  stack.defer(() => validator.close())
  const listener = notesListener(validator, mcp, server.issuer)
  listening.on('request', (request, response) => void listener(request, response))
  await validator.whenReady()
  const agent = stack.adopt(new Agent({ connect: { ca } }), (one) => one.close())
  const owned = stack.move()
  return {
    server,
    mcp,
    credentials: api,
    caFile: join(folder.path, 'tls', 'ca.pem'),
    fetch: (url, init) => undiciFetch(String(url), { ...init, dispatcher: agent }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
