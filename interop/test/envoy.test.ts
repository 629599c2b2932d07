/** Envoy, unmodified: its oauth2 filter signs people in with PKCE, and its jwt_authn filter checks our access tokens by our keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { ensureEnvoy, startEnvoy } from '../envoy.ts'
import { ScriptedPerson } from '../person.ts'
import { freePort, PlainBrowser } from '../plain-browser.ts'
import { startServer, temporaryFolder } from '../server.ts'

const missing = ensureEnvoy()
const alice = { username: 'alice', password: 'correct-horse' }
const secret = 'envoy-secret-of-32-or-more-characters'
const api = 'https://members.example'

const type = (name: string) => `type.googleapis.com/envoy.extensions.${name}`

interface Addresses {
  readonly port: number
  readonly issuer: URL
}

/** One listener: sign in, check the token, answer. */
const bootstrap =
  ({ port, issuer }: Addresses) =>
  (ca: string) => {
    const uri = (path: string) => ({ uri: `${issuer.origin}${path}`, cluster: 'grantor', timeout: '10s' })
    const oauth2 = {
      token_endpoint: uri('/token'),
      authorization_endpoint: `${issuer.origin}/authorize`,
      redirect_uri: `http://127.0.0.1:${port}/callback`,
      redirect_path_matcher: { path: { exact: '/callback' } },
      signout_path: { path: { exact: '/signout' } },
      forward_bearer_token: true,
      // Whoever brings a token is not led to sign in.
      pass_through_matcher: [{ name: 'authorization', string_match: { prefix: 'Bearer ' } }],
      auth_type: 'BASIC_AUTH',
      auth_scopes: ['openid', 'members:read'],
      resources: [api],
      credentials: { client_id: 'envoy', token_secret: { name: 'token' }, hmac_secret: { name: 'hmac' } },
    }
    const provider = { issuer: issuer.origin, audiences: [api], remote_jwks: { http_uri: uri('/jwks') } }
    const filters = {
      oauth2: { '@type': type('filters.http.oauth2.v3.OAuth2'), config: oauth2 },
      jwt_authn: {
        '@type': type('filters.http.jwt_authn.v3.JwtAuthentication'),
        providers: { grantor: provider },
        rules: [{ match: { prefix: '/' }, requires: { provider_name: 'grantor' } }],
      },
      router: { '@type': type('filters.http.router.v3.Router') },
    }
    const manager = {
      '@type': type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
      stat_prefix: 'members',
      http_filters: Object.entries(filters).map(([name, config]) => ({
        name: `envoy.filters.http.${name}`,
        typed_config: config,
      })),
      route_config: {
        virtual_hosts: [
          {
            name: 'members',
            domains: ['*'],
            routes: [
              { match: { prefix: '/' }, direct_response: { status: 200, body: { inline_string: 'for members' } } },
            ],
          },
        ],
      },
    }
    const tls = {
      '@type': type('transport_sockets.tls.v3.UpstreamTlsContext'),
      sni: issuer.hostname,
      common_tls_context: { validation_context: { trusted_ca: { filename: ca } } },
    }
    const address = (host: string, at: number) => ({ socket_address: { address: host, port_value: at } })
    const endpoint = { address: address('127.0.0.1', Number(issuer.port)) }
    return {
      static_resources: {
        listeners: [
          {
            address: address('127.0.0.1', port),
            filter_chains: [{ filters: [{ name: 'http', typed_config: manager }] }],
          },
        ],
        clusters: [
          {
            name: 'grantor',
            type: 'STATIC',
            load_assignment: { cluster_name: 'grantor', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
            transport_socket: { name: 'envoy.transport_sockets.tls', typed_config: tls },
          },
        ],
        secrets: [
          { name: 'token', generic_secret: { secret: { inline_string: secret } } },
          { name: 'hmac', generic_secret: { secret: { inline_string: 'a-key-for-the-cookies-of-this-test' } } },
        ],
      },
    }
  }

test('Envoy signs somebody in, and lets through what our keys have signed', { skip: missing ?? false }, async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const port = await freePort()
  const seed = folder.write('seed.json', {
    users: [alice],
    resources: [{ identifier: api, name: 'Members' }],
    scopes: [{ name: 'members:read', description: 'See what is for members', resource: api }],
    clients: [
      {
        client_id: 'envoy',
        client_secret: secret,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        scope: 'openid members:read',
      },
    ],
  })
  const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
  const issuer = new URL(server.issuer)
  const envoy = stack.use(await startEnvoy({ port, ca: server.ca ?? '' }, bootstrap({ port, issuer })))
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting = (url: string, init?: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
  const visits = new PlainBrowser()
  const page = `${envoy.origin}/welcome`
  const first = await visits.get(page)
  const asked = new URL(first.headers.location ?? '')
  assert.deepEqual([first.status, asked.origin], [302, issuer.origin])
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
  const answer = await new ScriptedPerson(trusting, alice).follow(asked)
  const back = await visits.get(answer.href)
  assert.deepEqual([back.status, back.headers.location], [302, page])
  const shown = await visits.get(page)
  assert.deepEqual([shown.status, shown.body], [200, 'for members'])
  const made = { authorization: `Bearer ${'e30.e30.'.padEnd(60, 'A')}` }
  assert.equal((await new PlainBrowser().get(page, made)).status, 401)
})
