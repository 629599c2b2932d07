import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookHeaders, webhookSecretOf } from '../../src/webhooks/message.ts'
import { isOwnMessage } from '../../src/webhooks/verify.ts'
import { at } from '../samples.ts'

const key = new Uint8Array(32).fill(7)
const message = { id: 'm1', at: at(1_000_000), content: '{"type":"token.issuing"}' }
const headers = webhookHeaders(message, [key])
const good = { headers, content: message.content, secrets: [webhookSecretOf(key)], now: at(1_000_000) }

test('Standard Webhooks: a message is ours by its signature, its id, its time and its bytes', () => {
  assert.equal(isOwnMessage(good), true)
  assert.equal(isOwnMessage({ ...good, secrets: ['whsec_x', webhookSecretOf(key)] }), true)
  const other = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
  assert.equal(isOwnMessage({ ...good, headers: other }), true, 'one of several is enough')
  for (const [what, it] of Object.entries({
    content: { ...good, content: `${message.content} ` },
    secret: { ...good, secrets: [webhookSecretOf(new Uint8Array(32).fill(8))] },
    nobody: { ...good, secrets: [] },
    old: { ...good, now: at(1_000_000 + 301_000) },
    early: { ...good, now: at(1_000_000 - 301_000) },
    id: { ...good, headers: { ...headers, 'webhook-id': 'm2' } },
    time: { ...good, headers: { ...headers, 'webhook-timestamp': '1001' } },
    noTime: { ...good, headers: { ...headers, 'webhook-timestamp': 'now' } },
    unsigned: { ...good, headers: { ...headers, 'webhook-signature': '' } },
    repeated: { ...good, headers: { ...headers, 'webhook-signature': [headers['webhook-signature'] ?? ''] } },
    absent: { ...good, headers: {} },
  }))
    assert.equal(isOwnMessage(it), false, what)
})
