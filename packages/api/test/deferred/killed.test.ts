/** A process that dies in the middle of deferred work: another one does it, with the same intent. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const headers = { authorization, 'content-type': 'application/json' }
  return { child, send: (path, init) => fetch(`http://127.0.0.1:${Number(line)}${path}`, { ...init, headers }) }
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

for (const name of storeNames.filter((one) => one !== 'memory')) {
  test(`work that was begun by a process that was killed is done by the next one, once more [${name}]`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'killed-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const schema = `killed_${process.pid}_${Date.now()}`
    if (name === 'PostgreSQL') await postgresPool(schema)
    const where = name === 'SQLite' ? ['sqlite', join(folder, 'operations.db')] : ['postgres', schema]
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
}
