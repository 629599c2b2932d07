/** What a stream is told of itself, and how long those who poll may leave it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalType } from '@grantor/protocol/ssf'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { type ReceiverRow, statusOrderKey } from '@grantor/store'
import { statusNotice, verificationOf } from '../../src/ssf/about-stream.ts'
import { openSharedSignals } from '../../src/ssf/ssf.ts'

const now = 1_000 as Instant
const stream = (method: string, more: object = {}) =>
  ({
    tenant: 'acme',
    id: 's1',
    status: 'paused',
    statusReason: null,
    config: { method },
    ...more,
  }) as unknown as ReceiverRow

test('SSF 1.0 §8.1.4.2: a verification repeats the state it was asked with, each in an order of its own', () => {
  const { payload, ...row } = verificationOf(stream('push'), 'xyz', { id: 'n1', now })
  assert.deepEqual(row, {
    tenant: 'acme',
    receiver: 's1',
    id: 'n1',
    pos: 0,
    type: signalType.verification,
    orderKey: 'event n1',
    madeAt: now,
  })
  assert.deepEqual(JSON.parse(payload), {
    sub_id: { format: 'opaque', id: 's1' },
    events: { [signalType.verification]: { state: 'xyz' } },
  })
  const silent = JSON.parse(verificationOf(stream('push'), null, { id: 'n1', now }).payload) as JsonObject
  assert.deepEqual(silent['events'], { [signalType.verification]: {} })
})

test('SSF 1.0 §8.1.5: a change of status is told with its reason, by push and by poll', () => {
  const polled = statusNotice(stream('poll', { statusReason: 'night' }), { id: 'n1', now })
  assert.equal(polled.orderKey, statusOrderKey)
  const body = (it: string) => (JSON.parse(it) as { readonly events: JsonObject }).events[signalType.streamUpdated]
  assert.deepEqual(body(polled.payload), { status: 'paused', reason: 'night' })
  const pushed = statusNotice(stream('push'), { id: 'n1', now })
  assert.deepEqual(body(pushed.payload), { status: 'paused' })
})

test('the log names what did not serve, and cuts no character of its id in two', async () => {
  const logged: { readonly data: JsonObject }[] = []
  const store = {
    eventReceivers: {
      find: async () => ({ ...stream('poll'), kind: 'stream', config: { method: 'poll', clientId: 'c' } }),
    },
    eventDeliveries: {
      acknowledge: async ({ events }: { readonly events: typeof logged }) => void logged.push(...events),
      waiting: async () => [],
    },
  }
  const signals = openSharedSignals({ clock: { now: () => now }, ids: { id: () => 'e' }, limits: {}, store } as never)
  const setErrs = [{ id: `${'x'.repeat(63)}😀`, error: 'invalid_request' }]
  const request = { maxEvents: 0, returnImmediately: true, ack: [], setErrs, over: () => false }
  await signals.poll({ origin: { tenant: 'acme' }, clientId: 'c' } as never, 's1', request)
  assert.deepEqual(logged[0]?.data, { stream: 's1', id: 'x'.repeat(63), count: 1 })
})
