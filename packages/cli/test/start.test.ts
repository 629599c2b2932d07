/** `grantor start` as others script against it. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { type Environment, runGrantor } from '../src/index.ts'
import { assertKeyOpensOrders } from './demo-keys.ts'
import { anyPorts, folder, plainEnv, shim } from './grantor.ts'
import { requestJson } from './https.ts'

const secret = 'a-secret-of-32-or-more-characters-long'
const seed = `resources: [{ identifier: https://api.example, name: API }]
scopes: [{ name: a:read, description: Read, resource: https://api.example }]
clients:
  - { client_id: svc, client_secret: ${secret}, grant_types: [client_credentials], scope: a:read }
`
const credentials = { grant_type: 'client_credentials' }

test('stdout holds exactly one JSON line, and the server it names answers', async () => {
  using here = folder()
  await using server = await here.start()
  const { ready } = server
  assert.deepEqual(Object.keys(ready).toSorted(), ['event', 'issuer', 'management_port', 'mtls_port', 'pid', 'port'])
  assert.deepEqual(
    [ready.event, ready.issuer, ready.pid],
    ['ready', `https://localhost:${ready.port}`, server.process.pid],
  )
  const metadata = await requestJson(`${ready.issuer}/.well-known/oauth-authorization-server`, { folder: here })
  assert.deepEqual([metadata.status, metadata.body['issuer']], [200, ready.issuer])
  const health = await fetch(`http://127.0.0.1:${ready.management_port}/health/ready`)
  assert.equal(health.status, 200)
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null })
  assert.equal(server.lines.length, 1)
})

test('SIGINT drains and exits 0 like SIGTERM', async () => {
  using here = folder()
  await using server = await here.start()
  assert.deepEqual(await server.stop('SIGINT'), { code: 0, signal: null })
})

test('GRANTOR_SEED is applied before the first request, and again without change', async () => {
  using here = folder()
  here.write('seed.yaml', seed)
  for (let time = 0; time < 2; time++) {
    await using server = await here.start([], { GRANTOR_SEED: 'seed.yaml' })
    const { status, body } = await requestJson(`${server.ready.issuer}/token`, {
      folder: here,
      form: credentials,
      basic: ['svc', secret],
    })
    assert.deepEqual([status, body['token_type'], body['scope']], [200, 'Bearer', 'a:read'])
    await server.stop()
  }
  const { stdout } = await here.run(['audit', 'export'])
  const registered = stdout.split('\n').filter((line) => line.includes('"client.registered"'))
  assert.deepEqual(
    registered.map((line) => (JSON.parse(line) as { client_id: string }).client_id),
    ['grantor-cli', 'svc', 'grantor-console'],
  )
})

test('a bad seed does not start, and names its line', async () => {
  using here = folder()
  here.write('seed.yaml', seed.replace(secret, 'short'))
  const { code, stdout, stderr } = await here.run(['start', '--port', '0', '--management-port', '0'], {
    env: { GRANTOR_SEED: 'seed.yaml' },
  })
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /seed\.yaml:4: clients\[0\]\.client_secret: /)
})

test('unsafe settings do not start and say why', async () => {
  using here = folder()
  const cases: readonly [Readonly<Record<string, string>>, RegExp][] = [
    [{ GRANTOR_ISSUER: 'http://as.example' }, /https/],
    [{ GRANTOR_HOST: '0.0.0.0', GRANTOR_DEMO: 'true' }, /demo/],
    [{ GRANTOR_DATABASE_URL: 'postgres://127.0.0.1/x' }, /GRANTOR_MASTER_KEY/],
    [{ GRANTOR_ISUER: 'https://as.example' }, /GRANTOR_ISUER.*did you mean GRANTOR_ISSUER/],
  ]
  for (const [env, message] of cases) {
    const { code, stdout, stderr } = await here.run(['start'], { env })
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, message)
  }
})

test('two servers on one folder: the second is refused, the first goes on', async () => {
  using here = folder()
  await using first = await here.start()
  const second = await here.run(['start', '--port', '0', '--management-port', '0'])
  assert.notEqual(second.code, 0)
  assert.equal(second.stdout, '')
  assert.match(second.stderr, /error: .*(another|already|in use|claimed)/i)
  assert.equal((await requestJson(`${first.ready.issuer}/jwks`, { folder: here })).status, 200)
})

test('a database whose master key is gone is not given another one: the start says what to put back, and makes nothing', async () => {
  using here = folder()
  assert.equal((await here.run(['user', 'list'])).code, 0)
  const key = join(here.path, 'data', 'master.key')
  rmSync(key)
  for (const args of [['start'], ['user', 'list'], ['export']]) {
    const { code, stderr } = await here.call(args)
    assert.deepEqual([code, stderr.includes(`${key} is missing: put the master key of this database back`)], [1, true])
    assert.equal(existsSync(key), false)
  }
})

test('a taken port is named with the setting that chooses another', async () => {
  using here = folder()
  using there = folder()
  await using first = await here.start()
  const second = await there.run(['start', '--port', String(first.ready.port), '--management-port', '0'])
  assert.equal(second.code, 1)
  assert.match(second.stderr, new RegExp(`port ${first.ready.port} is taken.*GRANTOR_PORT`))
})

test('--demo declares Orders, which takes tokens and API keys, its scopes and the demo clients, with secrets in a private file', async () => {
  using here = folder()
  await using first = await here.start(['--demo'])
  const secrets = JSON.parse(here.read('data/demo.json')) as Record<string, string>
  assert.equal(statSync(join(here.path, 'data', 'demo.json')).mode & 0o777, 0o600)
  const service = secrets['demo-service'] ?? ''
  const asked = {
    folder: here,
    form: { ...credentials, scope: 'orders:read' },
    basic: ['demo-service', service] as const,
  }
  const { status, body } = await requestJson(`${first.ready.issuer}/token`, asked)
  assert.deepEqual([status, body['scope']], [200, 'orders:read'])
  const pasted = /^TOKEN=.*curl .*\/token/m.exec(first.stderr())?.[0] ?? ''
  assert.ok(pasted.includes(`-u demo-service:${service}`), 'output that is no terminal has the lines, too')
  const clients = (await here.json('client', 'list')) as unknown as { client_id: string }[]
  assert.deepEqual(
    clients.map((it) => it.client_id),
    ['demo-device', 'demo-orders', 'demo-service', 'demo-web', 'grantor-cli', 'grantor-console'],
  )
  await assertKeyOpensOrders(here, first)
  const { users } = (await here.json('export')) as unknown as { users: readonly Record<string, unknown>[] }
  assert.deepEqual(
    users.map((it) => [it['username'], it['administrator']]),
    [
      ['alice', undefined],
      ['admin', 'owner'],
    ],
  )
  await first.stop()
  await using again = await here.start(['--demo'])
  assert.deepEqual(JSON.parse(here.read('data/demo.json')), secrets, 'what was pasted yesterday works today')
  assert.equal((await requestJson(`${again.ready.issuer}/token`, asked)).status, 200)
})

test('the first start makes the owner admin, with a password for one sign-in in a file that only its owner reads', async () => {
  using here = folder()
  const first = await here.start()
  const path = join(here.path, 'data', 'first-owner-password')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const password = here.read('data/first-owner-password')
  assert.match(password, /^[\w-]{20}\n$/)
  await first.stop()
  const people = (await here.json('user', 'list')) as unknown as readonly Record<string, unknown>[]
  assert.deepEqual(
    people.map((it) => [it['username'], it['administrator']]),
    [['admin', 'owner']],
  )
  // Not before it was used: whoever has not signed in yet still can.
  const second = await here.start()
  await second.stop()
  assert.match(second.stderr(), /the first owner is admin; .*\/console is in .*first-owner-password/)
  assert.equal(here.read('data/first-owner-password'), password)
  await here.json('user', 'reset-password', 'admin')
  await (await here.start()).stop()
  assert.equal(existsSync(path), false)
})

test('GRANTOR_ADMIN_PASSWORD is the password of the first owner, and must be one; a declared owner is the first', async () => {
  using here = folder()
  const weak = await here.run(['start'], { env: { ...anyPorts, GRANTOR_ADMIN_PASSWORD: 'admin' } })
  assert.equal(weak.code, 2)
  assert.match(weak.stderr, /GRANTOR_ADMIN_PASSWORD/)
  await (await here.start([], { GRANTOR_ADMIN_PASSWORD: 'correct-horse-battery' })).stop()
  here.write('same.yaml', 'users: [{ username: admin, administrator: owner, password: correct-horse-battery }]\n')
  assert.deepEqual(await here.json('plan', 'same.yaml'), { steps: [] })
  using there = folder()
  there.write('seed.yaml', 'users: [{ username: ada, administrator: owner, password: correct-horse-battery }]\n')
  await (await there.start([], { GRANTOR_SEED: 'seed.yaml' })).stop()
  for (const { path } of [here, there]) assert.equal(existsSync(join(path, 'data', 'first-owner-password')), false)
  const people = (await there.json('user', 'list')) as unknown as readonly Record<string, unknown>[]
  assert.deepEqual(
    people.map((it) => it['username']),
    ['ada'],
  )
})

test('where a seed is given, the demo declares its API but no clients to play with', async () => {
  using here = folder()
  // A client of the seed is granted a scope that the demo declares.
  const own = `  - { client_id: own, client_secret: ${secret}, grant_types: [client_credentials], scope: orders:read }`
  here.write('seed.yaml', `${seed}${own}\n`)
  await using server = await here.start(['--demo'], { GRANTOR_SEED: 'seed.yaml' })
  const asked = { folder: here, form: credentials, basic: ['own', secret] } as const
  const { body } = await requestJson(`${server.ready.issuer}/token`, asked)
  assert.equal(body['scope'], 'orders:read')
  const { clients, scopes } = (await here.json('export')) as unknown as Record<
    'clients' | 'scopes',
    readonly Record<string, string>[]
  >
  assert.deepEqual(
    clients.map((it) => it['client_id']),
    ['demo-orders', 'grantor-cli', 'own', 'svc'],
  )
  const names = new Set(scopes.map((it) => it['name']))
  assert.deepEqual(names, new Set(['a:read', 'orders:all', 'orders:delete', 'orders:read', 'orders:write']))
})

test('on a terminal a banner takes the place of the JSON line, and its curl line works when pasted', async () => {
  using here = folder()
  const command = `'${process.execPath}' '${shim}' start --demo`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: here.path,
    env: { ...plainEnv, ...anyPorts, GRANTOR_LOG: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    let shown = ''
    for await (const chunk of terminal.stdout) {
      shown += String(chunk)
      if (shown.includes('Ctrl-C')) break
    }
    assert.doesNotMatch(shown, /"event"|"level"/)
    const line = /curl .*\/token/.exec(stripVTControlCharacters(shown))?.[0] ?? ''
    const { cacert, user, data, url } = curlOf(line)
    assert.equal(cacert, 'data/tls/ca.pem')
    const [id = '', secret = ''] = user.split(':')
    const { status, body } = await requestJson(url, {
      folder: here,
      form: Object.fromEntries(new URLSearchParams(data.join('&'))),
      basic: [id, secret],
    })
    assert.deepEqual([status, body['token_type'], body['scope']], [200, 'Bearer', 'orders:read'])
  } finally {
    terminal.stdin.write('\u0003')
    await once(terminal, 'exit')
  }
})

/** A curl line as a real shell takes it apart; curl itself need not be installed. */
function curlOf(line: string) {
  const script = `curl() { printf '%s\\n' "$@"; }; ${line}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []))
  return { cacert: after('--cacert')[0] ?? '', user: after('-u')[0] ?? '', data: after('-d'), url: words.at(-1) ?? '' }
}

test('on a terminal, a first start that fails at a taken port leaves the password of the first owner to be found', async () => {
  using here = folder()
  const held = createServer().listen(0, '127.0.0.1')
  await once(held, 'listening')
  const { port } = held.address() as AddressInfo
  const startAtTerminal = async (env: Readonly<Record<string, string>>) => {
    let shown = ''
    const output = {
      write: (text: string, written?: (error?: Error | null) => void) => ((shown += text), written?.(), true),
    }
    const environment: Environment = {
      env: { ...plainEnv, ...anyPorts, ...env },
      cwd: here.path,
      stdin: Readable.from([]),
      stdout: { ...output, isTTY: true },
      stderr: output,
      stopped: () => Promise.resolve(),
      onHangup: () => {},
    }
    return { code: await runGrantor(['start'], environment), shown }
  }
  const file = join(here.path, 'data', 'first-owner-password')
  try {
    const failed = await startAtTerminal({ GRANTOR_MANAGEMENT_PORT: String(port) })
    assert.deepEqual([failed.code, /is taken/.test(failed.shown)], [1, true], failed.shown)
    assert.equal((statSync(file).mode & 0o777).toString(8), '600')
    const { code, shown } = await startAtTerminal({})
    assert.equal(code, 0, shown)
    assert.ok(shown.includes(`the password for the first sign-in is in ${file}`), shown)
  } finally {
    held.close()
  }
  rmSync(join(here.path, 'data'), { recursive: true })
  const { shown } = await startAtTerminal({})
  assert.match(shown, /password for the first sign-in: \S{20}/)
  assert.equal(existsSync(file), false, 'whoever saw it needs no file')
})
