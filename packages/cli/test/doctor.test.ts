/** The doctor: looks at everything, changes nothing, and says what to do. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync } from 'node:fs'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Folder, folder } from './grantor.ts'

interface Finding {
  readonly check: string
  readonly state: string
  readonly says: string
  readonly fix: string | null
}

async function examine(here: Folder, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await here.run(['doctor', '--json', ...args], { env })
  assert.ok(stdout !== '', stderr)
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: readonly Finding[] }
  assert.equal(ok, code === 0)
  const of = (check: string) => findings.find((finding) => finding.check.startsWith(check))
  for (const { state, fix } of findings) assert.equal(fix === null, state === 'ok')
  return { code, findings, of }
}

const ports = ['--port', '0', '--management-port', '0']

test('before the first start all is well, and looking makes nothing', async () => {
  using here = folder()
  const { code, findings } = await examine(here, ports)
  assert.equal(code, 0, JSON.stringify(findings))
  assert.ok(!existsSync(join(here.path, 'data')))
})

test('beside a running server its ports are its own and its metadata equal', async () => {
  using here = folder()
  await using server = await here.start()
  const { port, management_port: management } = server.ready
  const { code, of, findings } = await examine(here, ['--port', String(port), '--management-port', String(management)])
  assert.equal(code, 0, JSON.stringify(findings))
  assert.match(of('issuer')?.says ?? '', /metadata are as they should be/)
  assert.match(of(`port ${port}`)?.says ?? '', /served by us/)
  assert.match(of('certificate')?.says ?? '', /localhost/)
  assert.match(of('master key')?.says ?? '', /opens the ring/)
  assert.match(of('target availability')?.says ?? '', /^met: ready now/)
  assert.match(of('target revocation')?.says ?? '', /^not known: measured by the APIs/)
  assert.equal(findings.filter(({ check }) => check.startsWith('target ')).length, 7)
})

test('behind a proxy whose name is not reached from here, the ports of the running server are still its own', async () => {
  using here = folder()
  const proxied = { GRANTOR_ISSUER: 'https://login.invalid', GRANTOR_TRUST_PROXY: 'loopback' }
  await using server = await here.start([], proxied)
  const { port, management_port: management } = server.ready
  const at = (one: unknown, other: unknown) => ['--port', String(one), '--management-port', String(other)]
  const { code, of, findings } = await examine(here, at(port, management), proxied)
  assert.equal(code, 0, JSON.stringify(findings))
  assert.equal(of('issuer')?.state, 'warn')
  for (const name of [`port ${port}`, `management port ${management}`])
    assert.match(of(name)?.says ?? '', /served by us/)
})

test('the server of another deployment at our ports is not taken for ours, nor its counts', async () => {
  using here = folder()
  using elsewhere = folder()
  const issuer = { GRANTOR_ISSUER: 'https://login.invalid', GRANTOR_TRUST_PROXY: 'loopback' }
  await using server = await elsewhere.start([], issuer)
  const { port, management_port: management } = server.ready
  const at = ['--port', String(port), '--management-port', String(management)]
  const examined = async (): Promise<void> => {
    const { code, of } = await examine(here, at, issuer)
    assert.equal(code, 1)
    assert.match(of('port')?.says ?? '', /taken by another program/)
    assert.match(of('management port')?.says ?? '', /taken by the server of another deployment/)
    assert.match(of('target')?.says ?? '', /not known: the server at .* is of another deployment/)
  }
  await examined()
  // With a database of its own, too, and the same name.
  await (await here.start([], issuer)).stop()
  await examined()
})

test('targets that are not met are a warning, not a failure; without a server nothing is said of them', async () => {
  using here = folder()
  await (await here.start()).stop()
  const database = new DatabaseSync(join(here.path, 'data', 'grantor.db'))
  const { epoch } = database.prepare('SELECT epoch FROM deployment').get() as { epoch: string }
  database.close()
  const name = `grantor_deployment_info{issuer="https://localhost:1",epoch="${epoch}"} 1`
  const counts = ['grantor_http_requests_total{route="/token",status="503"} 5', 'grantor_ready 0', name, '']
  const [status, answers] = [{ code: 200 }, { text: counts.join('\n') }]
  const server = createHttpServer((_request, response) => response.writeHead(status.code).end(answers.text))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const targetsAt = async () => {
    const { findings } = await examine(here, ['--port', '0', '--management-port', String(port)])
    return findings.filter(({ check }) => check.startsWith('target'))
  }
  try {
    const targets = await targetsAt()
    const states = Object.fromEntries(targets.map(({ check, state }) => [check.slice('target '.length), state]))
    assert.deepEqual(states, {
      issuance: 'warn',
      validation: 'ok',
      revocation: 'ok',
      unauthorized: 'ok',
      server_errors: 'warn',
      availability: 'warn',
      response_time: 'ok',
    })
    for (const { fix, state } of targets) if (state === 'warn') assert.match(fix ?? '', /docs\/operations\.md/)
    // Another program there, or one that answers nothing of use, is no server.
    for (const change of [() => (status.code = 500), () => ((status.code = 200), (answers.text = 'hello'))]) {
      change()
      assert.match((await targetsAt())[0]?.says ?? '', /not known: no server is reachable/)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const { code, of } = await examine(here, ports)
  assert.deepEqual([code, of('targets')?.state], [0, 'ok'])
})

test('metadata that other settings would give are found', async () => {
  using here = folder()
  await using server = await here.start()
  const { code, of } = await examine(here, ['--port', String(server.ready.port), '--management-port', '0'], {
    GRANTOR_ISSUER: `https://127.0.0.1:${server.ready.port}`,
  })
  assert.equal(code, 1)
  assert.equal(of('issuer')?.state, 'fail')
})

test('whom Node trusts is trusted, also by NODE_EXTRA_CA_CERTS', async () => {
  using here = folder()
  using other = folder()
  await using server = await other.start()
  const env = { GRANTOR_ISSUER: `https://localhost:${server.ready.port}` }
  await (await here.start([], env)).stop()
  assert.match((await examine(here, ports, env)).of('issuer')?.says ?? '', /^nobody answers/)
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: join(other.path, 'data', 'tls', 'ca.pem') }
  assert.match((await examine(here, ports, trusting)).of('issuer')?.says ?? '', /^https:\S+ answers/)
})

test('a port that another program holds is found', async () => {
  using here = folder()
  const holder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  try {
    const { port } = holder.address() as { port: number }
    const { code, of } = await examine(here, ['--port', '0', '--management-port', String(port)])
    assert.equal(code, 1)
    assert.match(of('management port')?.says ?? '', /another program/)
  } finally {
    holder.close()
  }
})

test('a wrong master key, a readable one, and settings that do not hold together are found', async () => {
  using here = folder()
  const server = await here.start()
  await server.stop()
  const wrong = await examine(here, ports, { GRANTOR_MASTER_KEY: 'another-master-key-of-32-characters-or-more' })
  assert.deepEqual([wrong.code, wrong.of('opening')?.state], [1, 'fail'])
  assert.match(wrong.of('opening')?.says ?? '', /master key .* does not open/)
  chmodSync(join(here.path, 'data', 'master.key'), 0o644)
  const loose = await examine(here, ports)
  assert.equal(loose.code, 1)
  assert.match(loose.of('data folder')?.fix ?? '', /chmod 600/)
  const unsafe = await examine(here, ['--issuer', 'http://x'])
  assert.deepEqual([unsafe.code, unsafe.of('settings')?.state], [1, 'fail'])
})

test('a database that is away is found, with what to do', async () => {
  using here = folder()
  const env = {
    GRANTOR_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    GRANTOR_MASTER_KEY: 'a-master-key-of-32-or-more-characters',
  }
  const { code, of } = await examine(here, ports, env)
  assert.deepEqual([code, of('database')?.state], [1, 'fail'])
  const { code: listed, stderr } = await here.run(['client', 'list'], { env })
  assert.equal(listed, 5, stderr)
  assert.match(stderr, /grantor doctor/)
})

test('clients that could not be registered today are named, and what would mend them', async () => {
  using here = folder()
  const server = await here.start()
  await server.stop()
  const app = {
    client_id: 'app',
    redirect_uris: ['myapp:/cb'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  }
  const file = here.write('clients.json', JSON.stringify({ clients: [app] }))
  assert.notEqual((await here.run(['apply', file])).code, 0)
  assert.equal((await here.run(['apply', file], { env: { GRANTOR_REGISTRATION_SCHEMES: 'myapp' } })).code, 0)
  const { code, of } = await examine(here, ports)
  assert.deepEqual([code, of('clients')?.state], [0, 'warn'])
  assert.match(of('clients')?.says ?? '', /client app .*redirect_uris\[0\] .*registration\.schemes/)
})

test('rows that cannot be read are named, do not keep the server from starting, and are put in order by a seed', async () => {
  using here = folder()
  const clients = [
    { client_id: 'svc', client_secret: 'a-secret-of-32-or-more-characters', grant_types: ['client_credentials'] },
  ]
  const users = [{ username: 'alice', password: 'correct-horse', email: 'alice@client.example' }]
  const seed = here.write('seed.json', JSON.stringify({ clients, users }))
  await (await here.start(['--seed', seed])).stop()
  const tamper = (sql: string): void => {
    using database = new DatabaseSync(join(here.path, 'data', 'grantor.db'))
    database.exec(sql)
  }
  tamper(`update clients set metadata = '{'; update users set claims = '{'`)
  const { code, findings } = await examine(here, ports)
  assert.equal(code, 1)
  const named = findings.filter(({ check, state }) => check === 'directory' && state === 'fail')
  for (const row of ['client svc', 'client grantor-cli', 'client grantor-console', 'user alice', 'user admin'])
    assert.ok(
      named.some(({ says }) => says.startsWith(row)),
      `${row}: ${JSON.stringify(named)}`,
    )
  assert.match(named[0]?.fix ?? '', /grantor apply/)
  // Unseeded, everything is set aside; seeded, what is declared is there again.
  await (await here.start()).stop()
  const shown = await here.run(['client', 'show', 'svc'])
  assert.equal(shown.code, 4, shown.stderr)
  assert.match(shown.stderr, /client svc cannot be read/)
  const server = await here.start(['--seed', seed])
  assert.equal(server.ready.event, 'ready')
  await server.stop()
  assert.equal((await here.run(['client', 'show', 'svc'])).code, 0)
  const builtIn = ['grantor-cli', 'grantor-console']
  for (const id of builtIn) assert.equal((await here.run(['client', 'delete', id, '--yes'])).code, 0)
  await (await here.start()).stop()
  for (const id of builtIn) assert.equal((await here.run(['client', 'show', id])).code, 0)
  const after = await examine(here, ports)
  assert.deepEqual(
    after.findings
      .filter(({ check, state }) => check === 'directory' && state === 'fail')
      .map(({ says }) => says.slice(0, 10)),
    ['user admin'],
  )
})

test('profiles are listed; clients that cannot work under them, and trusted issuers that cannot be believed, are named', async () => {
  using here = folder()
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }] }
  const service = { grant_types: ['client_credentials'], redirect_uris: [] }
  const rules = (client: string) => [{ claims: { sub: 'job' }, client }]
  const file = here.write(
    'objects.json',
    JSON.stringify({
      clients: [
        { client_id: 'strong', ...service, profile: 'fapi2-message-signing', jwks },
        { client_id: 'shows', ...service, token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks },
      ],
      trusted_issuers: [
        { issuer: 'https://ci.example', jwks, rules: rules('strong') },
        { issuer: 'https://nobody.invalid', rules: rules('shows') },
      ],
      tenants: [
        {
          id: 'bank',
          clients: [{ client_id: 'old', ...service, client_secret: 'a-secret-of-32-or-more-characters' }],
        },
      ],
    }),
  )
  await (await here.start(['--seed', file])).stop()
  const profiled = here.write('profile.json', JSON.stringify({ tenants: [{ id: 'bank', profile: 'fapi2-security' }] }))
  assert.equal((await here.run(['apply', profiled])).code, 0)
  const disabled = await here.run(['client', 'delete', 'strong', '--yes'])
  assert.equal(disabled.code, 0, disabled.stderr)
  const { code, findings } = await examine(here, ports, { GRANTOR_MTLS_PORT: 'off' })
  assert.equal(code, 1)
  const told = (check: string) =>
    findings.filter((it) => it.check === check).map(({ state, says }) => `${state} ${says}`)
  const includes = (check: string, pattern: RegExp) =>
    assert.ok(
      told(check).some((it) => pattern.test(it)),
      `${pattern}: ${told(check).join('; ')}`,
    )
  includes('profiles', /^ok tenant bank holds all its clients to fapi2-security$/)
  includes('profiles', /^fail client shows of tenant default can do nothing: it authenticates by self_signed/)
  includes('clients', /^warn client old of tenant bank: token_endpoint_auth_method .*fapi2-security of the tenant/)
  includes('trusted issuers', /^ok https:\/\/ci\.example of tenant default: 1 key$/)
  includes('trusted issuers', /^warn https:\/\/ci\.example of tenant default: a rule names client strong/)
  includes('trusted issuers', /^fail https:\/\/nobody\.invalid of tenant default: no token of it is believed/)
})
