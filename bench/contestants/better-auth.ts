/**
 * better-auth as its documentation sets up an OAuth provider: `toNodeHandler` over node:http, a database that it has made
 * its tables in, the clients and the resource in its caches, ES256 for both tokens. What only tells of it (telemetry,
 * traces, limits) is off, and the hash of passwords costs nothing. The database is SQLite in memory: the adapter that it
 * has for memory reads whole tables for every row, and is for development and tests.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { oauthDeviceAuthorization, oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import { audience, clientId as serviceId, clientSecret as serviceSecret, scope as apiScope } from './client.ts'
import { device, deviceGrant } from './other-clients.ts'
import { clientId, clientSecret, redirectUri, scope } from './web-client.ts'

const confidential = { token_endpoint_auth_method: 'client_secret_basic' }
const clients = [
  {
    id: serviceId,
    secret: serviceSecret,
    declared: { grant_types: ['client_credentials'], client_credentials_scopes: [apiScope] },
  },
  {
    id: clientId,
    secret: clientSecret,
    declared: {
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [redirectUri],
      scope,
      skip_consent: true,
    },
  },
  { id: device.client_id, secret: device.client_secret, declared: { grant_types: [deviceGrant], scope: apiScope } },
]
/** It chooses names and secrets by itself, unless it is told how: those of whoever is declared at the moment. */
let declaring = clients[0]

const server = createServer()
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo

const options = {
  baseURL: `https://localhost:${port}`,
  secret: 'a-secret-for-measuring-only-0123456789',
  database: new DatabaseSync(':memory:'),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  experimental: { instrumentation: { enabled: false } },
  disabledPaths: ['/token'],
  emailAndPassword: {
    enabled: true,
    password: {
      hash: async (password: string) => password,
      verify: async ({ hash, password }: { hash: string; password: string }) => hash === password,
    },
  },
  plugins: [
    jwt({ disableSettingJwtHeader: true, jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/sign-in',
      consentPage: '/consent',
      scopes: scope.split(' '),
      resources: [audience],
      clientRegistrationDefaultResources: [audience],
      cachedResources: new Set([audience]),
      cachedTrustedClients: new Set(clients.map(({ id }) => id)),
      accessTokenExpiresIn: 600,
      m2mAccessTokenExpiresIn: 600,
      idTokenExpiresIn: 600,
      codeExpiresIn: 60,
      clientPrivileges: () => true,
      generateClientId: () => declaring?.id ?? '',
      generateClientSecret: () => declaring?.secret ?? '',
    }),
    oauthDeviceAuthorization(),
  ],
}

await (await getMigrations(options)).runMigrations()
const auth = betterAuth(options)
const administrator = await auth.api.signUpEmail({
  body: { name: 'Administrator', email: 'administrator@example.com', password: 'a-password-for-measuring' },
  returnHeaders: true,
})
const cookie = administrator.headers.getSetCookie().join('; ')
for (const client of clients) {
  declaring = client
  await auth.api.adminCreateOAuthClient({
    headers: new Headers({ cookie }),
    body: { ...confidential, ...client.declared },
  })
}
const handle = toNodeHandler(auth)
server.on('request', (request, response) => void handle(request, response))
console.log(JSON.stringify({ event: 'ready', port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
