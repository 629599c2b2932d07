/** `oidc-provider` from npm as its documentation sets it up for machine tokens: in-memory adapter, resource indicators, ES256 JWT. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { audience, clientId, clientSecret, scope } from './client.ts'

export const resourceServer = {
  scope,
  audience,
  accessTokenTTL: 600,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
} as const

/** Listens, and says so; further grants may be registered afterwards. */
export async function serveTokens(
  grantTypes: readonly string[],
): Promise<{ readonly provider: Provider; readonly privateKey: KeyObject }> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'peer' }
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const provider = new Provider(`https://localhost:${port}`, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: [...grantTypes],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    // Its own default is RS256, for which it would want an RSA key too.
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [key] },
    scopes: [scope],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => resourceServer,
      },
    },
  })
  provider.proxy = true
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  console.log(JSON.stringify({ event: 'ready', port, pid: process.pid }))
  process.once('SIGTERM', () => process.exit(0))
  return { provider, privateKey }
}
