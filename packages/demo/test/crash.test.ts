/** I6: a create that is killed in the middle, and sent again, makes exactly one order. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testClient } from '@grantor/api/testing'
import { ordersApi } from '../src/orders-api.ts'
import { OrdersTable } from '../src/orders-table.ts'
import { place, request } from './crash-request.ts'

test('I6: killed after the write and before its note, then sent again: one order, and the same one every time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  const file = join(folder, 'orders.db')
  const script = fileURLToPath(new URL('cut-off.ts', import.meta.url))
  const killed = spawnSync(process.execPath, [script, file], { timeout: 30_000 })
  assert.equal(killed.signal, 'SIGKILL', String(killed.stderr))
  const table = new OrdersTable(file)
  const api = ordersApi({ ...place, table })
  const client = testClient(api)
  const list = async () =>
    (await client({ url: '/v1/orders', as: { scope: 'orders:read' } })).json()['items'] as { id: string }[]
  const [made, ...more] = await list()
  assert.ok(made)
  assert.deepEqual(more, [])
  const retry = await client(request)
  assert.equal(retry.status, 201)
  assert.equal(retry.json()['id'], made.id)
  const again = await client(request)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.body, retry.body)
  assert.equal((await list()).length, 1)
  await client.close()
  await api.close()
  table.close()
  rmSync(folder, { recursive: true })
})
