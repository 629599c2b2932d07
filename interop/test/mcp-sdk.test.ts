/** The MCP TypeScript SDK's clients, unmodified: discovery, authorization, a tool, refresh and step-up, at a guarded MCP server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as next from '@modelcontextprotocol/client'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { bob, callback, type McpDeployment, deployMcp } from '../mcp-deployment.ts'
import { ScriptedPerson } from '../person.ts'

/** What a client keeps, in memory; it serves both generations of the SDK. */
class Memory {
  readonly redirectUrl = callback
  readonly clientMetadata = {
    client_name: 'Agent',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  client: { client_id: string; issuer?: string } | undefined
  held: { access_token: string; refresh_token?: string; token_type: string; scope?: string } | undefined
  asked: URL | undefined
  #discovered: object | undefined
  #verifier = ''

  constructor(client?: { client_id: string; issuer: string }) {
    this.client = client
  }
  readonly state = () => 'a-state-of-the-client'
  readonly clientInformation = () => this.client
  readonly saveClientInformation = (client: Memory['client']) => void (this.client = client)
  readonly tokens = () => this.held
  readonly saveTokens = (tokens: Memory['held']) => void (this.held = tokens)
  readonly redirectToAuthorization = (url: URL) => void (this.asked = url)
  readonly saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  readonly codeVerifier = () => this.#verifier
  readonly discoveryState = () => this.#discovered
  readonly saveDiscoveryState = (state: object) => void (this.#discovered = state)
}

/** One generation of the SDK, as a client of a Notes server. */
interface Generation {
  readonly name: string
  readonly unauthorized: new () => Error
  /** Connects with what the memory holds. */
  connect(deployment: McpDeployment, memory: Memory): Promise<Connected>
  /** Finishes what a redirect began. */
  finish(deployment: McpDeployment, memory: Memory, answer: URL): Promise<void>
}

interface Connected extends AsyncDisposable {
  readonly tools: readonly string[]
  call(tool: string): Promise<string>
}

const textOf = (result: object): string => JSON.stringify((result as { content: unknown }).content)

const first: Generation = {
  name: '@modelcontextprotocol/sdk',
  unauthorized: UnauthorizedError,
  async connect({ mcp, fetch }, memory) {
    const client = new Client({ name: 'agent', version: '1.0.0' })
    const authProvider = memory as unknown as OAuthClientProvider
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { authProvider, fetch }))
    const { tools } = await client.listTools()
    return {
      tools: tools.map(({ name }) => name),
      call: async (name) => textOf(await client.callTool({ name })),
      [Symbol.asyncDispose]: () => client.close(),
    }
  },
  async finish({ mcp, fetch }, memory, answer) {
    const authProvider = memory as unknown as OAuthClientProvider
    const transport = new StreamableHTTPClientTransport(new URL(mcp), { authProvider, fetch })
    await transport.finishAuth(answer.searchParams.get('code') ?? '')
  },
}

const second: Generation = {
  name: '@modelcontextprotocol/client',
  unauthorized: next.UnauthorizedError,
  async connect({ mcp, fetch }, memory) {
    const client = new next.Client({ name: 'agent', version: '1.0.0' })
    const authProvider = memory as unknown as next.OAuthClientProvider
    await client.connect(new next.StreamableHTTPClientTransport(new URL(mcp), { authProvider, fetch }))
    const { tools } = await client.listTools()
    return {
      tools: tools.map(({ name }) => name),
      call: async (name) => textOf(await client.callTool({ name })),
      [Symbol.asyncDispose]: () => client.close(),
    }
  },
  async finish({ mcp, fetch }, memory, answer) {
    const authProvider = memory as unknown as next.OAuthClientProvider
    const transport = new next.StreamableHTTPClientTransport(new URL(mcp), { authProvider, fetch })
    // All that came back: this one checks `iss` (RFC 9207).
    await transport.finishAuth(answer.searchParams)
  },
}

/** Connects until the person is asked, lets them answer, and connects again. */
async function authorized(deployment: McpDeployment, sdk: Generation, memory: Memory): Promise<Connected> {
  await assert.rejects(sdk.connect(deployment, memory), sdk.unauthorized)
  await followed(deployment, sdk, memory)
  return sdk.connect(deployment, memory)
}

async function followed(deployment: McpDeployment, sdk: Generation, memory: Memory): Promise<URLSearchParams> {
  assert.ok(memory.asked)
  const person = new ScriptedPerson(deployment.fetch, bob)
  const answer = await person.follow(memory.asked)
  assert.equal(answer.searchParams.get('state'), 'a-state-of-the-client', answer.href)
  await sdk.finish(deployment, memory, answer)
  return memory.asked.searchParams
}

async function assertRefreshes(connected: Connected, memory: Memory): Promise<void> {
  const { held } = memory
  assert.ok(held?.refresh_token)
  memory.asked = undefined
  memory.held = { ...held, access_token: `${held.access_token.slice(0, -4)}AAAA` }
  assert.match(await connected.call('list_notes'), /text/)
  assert.notEqual(memory.held.refresh_token, held.refresh_token)
  assert.equal(memory.asked, undefined)
}

let deployment: McpDeployment
before(async () => {
  deployment = await deployMcp()
})
after(() => deployment[Symbol.asyncDispose]())

for (const sdk of [first, second]) {
  describe(sdk.name, () => {
    test('MCP 2026-07-28: a registered client finds the issuer by the challenge, gets a token and calls a tool', async () => {
      const memory = new Memory({ client_id: 'agent', issuer: deployment.server.issuer })
      await using connected = await authorized(deployment, sdk, memory)
      assert.deepEqual(connected.tools, ['list_notes', 'add_note'])
      assert.match(await connected.call('list_notes'), /text/)
      assert.equal(memory.asked?.searchParams.get('resource'), deployment.mcp)
      assert.ok(memory.held?.refresh_token)
    })

    test('RFC 7591 §3: a stranger registers itself on the way, and goes on to the tool', async () => {
      const memory = new Memory()
      await using connected = await authorized(deployment, sdk, memory)
      assert.match(await connected.call('list_notes'), /text/)
      assert.ok(memory.client?.client_id)
      assert.ok(memory.held?.refresh_token)
    })

    test('MCP 2026-07-28: a client that is a document needs no registration, and refreshes', async () => {
      const memory = new Memory()
      const address = deployment.publish(`/${sdk.name.slice(1)}.json`, memory.clientMetadata)
      await using connected = await authorized(deployment, sdk, Object.assign(memory, { clientMetadataUrl: address }))
      assert.match(await connected.call('list_notes'), /text/)
      assert.equal(memory.client?.client_id, address)
      await assertRefreshes(connected, memory)
    })

    test('RFC 6749 §6: a token that no longer works is replaced by refreshing, without the person', async () => {
      const memory = new Memory({ client_id: 'agent', issuer: deployment.server.issuer })
      await using connected = await authorized(deployment, sdk, memory)
      await assertRefreshes(connected, memory)
    })

    test('MCP 2026-07-28: a tool that needs more is 403, and the person is asked for all that it needs', async () => {
      const memory = new Memory()
      await using connected = await authorized(deployment, sdk, memory)
      // The first generation refreshes where it should ask; without a refresh token it asks.
      if (sdk === first && memory.held !== undefined) delete memory.held.refresh_token
      await assert.rejects(connected.call('add_note'))
      const asked = await followed(deployment, sdk, memory)
      assert.match(String(asked.get('scope')), /notes:write/)
      await using again = await sdk.connect(deployment, memory)
      assert.match(await again.call('add_note'), /written/)
    })
  })
}

test('RFC 8707 §2: a server that is the whole host is meant with and without a slash, and its token has one audience', async () => {
  await using whole = await deployMcp('')
  for (const sdk of [first, second]) {
    const memory = new Memory({ client_id: 'agent', issuer: whole.server.issuer })
    // As URL parsers write it, and as clients that parse it send it.
    const slashed = Object.assign(memory, { validateResourceURL: async () => new URL(whole.mcp) })
    await using connected = await authorized(whole, sdk, slashed)
    assert.equal(memory.asked?.searchParams.get('resource'), `${whole.mcp}/`)
    assert.match(await connected.call('list_notes'), /text/)
    const [, claims = ''] = memory.held?.access_token.split('.') ?? []
    assert.equal((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud, whole.mcp)
  }
})

test('MCP 2026-07-28: a token for another audience opens no MCP server', async () => {
  const { server, mcp, fetch, credentials } = deployment
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')
  const issued = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'revocations:read' }),
  })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const refused = await fetch(mcp, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })
  assert.equal(refused.status, 401)
  assert.match(String(refused.headers.get('www-authenticate')), /error="invalid_token".*resource_metadata=/)
})
