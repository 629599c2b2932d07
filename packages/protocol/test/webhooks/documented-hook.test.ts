/** The hook of docs/policy.md, run as it is shown there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Instant } from '../../src/types.ts'
import { webhookHeaders, webhookSecretOf } from '../../src/webhooks/index.ts'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { readonly port: number }
  probe.close()
  return port
}

test('the hook takes what this server signed, and nothing else', async () => {
  const port = await freePort()
  const bytes = randomBytes(32)
  const program = join(import.meta.dirname, 'issuance-hook.ts')
  const env = { ...process.env, PORT: String(port), HOOK_SECRET: webhookSecretOf(bytes) }
  const hook = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(hook.stdout, 'data')
    const ask = async (user: object | null, signed = true) => {
      const content = JSON.stringify({ type: 'token.issuing', data: { user } })
      const message = { id: 'one', at: Date.now() as Instant, content }
      const headers = webhookHeaders(message, signed ? [bytes] : [randomBytes(32)])
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: content })
      return [answer.status, answer.status === 200 ? await answer.json() : null]
    }
    assert.deepEqual(await ask(null), [200, { decision: 'allow', claims: { plan: 'gold' } }])
    const denied = { decision: 'deny', reason: 'suspended' }
    assert.deepEqual(await ask({ attributes: { suspended: true } }), [200, denied])
    assert.deepEqual(await ask(null, false), [401, null])
  } finally {
    hook.kill()
    await once(hook, 'exit')
  }
})
