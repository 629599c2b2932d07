/** `grantor gateway` as a process of its own, in front of a real API, with a real server behind its tokens. */
import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { issueCertificate } from '@grantor/server'
import { type Folder, folder } from './grantor.ts'
import { requestJson } from './https.ts'

const api = 'https://api.example'
const opaque = 'https://opaque.example'
const inner = 'https://inner.example'
const secret = (of: string): string => `${of}-secret-of-32-or-more-characters`
const service = (id: string, scope: string, more: object = {}) => ({
  client_id: id,
  client_secret: secret(id),
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope,
  ...more,
})

const seed = {
  resources: [
    { identifier: api, name: 'API' },
    { identifier: opaque, name: 'Opaque', token_format: 'opaque' },
    { identifier: inner, name: 'Inner' },
  ],
  scopes: [
    { name: 'a:read', description: 'Read', resource: api },
    { name: 'o:read', description: 'Read', resource: opaque },
    { name: 'i:read', description: 'Read', resource: inner },
  ],
  clients: [
    service('svc', 'a:read o:read i:read'),
    service('gateway', 'revocations:read events:report', { resource_server: api }),
    service('border', 'revocations:read events:report', {
      resource_server: opaque,
      grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      exchange: [{ audience: inner, scopes: ['i:read'], as: 'delegate' }],
    }),
  ],
}

interface Gateway extends AsyncDisposable {
  readonly port: number
  readonly process: ChildProcessWithoutNullStreams
  stderr(): string
  heard(text: string): Promise<void>
}

async function startGateway(here: Folder, file = 'gateway.yaml'): Promise<Gateway> {
  const child = here.spawn(['gateway', '--config', file], { GRANTOR_GATEWAY_PORT: '0' })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const lines = createInterface(child.stdout)
  const ready = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${String(code)}: ${stderr}`))),
  ])
  const { port, event } = JSON.parse(ready[0]) as { readonly port: number; readonly event: string }
  assert.equal(event, 'ready')
  return {
    port,
    process: child,
    stderr: () => stderr,
    async heard(text) {
      for (let tries = 0; tries < 600 && !stderr.includes(text); tries++) await pause(50)
      assert.ok(stderr.includes(text), `${text} is not in ${stderr}`)
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function ask(port: number, path: string, token?: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more }
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      response.on('error', reject)
    })
    sent.on('error', reject).end()
  })
}

/** Until it is so; the gateway hears of keys and revocations in its own time. */
async function until(port: number, path: string, token: string | undefined, status: number): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask(port, path, token)
    if (answer.status === status || tries === 600) {
      assert.equal(answer.status, status, answer.body)
      return answer
    }
    await pause(50)
  }
}

/** Says what it got; `/slow` after a second. */
async function startUpstream(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer(({ url, headers }, response) => {
    const say = (): void => void response.end(JSON.stringify(headers))
    if (url === '/slow') setTimeout(say, 1000)
    else say()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** One for all: a gateway is judged by its own file and process. */
const shared = new AsyncDisposableStack()
after(() => shared.disposeAsync())
let deployment: ReturnType<typeof deploy> | null = null
const deployed = (): ReturnType<typeof deploy> => (deployment ??= deploy(shared))

async function deploy(stack: AsyncDisposableStack) {
  const here = stack.use(folder())
  here.write('seed.json', JSON.stringify(seed))
  const server = stack.use(await here.start(['--seed', 'seed.json']))
  const upstream = await startUpstream(stack)
  const issuer = `https://localhost:${server.ready.port}`
  const tokenFor = async (scope: string): Promise<string> => {
    const form = { grant_type: 'client_credentials', scope }
    const { body } = await requestJson(`${issuer}/token`, { folder: here, form, basic: ['svc', secret('svc')] })
    return String(body['access_token'])
  }
  const file = (more: string): string => `issuer: ${issuer}\nca: data/tls/ca.pem\nupstream: ${upstream}\n${more}`
  return { here, server, issuer, tokenFor, file }
}

const usual = `audience: ${api}
client: { client_id: gateway, client_secret_file: secret.txt }
routes:
  - { path: /, methods: [GET], scopes: [a:read] }
`

test('without a client it says on stderr that revocations are not heard of; with an issuer that is away it answers 503', async () => {
  await using stack = new AsyncDisposableStack()
  const here = stack.use(folder())
  const routes = 'routes: [{ path: /, scopes: [] }]\n'
  here.write('gateway.yaml', `issuer: https://localhost:1\naudience: ${api}\nupstream: http://127.0.0.1:1\n${routes}`)
  const gateway = stack.use(await startGateway(here))
  await gateway.heard('revocations are not heard of')
  const token = [{ alg: 'ES256', typ: 'at+jwt', kid: 'x' }, { iss: 'https://localhost:1' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('AAAA')
    .join('.')
  const answer = await ask(gateway.port, '/x', token)
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers['retry-after']) > 0)
  assert.equal((await ask(gateway.port, '/health/live')).status, 200)
  assert.equal((await ask(gateway.port, '/health/ready')).status, 503)
})

test('a changed file with addresses that cannot be used is refused with its lines, and the gateway goes on', async () => {
  await using stack = new AsyncDisposableStack()
  const here = stack.use(folder())
  const file = (issuer: string, more = '') =>
    `issuer: ${issuer}\naudience: ${api}\nupstream: http://127.0.0.1:1\nroutes: [{ path: /, scopes: [] }]\n${more}`
  const away = 'https://localhost:1'
  here.write('gateway.yaml', file(away))
  const gateway = stack.use(await startGateway(here))
  here.write('gateway.yaml', file(`${away}/t/acme/`, 'policy: { url: https://pdp.example:8181 }\n'))
  gateway.process.kill('SIGHUP')
  await gateway.heard('gateway.yaml:1: issuer: ends with a slash\n')
  await gateway.heard('gateway.yaml:5: policy.url: must be its evaluation endpoint')
  assert.equal((await ask(gateway.port, '/health/live')).status, 200)
  here.write('gateway.yaml', file(away, 'limits: { body: 1 }\n'))
  await gateway.heard('gateway.yaml was read again')
})

test('a changed file takes over without dropping what is open; a bad one is refused with its line; SIGTERM lets what is open end, with 0', async () => {
  await using stack = new AsyncDisposableStack()
  const { here, tokenFor, file } = await deployed()
  here.write('gateway.yaml', file(usual))
  here.write('secret.txt', secret('gateway'))
  const gateway = stack.use(await startGateway(here))
  const token = await tokenFor('a:read')
  await until(gateway.port, '/x', token, 200)
  const slow = ask(gateway.port, '/slow', token)
  here.write('gateway.yaml', file(usual.replace('path: /,', 'path: /y,')))
  await until(gateway.port, '/x', token, 403)
  assert.equal((await ask(gateway.port, '/y', token)).status, 200)
  assert.equal((await slow).status, 200)
  here.write('gateway.yaml', file(usual.replace('scopes: [a:read]', 'scope: [a:read]')))
  await gateway.heard('\n  gateway.yaml:7: routes[0].scope: is not known\n')
  assert.equal((await ask(gateway.port, '/y', token)).status, 200)
  here.write('gateway.yaml', file('nonsense: ['))
  await gateway.heard('gateway.yaml:4:')
  here.write('gateway.yaml', file(usual))
  gateway.process.kill('SIGHUP')
  await until(gateway.port, '/x', token, 200)
  const last = ask(gateway.port, '/slow', token)
  await pause(300)
  const ended = once(gateway.process, 'exit')
  gateway.process.kill('SIGTERM')
  assert.equal((await last).status, 200)
  assert.deepEqual(await ended, [0, null])
})

test('RFC 8693, RFC 9701: an opaque token is exchanged at the border, or replaced by what introspection says, signed', async () => {
  await using stack = new AsyncDisposableStack()
  const { here, tokenFor, file, issuer } = await deployed()
  const border = `audience: ${opaque}
client: { client_id: border, client_secret: ${secret('border')} }
routes: [{ path: /, scopes: [o:read] }]
`
  here.write('exchange.yaml', file(`${border}exchange: { audience: ${inner}, scopes: [i:read] }\n`))
  here.write('phantom.yaml', file(`${border}authorization: introspection\n`))
  const exchanging = stack.use(await startGateway(here, 'exchange.yaml'))
  const introspecting = stack.use(await startGateway(here, 'phantom.yaml'))
  const token = await tokenFor('o:read')
  assert.ok(!token.includes('.'))
  const claimsOf = ({ body }: Answer) => {
    const sent = String((JSON.parse(body) as IncomingHttpHeaders).authorization).replace('Bearer ', '')
    return JSON.parse(Buffer.from(sent.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  }
  const exchanged = claimsOf(await until(exchanging.port, '/x', token, 200))
  assert.deepEqual([exchanged['aud'], exchanged['scope'], exchanged['iss']], [inner, 'i:read', issuer])
  const introspected = claimsOf(await until(introspecting.port, '/x', token, 200))
  assert.equal((introspected['token_introspection'] as Record<string, unknown>)['scope'], 'o:read')
})

test('API keys pass where the file says so: by their scope and address, not mistyped, not of another API, and not once revoked', async () => {
  await using stack = new AsyncDisposableStack()
  const { here, file } = await deployed()
  here.write('secret.txt', secret('gateway'))
  here.write('gateway.yaml', file(`${usual}api_keys: true\ntrust_proxy: [loopback]\n`))
  here.write('without.yaml', file(usual))
  const make = async (resource: string, scope: string, ...more: readonly string[]) => {
    const words = ['--client', 'svc', '--resource', resource, '--name', 'n', '--scope', scope, ...more]
    const made = await here.json('api-key', 'create', ...words)
    return { id: String(made['id']), key: String(made['key']) }
  }
  const [open, office, other] = [
    await make(api, 'a:read'),
    await make(api, 'a:read', '--address', '192.0.2.0/24'),
    await make(opaque, 'o:read'),
  ]
  const gateway = stack.use(await startGateway(here))
  const without = stack.use(await startGateway(here, 'without.yaml'))
  const passed = await until(gateway.port, '/x', open.key, 200)
  const { 'grantor-client': client, 'grantor-token-id': id } = JSON.parse(passed.body) as IncomingHttpHeaders
  assert.deepEqual([client, id], ['svc', open.id])
  const codeOf = async (port: number, key: string, from?: string): Promise<unknown> => {
    const { status, body } = await ask(port, '/x', key, from === undefined ? {} : { 'x-forwarded-for': from })
    return status === 200 ? 200 : (JSON.parse(body) as { readonly code: string }).code
  }
  assert.equal(await codeOf(gateway.port, office.key), 'address_not_allowed')
  assert.equal(await codeOf(gateway.port, office.key, '192.0.2.7'), 200)
  assert.equal(await codeOf(gateway.port, office.key, '198.51.100.1'), 'address_not_allowed')
  // What the client itself wrote stands to the left of what its proxy saw.
  assert.equal(await codeOf(gateway.port, office.key, '192.0.2.7, 198.51.100.1'), 'address_not_allowed')
  assert.equal(await codeOf(gateway.port, office.key, 'unknown'), 'address_not_allowed')
  assert.equal(await codeOf(gateway.port, other.key), 'invalid_token')
  const mistyped = `${open.key.slice(0, -1)}${open.key.endsWith('a') ? 'b' : 'a'}`
  assert.equal(await codeOf(gateway.port, mistyped), 'token_malformed')
  await until(without.port, '/health/ready', undefined, 200)
  assert.equal(await codeOf(without.port, open.key), 'api_key_not_accepted')
  await here.json('api-key', 'revoke', open.id)
  await until(gateway.port, '/x', open.key, 401)
  assert.ok(![open, office, other].some(({ key }) => gateway.stderr().includes(key)))
})

for (const [what, file, problem] of [
  ['without routes', `issuer: https://a\naudience: ${api}\n`, 'gateway.yaml:1: routes: is missing'],
  [
    'on a network in the clear',
    `issuer: https://a\naudience: ${api}\nhost: 0.0.0.0\nroutes: [{ path: /, scopes: [] }]\n`,
    'gateway.yaml:3: host: needs tls',
  ],
  [
    'with an issuer in the clear',
    `issuer: http://a\naudience: ${api}\nroutes: [{ path: /, scopes: [] }]\n`,
    'gateway.yaml:1: issuer: must be an https address',
  ],
  [
    'with a route without scopes',
    `issuer: https://a\naudience: ${api}\nroutes:\n  - path: /x\n`,
    'gateway.yaml:4: routes[0].scopes: is missing',
  ],
  [
    'with a file that is not there',
    `issuer: https://a\naudience: ${api}\nca: none.pem\nroutes: [{ path: /, scopes: [] }]\n`,
    'gateway.yaml:3: ca: cannot be read (ENOENT)',
  ],
] as const) {
  test(`a gateway ${what} does not start, and says where`, async () => {
    using here = folder()
    here.write('gateway.yaml', file)
    const { code, stderr } = await here.call(['gateway', '--config', 'gateway.yaml'])
    assert.equal(code, 2)
    assert.ok(stderr.includes(problem), stderr)
  })
}

test('a host that is not of this machine is a mistake of the file, and has its line', async () => {
  using here = folder()
  const routes = 'routes: [{ path: /, scopes: [] }]\n'
  const file = `issuer: https://localhost:1\naudience: ${api}\nupstream: http://127.0.0.1:1\n${routes}`
  // RFC 5737: an address that nobody has.
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const { cert, key } = await issueCertificate({ name: 'CN=gateway', validity, names: ['192.0.2.1'], signer: null })
  here.write('cert.pem', cert)
  here.write('key.pem', key)
  here.write('gateway.yaml', `${file}host: 192.0.2.1\ntls: { cert: cert.pem, key: key.pem }\n`)
  const { code, stderr } = await here.call(['gateway', '--config', 'gateway.yaml', '--port', '0'])
  assert.equal(code, 2, stderr)
  assert.match(stderr, /gateway\.yaml:5: host: 192\.0\.2\.1 is not an address of this machine/)
})

test('a gateway is named its file and a port that is one', async () => {
  using here = folder()
  assert.equal((await here.call(['gateway'])).code, 2)
  assert.equal((await here.call(['gateway', '--config', 'none.yaml'])).code, 3)
  const { code, stderr } = await here.call(['gateway', '--config', 'x'], { env: { GRANTOR_GATEWAY_PORT: 'eight' } })
  assert.deepEqual([code, stderr.includes('GRANTOR_GATEWAY_PORT')], [2, true])
  const beyond = await here.call(['gateway', '--config', 'x', '--port', '70000'])
  assert.deepEqual([beyond.code, beyond.stderr.includes('--port: 70000')], [2, true], beyond.stderr)
})

/** The last one: nobody has a server after it. */
test('the gateway lets tokens of the server through, refuses them once they are revoked, and goes on while the server is away', async () => {
  await using stack = new AsyncDisposableStack()
  const { here, server, issuer, tokenFor, file } = await deployed()
  here.write('gateway.yaml', file(usual))
  here.write('secret.txt', `${secret('gateway')}\n`)
  const gateway = stack.use(await startGateway(here))
  const [token, other] = [await tokenFor('a:read'), await tokenFor('a:read')]
  await until(gateway.port, '/health/ready', undefined, 200)
  const passed = await until(gateway.port, '/x', token, 200)
  assert.equal((JSON.parse(passed.body) as IncomingHttpHeaders)['grantor-client'], 'svc')
  await requestJson(`${issuer}/revoke`, { folder: here, form: { token }, basic: ['svc', secret('svc')] })
  const refused = await until(gateway.port, '/x', token, 401)
  assert.match(String(refused.headers['www-authenticate']), /error="invalid_token"/)
  await server.stop('SIGKILL')
  assert.equal((await ask(gateway.port, '/x', other)).status, 200)
})
