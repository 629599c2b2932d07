/** Turns: who is on the way at the same time, who waits, and what is left to administrators where strangers ask. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import type { OutboundCause } from '@grantor/authority'
import { err } from '@grantor/protocol/result'
import { createConcurrencyLimit } from '../../src/outbound/concurrency.ts'
import { openOutbound } from '../../src/outbound/index.ts'

const [busy, quiet] = [
  { host: 'busy', ofStranger: false },
  { host: 'quiet', ofStranger: false },
]

test('a busy host holds up nobody else, a full line turns away, and who waits too long leaves', async () => {
  const turns = createConcurrencyLimit({ inAll: 3, perHost: 2, waiting: 2 })
  const patient = new AbortController()
  const { signal } = patient
  const first = await turns.acquire(busy, signal)
  const second = await turns.acquire(busy, signal)
  const third = turns.acquire(busy, signal)
  const elsewhere = await turns.acquire(quiet, signal)
  assert.ok(first !== null && second !== null && elsewhere !== null)
  const leaver = new AbortController()
  const fourth = turns.acquire(busy, leaver.signal)
  assert.equal(await turns.acquire(quiet, signal), null, 'the line is full')
  leaver.abort()
  assert.equal(await fourth, null)
  first()
  first()
  const done = await third
  assert.ok(done !== null, 'who waited goes on')
  const fifth = turns.acquire(busy, signal)
  patient.abort()
  assert.equal(await fifth, null)
  assert.equal(await turns.acquire(busy, signal), null)
})

test('what strangers named has half of all turns and half of the line', async () => {
  const turns = createConcurrencyLimit({ inAll: 4, perHost: 4, waiting: 4 })
  const { signal } = new AbortController()
  const stranger = { host: 'stranger', ofStranger: true }
  const [first, second] = [await turns.acquire(stranger, signal), await turns.acquire(stranger, signal)]
  const leaver = new AbortController()
  const [third, fourth] = [turns.acquire(stranger, signal), turns.acquire(stranger, leaver.signal)]
  assert.equal(await turns.acquire(stranger, signal), null, 'their half of the line is full')
  const others = [await turns.acquire(quiet, signal), await turns.acquire(busy, signal)]
  assert.ok(others.every((it) => it !== null))
  const waiting = [turns.acquire(quiet, signal), turns.acquire(busy, signal)]
  assert.equal(await turns.acquire(quiet, signal), null, 'all of it is full')
  leaver.abort()
  assert.equal(await fourth, null)
  const fifth = turns.acquire(stranger, signal)
  others[0]?.()
  assert.notEqual(await waiting[0], null, 'who waits behind strangers goes before them where their half is taken')
  first?.()
  assert.notEqual(await third, null)
  second?.()
  assert.notEqual(await waiting[1], null)
  others[1]?.()
  assert.notEqual(await fifth, null)
})

test(
  'hundreds of servers of strangers that never answer hold up nobody that an administrator named',
  { timeout: 60_000 },
  async (t) => {
    const outbound = openOutbound({
      allow: new Set(),
      resolve: (name) => (name.startsWith('hanging') ? new Promise(() => {}) : Promise.resolve([])),
      roots: () => createSecureContext(),
      now: () => Date.parse('2026-11-15T12:00:00Z'),
      deadline: 600_000,
    })
    t.after(() => outbound.close())
    const purposes = [
      'request_uris',
      'jwks_uri',
      'logo_uri',
      'sector_identifier_uri',
      'client_metadata_document',
    ] as const
    const ask = (host: string, purpose: OutboundCause['purpose']) =>
      outbound.fetch({
        url: `https://${host}.grantor.dev/`,
        types: ['application/json'],
        maxBytes: 1000,
        cause: { purpose, clientId: null },
      })
    for (let n = 0; n < 700; n += 1) void ask(`hanging-${n}`, purposes[n % purposes.length] ?? 'jwks_uri')
    for (const purpose of ['trusted_issuers', 'providers', 'policy_service', 'issuance_hook'] as const)
      assert.deepEqual(await ask('own', purpose), err('unreachable'))
  },
)
