/** Idempotency keys: their spelling, their fingerprint, and what a repeated request is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseItem, serializeItem } from 'structured-headers'
import {
  canonicalJson,
  fingerprintOf,
  type IdempotencyRecord,
  judgeRepetition,
  keptAnswer,
  parseIdempotencyKey,
} from '../../src/http/idempotency.ts'
import type { Instant, Json } from '../../src/types.ts'

test('§2.1: quoted and bare spellings of a key are the same key', () => {
  const uuid = '8e03978e-40d5-43dd-bc93-6894a57f9324'
  assert.equal(parseIdempotencyKey(uuid), uuid)
  assert.equal(parseIdempotencyKey(`"${uuid}"`), uuid)
  assert.equal(parseIdempotencyKey(String.raw`"a\"b\\c"`), String.raw`a"b\c`)
})

test('what is no key is refused', () => {
  for (const bad of [
    '',
    ' ',
    '""',
    '"',
    '"a',
    'a b',
    'a,b',
    'a"b',
    '"a";p=1',
    'ü',
    '"ü"',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    String.raw`"\x"`,
  ]) {
    assert.equal(parseIdempotencyKey(bad), null, bad)
  }
})

test('a structured string is read as a structured-fields library writes it', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCodePoint(c)),
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(printable, (key) => {
      const written = serializeItem([key, new Map()])
      assert.equal(parseIdempotencyKey(written), key)
      assert.equal(parseItem(written)[0], key)
    }),
  )
})

const parts = { method: 'POST', path: '/v1/orders', mediaType: 'application/json', more: [] }

test('the fingerprint of the known request', () => {
  const body = { total: 10, items: [{ sku: 'a', qty: 1 }] }
  assert.equal(fingerprintOf({ ...parts, body }), 'RWCKVLG0NvQ5zKkmpSm_HGyRtdoR6FAgdfpAtrhIWV0')
})

test('RFC 8785: the order of members and blanks do not matter, everything else does', () => {
  assert.equal(
    canonicalJson(JSON.parse('{ "b" : [1e2, 0.10], "a": "\\u00e9\\n" }') as Json),
    '{"a":"é\\n","b":[100,0.1]}',
  )
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value as Json)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalJson(JSON.parse(text) as Json), text)
    }),
  )
  const base = fingerprintOf({ ...parts, body: { a: 1 } })
  for (const other of [
    { ...parts, body: { a: 2 } },
    { ...parts, method: 'PUT', body: { a: 1 } },
    { ...parts, path: '/v1/order', body: { a: 1 } },
    { ...parts, more: ['if-match: "x"'], body: { a: 1 } },
  ]) {
    assert.notEqual(fingerprintOf(other), base)
  }
})

const now = 1_000_000 as Instant
const answer = { status: 201, headers: {}, body: '{}' }
const held: IdempotencyRecord = {
  fingerprint: 'f',
  intent: 'i',
  leaseUntil: (now + 1) as Instant,
  expiresAt: (now + 10) as Instant,
  answer: null,
}

test('a repeated request is new, running, lost, done or another one', () => {
  const judge = (record: Partial<IdempotencyRecord> | null, fingerprint = 'f') =>
    judgeRepetition(record === null ? null : { ...held, ...record }, fingerprint, now)
  assert.deepEqual(judge(null), { is: 'new' })
  assert.deepEqual(judge({ expiresAt: now }), { is: 'new' })
  assert.deepEqual(judge({ expiresAt: now }, 'g'), { is: 'new' })
  assert.deepEqual(judge({}), { is: 'running' })
  assert.deepEqual(judge({ leaseUntil: now }), { is: 'lost', intent: 'i' })
  assert.deepEqual(judge({ answer }), { is: 'done', answer })
  assert.deepEqual(judge({ answer }, 'g'), { is: 'reused' })
  assert.deepEqual(judge({}, 'g'), { is: 'reused' })
})

test('only success is kept, and of its headers those that belong to it', () => {
  for (const status of [304, 400, 401, 403, 409, 412, 429, 500, 503])
    assert.equal(keptAnswer({ ...answer, status }), null)
  const headers = { etag: '"x"', location: '/v1/x', ratelimit: 'x', 'x-request-id': 'y', date: 'z' }
  assert.deepEqual(keptAnswer({ status: 201, headers, body: '{}' }), {
    status: 201,
    headers: { etag: '"x"', location: '/v1/x' },
    body: '{}',
  })
})

test('only success is kept, from 200 to 299, with the headers that belong to it', () => {
  const answer = (status: number, headers: Record<string, string> = {}) => keptAnswer({ status, headers, body: 'x' })
  assert.deepEqual(
    [199, 200, 299, 300].map((status) => answer(status) !== null),
    [false, true, true, false],
  )
  const kept = [
    'content-type',
    'location',
    'etag',
    'last-modified',
    'link',
    'retry-after',
    'preference-applied',
    'cache-control',
  ]
  const all = Object.fromEntries([...kept, 'ratelimit', 'date', 'set-cookie'].map((name) => [name, 'x']))
  assert.deepEqual(Object.keys(answer(201, all)?.headers ?? {}), kept)
})
