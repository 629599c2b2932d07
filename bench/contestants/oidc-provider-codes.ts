/**
 * `oidc-provider` with people: its in-memory adapter, resource indicators, rotation, ES256 for both tokens. Codes are
 * made through its own models, as its authorization endpoint makes them; nobody measures how.
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { audience, scope as apiScope } from './client.ts'
import { device, opaqueAudience, service } from './other-clients.ts'
import { registerExchange } from './oidc-provider-exchange-grant.ts'
import { challenge, clientId, metadata, redirectUri, scope } from './web-client.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'peer' }

const server = createServer()
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo

const day = 86_400
const provider = new Provider(`https://localhost:${port}`, {
  clients: [metadata, service, device],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  jwks: { keys: [key] },
  scopes: ['openid', 'offline_access', apiScope],
  findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  routes: {
    pushed_authorization_request: '/par',
    introspection: '/introspect',
    device_authorization: '/device_authorization',
  },
  ttl: { AuthorizationCode: 60, Grant: 180 * day, IdToken: 600, RefreshToken: 30 * day },
  features: {
    // Its own pages: whoever signs in there is whom they say they are, without a hash.
    devInteractions: { enabled: true },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      // Without it a code for both `openid` and a resource gives an opaque token for userinfo.
      useGrantedResource: () => true,
      // It keeps no JWT, so it can be asked about opaque tokens only.
      getResourceServerInfo: (_context: unknown, indicator: string) => ({
        scope: apiScope,
        audience: indicator,
        accessTokenTTL: 600,
        accessTokenFormat: indicator === opaqueAudience ? 'opaque' : 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})
provider.proxy = true
registerExchange(provider, createPublicKey(privateKey))

let people = 0

/** A grant each, as for people who never met: its memory walks all tokens of a grant whenever one is added. */
async function newCode(): Promise<string> {
  const accountId = `person-${people++}`
  const client = await provider.Client.find(clientId)
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope('openid offline_access')
  grant.addResourceScope(audience, apiScope)
  return new provider.AuthorizationCode({
    accountId,
    acr: 'pwd',
    amr: ['pwd'],
    authTime: Math.floor(Date.now() / 1000),
    client,
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
    grantId: await grant.save(),
    nonce: 'n-0S6',
    redirectUri,
    resource: audience,
    scope,
    sessionUid: 'bench',
  }).save()
}

async function giveCodes(count: number, response: ServerResponse): Promise<void> {
  const codes: string[] = []
  while (codes.length < count) codes.push(await newCode())
  response.end(JSON.stringify(codes))
}

const handle = provider.callback()
server.on('request', (request, response) => {
  const count = /^\/new-codes\/(\d+)$/.exec(request.url ?? '')?.[1]
  void (count === undefined ? handle(request, response) : giveCodes(Number(count), response))
})
console.log(JSON.stringify({ event: 'ready', port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
