/** What the agents that people use send: each registers, or is a document, and completes a flow with its own addresses. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { test } from 'node:test'
import type { Authority, EndpointRequest } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { api, databases, type Deployment, openDeployment, root, unproven } from '../support/deployment.ts'
import { authorizeQuery, codeOf, declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'
import { registered, Web } from '../support/registration.ts'

const flows = ['authorization_code', 'refresh_token']

interface Agent {
  readonly name: string
  /** The address of its document; without one it registers. */
  readonly document?: string
  readonly metadata: JsonObject
  /** Where it is called back, ports as they come. */
  readonly callbacks: readonly string[]
  /** What a person is told of who it is. */
  readonly host: string | null
  readonly scope?: string
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const chatgptKeys = 'https://chatgpt.com/oauth/jwks.json'

const agents: readonly Agent[] = [
  {
    name: 'Claude',
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    metadata: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: [...flows, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['https://claude.ai/api/mcp/auth_callback'],
    host: 'claude.ai',
  },
  {
    name: 'Claude, registering',
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: [...flows, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'invoices:read',
    },
    callbacks: ['https://claude.ai/api/mcp/auth_callback'],
    host: null,
    scope: 'invoices:read offline_access',
  },
  {
    name: 'Claude Code',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: flows,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://localhost:54321/callback', 'http://127.0.0.1:61000/callback', 'http://localhost/callback'],
    host: 'claude.ai',
  },
  {
    name: 'ChatGPT',
    document: 'https://chatgpt.com/oauth/client.json',
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: [
        'https://chatgpt.com/connector_platform_oauth_redirect',
        'https://chatgpt.com/connector/oauth/x1',
      ],
      grant_types: flows,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: chatgptKeys,
    },
    callbacks: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    host: 'chatgpt.com',
  },
  {
    name: 'Codex',
    document: 'https://chatgpt.com/oauth/codex/client.json',
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: flows,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://127.0.0.1:1455/callback'],
    host: 'chatgpt.com',
  },
  {
    name: 'VS Code',
    document: 'https://vscode.dev/oauth/client-metadata.json',
    metadata: {
      client_name: 'Visual Studio Code',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect', 'https://insiders.vscode.dev/redirect'],
      grant_types: [...flows, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://127.0.0.1:33418/', 'http://127.0.0.1:50007/', 'https://vscode.dev/redirect'],
    host: 'vscode.dev',
  },
  {
    name: 'Cursor',
    metadata: {
      client_name: 'Cursor',
      application_type: 'web',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: flows,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    callbacks: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
      'http://localhost:9999/callback',
    ],
    host: null,
  },
  ...(['https://zed.dev/oauth/client-metadata.json', 'https://opencode.ai/oauth/opencode/client.json'] as const).map(
    (document): Agent => ({
      name: new URL(document).host,
      document,
      metadata: {
        client_name: 'An editor',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
        token_endpoint_auth_method: 'none',
        grant_types: flows,
      },
      callbacks: ['http://127.0.0.1:40000/callback'],
      host: new URL(document).host,
    }),
  ),
  {
    name: 'MCP Inspector',
    metadata: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://127.0.0.1:6276/oauth/callback'],
      grant_types: flows,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: '',
    },
    callbacks: ['http://localhost:6274/oauth/callback'],
    host: null,
  },
]

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Public ones name themselves; who has keys signs. */
function asking(
  body: string,
  id: string,
  { agent, deployment }: { agent: Agent; deployment: Deployment },
): EndpointRequest {
  const form = new URLSearchParams(body)
  form.set('client_id', id)
  if (agent.metadata['token_endpoint_auth_method'] === 'private_key_jwt') {
    const at = Math.floor(deployment.clock / 1000)
    const claims = { iss: id, sub: id, aud: 'https://as.example', iat: at, exp: at + 60, jti: randomUUID() }
    const input = `${encoded({ alg: 'RS256', kid: 'k' })}.${encoded(claims)}`
    form.set('client_assertion', `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`)
    form.set('client_assertion_type', assertionType)
  }
  return { ...unproven, tenant: root, form: formOf(form), ip: '192.0.2.5', traceId: null }
}

async function flow(authority: Authority, it: { agent: Agent; deployment: Deployment; id: string; redirect: string }) {
  const { agent, id, redirect } = it
  const scope = agent.scope ?? 'invoices:read invoices:write offline_access'
  const person = new PersonAtBrowser(authority)
  await person.begin(authorizeQuery({ client_id: id, redirect_uri: redirect, scope, prompt: 'consent' }))
  const asked = await person.signIn()
  assert.ok(asked.go === 'consent', JSON.stringify(asked))
  assert.equal(asked.client.provenHost, agent.host)
  const code = codeOf(await person.allow())
  const first = await authority.token(asking(redemption(code, { redirect_uri: redirect, resource: api }), id, it))
  assert.ok(first.kind === 'ok', JSON.stringify(first))
  const claims = JSON.parse(
    Buffer.from((first.value['access_token'] as string).split('.')[1] ?? '', 'base64url').toString(),
  )
  assert.equal((claims as JsonObject)['aud'], api)
  // Codex leaves the resource out here.
  const second = await authority.token(asking(refreshing(first.value['refresh_token'] as string), id, it))
  assert.ok(second.kind === 'ok' && typeof second.value['refresh_token'] === 'string', JSON.stringify(second))
}

for (const agent of agents)
  test(`RFC 7591, Client ID Metadata Document: what ${agent.name} sends is taken, and completes a flow`, async () => {
    const deployment = await openDeployment(agent.name === 'Cursor' ? (databases.at(-1) ?? 'sqlite') : 'sqlite')
    await declarePeople(deployment)
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' } as unknown as JsonObject
    const web = new Web(() => deployment.clock).put(chatgptKeys, { keys: [jwk] })
    const { document, metadata } = agent
    if (document !== undefined) web.put(document, { client_id: document, ...metadata })
    const authority = deployment.node({ outbound: web })
    const id = document ?? (await registered(authority, metadata)).id
    for (const redirect of agent.callbacks) await flow(authority, { agent, deployment, id, redirect })
  })
