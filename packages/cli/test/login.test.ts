/** Signing in from the command line: the whole way against a real server, and what lies on the machine afterwards. */
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Configuration, customFetch, None } from 'openid-client'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../../interop/person.ts'
import { type Environment, runGrantor } from '../src/index.ts'
import { awaitDecision, type PendingDevice } from '../src/login/device.ts'
import { discoverIssuer } from '../src/login/issuer-client.ts'
import { issuerFetch } from '../src/login/fetch.ts'
import { readStoredLogin, storeLogin, withLogin } from '../src/login/stored-login.ts'
import { issuerIdentifier } from '../src/login/target.ts'
import { type Folder, folder, plainEnv } from './grantor.ts'
import { serveHttps } from './https.ts'

const quick = { GRANTOR_DEVICE_INTERVAL: '1s' }
const seed = JSON.stringify({ users: [{ username: 'alice', password: 'correct-horse', name: 'Alice Doe' }] })

interface Shown {
  readonly user_code: string
  readonly verification_uri: string
}

/** Runs `grantor login --json`, and lets Alice decide as soon as the code is shown. */
async function signIn(here: Folder, issuer: string, decide: 'allow' | 'deny'): Promise<{ code: number; said: string }> {
  const agent = new Agent({ connect: { ca: here.read('data/tls/ca.pem') } })
  const alice = new ScriptedPerson((url, init) => fetch(url, { ...init, dispatcher: agent }), {
    username: 'alice',
    password: 'correct-horse',
  })
  let said = ''
  const decided: Promise<unknown>[] = []
  const write = (text: string, written?: (error?: Error | null) => void): boolean => {
    said += text
    if (text.includes('user_code')) decided.push(alice.answerDevice(JSON.parse(text) as Shown, decide))
    written?.()
    return true
  }
  const environment: Environment = {
    env: { ...plainEnv, XDG_CONFIG_HOME: here.path },
    cwd: here.path,
    stdin: Readable.from([]),
    stdout: { write },
    stderr: { write },
    stopped: () => Promise.resolve(),
    onHangup: () => {},
  }
  const code = await runGrantor(['login', issuer, '--json'], environment)
  await Promise.all(decided)
  await agent.close()
  return { code, said }
}

test('login, whoami, token and logout, against the server of this folder, with nothing set up', async () => {
  using here = folder()
  here.write('seed.json', seed)
  await using server = await here.start([], { ...quick, GRANTOR_SEED: 'seed.json' })
  const { issuer } = server.ready
  const env = { XDG_CONFIG_HOME: here.path }
  const run = (...args: readonly string[]) => here.call([...args, '--json'], { env })
  assert.equal((await run('whoami', issuer)).code, 3)

  const denied = await signIn(here, issuer, 'deny')
  assert.deepEqual([denied.code, denied.said.includes('it was denied')], [1, true])
  const { code, said } = await signIn(here, issuer, 'allow')
  assert.equal(code, 0, said)
  assert.doesNotMatch(said, /gr_/)

  const logins = join(here.path, 'grantor', 'logins')
  const [file = ''] = readdirSync(logins)
  assert.deepEqual([statSync(logins).mode & 0o777, statSync(join(logins, file)).mode & 0o777], [0o700, 0o600])

  // Signed in to one issuer only, so nobody has to name it.
  const who = await run('whoami')
  assert.equal((JSON.parse(who.stdout) as { name: string }).name, 'Alice Doe', who.stderr)
  const first = await here.call(['token'], { env })
  assert.match(first.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  assert.equal((await here.call(['token'], { env })).stdout, first.stdout, 'it lives, so it is given again')

  // Near its end it is refreshed, by one process for all that ask at once.
  const path = join(logins, file)
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { expiresAt: number; refreshToken: string }
  writeFileSync(path, JSON.stringify({ ...kept, expiresAt: Date.now() + 1_000 }), { mode: 0o600 })
  const renewed = await Promise.all(Array.from({ length: 3 }, () => here.call(['token'], { env })))
  assert.deepEqual(
    renewed.map(({ code: it }) => it),
    [0, 0, 0],
    renewed[0]?.stderr ?? '',
  )
  assert.equal(new Set(renewed.map(({ stdout }) => stdout)).size, 1)
  assert.notEqual(renewed[0]?.stdout, first.stdout)
  assert.deepEqual(readdirSync(logins), [file], 'no lock and no draft is left')

  chmodSync(path, 0o644)
  const exposed = await run('token')
  assert.deepEqual([exposed.code, /can be read by others/.test(exposed.stderr)], [1, true])
  chmodSync(path, 0o600)

  assert.equal((await run('logout')).code, 0)
  assert.deepEqual(readdirSync(logins), [])
  assert.equal((await run('token', '--at', issuer)).code, 3)
  // What was revoked is dead, also for whoever kept a copy.
  writeFileSync(path, JSON.stringify({ ...kept, expiresAt: 0 }), { mode: 0o600 })
  const over = await run('token')
  assert.deepEqual([over.code, /has ended/.test(over.stderr)], [1, true])

  const unregistered = await here.call(['login', issuer, '--client-id', 'nobody', '--json'], {
    env,
  })
  assert.deepEqual(
    [unregistered.code, /client create nobody/.test(unregistered.stderr)],
    [1, true],
    unregistered.stderr,
  )
})

test('a sign-in waits for whoever refreshes the login before, and then counts', async () => {
  using here = folder()
  here.write('seed.json', seed)
  await using server = await here.start([], { ...quick, GRANTOR_SEED: 'seed.json' })
  const { issuer } = server.ready
  const logins = join(here.path, 'grantor', 'logins')
  assert.equal((await signIn(here, issuer, 'allow')).code, 0)
  const before = readStoredLogin(logins, issuer)
  assert.ok(before !== null)
  const issued = async () =>
    (await here.call(['audit', 'tail', '--json', '--count', '100'])).stdout.split('"token.issued"').length
  const known = await issued()
  // An object, because what a promise is would be awaited with the lock held.
  const { signing } = await withLogin(logins, issuer, async () => {
    const again = { signing: signIn(here, issuer, 'allow') }
    while ((await issued()) === known) await new Promise(setImmediate)
    storeLogin(logins, { ...before, accessToken: 'refreshed' })
    return again
  })
  assert.equal((await signing).code, 0)
  const kept = readStoredLogin(logins, issuer)?.accessToken
  assert.ok(kept !== 'refreshed' && kept !== before.accessToken)
})

test('a server whose certificate nobody vouches for, and one that is not there, are said to be so', async () => {
  using here = folder()
  using other = folder()
  await using server = await other.start()
  const env = { XDG_CONFIG_HOME: here.path }
  const untrusted = await here.call(['login', server.ready.issuer], { env })
  assert.deepEqual([untrusted.code, /--ca/.test(untrusted.stderr)], [5, true], untrusted.stderr)
  const named = ['login', server.ready.issuer, '--client-id', 'nobody', '--ca', join(other.path, 'data/tls/ca.pem')]
  assert.equal((await here.call(named, { env })).code, 1)
  const absent = await here.call(['login', server.ready.issuer, '--ca', 'nowhere.pem'], { env })
  assert.deepEqual([absent.code, /nowhere\.pem is not there/.test(absent.stderr)], [1, true], absent.stderr)
  const wrong = await here.call(['login', 'http://localhost:1'], { env })
  assert.deepEqual([wrong.code, /not the address of an issuer/.test(wrong.stderr)], [2, true])
  assert.equal((await here.call(['login', 'https://localhost:1'], { env })).code, 5)
})

test('an issuer that is busy or away is told as that, and not as a defect', async () => {
  for (const [status, exit] of [
    [503, 'unavailable'],
    [429, 'unavailable'],
    [404, 'failed'],
  ] as const) {
    const fetch = () => Promise.resolve(new Response('', { status }))
    const trust = { caFile: null, data: '' }
    const found = await discoverIssuer({ issuer: 'https://as.example', folder: '', trust, fetch }, 'tv')
    assert.ok(found.kind === 'error')
    assert.equal(found.error.exit, exit)
  }
})

test('an answer that is none, or without end, is told as that; a page of the admin API may be long', async () => {
  using here = folder()
  await (await here.start()).stop()
  await using strange = await serveHttps(here, ({ url }, response) => {
    if (url?.startsWith('/long') === true) return void response.end('x'.repeat(1024 * 1024 + 1))
    const status = url?.includes('/t/odd') === true ? 700 : 205
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  for (const [issuer, said] of [
    [`${strange.url}/t/odd`, 'its status is 700'],
    [`${strange.url}/t/other`, 'Invalid response status code 205'],
  ] as const) {
    const { code, stderr } = await here.call(['login', issuer])
    assert.deepEqual([code, stderr.includes(said)], [1, true], stderr)
    assert.doesNotMatch(stderr, /defect/)
  }
  const trust = { caFile: null, data: join(here.path, 'data') }
  const request = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
  await assert.rejects(issuerFetch(trust)(`${strange.url}/long`, request), { name: 'NoAnswer', code: null })
  const long = await issuerFetch({ ...trust, maxBytes: 2 * 1024 * 1024 })(`${strange.url}/long`, request)
  assert.equal((await long.text()).length, 1024 * 1024 + 1)
})

test('RFC 8414 §3.3: metadata that speak of another issuer are not used', async () => {
  const discovered = (issuer: unknown) => {
    const fetch = (url: string) => {
      assert.equal(url, 'https://as.example/.well-known/oauth-authorization-server/t/acme')
      return Promise.resolve(Response.json({ issuer, token_endpoint: 'https://as.example/t/acme/token' }))
    }
    const trust = { caFile: null, data: '' }
    return discoverIssuer({ issuer: 'https://as.example/t/acme', folder: '', trust, fetch }, 'tv')
  }
  assert.equal((await discovered('https://as.example/t/acme')).kind, 'ok')
  for (const issuer of ['https://as.example', 'https://as.example/t/acme/', 'https://evil.example', null])
    assert.match(JSON.stringify(await discovered(issuer)), /it calls itself/)
})

test('an issuer is an https address without query, fragment or name', () => {
  const table = [
    ['https://as.example/', 'https://as.example'],
    ['as.example/t/acme/', 'https://as.example/t/acme'],
    ['http://as.example', null],
    ['https://as.example?x', null],
    ['https://as.example#x', null],
    ['https://me@as.example', null],
    ['javascript://as.example', null],
  ] as const
  for (const [given, issuer] of table) assert.equal(issuerIdentifier(given), issuer, given)
})

test('RFC 8628 §3.5: slow_down adds five seconds, an outage doubles, and nothing is asked after the end', async () => {
  const pending: PendingDevice = {
    device_code: 'gd_1',
    user_code: 'BCDF-GHJK',
    verification_uri: 'https://as.example/device',
    expires_in: 60,
    expiresAt: 60_000,
    interval: 5,
  }
  let time = 0
  const clock = { now: () => time, sleep: (milliseconds: number) => Promise.resolve(void (time += milliseconds)) }
  const answers = ['authorization_pending', 'slow_down']
  const asked: number[] = []
  const metadata = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' }
  const config = new Configuration(metadata, 'tv', undefined, None())
  config[customFetch] = () => {
    const error = answers[asked.push(time) - 1]
    if (error === undefined) return Promise.reject(new Error('away'))
    return Promise.resolve(Response.json({ error }, { status: 400 }))
  }
  const decided = await awaitDecision(config, pending, { clock })
  assert.deepEqual([decided.kind, decided.kind === 'error' && decided.error.error], ['error', 'expired_token'])
  assert.deepEqual(asked, [5_000, 10_000, 20_000, 40_000])
})
