/** RFC 8705 §3: a certificate counts from its first moment to its last, and by the leeway on either side. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import type { ShownCertificate } from '../../src/http/request.ts'
import { checkPossession, type PossessionOptions } from '../../src/possession/possession.ts'
import { MemoryProofReplays } from '../../src/possession/proof-replays.ts'
import { FakeTime } from '../fake-time.ts'

const thumbprint = 'A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0'
const [notBefore, notAfter] = [1_800_000_000_000, 1_800_000_600_000].map((at) => at as Instant)
const whole = { thumbprint, notBefore, notAfter } as ShownCertificate

function said(shown: ShownCertificate | 'unreadable' | null, now: number, leeway?: number) {
  const time = new FakeTime()
  const options: PossessionOptions = {
    time: { now: () => now as Instant },
    replays: new MemoryProofReplays(time, 10),
    nonces: null,
    ...(leeway === undefined ? {} : { leeway }),
  }
  const request = { method: 'GET', url: 'https://api.example/', certificate: () => shown }
  const presentation = { presented: { authorization: 'Bearer x', request }, scheme: 'bearer', token: 'x' } as const
  const unproven = checkPossession({ 'x5t#S256': thumbprint }, presentation, options)
  assert.ok(!(unproven instanceof Promise))
  return unproven?.code ?? 'proven'
}

const [first, last] = [Number(notBefore), Number(notAfter)]
for (const [leeway, table] of [
  [
    undefined,
    [
      [first - 1, 'certificate_expired'],
      [first, 'proven'],
      [last, 'proven'],
      [last + 1, 'certificate_expired'],
    ],
  ],
  [
    60_000,
    [
      [first - 60_001, 'certificate_expired'],
      [first - 60_000, 'proven'],
      [last + 60_000, 'proven'],
      [last + 60_001, 'certificate_expired'],
    ],
  ],
] as const)
  test(`with a leeway of ${leeway ?? 'none'} it counts to the millisecond`, () => {
    for (const [now, expected] of table) assert.equal(said(whole, now, leeway), expected, String(now - first))
  })

test('a certificate whose time nobody told counts at any; another, an unreadable one or none never does', () => {
  for (const now of [0, first, 10 ** 14]) assert.equal(said({ thumbprint }, now), 'proven')
  assert.equal(said({ ...whole, thumbprint: 'another' }, first), 'certificate_mismatch')
  assert.equal(said('unreadable', first), 'client_certificate_unreadable')
  assert.equal(said(null, first), 'certificate_required')
})
