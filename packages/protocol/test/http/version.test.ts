/** Versions: the headers of their end, and plans that do not start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItem } from 'structured-headers'
import { isGone, plannedVersion, versionHeaders } from '../../src/http/version.ts'
import type { Instant } from '../../src/types.ts'

const at = (iso: string): Instant => Date.parse(iso) as Instant

test('RFC 9745 §2, RFC 8594 §3: the headers of a version that ends', () => {
  const version = plannedVersion({
    name: 'v1',
    deprecatedAt: at('2027-01-01T00:00:00Z'),
    sunsetAt: at('2027-12-31T23:59:59Z'),
    successor: 'v2',
    guide: 'https://developer.example.com/v1-to-v2',
  })
  assert.deepEqual(versionHeaders(version, ['', '/orders']), {
    deprecation: '@1798761600',
    sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
    link: '<https://developer.example.com/v1-to-v2>; rel="deprecation"; type="text/html", </v2/orders>; rel="successor-version"',
  })
  const [date] = parseItem(versionHeaders(version, ['', ''])['deprecation'] ?? '')
  assert.deepEqual(date, new Date('2027-01-01T00:00:00Z'))
})

test('RFC 9745: the successor of an API below a path is below it too', () => {
  const version = plannedVersion({ name: 'v1', deprecatedAt: at('2027-01-01T00:00:00Z'), successor: 'v2' })
  assert.equal(versionHeaders(version, ['/t/acme', '/orders'])['link'], '</t/acme/v2/orders>; rel="successor-version"')
})

test('a version in force has no such headers', () => {
  assert.deepEqual(versionHeaders(plannedVersion({ name: 'v1' }), ['', '/orders']), {})
})

test('without a sunset the window is 365 days', () => {
  const version = plannedVersion({ name: 'v1', deprecatedAt: at('2027-01-01T00:00:00Z'), successor: 'v2' })
  assert.equal(version.sunsetAt, at('2028-01-01T00:00:00Z'))
})

test('a version lives through the second of its sunset and is gone after it', () => {
  const version = plannedVersion({ name: 'v1', deprecatedAt: at('2027-01-01T00:00:00Z'), successor: 'v2' })
  assert.equal(isGone(version, at('2028-01-01T00:00:00.000Z')), false)
  assert.equal(isGone(version, at('2028-01-01T00:00:00.001Z')), true)
  assert.equal(isGone(plannedVersion({ name: 'v1' }), at('2999-01-01T00:00:00Z')), false)
})

test('RFC 9745 §4: a plan that breaks its promise does not start', () => {
  const deprecatedAt = at('2027-01-01T00:00:00Z')
  const bad = [
    { name: '1' },
    { name: 'v0' },
    { name: 'v1/x' },
    { name: 'v1', sunsetAt: deprecatedAt },
    { name: 'v1', deprecatedAt, successor: 'v2', sunsetAt: at('2026-12-31T00:00:00Z') },
    { name: 'v1', deprecatedAt, successor: 'v2', sunsetAt: at('2027-06-01T00:00:00Z') },
    { name: 'v1', deprecatedAt },
  ]
  for (const plan of bad) assert.throws(() => plannedVersion(plan), RangeError, JSON.stringify(plan))
})

test('between deprecation and sunset lie 180 days, and a day less does not start', () => {
  const [from, day] = [at('2027-01-01T00:00:00Z'), 86_400_000]
  const plan = (days: number) => ({
    name: 'v1',
    deprecatedAt: from,
    sunsetAt: (from + days * day) as Instant,
    successor: 'v2',
  })
  assert.equal(plannedVersion(plan(180)).sunsetAt, from + 180 * day)
  assert.throws(() => plannedVersion(plan(179.999)), /version v1: between deprecation and sunset lie at least 180 days/)
  assert.throws(() => plannedVersion(plan(-1)), /version v1: the sunset lies before the deprecation/)
  for (const name of ['v0', 'v', '1', 'v12345', 'v01']) assert.throws(() => plannedVersion({ name }), /is named v1/)
  assert.equal(plannedVersion({ name: 'v9999' }).name, 'v9999')
})
