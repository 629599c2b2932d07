/** `oidc-provider`, unmodified, as the issuer: Orders accepts the tokens of somebody else's authorization server. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fetchHandler } from '@grantor/api/fetch'
import { OrdersTable, ordersApi } from '@grantor/demo'
import { createValidator } from '@grantor/resource'
import { Provider } from 'oidc-provider'
import { temporaryFolder } from '../server.ts'

const orders = 'https://orders.example'
const secret = 'a-secret-of-32-or-more-characters-long'

interface Peer {
  readonly issuer: string
  readonly server: Server
}

/** As its documentation sets it up: in-memory adapter, resource indicators, ES256. */
async function startPeer(accessTokenFormat: 'jwt' | 'opaque' = 'jwt'): Promise<Peer> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'peer' }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clients = ['reader', 'stranger'].map((client_id) => ({
    client_id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  }))
  const provider = new Provider(issuer, {
    clients,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [key] },
    scopes: ['orders:read'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context: unknown, client: { clientId: string }) =>
          client.clientId === 'reader' ? orders : 'https://elsewhere.example',
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          scope: 'orders:read',
          audience,
          accessTokenTTL: 600,
          accessTokenFormat,
          ...(accessTokenFormat === 'jwt' ? { jwt: { sign: { alg: 'ES256' } } } : {}),
        }),
      },
    },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return { issuer, server }
}

async function tokenOf({ issuer }: Peer, client: string, scope: string): Promise<string> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}

test('Orders accepts a token of oidc-provider for it, and refuses one for another audience or without the scope', async () => {
  using folder = temporaryFolder()
  const peer = await startPeer()
  // No feed there: that its tokens live until they expire has to be written down.
  const validator = createValidator({ audience: orders, issuers: [{ issuer: peer.issuer, revocation: 'none' }] })
  const table = new OrdersTable(`${folder.path}/orders.db`)
  try {
    await validator.whenReady()
    const api = ordersApi({ audience: orders, issuer: peer.issuer, validator, table })
    const handle = fetchHandler(api)
    const list = async (token: string) => {
      const answer = await handle(new Request(`${orders}/v1/orders`, { headers: { authorization: `Bearer ${token}` } }))
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const accepted = await list(await tokenOf(peer, 'reader', 'orders:read'))
    assert.deepEqual([accepted.status, accepted.body['items']], [200, []])
    const foreign = await list(await tokenOf(peer, 'stranger', 'orders:read'))
    assert.deepEqual([foreign.status, foreign.body['code']], [401, 'audience_mismatch'])
    const bare = await list(await tokenOf(peer, 'reader', ''))
    assert.deepEqual([bare.status, bare.body['code']], [401, 'insufficient_scope'])
    await api.close()
  } finally {
    await validator.close()
    table.close()
    peer.server.closeAllConnections()
    peer.server.close()
  }
})

test('RFC 7662: an opaque token of oidc-provider is asked about, read as declared, and refused once it is revoked', async () => {
  const peer = await startPeer('opaque')
  const { issuer } = peer
  const credentials = { clientId: 'reader', clientSecret: secret }
  // What it calls scope and client is declared, as it would be of whoever calls them otherwise.
  const claims = { scope: ['scope', 'client_id'], clientId: ['client_id'] }
  const trust = { issuer, revocation: 'none', credentials, claims } as const
  const validator = createValidator({ audience: orders, issuers: [trust], introspectionCache: 0 })
  const ask = async (token: string) => {
    const verdict = await validator.validate({ authorization: `Bearer ${token}` })
    return verdict.kind === 'ok' ? [...verdict.value.scope].join(' ') : verdict.error.code
  }
  try {
    const token = await tokenOf(peer, 'reader', 'orders:read')
    assert.ok(!token.includes('.'))
    assert.equal(await ask(token), 'orders:read reader')
    assert.equal(await ask(await tokenOf(peer, 'stranger', 'orders:read')), 'audience_mismatch')
    assert.equal(await ask('made-up-by-somebody'), 'invalid_token')
    const basic = Buffer.from(`reader:${secret}`).toString('base64')
    const revoked = await fetch(`${issuer}/token/revocation`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token }),
    })
    assert.equal(revoked.status, 200)
    assert.equal(await ask(token), 'invalid_token')
  } finally {
    await validator.close()
    peer.server.closeAllConnections()
    peer.server.close()
  }
})
