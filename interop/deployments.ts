/** The deployments that every peer is tried against: the real command on SQLite, and on PostgreSQL. */
import { Agent, fetch as undiciFetch } from 'undici'
import { temporaryDatabase } from './database.ts'
import { type Server, startServer, temporaryFolder } from './server.ts'

export interface Deployment extends AsyncDisposable {
  readonly server: Server
  /** Kills the server (SIGKILL) and starts it again on the same data and port. */
  restart(): Promise<void>
  readonly issuer: URL
  /** The platform's fetch, trusting the server's local CA and nothing else. */
  readonly fetch: (url: string, init?: object) => Promise<Response>
}

export const api = 'https://api.example'
export const ledger = 'https://ledger.example'
export const secret = (of: string): string => `${of}-secret-of-32-or-more-characters`

const service = (id: string, method: string) => ({
  client_id: id,
  client_secret: secret(id),
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: method,
  scope: 'invoices:read invoices:write entries:read',
})

/** Somebody who can sign in and allow. */
export const alice = { username: 'alice', password: 'correct-horse', name: 'Alice Doe', email: 'alice@example.com' }
/** Somebody else, whose factors a test may change. */
export const bob = { username: 'bob', password: 'battery-staple', name: 'Bob Roe', email: 'bob@example.com' }
export const redirectUri = 'https://client.example/cb'

/** Of the client `signer`, which signs what it asks for. */
export const signerKey = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])
export const signerKid = 'signer-1'

const seed = {
  users: [{ ...alice, email_verified: true }, bob],
  resources: [
    { identifier: api, name: 'Invoices', token_format: 'jwt' },
    { identifier: ledger, name: 'Ledger', token_format: 'opaque' },
  ],
  scopes: [
    { name: 'invoices:read', description: 'See your invoices', resource: api },
    { name: 'invoices:write', description: 'Change your invoices', resource: api },
    { name: 'entries:read', description: 'See your entries', resource: ledger },
  ],
  clients: [
    service('basic', 'client_secret_basic'),
    service('post', 'client_secret_post'),
    {
      ...service('web', 'client_secret_basic'),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      scope: 'openid profile email offline_access invoices:read invoices:write',
    },
    {
      ...service('signer', 'client_secret_basic'),
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      scope: 'openid email',
      jwks: { keys: [{ ...(await crypto.subtle.exportKey('jwk', signerKey.publicKey)), kid: signerKid }] },
      authorization_signed_response_alg: 'ES256',
      require_signed_request_object: true,
    },
    {
      client_id: 'native',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1/cb'],
      scope: 'openid offline_access invoices:read',
    },
    {
      client_id: 'tv',
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      scope: 'openid offline_access invoices:read',
    },
    {
      ...service('till', 'client_secret_basic'),
      grant_types: ['urn:openid:params:grant-type:ciba', 'refresh_token'],
      backchannel_token_delivery_mode: 'poll',
      scope: 'openid offline_access invoices:read',
    },
    { ...service('ledger', 'client_secret_basic'), scope: '', resource_server: ledger },
  ],
}

/** What a test declares beside what all have. */
export interface MoreSeed {
  readonly clients?: readonly object[]
  readonly [member: string]: unknown
}

async function deploy(
  { env, clients = [], ...more }: MoreSeed & { readonly env: Readonly<Record<string, string>> },
  stack: AsyncDisposableStack,
): Promise<Deployment> {
  const folder = stack.use(temporaryFolder())
  const options = {
    data: folder.path,
    seed: folder.write('seed.json', { ...seed, ...more, clients: [...seed.clients, ...clients] }),
    env: { GRANTOR_LOG: 'warn', ...env },
  }
  let server = await startServer(options)
  stack.defer(() => server[Symbol.asyncDispose]())
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting: Deployment['fetch'] = (url, init) => undiciFetch(url, { ...init, dispatcher: agent })
  const owned = stack.move()
  return {
    get server() {
      return server
    },
    async restart() {
      await server.kill()
      server = await startServer({ ...options, env: { ...options.env, GRANTOR_PORT: String(server.port) } })
    },
    issuer: new URL(server.issuer),
    fetch: trusting,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export const deployments: readonly {
  readonly on: string
  open(more?: Readonly<Record<string, string>>, seed?: MoreSeed): Promise<Deployment>
}[] = [
  {
    on: 'SQLite',
    async open(env = {}, more = {}) {
      await using stack = new AsyncDisposableStack()
      return await deploy({ ...more, env }, stack)
    },
  },
  {
    on: 'PostgreSQL',
    async open(own = {}, more = {}) {
      await using stack = new AsyncDisposableStack()
      const database = stack.use(await temporaryDatabase())
      const env = {
        ...own,
        ...database.settings,
        GRANTOR_MASTER_KEY: 'a-master-key-for-interop-tests-0123456789',
      }
      return await deploy({ ...more, env }, stack)
    },
  },
]
