/** What an event counts for is read from its text, whatever its other fields hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countedIn,
  encodeEvent,
  eventNames,
  type NewEvent,
  seriesPlan,
  statisticsSeries,
} from '@grantor/protocol/events'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import fc from 'fast-check'

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom('"name":"token.issued"', '\\"name":"login.failed', '\u0000"', '{}'),
)

test('the name is found in every text that an event can have, and decides the series', () => {
  const seriesOf = new Map(statisticsSeries.flatMap((series) => seriesPlan(series).names.map((name) => [name, series])))
  const events = fc.record({
    id: fc.uuid(),
    tenant: hostile,
    name: fc.constantFrom(...eventNames),
    actor: hostile,
    reason: fc.option(hostile),
    clientId: fc.option(hostile),
    count: fc.option(fc.oneof(fc.integer(), fc.double(), hostile)),
  })
  fc.assert(
    fc.property(events, ({ id, tenant, name, actor, reason, clientId, count }) => {
      const event: NewEvent = {
        id: id as EventId,
        tenant: tenant as TenantId,
        at: 1 as Instant,
        name,
        actor: { kind: 'client', id: actor },
        subject: null,
        clientId,
        grantId: null,
        jti: null,
        scope: null,
        reason,
        ip: null,
        traceId: null,
        data: count === null ? null : { count },
      }
      const counted = countedIn(encodeEvent(event))
      assert.equal(counted?.series, seriesOf.get(name))
      if (counted === null) return
      assert.ok(Number.isInteger(counted.count) && counted.count >= 1 && counted.count <= 1_000_000)
      assert.match(counted.reason, /^[a-z_]{0,64}$/)
    }),
    { numRuns: 2_000 },
  )
})

test('each series counts these events, and those of refusals by their reason', () => {
  const rows = statisticsSeries.map((series) => {
    const { names, byReason } = seriesPlan(series)
    return [series, byReason, names.join(' ')]
  })
  assert.deepEqual(rows, [
    ['issued', false, 'token.issued'],
    ['refreshed', false, 'token.refreshed'],
    [
      'refused',
      true,
      'client.refused redirect_uri.refused verifier.refused proof.refused assertion.refused token.refused token.denied consent.denied',
    ],
    ['rejected', true, 'token.rejected'],
    ['signed_in', false, 'session.started'],
    ['sign_in_failed', true, 'login.failed'],
    ['signed_out', false, 'session.ended'],
    ['revoked', false, 'token.revoked grant.revoked api_key.revoked'],
    ['replayed', false, 'token.replayed'],
  ])
})

test('an event stands for as many as it says, within reason, and for its own reason', () => {
  const counted = (more: object) => countedIn(JSON.stringify({ name: 'client.refused', ...more }))
  const of = (reason: string, count: number) => ({ series: 'refused', reason, count })
  assert.deepEqual(counted({ reason: 'secret_wrong', data: { count: 7 } }), of('secret_wrong', 7))
  assert.deepEqual(counted({ reason: 'secret_wrong', data: { count: 1_000_000 } }), of('secret_wrong', 1_000_000))
  assert.deepEqual(counted({ reason: 'secret_wrong', data: { count: 1_000_001 } }), of('secret_wrong', 1_000_000))
  for (const count of [0, -1, 0.5, '7', null]) assert.deepEqual(counted({ reason: 'x', data: { count } }), of('x', 1))
  for (const reason of [null, 7, '', 'Secret', 'x'.repeat(65)]) assert.deepEqual(counted({ reason }), of('other', 1))
  assert.deepEqual(counted({ reason: 'x'.repeat(64) }), of('x'.repeat(64), 1))
  const reported = (reason: string) => counted({ reason, actor: { kind: 'resource_server' } })?.reason
  assert.deepEqual(['reports_dropped', 'token_expired', 'of_its_own'].map(reported), [
    'reports_dropped',
    'token_expired',
    'other',
  ])
  assert.deepEqual(countedIn('{"name":"token.issued","data":{"count":7}}'), { series: 'issued', reason: '', count: 1 })
  assert.equal(countedIn('{"name":"client.created"}'), null)
})
