/** Reports of failed validations: what is written is read, and nothing else is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeReportBatch, parseReportBatch, type ReportBatch } from '../../src/events/rejection-report.ts'
import type { Instant, JsonObject } from '../../src/types.ts'

const batch: ReportBatch = {
  resource: 'https://api.example',
  reports: [
    {
      id: 'r1',
      at: Date.parse('2026-11-15T10:00:00.123Z') as Instant,
      code: 'token_expired',
      issuer: 'https://as.example/t/acme',
      tenant: 'acme',
      subject: 'alice',
      clientId: 'web',
      grantId: null,
      jti: 'j',
    },
  ],
  counts: [{ id: 'c1', code: 'signature_invalid', count: 3, from: 0 as Instant, to: 1000 as Instant }],
  dropped: 2,
}

test('A batch comes back as it went', () => {
  assert.deepEqual(parseReportBatch(JSON.parse(JSON.stringify(encodeReportBatch(batch)))), batch)
})

const [report = {}] = encodeReportBatch(batch)['reports'] as readonly JsonObject[]
const wrong: Record<string, JsonObject> = {
  'a time without zone': { ...report, at: '2026-11-15T10:00:00' },
  'a time that does not exist': { ...report, at: '2026-13-45T99:00:00Z' },
  'a code with markup': { ...report, code: '<b>' },
  'a subject without bounds': { ...report, subject: 'x'.repeat(3000) },
  'no jti': { ...report, jti: null },
}
for (const [what, element] of Object.entries(wrong)) {
  test(`A batch with ${what} is refused whole`, () => {
    assert.equal(parseReportBatch({ ...encodeReportBatch(batch), reports: [report, element] }), null)
  })
}

test('A batch of more than 200 is refused, and whatever else arrives is a batch or null', () => {
  const many = Array.from({ length: 201 }, () => report)
  assert.equal(parseReportBatch({ ...encodeReportBatch(batch), reports: many }), null)
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(parseReportBatch(value), null)))
})
