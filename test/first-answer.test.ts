/** The beginning of docs/resource-toolkit.md, done as it is written: what is declared, the program, and the first answer. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startServer, temporaryFolder } from '../interop/server.ts'
import { httpClientOf } from './faults/http-client.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/resource-toolkit.md'), 'utf8')
const program = join(import.meta.dirname, '../packages/api/test/guide/first.ts')
const secretOf = (client: string): string =>
  new RegExp(`client_id: ${client}\\n[\\s\\S]*?client_secret: (\\S+)`).exec(page)?.[1] ?? ''

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

test('from the declaration on the page to the first 200, and 401 without a token', async () => {
  using folder = temporaryFolder()
  const [, declared = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const seed = folder.write('notes.yaml', declared)
  await using server = await startServer({ data: folder.path, seed })
  using http = httpClientOf(server)
  const basic = ['notes-reader', secretOf('notes-reader')] as const
  const form = { grant_type: 'client_credentials', scope: 'notes:read' }
  const issued = await http.send('/token', { basic, form })
  assert.equal(issued.status, 200, issued.body)
  const { access_token: token } = JSON.parse(issued.body) as { access_token: string }
  const port = await freePort()
  const env = {
    ...process.env,
    ISSUER: server.issuer,
    CA: folder.write('ca.pem', server.ca ?? ''),
    PORT: String(port),
    API_SECRET: secretOf('notes-api'),
  }
  const api = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const line of createInterface(api.stdout)) if (line === 'ready') break
    const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/`, { headers })
    const answer = await ask({ authorization: `Bearer ${token}` })
    assert.deepEqual([answer.status, await answer.text()], [200, 'hello notes-reader\n'])
    assert.equal((await ask({})).status, 401)
  } finally {
    api.kill()
    await once(api, 'exit')
  }
})
