/** An API key at the Orders demo, from its making to its end: on whatever database the server has. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Folder, Started } from './grantor.ts'
import { requestJson } from './https.ts'

/** The line of docs/api-keys.md, and what follows from it. */
export async function assertKeyOpensOrders(
  here: Folder,
  { ready }: Pick<Started, 'ready'>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const orders = `https://localhost:${String(ready.demo_port)}`
  const grantor = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await here.call([...args, '--json'], { env })
    assert.equal(code, 0, stderr)
    return stdout
  }
  const flags = ['--client', 'demo-service', '--resource', orders, '--name', 'try', '--scope', 'orders:read']
  const { id, key } = JSON.parse(await grantor('api-key', 'create', ...flags)) as Readonly<Record<string, string>>
  const call = (bearer = '') => requestJson(`${orders}/v2/orders`, { folder: here, bearer })
  /** The demo hears of keys and of their end in its own time. */
  const until = async (status: number): Promise<Readonly<Record<string, unknown>>> => {
    for (let tries = 0; ; tries++) {
      const answer = await call(key)
      if (answer.status === status) return answer.body
      assert.ok(tries < 600, `${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`)
      await pause(50)
    }
  }
  const { items } = (await until(200)) as { readonly items: readonly unknown[] }
  assert.ok(items.length > 0, 'demo-service has orders from the first start')
  const mistyped = `${key?.slice(0, -1)}${key?.endsWith('a') === true ? 'b' : 'a'}`
  assert.deepEqual([(await call(mistyped)).body['code']], ['token_malformed'])
  const write = await requestJson(`${orders}/v2/orders`, { folder: here, bearer: key ?? '', form: { a: 'b' } })
  assert.deepEqual([write.status, write.body['code']], [401, 'insufficient_scope'])
  await grantor('api-key', 'revoke', String(id))
  assert.match(String((await until(401))['code']), /^(?:token_revoked|invalid_token)$/)
}
