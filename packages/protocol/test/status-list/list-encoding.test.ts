import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import {
  decodeStatuses,
  emptyStatuses,
  encodeStatuses,
  setInvalid,
  type StatusBits,
  statusAt,
  statusListSize,
} from '@grantor/protocol/status-list'
import { draftVectors } from './draft-vectors.ts'

const room = statusListSize

test('draft-ietf-oauth-status-list §4.2: the examples with one and with two bits are read, and written byte for byte', async () => {
  const one = Uint8Array.of(0xb9, 0xa3)
  assert.equal(await encodeStatuses(one, 9), 'eNrbuRgAAhcBXQ')
  assert.deepEqual(new Uint8Array((await decodeStatuses('eNrbuRgAAhcBXQ', room)) ?? []), one)
  const read = (bits: StatusBits, bytes: Uint8Array, of: number) =>
    Array.from({ length: of }, (_, idx) => statusAt({ bits, bytes }, idx))
  assert.deepEqual(read(1, one, 16), [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1])
  const two = await decodeStatuses('eNo76fITAAPfAgc', room)
  assert.deepEqual(read(2, two ?? one, 12), [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3])
})

for (const { bits, lst, statuses } of draftVectors) {
  test(`draft-ietf-oauth-status-list, test vectors: ${bits} bits for each of 2²⁰ tokens`, async () => {
    const bytes = await decodeStatuses(lst, room * bits)
    assert.ok(bytes)
    assert.equal(bytes.length, (statusListSize * bits) / 8)
    const named = new Map<number, number>()
    for (let i = 0; i < statuses.length; i += 2) named.set(statuses[i] ?? 0, statuses[i + 1] ?? 0)
    for (let idx = 0; idx < statusListSize; idx++) {
      const status = statusAt({ bits, bytes }, idx)
      if (status !== (named.get(idx) ?? 0)) assert.fail(`index ${idx} has status ${status}`)
    }
    assert.equal(statusAt({ bits, bytes }, statusListSize), null)
    if (bits !== 1) return
    const ours = emptyStatuses()
    for (const idx of named.keys()) setInvalid(ours, idx)
    assert.deepEqual(ours, new Uint8Array(bytes))
    // Compressors differ in the bytes they make of it, and not in what comes out again.
    assert.deepEqual(await decodeStatuses(await encodeStatuses(ours), room), bytes)
  })
}

test('what is set invalid is what a set of numbers would hold, after any way there and back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(statusListSize - 1), { maxLength: 200 }), async (marked) => {
      const bytes = emptyStatuses()
      for (const idx of marked) setInvalid(bytes, idx)
      for (const idx of marked.slice(0, 3)) setInvalid(bytes, idx)
      const back = await decodeStatuses(await encodeStatuses(bytes), statusListSize / 8)
      assert.ok(back)
      const naive = new Set(marked)
      const looked = [...marked, ...marked.map((idx) => idx + 1), ...marked.map((idx) => idx - 1), 0, 7, 8]
      for (const idx of looked.filter((it) => it >= 0 && it < statusListSize))
        assert.equal(statusAt({ bits: 1, bytes: back }, idx), naive.has(idx) ? 1 : 0)
      let count = 0
      for (const byte of back) for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1
      assert.equal(count, naive.size)
    }),
    { numRuns: 40 },
  )
})

test('statuses of any width are read as a naive reader of bits reads them', () => {
  const naive = (bits: number, bytes: Uint8Array, idx: number) => {
    const text = [...bytes].map((byte) => byte.toString(2).padStart(8, '0').split('').toReversed().join('')).join('')
    const own = text.slice(idx * bits, (idx + 1) * bits)
    return own.length < bits ? null : Number.parseInt(own.split('').toReversed().join(''), 2)
  }
  fc.assert(
    fc.property(
      fc.constantFrom<StatusBits>(1, 2, 4, 8),
      fc.uint8Array({ maxLength: 12 }),
      fc.nat(120),
      (bits, bytes, idx) => assert.equal(statusAt({ bits, bytes }, idx), naive(bits, bytes, idx)),
    ),
  )
})

test('draft-ietf-oauth-status-list §11: a list that unpacks to more than it may, or is no list, is none', async () => {
  const packed = (bytes: number) => deflateSync(new Uint8Array(bytes)).toString('base64url')
  assert.equal((await decodeStatuses(packed(1000), 1000))?.length, 1000)
  assert.equal(await decodeStatuses(packed(1001), 1000), null)
  assert.equal(await decodeStatuses(packed(50_000_000), statusListSize), null)
  const whole = packed(1000)
  for (const lst of ['', '!', `${whole}=`, whole.slice(0, -4), gzipSync('x').toString('base64url'), 'AAAA'])
    assert.equal(await decodeStatuses(lst, 1000), null, lst)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      const read = await decodeStatuses(Buffer.from(bytes).toString('base64url'), 500)
      assert.ok(read === null || read.length <= 500)
    }),
  )
})
