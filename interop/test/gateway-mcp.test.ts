/** The MCP TypeScript SDK, client and server, unmodified, with the gateway between them: scopes by tool, filtered lists, sessions, events. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { Agent, fetch as undiciFetch } from 'undici'
import { startGateway } from '../gateway.ts'
import { startServer, temporaryFolder } from '../server.ts'

const audience = 'https://tools.example/mcp'
const secret = (of: string): string => `${of}-secret-of-32-or-more-characters`
const service = (id: string, scope: string, more: object = {}) => ({
  client_id: id,
  client_secret: secret(id),
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope,
  ...more,
})

const seed = {
  resources: [{ identifier: audience, name: 'Tools' }],
  scopes: ['notes:read', 'notes:write'].map((name) => ({ name, description: name, resource: audience })),
  clients: [
    service('reader', 'notes:read'),
    service('writer', 'notes:read notes:write'),
    service('gateway', 'revocations:read events:report', { resource_server: audience }),
  ],
}

/** It knows nothing of tokens. */
function notesServer({ headers }: IncomingMessage): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const content = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  server.registerTool('list_notes', { description: 'Your notes' }, () =>
    content(`of ${String(headers['grantor-client'])}`),
  )
  server.registerTool('add_note', { description: 'Writes a note' }, () => content('written'))
  return server
}

async function startMcpServer(stack: AsyncDisposableStack): Promise<number> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const known = sessions.get(String(request.headers['mcp-session-id']))
      if (known !== undefined) return known.handleRequest(request, response)
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      })
      await notesServer(request).connect(transport)
      return transport.handleRequest(request, response)
    }
    handle().catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

test('the MCP SDK works through the gateway, and each tool asks for its scope', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const server = stack.use(
    await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env: { GRANTOR_LOG: 'warn' } }),
  )
  const ca = server.ca ?? ''
  const port = await startMcpServer(stack)
  const gateway = stack.use(
    await startGateway(
      {
        issuer: server.issuer,
        audience,
        ca: 'ca.pem',
        upstream: `http://127.0.0.1:${port}`,
        client: { client_id: 'gateway', client_secret: secret('gateway') },
        mcp: { scopes: ['notes:read'], tools: { list_notes: [], add_note: ['notes:write'] }, filter_lists: true },
      },
      ca,
    ),
  )
  const dispatcher = stack.adopt(new Agent({ connect: { ca } }), (one) => one.close())
  const tokenOf = async (id: string): Promise<string> => {
    const answer = await undiciFetch(`${server.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret(id)}`).toString('base64')}` },
      dispatcher,
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const connect = async (id: string) => {
    const headers = { authorization: `Bearer ${await tokenOf(id)}` }
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.origin}/mcp`), { requestInit: { headers } })
    const client = new Client({ name: 'agent', version: '1.0.0' })
    await client.connect(transport)
    stack.defer(() => client.close())
    return { client, transport, headers }
  }
  const reader = await connect('reader')
  const names = async ({ client }: typeof reader) => (await client.listTools()).tools.map(({ name }) => name)
  assert.deepEqual(await names(reader), ['list_notes'])
  const listed = await reader.client.callTool({ name: 'list_notes' })
  assert.deepEqual(listed.content, [{ type: 'text', text: 'of reader' }])
  await assert.rejects(reader.client.callTool({ name: 'add_note' }), /403|insufficient/i)
  const writer = await connect('writer')
  assert.deepEqual(await names(writer), ['list_notes', 'add_note'])
  assert.deepEqual((await writer.client.callTool({ name: 'add_note' })).content, [{ type: 'text', text: 'written' }])
  // Somebody else's session is no session.
  const taken = await fetch(`${gateway.origin}/mcp`, {
    method: 'DELETE',
    headers: { ...reader.headers, 'mcp-session-id': writer.transport.sessionId ?? '' },
  })
  assert.equal(taken.status, 404)
  const raw = await fetch(`${gateway.origin}/mcp`, {
    method: 'POST',
    headers: { ...reader.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add_note' } }),
  })
  assert.equal(raw.status, 403)
  assert.match(
    raw.headers.get('www-authenticate') ?? '',
    /error="insufficient_scope", scope="notes:read notes:write", resource_metadata="https:\/\/tools\.example\/\.well-known\/oauth-protected-resource\/mcp"/,
  )
})
