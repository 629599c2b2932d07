/** A deployment that is closed: what it was telling others is settled by their answers. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { compose } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import { openHttpsServer } from '../outbound/test-servers.ts'

const root = 'default' as TenantId
const operator = { kind: 'operator', id: 'test' } as const

test('a receiver that answers while we close has been told, and has not failed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-closing-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await using receiver = await openHttpsServer({
    '/slow': (_request, response) => {
      asked.resolve()
      void answer.promise.then(() => response.writeHead(204).end())
    },
  })
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, receiver.ca)
  const env = {
    GRANTOR_DATA: folder,
    GRANTOR_LOG: 'silent',
    GRANTOR_OUTBOUND_ALLOW: `localhost:${receiver.port}`,
    GRANTOR_OUTBOUND_CA: ca,
  }
  const loaded = loadSettings({ flags: {}, env, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  const deployment = await compose(loaded.value.settings, 'server')
  const { webhooks } = deployment.authority.admin
  const url = `https://localhost:${receiver.port}/slow`
  const made = await webhooks.create(operator, root, { url, events: ['session.*'] })
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  const { id } = made.value.webhook
  await deployment.authority.begin()
  const sent = await webhooks.test(operator, root, id)
  assert.equal(sent.kind, 'ok')
  await asked.promise
  const closing = deployment.close()
  answer.resolve()
  await closing

  const again = await compose(loaded.value.settings)
  const kept = await again.store.eventDeliveries.search(root, { receiver: id, state: null, before: null, limit: 9 })
  const health = await again.store.eventReceivers.find(root, id)
  await again.close()
  assert.deepEqual(
    kept.map(({ state, lastStatus, attempts }) => [state, lastStatus, attempts]),
    [['delivered', 204, 1]],
  )
  assert.equal(health?.failures, 0)
})
