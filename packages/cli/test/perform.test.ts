/** `grantor perform`: every flow at a real server, step by step, with the token used at the demo's API. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../../interop/person.ts'
import { runGrantor } from '../src/index.ts'
import { type Folder, folder, plainEnv, type Started } from './grantor.ts'
import { serveHttps } from './https.ts'

const secret = 'a-secret-of-thirty-two-characters-or-more'
const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const scope = 'orders:read'

let here: Folder
let server: Started
let orders: string

before(async () => {
  here = folder()
  here.write('secret', `${secret}\n`)
  here.write('key.pem', signing.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  server = await here.start(['--demo'], { GRANTOR_DEVICE_INTERVAL: '1s', GRANTOR_BACKCHANNEL_INTERVAL: '1s' })
  orders = `https://localhost:${server.ready.demo_port}`
  const exchange = [{ audience: orders, scopes: [scope], as: 'impersonate' }]
  const clients = [
    { client_id: 'machine', client_secret: secret, grant_types: ['client_credentials'], scope },
    {
      client_id: 'signer',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...signing.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
      grant_types: ['client_credentials'],
      scope,
    },
    {
      client_id: 'native',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: ['http://127.0.0.1/callback'],
      scope: `openid ${scope}`,
    },
    {
      client_id: 'till',
      client_secret: secret,
      grant_types: ['urn:openid:params:grant-type:ciba'],
      backchannel_token_delivery_mode: 'poll',
      scope: `openid ${scope}`,
    },
    {
      client_id: 'exchanger',
      client_secret: secret,
      grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      scope,
      exchange,
    },
  ]
  here.write('objects.json', JSON.stringify({ clients }))
  const applied = await here.run(['apply', 'objects.json'])
  assert.equal(applied.code, 0, applied.stderr)
})

after(async () => {
  await server.stop()
  here[Symbol.dispose]()
})

interface Performed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** `seen` is called with every line on stdout. */
async function perform(
  args: readonly string[],
  seen: (line: string) => Promise<unknown> | null = () => null,
): Promise<Performed> {
  const said = { stdout: '', stderr: '' }
  const following: Promise<unknown>[] = []
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const sink = (which: 'stdout' | 'stderr') => ({
    write(text: string, written?: (error?: Error | null) => void) {
      said[which] += text
      const followed = which === 'stdout' ? seen(text) : null
      // Who got lost on the way does not come back.
      if (followed !== null) following.push(followed.finally(() => setTimeout(stop, 20_000).unref()))
      written?.()
      return true
    },
  })
  const code = await runGrantor(['perform', ...args, '--data', 'data'], {
    env: plainEnv,
    cwd: here.path,
    stdin: Readable.from([]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stopped: () => stopped,
    onHangup: () => {},
  })
  await Promise.all(following)
  return { code, ...said }
}

const alice = () => {
  const agent = new Agent({ connect: { ca: here.read('data/tls/ca.pem') } })
  const ask = (url: string, init?: object) => fetch(url, { ...init, dispatcher: agent })
  return { agent, ask, person: new ScriptedPerson(ask, { username: 'alice', password: 'alice' }) }
}

const firstJson = (stdout: string) =>
  JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.indexOf('\n}') + 2)) as Record<string, unknown>

test('client credentials by secret and by key, each step printed, no secret among them', async () => {
  const { issuer } = server.ready
  const by = ['client-credentials', issuer, '--scope', scope, '--call', `${orders}/v1/orders`]
  for (const how of [
    ['--client-id', 'machine', '--secret-file', 'secret'],
    ['--client-id', 'signer', '--key', 'key.pem'],
  ]) {
    const { code, stdout, stderr } = await perform([...by, ...how])
    assert.equal(code, 0, stderr)
    assert.equal(firstJson(stdout)['token_type'], 'bearer')
    assert.match(stderr, /> POST https:.*\/token\n>.*[\s\S]*grant_type=client_credentials\n[\s\S]*< 200\n/)
    assert.ok(!stderr.includes(secret))
    assert.ok(!stderr.includes(String(firstJson(stdout)['access_token'])))
    assert.match(stderr, /^<   access_token: .{8}…$/m)
    assert.match(stdout, /"items"/)
  }
})

test('RFC 9449: with --dpop the token is bound to a key, and the API is called with its proof', async () => {
  const client = ['--client-id', 'machine', '--secret-file', 'secret', '--scope', scope]
  const call = ['--dpop', '--call', `${orders}/v1/orders`]
  const { code, stdout, stderr } = await perform(['client-credentials', server.ready.issuer, ...client, ...call])
  assert.equal(code, 0, stderr)
  assert.equal(firstJson(stdout)['token_type'], 'dpop')
  assert.match(stderr, /authorization: DPoP …\n>   dpop: /)
})

test('RFC 9449 §9: an API that asks for a nonce gets it, and one that is never content ends the command with its word', async () => {
  const client = ['--client-id', 'machine', '--secret-file', 'secret', '--scope', scope, '--dpop']
  const nonces: unknown[] = []
  await using api = await serveHttps(here, ({ url, headers }, response) => {
    const proof = String(headers['dpop']).split('.')[1] ?? ''
    const { nonce } = JSON.parse(Buffer.from(proof, 'base64url').toString()) as { readonly nonce?: string }
    nonces.push(nonce)
    if (nonce === 'n1' && url === '/content') return void response.end('here it is')
    const challenge = 'DPoP error="use_dpop_nonce", algs="ES256"'
    response.writeHead(401, { 'www-authenticate': challenge, 'dpop-nonce': 'n1' }).end()
  })
  const by = ['client-credentials', server.ready.issuer, ...client, '--call']
  const { code, stdout, stderr } = await perform([...by, `${api.url}/content`])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /here it is/)
  assert.match(stderr, /www-authenticate: DPoP error="use_dpop_nonce"/)
  assert.deepEqual(nonces, [undefined, 'n1'])
  const never = await perform([...by, `${api.url}/never`])
  assert.equal(never.code, 1)
  assert.match(never.stderr, /never answered 401 use_dpop_nonce/)
})

test('what an API says of a refusal is shown whole, and an API that is away is named', async () => {
  const client = ['--client-id', 'machine', '--secret-file', 'secret', '--scope', scope]
  await using api = await serveHttps(here, (_request, response) =>
    response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end('not this one'),
  )
  const by = ['client-credentials', server.ready.issuer, ...client, '--call']
  const refused = await perform([...by, api.url])
  assert.deepEqual([refused.code, refused.stdout.includes('not this one')], [1, true], refused.stderr)
  assert.match(refused.stderr, /www-authenticate: Bearer error="invalid_token"/)
  const away = await perform([...by, 'https://localhost:1'])
  assert.deepEqual([away.code, away.stderr.includes('https://localhost:1 cannot be reached')], [5, true], away.stderr)
})

test('RFC 8414: an issuer without a document of OpenID Connect is found by its metadata; what it lacks is said', async () => {
  await using issuer = await serveHttps(here, ({ url, headers }, response) => {
    const self = `https://${headers.host}`
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/oauth-authorization-server': { issuer: self, token_endpoint: `${self}/token` },
      '/token': { access_token: 'a-token\u009b2J', token_type: 'Bearer' },
    }
    const found = documents[url ?? '']
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? {}))
  })
  const client = [issuer.url, '--client-id', 'machine', '--secret-file', 'secret']
  const { code, stdout, stderr } = await perform(['client-credentials', ...client])
  assert.equal(code, 0, stderr)
  assert.equal(firstJson(stdout)['access_token'], 'a-token\u009b2J')
  assert.ok(!stdout.includes('\u009b'), 'nothing that a terminal obeys')
  const byCode = await perform(['code', ...client])
  assert.equal(byCode.code, 1)
  assert.match(byCode.stderr, /authorization_endpoint/)
})

test('RFC 6749 §4.1.2.1: what comes back as denied is told as that; a port that is taken is told as that', async () => {
  const native = ['code', server.ready.issuer, '--client-id', 'native', '--scope', scope]
  const denied = await perform(native, (line) => {
    const url = URL.parse(/^Open (https:\S+)/.exec(line)?.[1] ?? '')
    if (url === null) return null
    const { redirect_uri: back = '', state = '' } = Object.fromEntries(url.searchParams)
    const answer = { error: 'access_denied', error_description: 'not today', state, iss: server.ready.issuer }
    return fetch(`${back}?${new URLSearchParams(answer).toString()}`)
  })
  assert.equal(denied.code, 1, denied.stderr)
  assert.match(denied.stderr, /the issuer answered access_denied\n {2}not today/)
  await using taken = await serveHttps(here, () => {})
  const { port } = new URL(taken.url)
  for (const unusable of [port, '70000']) {
    const { code, stderr } = await perform([...native, '--callback-port', unusable])
    assert.deepEqual([code, stderr.includes(`port ${unusable} cannot be used`)], [2, true], stderr)
  }
})

test('a code comes back to a port of this machine, and a device code by somebody who typed it', async () => {
  const { agent, ask, person } = alice()
  const native = [server.ready.issuer, '--client-id', 'native', '--scope', `openid ${scope}`, '--dpop']
  const opened = await perform(['code', ...native], (line) => {
    const url = /^Open (https:\S+)/.exec(line)?.[1]
    return url === undefined ? null : person.follow(new URL(url)).then((back) => ask(back.href))
  })
  assert.equal(opened.code, 0, opened.stderr)
  assert.equal(typeof firstJson(opened.stdout)['id_token'], 'string')
  assert.match(opened.stderr, /^>   code=.{8}…$/m)
  const typed = await perform(['device', ...native], (line) => {
    const [, page = '', code = ''] = /^Open (\S+) and type (\S+)/.exec(line) ?? []
    return code === '' ? null : person.answerDevice({ verification_uri: page, user_code: code }, 'allow')
  })
  assert.equal(typed.code, 0, typed.stderr)
  assert.equal(firstJson(typed.stdout)['token_type'], 'dpop')
  for (const line of [/^<   device_code: .{8}…$/m, /^>   device_code=.{8}…$/m]) assert.match(typed.stderr, line)
  here.write('subject', String(firstJson(typed.stdout)['access_token']))
  await agent.close()
})

test('CIBA: somebody elsewhere is named and shown a message; allowed there is a token, denied it is said', async () => {
  const { agent, person } = alice()
  const issuer = new URL(server.ready.issuer)
  const client = ['--client-id', 'till', '--secret-file', 'secret', '--scope', `openid ${scope}`]
  const by = ['ciba', issuer.href, ...client, '--login-hint', 'alice', '--binding-message', 'W4SCT']
  const answering = (decide: 'allow' | 'deny') => (line: string) =>
    line.startsWith('Waiting for the answer') ? person.answerRequest(issuer, decide) : null
  const allowed = await perform([...by, '--dpop', '--call', `${orders}/v1/orders`], answering('allow'))
  assert.equal(allowed.code, 0, allowed.stderr)
  assert.equal(firstJson(allowed.stdout)['token_type'], 'dpop')
  assert.equal(typeof firstJson(allowed.stdout)['id_token'], 'string')
  assert.match(allowed.stdout, /"items"/)
  assert.match(allowed.stderr, /> POST https:.*\/backchannel_authentication\n/)
  assert.match(allowed.stderr, /binding_message=W4SCT/)
  assert.ok(!allowed.stderr.includes(secret))
  const denied = await perform(by, answering('deny'))
  assert.notEqual(denied.code, 0)
  assert.match(denied.stderr, /access_denied/)
  const refused = await perform([
    'ciba',
    issuer.href,
    ...client,
    '--login-hint',
    'alice',
    '--binding-message',
    '\u202e',
  ])
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /error: the issuer answered 400 invalid_binding_message/)
  const unnamed = await perform(['ciba', issuer.href, ...client])
  assert.match(unnamed.stderr, /--login-hint is missing/)
  assert.doesNotMatch(unnamed.stderr, /backchannel_authentication\n/)
  await agent.close()
})

test('RFC 8693: a token of a file is exchanged, and what is refused is said with the issuer’s words', async () => {
  const { issuer } = server.ready
  const machine = await perform(['client-credentials', issuer, '--client-id', 'machine', '--secret-file', 'secret'])
  here.write('subject', String(firstJson(machine.stdout)['access_token']))
  const by = ['exchange', issuer, '--client-id', 'exchanger', '--secret-file', 'secret', '--audience', orders]
  const exchanged = await perform([...by, '--subject-token-file', 'subject'])
  assert.equal(exchanged.code, 0, exchanged.stderr)
  here.write('subject', 'nothing')
  const refused = await perform([...by, '--subject-token-file', 'subject'])
  assert.deepEqual(
    [refused.code, /error: the issuer answered 400 invalid_request/.test(refused.stderr)],
    [1, true],
    refused.stderr,
  )
})

test('what is missing or cannot be read is said before anybody is asked', async () => {
  const { issuer } = server.ready
  const cases: readonly (readonly [string, RegExp])[] = [
    ['client-credentials ISSUER', /--client-id is missing/],
    ['client-credentials ISSUER --client-id x --secret-file nowhere', /there is no file nowhere/],
    ['client-credentials ISSUER --client-id x --key secret', /the key of --key cannot be used/],
    ['client-credentials ISSUER --client-id x --certificate key.pem', /a certificate needs its key/],
    ['exchange ISSUER --client-id x', /--subject-token-file is missing/],
  ]
  for (const [line, said] of cases) {
    const { code, stderr } = await perform(line.replace('ISSUER', issuer).split(' '))
    assert.notEqual(code, 0)
    assert.match(stderr, said)
  }
})
