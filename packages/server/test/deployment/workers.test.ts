/** Several processes over PostgreSQL: one port, one issuer; they live and die with their parent. */
import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { compose } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import { defaultTenant } from '../../src/issuer.ts'
import { listen } from '../../src/listen.ts'
import { call } from './call.ts'

const url = process.env['GRANTOR_TEST_DATABASE_URL']
const schema = `server_workers_${process.pid}`
const secret = 'a-secret-of-32-or-more-characters-long'

/** Settled once so many listeners have begun in workers, from now on. */
const listenings = (wanted: number): Promise<void> =>
  new Promise((resolve) => {
    let seen = 0
    const count = (): void => {
      if (++seen < wanted) return
      cluster.off('listening', count)
      resolve()
    }
    cluster.on('listening', count)
  })

describe('workers on PostgreSQL', () => {
  let folder = ''
  const env = (): Record<string, string> => ({
    GRANTOR_DATA: folder,
    GRANTOR_PORT: '0',
    GRANTOR_MANAGEMENT_PORT: '0',
    GRANTOR_MTLS_PORT: '0',
    GRANTOR_LOG: 'silent',
    GRANTOR_DATABASE_URL: url ?? '',
    GRANTOR_DATABASE_SCHEMA: schema,
    GRANTOR_DATABASE_POOL: '3',
    GRANTOR_DATABASE_TIMEOUT: '60s',
    GRANTOR_MASTER_KEY: 'a master key of the test, long enough',
    GRANTOR_WORKERS: '2',
  })
  const settings = (): Settings => {
    const loaded = loadSettings({ flags: {}, env: env(), cwd: folder })
    assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
    return loaded.value.settings
  }

  before(() => {
    assert.ok(url, 'GRANTOR_TEST_DATABASE_URL must name a PostgreSQL server')
    folder = mkdtempSync(join(tmpdir(), 'grantor-workers-'))
  })
  after(async () => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
    rmSync(folder, { recursive: true })
  })

  test('serve one port together, count together, and replace one of them that dies', async (t) => {
    const deployment = await compose(settings(), 'server')
    const metadata = {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'metrics:read',
    }
    await deployment.authority.admin.clients.create({ kind: 'operator', id: 'test' }, defaultTenant, {
      id: 'svc',
      metadata,
      secret,
    })
    const { issuer, caFile, managementPort, mtlsPort, close } = await listen(deployment)
    // Workers that are left behind would be replaced for ever.
    let closed: Promise<void> | null = null
    const closeOnce = (): Promise<void> => (closed ??= close())
    t.after(closeOnce)
    const ask = { grant_type: 'client_credentials', client_id: 'svc', client_secret: secret }
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await call(issuer, caFile, '/token', ask)).status),
    )
    assert.deepEqual(new Set(statuses), new Set([200]))
    const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text()
    assert.match(metrics, /grantor_tokens_issued_total\{grant_type="client_credentials"\} 8/)
    const { access_token: token } = JSON.parse((await call(issuer, caFile, '/token', ask)).body) as {
      access_token: string
    }
    const shown = await call(issuer, caFile, '/metrics', undefined, `Bearer ${token}`)
    assert.match(shown.body, /grantor_tokens_issued_total\{grant_type="client_credentials"\} 9/)

    const [victim] = Object.values(cluster.workers ?? {})
    assert.ok(victim)
    const replaced = listenings(2)
    victim.process.kill('SIGKILL')
    await replaced
    for (const origin of [issuer, `https://localhost:${mtlsPort}`])
      for (let n = 0; n < 4; n++) assert.equal((await call(origin, caFile, '/token', ask)).status, 200)
    await closeOnce()
    assert.equal(Object.keys(cluster.workers ?? {}).length, 0)
    await assert.rejects(call(issuer, caFile, '/jwks'))
  })

  const aliasOf = async (origin: string, caFile: string | null): Promise<string> => {
    const { body } = await call(origin, caFile, '/.well-known/oauth-authorization-server')
    return (JSON.parse(body) as { mtls_endpoint_aliases: { token_endpoint: string } }).mtls_endpoint_aliases
      .token_endpoint
  }

  test('ask for certificates at one port, the same when the usual one comes free and when all of them die', async (t) => {
    const holder = createServer().listen(8445, '127.0.0.1')
    // Whoever else has it serves as well: it is taken.
    await new Promise((resolve) => holder.once('listening', resolve).once('error', resolve))
    const { GRANTOR_MTLS_PORT: _port, ...usual } = env()
    const loaded = loadSettings({ flags: {}, env: usual, cwd: folder })
    assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
    const { issuer, caFile, mtlsPort, close } = await listen(await compose(loaded.value.settings, 'server'))
    t.after(close)
    assert.ok(mtlsPort !== null && mtlsPort !== 8445)
    const alias = `https://localhost:${mtlsPort}`
    const served = async (): Promise<void> => {
      // Often enough that every worker answers.
      for (let n = 0; n < 6; n++) {
        assert.equal(await aliasOf(issuer, caFile), `${alias}/token`)
        assert.equal(await aliasOf(alias, caFile), `${alias}/token`)
      }
    }
    await served()
    await new Promise((resolve) => holder.close(resolve))
    for (const victims of [1, 2]) {
      // Both listeners of each: then it serves.
      const ready = listenings(2 * victims)
      for (const worker of Object.values(cluster.workers ?? {}).slice(0, victims)) worker?.process.kill('SIGKILL')
      await ready
      await served()
    }
  })

  test('end when their parent is killed', async () => {
    const program = join(folder, 'parent.mjs')
    writeFileSync(
      program,
      `import { compose, listen, loadSettings } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)}
      const loaded = loadSettings({ flags: {}, env: process.env, cwd: process.cwd() })
      const { issuer, caFile } = await listen(await compose(loaded.value.settings, 'server'))
      console.log(JSON.stringify({ issuer, caFile }))`,
    )
    const parent = spawn(process.execPath, [program], { env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
    parent.stderr.resume()
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
    const { issuer, caFile } = JSON.parse(line) as { issuer: string; caFile: string }
    assert.equal((await call(issuer, caFile, '/jwks')).status, 200)
    parent.kill('SIGKILL')
    // The workers write to the same pipe: it closes when the last of them is gone.
    await once(parent.stderr, 'close')
    await assert.rejects(call(issuer, caFile, '/jwks'))
  })
})
