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

/** What the operator of the MCP server declares, as docs/mcp.md shows it. */
const page = readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8')
const shown = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? ''

/** A client that somebody registered by hand, and people. */
const others = {
  users: [bob],
  clients: [
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
}

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
  const declared = [
    folder.write('notes.yaml', shown.replaceAll('https://localhost:8450/mcp', mcp)),
    folder.write('others.json', others),
  ]
  for (const file of declared) {
    const applied = await runCommand(['apply', file], wish)
    if (applied.code !== 0) throw new Error(applied.stderr)
  }
  const ca = pem('ca.pem')
  const { issuer } = server
  // #region start
  const validator = createValidator({ audience: mcp, issuers: [{ issuer, credentials: api }], ca })
  const listener = notesListener(validator, mcp, issuer)
  // #endregion
  stack.defer(() => validator.close())
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
