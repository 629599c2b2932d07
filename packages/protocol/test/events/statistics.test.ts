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
