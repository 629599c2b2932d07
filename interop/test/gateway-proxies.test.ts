/** nginx, Caddy, HAProxy and Envoy, unmodified, ask the gateway whether a request may pass, configured as docs/gateway.md shows it. Traefik cannot be had here and is not run. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { ensureEnvoy, startEnvoy } from '../envoy.ts'
import { type SeenRequest, startGateway, startUpstream } from '../gateway.ts'
import { freePort } from '../plain-browser.ts'
import { ensureProxies, type ProxyName, startProxy } from '../proxies.ts'
import { startServer, temporaryFolder } from '../server.ts'

const missing = ensureProxies()
const missingEnvoy = ensureEnvoy()
const api = 'https://api.example'
const secret = (of: string): string => `${of}-secret-of-32-or-more-characters`

const seed = {
  resources: [{ identifier: api, name: 'API' }],
  scopes: [{ name: 'orders:read', description: 'Read', resource: api }],
  clients: [
    { client_id: 'svc', scope: 'orders:read' },
    { client_id: 'gateway', scope: 'revocations:read events:report', resource_server: api },
  ].map((client) => ({
    ...client,
    client_secret: secret(client.client_id),
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  })),
}

interface Asked {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly challenge: string | undefined
  readonly seen: SeenRequest | null
}

/** With the path as it is written: fetch would clean it. */
function ask(
  origin: string,
  path: string,
  { method = 'GET', token, headers = {}, body }: Asked = {},
): Promise<Answered> {
  const { hostname, port } = new URL(origin)
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path, method, headers: { ...authorization, ...headers }, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          const seen = status === 200 ? (JSON.parse(text) as SeenRequest) : null
          resolve({ status, challenge: response.headers['www-authenticate'], seen })
        })
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** One server and one gateway for all proxies: each has a token of its own. */
const shared = new AsyncDisposableStack()
after(() => shared.disposeAsync())
let deployment: ReturnType<typeof deploy> | null = null
const deployed = (): ReturnType<typeof deploy> => (deployment ??= deploy(shared))

async function deploy(stack: AsyncDisposableStack) {
  const folder = stack.use(temporaryFolder())
  const server = stack.use(
    await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env: { GRANTOR_LOG: 'warn' } }),
  )
  const ca = server.ca ?? ''
  const upstream = stack.use(await startUpstream())
  const gateway = stack.use(
    await startGateway(
      {
        issuer: server.issuer,
        audience: api,
        ca: 'ca.pem',
        client: { client_id: 'gateway', client_secret: secret('gateway') },
        routes: [{ path: '/orders', methods: ['GET', 'POST'], scopes: ['orders:read'] }],
      },
      ca,
    ),
  )
  const dispatcher = stack.adopt(new Agent({ connect: { ca } }), (one) => one.close())
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    undiciFetch(`${server.issuer}${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { authorization: `Basic ${Buffer.from(`svc:${secret('svc')}`).toString('base64')}` },
      dispatcher,
    })
  const token = async (): Promise<string> =>
    ((await (await post('/token', { grant_type: 'client_credentials' })).json()) as { access_token: string })
      .access_token
  return { ca, upstream, gateway, token, revoke: (of: string) => post('/revoke', { token: of }) }
}

type Deployed = Awaited<ReturnType<typeof deploy>>

/** What every proxy must do with our answers, and must not let its clients do. */
async function holds(origin: string, { upstream, token, revoke }: Deployed): Promise<void> {
  const good = await token()
  const none = await ask(origin, '/orders')
  assert.equal(none.status, 401)
  assert.match(none.challenge ?? '', /^Bearer realm="api\.example", scope="orders:read", resource_metadata=/)
  const bad = await ask(origin, '/orders', { token: 'a.b.c' })
  assert.deepEqual([bad.status, bad.challenge?.includes('error="invalid_token"')], [401, true])
  const passed = await ask(origin, '/orders/7?x=%20y', { token: good })
  assert.deepEqual([passed.status, passed.seen?.url], [200, '/orders/7?x=%20y'])
  assert.equal(passed.seen?.headers['grantor-client'], 'svc')
  assert.equal(passed.seen?.headers['grantor-scope'], 'orders:read')
  const posted = await ask(origin, '/orders', { method: 'POST', token: good, body: 'a body' })
  assert.deepEqual([posted.status, posted.seen?.method, posted.seen?.body], [200, 'POST', 'a body'])
  assert.equal((await ask(origin, '/other', { token: good })).status, 403)
  assert.equal((await ask(origin, '/orders', { method: 'DELETE', token: good })).status, 403)
  const spoofed = { 'Grantor-Subject': 'root', 'GRANTOR-TENANT': 'root', Grantor_Subject: 'root' }
  const spoof = await ask(origin, '/orders', { token: good, headers: spoofed })
  if (spoof.status === 200) assert.ok(!JSON.stringify(spoof.seen).includes('root'), JSON.stringify(spoof.seen))
  const hop = await ask(origin, '/orders', {
    token: good,
    headers: { connection: 'close, Grantor-Subject, Grantor-Client' },
  })
  if (hop.status === 200) assert.equal(hop.seen?.headers['grantor-client'], 'svc')
  const before = upstream.seen.length
  for (const headers of [
    { 'X-Forwarded-Uri': '/orders', 'X-Forwarded-Method': 'GET' },
    { 'X-Original-URI': '/orders', 'X-Original-Method': 'GET' },
    { 'X-Original-URL': '/orders' },
  ])
    assert.notEqual((await ask(origin, '/other', { token: good, headers })).status, 200, JSON.stringify(headers))
  for (const path of ['/orders/../other', '/orders/%2e%2e/other', '/orders/..%2fother', '//other', '/orders/..//other'])
    assert.notEqual((await ask(origin, path, { token: good })).status, 200, path)
  assert.equal(upstream.seen.length, before)
  await revoke(good)
  let status = 200
  for (let tries = 0; tries < 600 && status === 200; tries++)
    ({ status } = await ask(origin, '/orders', { token: good }))
  assert.equal(status, 401)
}

for (const name of ['nginx', 'caddy', 'haproxy'] satisfies ProxyName[]) {
  test(
    `${name} lets through what the gateway accepts, and nobody else's word counts`,
    { skip: missing ?? false },
    async () => {
      await using stack = new AsyncDisposableStack()
      const it = await deployed()
      const proxy = stack.use(await startProxy(name, { gateway: it.gateway.port, api: it.upstream.port }))
      await holds(proxy.origin, it)
    },
  )
}

const type = (name: string) => `type.googleapis.com/envoy.extensions.${name}`

/** As docs/gateway.md shows it in YAML. */
const bootstrap = (port: number, gateway: number, upstream: number) => () => {
  const address = (at: number) => ({ socket_address: { address: '127.0.0.1', port_value: at } })
  const cluster = (name: string, at: number) => ({
    name,
    type: 'STATIC',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address: address(at) } }] }] },
  })
  const authz = {
    '@type': type('filters.http.ext_authz.v3.ExtAuthz'),
    failure_mode_allow: false,
    status_on_error: { code: 'ServiceUnavailable' },
    allowed_headers: { patterns: [{ exact: 'authorization' }, { exact: 'dpop' }] },
    http_service: {
      server_uri: { uri: `http://127.0.0.1:${gateway}`, cluster: 'gateway', timeout: '5s' },
      path_prefix: '/forward-auth',
      authorization_response: {
        allowed_upstream_headers: { patterns: [{ prefix: 'grantor-' }] },
        allowed_client_headers: {
          patterns: [{ exact: 'www-authenticate' }, { exact: 'retry-after' }, { exact: 'content-type' }],
        },
      },
    },
  }
  const manager = {
    '@type': type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
    stat_prefix: 'api',
    normalize_path: true,
    merge_slashes: true,
    path_with_escaped_slashes_action: 'REJECT_REQUEST',
    common_http_protocol_options: { headers_with_underscores_action: 'DROP_HEADER' },
    http_filters: [
      { name: 'envoy.filters.http.ext_authz', typed_config: authz },
      { name: 'envoy.filters.http.router', typed_config: { '@type': type('filters.http.router.v3.Router') } },
    ],
    route_config: {
      virtual_hosts: [{ name: 'api', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'api' } }] }],
    },
  }
  return {
    static_resources: {
      listeners: [{ address: address(port), filter_chains: [{ filters: [{ name: 'http', typed_config: manager }] }] }],
      clusters: [cluster('gateway', gateway), cluster('api', upstream)],
    },
  }
}

test(
  'Envoy lets through what the gateway accepts, and nobody else’s word counts',
  { skip: missingEnvoy ?? false },
  async () => {
    await using stack = new AsyncDisposableStack()
    const it = await deployed()
    const port = await freePort()
    const envoy = stack.use(await startEnvoy({ port, ca: it.ca }, bootstrap(port, it.gateway.port, it.upstream.port)))
    await holds(envoy.origin, it)
  },
)
