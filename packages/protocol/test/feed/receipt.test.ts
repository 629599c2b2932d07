/** Receipts as a rule: who has heard, who stops by itself, and when. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Acknowledgement,
  encodeAcknowledgement,
  type KnownValidator,
  parseAcknowledgement,
  revocationReceipt,
} from '../../src/feed/receipt.ts'
import type { Instant } from '../../src/types.ts'

const at = (milliseconds: number) => milliseconds as Instant
const validator = (heardAt: number | null, more: Partial<KnownValidator> = {}): KnownValidator => ({
  connections: 1,
  acknowledges: true,
  hasHeard: heardAt !== null,
  heardAt: heardAt === null ? null : at(heardAt),
  closesAfter: 45_000,
  ...more,
})
const receipt = (known: readonly KnownValidator[], now = 2000) => revocationReceipt(at(1000), known, at(now))

test('those that have heard are counted, with the slowest', () => {
  const { validators, acknowledged, slowest, waiting, closesAt } = receipt([validator(1005), validator(1041)])
  assert.deepEqual([validators, acknowledged, slowest, waiting, closesAt], [2, 2, 41, 0, null])
})

test('a clock that was put back makes nobody faster than at once', () => {
  assert.equal(receipt([validator(900)]).slowest, 0)
})

test('who heard so long ago that nobody knows when is counted, and nobody is called the slowest', () => {
  const { acknowledged, slowest } = receipt([validator(1005), validator(null, { hasHeard: true })])
  assert.deepEqual([acknowledged, slowest], [2, null])
})

test('who wakes up after its own bound has refused everything by then, and is no slower', () => {
  assert.equal(receipt([validator(258_000)], 300_000).slowest, 45_000)
})

test('very many validators make a receipt, too', () => {
  const known = Array.from({ length: 200_000 }, (_, n) => validator(n % 2 === 0 ? 1005 : null))
  const { acknowledged, slowest, closesAt } = receipt(known)
  assert.deepEqual([acknowledged, slowest, closesAt], [100_000, 5, 46_000])
})

test('who has not heard stops by its own bound, and the last of them is told', () => {
  const known = [validator(1005), validator(null), validator(null, { closesAfter: 10_000 })]
  const early = receipt(known, 5000)
  assert.deepEqual([early.waiting, early.closed, early.closesAt], [2, 0, 46_000])
  const later = receipt(known, 11_000)
  assert.deepEqual([later.waiting, later.closed, later.closesAt], [1, 1, 46_000])
  assert.deepEqual([receipt(known, 46_000).waiting, receipt(known, 46_000).closed], [0, 2])
})

test('connections that never acknowledge are counted as such', () => {
  const it = receipt([validator(null, { acknowledges: false, connections: 5 }), validator(1001)])
  assert.deepEqual([it.validators, it.acknowledged, it.notAcknowledging, it.waiting], [6, 1, 5, 5])
})

test('without validators there is nothing to wait for', () => {
  assert.deepEqual(receipt([]), {
    validators: 0,
    acknowledged: 0,
    slowest: null,
    waiting: 0,
    closed: 0,
    notAcknowledging: 0,
    closesAt: null,
  })
})

test('an acknowledgement is read as it was written, and what is malformed is named', () => {
  const told: Acknowledgement = {
    validator: '4f6c0c1e-7a2b-4f1e-9d57-1f0a5f3f8b11',
    position: { epoch: 'e', pos: 7 },
    delay: 12,
    closesAfter: 45_000,
    leaves: false,
  }
  const read = (more: Readonly<Record<string, string>> = {}) => {
    const written = { ...Object.fromEntries(encodeAcknowledgement(told)), ...more }
    return parseAcknowledgement((name) => written[name])
  }
  assert.deepEqual(read(), told)
  assert.deepEqual(read({ leaves: 'true' }), { ...told, leaves: true })
  for (const [name, values] of Object.entries({
    validator: ['', 'short', 'a b c d e f g h i j k', 'x'.repeat(65)],
    position: ['', 'e', 'e.', 'e.x', 'e.-1', `e.${2 ** 60}`],
    delay: ['', '-1', '1.5', '3600001', '99999999999'],
    closes_after: ['', 'x', '86401'],
  }))
    for (const value of values) assert.equal(read({ [name]: value }), name, `${name}=${value}`)
})
