/** `oidc-provider` with a token exchange of our own making, since it has none: the least that RFC 8693 §2 asks for. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { audience, clientId, clientSecret, exchangeGrant, scope } from './client.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'peer' }
const publicKey = createPublicKey(privateKey)

const server = createServer()
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo

const resource = {
  scope,
  audience,
  accessTokenTTL: 600,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
} as const
const provider = new Provider(`https://localhost:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials', exchangeGrant],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  jwks: { keys: [key] },
  scopes: [scope],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: { enabled: true, defaultResource: () => audience, getResourceServerInfo: () => resource },
  },
})

/** Whether our key signed it, for here and not over: it keeps no copy of JWTs to look one up. */
function isGood(token: string): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number }
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const signed = verify('sha256', Buffer.from(`${header}.${claims}`), how, Buffer.from(signature, 'base64url'))
  return signed && aud === audience && exp > Date.now() / 1000
}

provider.registerGrantType(
  exchangeGrant,
  async (ctx) => {
    const { client, params } = ctx.oidc
    if (client === undefined || !isGood(String(params?.['subject_token']))) throw new Error('invalid_request')
    const token = new provider.ClientCredentials({ client, scope })
    token.resourceServer = new provider.ResourceServer(audience, resource)
    token.extra = { act: { sub: client.clientId } }
    const access = await token.save()
    ctx.body = { access_token: access, expires_in: token.expiration, token_type: 'Bearer', scope }
  },
  ['subject_token', 'subject_token_type', 'resource', 'scope'],
)
provider.proxy = true
const handle = provider.callback()
server.on('request', (request, response) => void handle(request, response))
console.log(JSON.stringify({ event: 'ready', port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
