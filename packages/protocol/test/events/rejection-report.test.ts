/** Reports of failed validations: what is written is read, and nothing else is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  encodeReportBatch,
  parseReportBatch,
  type ReportBatch,
  reportPath,
  reportScope,
} from '../../src/events/rejection-report.ts'
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
  'a subject that is a character too long': { ...report, subject: 'x'.repeat(2049) },
  'an empty id': { ...report, id: '' },
  'an issuer that is no text': { ...report, issuer: 7 },
  'an empty client': { ...report, client_id: '' },
  'a code that is too long': { ...report, code: 'x'.repeat(65) },
  'an empty tenant': { ...report, tenant: '' },
  'a grant that is no text': { ...report, grant_id: 7 },
  'no time': { ...report, at: 7 },
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

const [count = {}] = encodeReportBatch(batch)['counts'] as readonly JsonObject[]
test('A batch with a count that is none is refused whole', () => {
  for (const more of [
    { count: -1 },
    { count: 0.5 },
    { count: '3' },
    { id: '' },
    { code: 'A' },
    { from: 'then' },
    { to: null },
  ]) {
    assert.equal(parseReportBatch({ ...encodeReportBatch(batch), counts: [count, { ...count, ...more }] }), null)
  }
  for (const more of [{ resource: '' }, { dropped: -1 }, { dropped: null }, { reports: {} }, { counts: {} }])
    assert.equal(parseReportBatch({ ...encodeReportBatch(batch), ...more }), null)
})

test('A batch of the greatest size is read: 200 reports, 200 counts, texts of 2048, none of anything', () => {
  const full = {
    resource: 'x'.repeat(2048),
    reports: Array.from({ length: 200 }, () => ({ ...report, subject: 'x'.repeat(2048), code: 'x'.repeat(64) })),
    counts: Array.from({ length: 200 }, () => ({ ...count, count: 0 })),
    dropped: 0,
  }
  const read = parseReportBatch(full)
  assert.deepEqual([read?.reports.length, read?.counts.length, read?.dropped], [200, 200, 0])
  assert.equal(parseReportBatch({ ...full, counts: Array.from({ length: 201 }, () => count) }), null)
  assert.equal(reportPath, '/v1/events/reports')
  assert.equal(reportScope, 'events:report')
})
