/** A process that dies in the middle of deferred work: another one does it, with the same intent, and a retry finds it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@grantor/protocol/types'
import { accessToken, signingKey } from './tokens.ts'
import { postgresPool, storeNames } from './stores.ts'

const program = fileURLToPath(new URL('api-process.ts', import.meta.url))
const key = signingKey()

interface ApiProcess {
  readonly child: ChildProcess
  send(path: string, init?: RequestInit): Promise<Response>
}

async function start(...args: readonly string[]): Promise<ApiProcess> {
  const [kind = '', where = '', ...more] = args
  const child = spawn(process.execPath, [program, kind, where, JSON.stringify({ keys: [key.jwk] }), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const authorization = `Bearer ${accessToken(key)}`
  const all = { authorization, 'content-type': 'application/json' }
  return {
    child,
    send: (path, init) => {
      const headers = { ...all, ...(init?.headers as Record<string, string> | undefined) }
      return fetch(`http://127.0.0.1:${Number(line)}${path}`, { ...init, headers })
    },
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error(`never came about: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 25)
    })
  }
}

/** Where the processes of a test keep what they share, and a statement to it from outside. */
async function openPlace(name: string) {
  if (name === 'PostgreSQL') {
    const schema = `killed_${process.pid}_${Date.now()}`
    const pool = await postgresPool(schema)
    return { where: ['postgres', schema], run: async (sql: string) => void (await pool.query(sql)) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'killed-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'operations.db')
  const run = async (sql: string) => {
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA busy_timeout = 2000; ${sql}`)
    database.close()
  }
  return { where: ['sqlite', file], run }
}

for (const name of storeNames.filter((one) => one !== 'memory')) {
  test(`work that was begun by a process that was killed is done by the next one, once more [${name}]`, async () => {
    const { where } = await openPlace(name)
    const first = await start(...where, 'hang')
    const accepted = await first.send('/v1/things/count', { method: 'POST', body: '{}' })
    assert.equal(accepted.status, 202)
    const location = String(accepted.headers.get('location'))
    const shown = async (one: ApiProcess) => (await (await one.send(location)).json()) as JsonObject
    await until('progress', async () => (await shown(first))['progress'] !== null)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = await start(...where)
    await until('the end', async () => (await shown(second))['status'] === 'succeeded')
    const result = (await (await second.send(`${location}/result`)).json()) as JsonObject
    assert.equal(result['pid'], second.child.pid)
    assert.match(result['intent'] as string, /^[\da-f-]{36}$/)
  })

  for (const rerun of ['', 'rerun']) {
    test(`killed while its client waits, between operation and key: the retry finds it, and it is done once [${name}${rerun && ', rerun'}]`, async () => {
      const { where, run } = await openPlace(name)
      const headers = { 'idempotency-key': 'one', prefer: 'wait=20' }
      const ask = (one: ApiProcess) => one.send('/v1/things/count', { method: 'POST', body: '{}', headers })
      const listed = async (one: ApiProcess) =>
        ((await (await one.send('/v1/operations')).json()) as { readonly items: readonly JsonObject[] }).items
      const first = await start(...where, 'hang', rerun)
      const unanswered = assert.rejects(ask(first))
      await until('the work is begun', async () => (await listed(first))[0]?.['status'] === 'running')
      first.child.kill('SIGKILL')
      await unanswered
      const second = await start(...where, '', rerun)
      const early = await ask(second)
      assert.deepEqual([early.status, early.headers.get('retry-after') !== null], [409, true])
      await run('UPDATE idempotency SET lease_until = 0')
      const retried = await ask(second)
      assert.equal(retried.status, 200)
      const result = (await retried.json()) as JsonObject
      assert.equal(result['pid'], second.child.pid)
      assert.deepEqual(
        (await listed(second)).map(({ id }) => id),
        [`op_${(result['intent'] as string).replaceAll('-', '')}`],
      )
      const again = await ask(second)
      assert.deepEqual([again.headers.get('idempotency-replayed'), await again.json()], ['true', result])
    })
  }
}
