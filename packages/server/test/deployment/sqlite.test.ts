/** A whole deployment on SQLite: composed, listening, asked over TLS, drained. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { StoreRefused } from '@grantor/store'
import { compose, type Deployment } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import { defaultTenant } from '../../src/issuer.ts'
import { listen, type RunningServer } from '../../src/listen.ts'
import { call } from './call.ts'

const secret = 'a-secret-of-32-or-more-characters-long'
const credentials = { grant_type: 'client_credentials', client_id: 'svc', client_secret: secret }

describe('a deployment on SQLite', () => {
  let folder = ''
  const opened: { close(): Promise<void> }[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grantor-deployment-'))
  })
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close()
    rmSync(folder, { recursive: true })
  })

  const settings = (env: Record<string, string> = {}): Settings => {
    const base = { GRANTOR_DATA: folder, GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0', GRANTOR_LOG: 'silent' }
    const loaded = loadSettings({ flags: {}, env: { ...base, ...env }, cwd: folder })
    assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
    return loaded.value.settings
  }
  const withClient = async (deployment: Deployment): Promise<Deployment> => {
    const metadata = {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'events:report metrics:read',
    }
    const made = await deployment.authority.admin.clients.create({ kind: 'operator', id: 'test' }, defaultTenant, {
      id: 'svc',
      metadata,
      secret,
    })
    assert.ok(made.kind === 'ok', JSON.stringify(made))
    return deployment
  }
  const running = async (env: Record<string, string> = {}): Promise<RunningServer> => {
    const server = await listen(await withClient(await compose(settings(env), 'server')))
    opened.push(server)
    return server
  }

  test('issues a token that its own key set verifies, introspects and revokes it', async () => {
    const { issuer, caFile, port } = await running()
    assert.equal(issuer, `https://localhost:${port}`)
    const metadata = JSON.parse((await call(issuer, caFile, '/.well-known/openid-configuration')).body) as Record<
      string,
      string
    >
    assert.equal(metadata['issuer'], issuer)
    const issued = await call(issuer, caFile, new URL(metadata['token_endpoint'] ?? '').pathname, credentials)
    assert.equal(issued.status, 200, issued.body)
    const { access_token: token } = JSON.parse(issued.body) as { access_token: string }
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
    const { keys } = JSON.parse((await call(issuer, caFile, '/jwks')).body) as { keys: { kid: string }[] }
    assert.ok(keys.some((key) => key.kid === kid))
    const asked = { client_id: 'svc', client_secret: secret, token }
    const active = async (): Promise<boolean> =>
      (JSON.parse((await call(issuer, caFile, '/introspect', asked)).body) as { active: boolean }).active
    assert.equal(await active(), true)
    assert.equal((await call(issuer, caFile, '/revoke', asked)).status, 200)
    assert.equal(await active(), false)
  })

  test('tells its health and what it counted on the management listener', async () => {
    const { issuer, caFile, managementPort } = await running()
    await call(issuer, caFile, '/token', credentials)
    await call(issuer, caFile, '/token', { ...credentials, client_secret: 'zz9canary' })
    const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${managementPort}${path}`, { method })
    assert.deepEqual(await (await ask('/health/live')).json(), { status: 'live' })
    assert.deepEqual(await (await ask('/health/ready')).json(), { status: 'ready' })
    assert.deepEqual([(await ask('/nope')).status, (await ask('/metrics', 'POST')).status], [404, 405])
    const metrics = await (await ask('/metrics')).text()
    assert.match(metrics, /grantor_http_requests_total\{route="\/token",status="200"\} 1/)
    assert.match(metrics, /grantor_tokens_issued_total\{grant_type="client_credentials"\} 1/)
    assert.match(metrics, /grantor_refusals_total\{route="\/token",reason="client_unauthenticated"\} 1/)
    assert.doesNotMatch(metrics, /zz9canary|svc/)
  })

  test('shows its counters on the main listener to a living token with the scope for it, and to no other', async () => {
    const { issuer, caFile } = await running()
    const tokenOf = async (scope: string): Promise<string> => {
      const issued = await call(issuer, caFile, '/token', { ...credentials, scope })
      return (JSON.parse(issued.body) as { access_token: string }).access_token
    }
    const show = (authorization?: string) => call(issuer, caFile, '/metrics', undefined, authorization)
    const good = await tokenOf('metrics:read')
    const shown = await show(`Bearer ${good}`)
    assert.equal(shown.status, 200)
    assert.match(shown.body, /grantor_tokens_issued_total/)
    assert.deepEqual([(await show()).status, (await show()).challenge], [401, 'Bearer realm="grantor"'])
    assert.match((await show('Bearer not-a-token')).challenge, /error="invalid_token"/)
    assert.match((await show(`Bearer ${await tokenOf('events:report')}`)).challenge, /error="insufficient_scope"/)
    await call(issuer, caFile, '/revoke', { client_id: 'svc', client_secret: secret, token: good })
    assert.match((await show(`Bearer ${good}`)).challenge, /error="invalid_token"/)
  })

  test('drains: what is in flight finishes, what comes later is not let in', async () => {
    const server = await listen(await withClient(await compose(settings(), 'server')))
    const body = new URLSearchParams(credentials).toString()
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      ca: readFileSync(server.caFile ?? ''),
      servername: 'localhost',
    })
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await once(socket, 'secureConnect')
    const head = `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
    socket.write(head)
    while (!heard.includes('100 Continue')) await once(socket, 'data')
    const closed = server.close()
    await assert.rejects(call(server.issuer, server.caFile, '/jwks'))
    socket.write(body)
    await once(socket, 'close')
    await closed
    assert.match(heard, /HTTP\/1\.1 200 OK[^]*connection: close[^]*access_token/i)
  })

  test('one server to a file: a second one is refused, a command is not', async () => {
    await running()
    await assert.rejects(compose(settings(), 'server'))
    const beside = await compose(settings())
    opened.push(beside)
    assert.ok((await beside.authority.admin.clients.find(defaultTenant, 'svc')).kind === 'ok')
  })

  test('a client made by a command is known to the running server at once', async () => {
    const { issuer, caFile } = await running()
    const beside = await compose(settings())
    opened.push(beside)
    const metadata = {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'events:report',
    }
    await beside.authority.admin.clients.create({ kind: 'operator', id: 'test' }, defaultTenant, {
      id: 'new',
      metadata,
      secret,
    })
    assert.equal((await call(issuer, caFile, '/token', { ...credentials, client_id: 'new' })).status, 200)
  })

  test('a master key that does not open the ring refuses to start and names it', async () => {
    await (await running()).close()
    opened.pop()
    writeFileSync(join(folder, 'master.key'), 'another master key of enough length\n', { mode: 0o600 })
    await assert.rejects(compose(settings(), 'server'), (error) => {
      // The key of the log is the first thing that is opened.
      assert.ok(error instanceof StoreRefused)
      assert.match(
        error.message,
        /master\.key \(id [0-9a-f]{16}\) does not open the key of the log, .*sealed under [0-9a-f]{16}/,
      )
      return true
    })
  })

  test('a port that is taken is named with the setting that moves it', async () => {
    const { port, managementPort } = await running()
    const elsewhere = mkdtempSync(join(tmpdir(), 'grantor-deployment-'))
    try {
      for (const [env, said] of [
        [{ GRANTOR_PORT: String(port) }, /GRANTOR_PORT$/],
        [{ GRANTOR_MANAGEMENT_PORT: String(managementPort) }, /GRANTOR_MANAGEMENT_PORT$/],
      ] as const) {
        const deployment = await compose(settings({ GRANTOR_DATA: elsewhere, ...env }), 'server')
        await assert.rejects(listen(deployment), said)
        await deployment.close()
      }
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })
})
