/** The text of an event: one form, read back whole. */
import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Actor,
  decodeEvent,
  encodeEvent,
  type NewEvent,
  eventNames,
  feedEvents,
  personalEvents,
  personOf,
} from '../../src/events/event.ts'
import type { JsonObject } from '../../src/types.ts'

const maybe = fc.option(fc.string({ unit: 'binary' }))
// -0 is the one number that JSON does not carry.
const data = fc.option(
  fc.dictionary(fc.string(), fc.jsonValue()).map((it) => JSON.parse(JSON.stringify(it)) as JsonObject),
)

const plain = { noNullPrototype: true }

const anyEvent = fc.record(
  {
    id: fc.uuid(),
    tenant: fc.string({ minLength: 1 }),
    at: fc.nat(),
    name: fc.constantFrom(...eventNames),
    actor: fc.record(
      {
        kind: fc.constantFrom<Actor['kind']>('client', 'user', 'operator', 'system', 'resource_server'),
        id: maybe,
      },
      plain,
    ),
    subject: maybe,
    clientId: maybe,
    grantId: maybe,
    jti: maybe,
    scope: maybe,
    reason: maybe,
    ip: maybe,
    traceId: maybe,
    data,
  },
  plain,
) as fc.Arbitrary<NewEvent>

test('an event reads back from its text whole, and has one text only', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const text = encodeEvent(event)
      deepEqual(decodeEvent(text), event)
      equal(encodeEvent(decodeEvent(text)), text)
    }),
  )
})

test('the text holds no NUL, so that every database can hold it', () => {
  fc.assert(fc.property(anyEvent, (event) => !encodeEvent(event).includes('\0')))
})

test('fields carry their names and order, absent ones are left out', () => {
  const event = {
    id: 'e1',
    tenant: 'default',
    at: 5,
    name: 'token.issued',
    actor: { kind: 'client', id: 'web' },
    subject: 'ada',
    clientId: 'web',
    grantId: 'g1',
    jti: 'j1',
    scope: 'a b',
    reason: 'r',
    ip: '::1',
    traceId: 't',
    data: { x: 1 },
  } as unknown as NewEvent
  const names = [
    'id',
    'at',
    'tenant',
    'name',
    'actor',
    'subject',
    'client_id',
    'grant_id',
    'jti',
    'scope',
    'reason',
    'ip',
    'trace_id',
    'data',
  ]
  deepEqual(Object.keys(JSON.parse(encodeEvent(event)) as object), names)
  const bare = { ...event, actor: { kind: 'system', id: null }, subject: null, data: null } as NewEvent
  equal(encodeEvent(bare).includes('null'), false)
})

test('the names, those of the feed and those of a person’s activity are the ones that docs/events.md publishes', () => {
  const page = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|.*\| (feed)?[^|]*\| (activity)?[^|]*\|$/gm)]
  const where = (column: number) => rows.flatMap((row) => (row[column] === undefined ? [] : [row[1] ?? ''])).toSorted()
  deepEqual(where(1), eventNames.toSorted())
  deepEqual(where(2), [...feedEvents].toSorted())
  deepEqual(where(3), personalEvents.toSorted())
})

test('an event belongs to the activity of the person it is about, where people are told of its kind', () => {
  equal(personOf({ name: 'session.started', subject: 'alice' }), 'alice')
  equal(personOf({ name: 'token.issued', subject: 'alice' }), null)
  equal(personOf({ name: 'session.started', subject: null }), null)
})
