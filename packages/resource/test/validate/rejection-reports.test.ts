/** Failed validations, handed in: bounded, batched, without anything of an unproven token. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReportBatch, type ReportBatch } from '@grantor/protocol/events'
import { ClientToken } from '../../src/issuer/client-token.ts'
import { IssuerDiscovery } from '../../src/issuer/issuer-metadata.ts'
import { fetchTransport, createOutbound } from '../../src/issuer/outbound.ts'
import { noMetrics } from '../../src/metrics.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { RejectionReports } from '../../src/validate/rejection-reports.ts'
import { FakeTime } from '../fake-time.ts'

const issuer = 'https://as.example'
const caller = (subject: string): Caller => ({
  credential: 'access_token',
  issuer,
  tenant: null,
  subject,
  clientId: 'web',
  scope: new Set(),
  authorizationDetails: [],
  jti: `jti-${subject}`,
  grantId: null,
  claims: { secret: 'nothing of this' },
  expiresAt: 0 as Caller['expiresAt'],
})

function scene() {
  const counted: [string, string, number][] = []
  const time = new FakeTime()
  const state = { status: 202, tries: 0, tokens: 0, bodies: [] as string[] }
  const batches: ReportBatch[] = []
  const fetch = ((url: string, init: RequestInit) => {
    if (url.endsWith('/token')) {
      state.tokens += 1
      return Promise.resolve(Response.json({ access_token: `t${state.tokens}`, expires_in: 600 }))
    }
    if (!url.endsWith('/reports')) {
      return Promise.resolve(Response.json({ issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token` }))
    }
    state.tries += 1
    const batch = parseReportBatch(JSON.parse(init.body as string))
    assert.ok(batch !== null, 'the server can read it')
    if (state.status === 202) batches.push(batch)
    state.bodies.push(init.body as string)
    return Promise.resolve(new Response(null, { status: state.status }))
  }) as typeof globalThis.fetch
  const outbound = createOutbound(fetchTransport(fetch), time)
  const discovery = new IssuerDiscovery(outbound, issuer)
  const credentials = { clientId: 'api', clientSecret: 'x' }
  const token = new ClientToken({ discovery, credentials, scope: 'events:report', outbound, time })
  const reports = new RejectionReports({
    issuer,
    resource: 'https://api.example',
    token,
    outbound,
    time,
    metrics: {
      ...noMetrics,
      count: (name, labels, by = 1) => void counted.push([name, labels?.['result'] ?? '', by]),
    },
    random: () => 0.5,
  })
  reports.start()
  return { time, state, batches, reports, counted }
}

test('Genuine tokens are told one by one, others only counted; nothing of a token or its claims is in it', async () => {
  const { time, batches, reports, state } = scene()
  reports.record('token_expired', caller('alice'))
  for (let n = 0; n < 1000; n += 1) reports.record('signature_invalid', null)
  await time.advance(5000)
  assert.equal(batches.length, 1)
  const [batch] = batches
  assert.deepEqual(
    batch?.reports.map(({ code, subject, jti }) => ({ code, subject, jti })),
    [{ code: 'token_expired', subject: 'alice', jti: 'jti-alice' }],
  )
  assert.deepEqual(
    batch?.counts.map(({ code, count }) => ({ code, count })),
    [{ code: 'signature_invalid', count: 1000 }],
  )
  assert.equal(state.bodies.join('').includes('nothing of this'), false)
  await reports.close()
})

test('Nothing to tell, nothing is sent', async () => {
  const { time, state, reports } = scene()
  await time.advance(60_000)
  await reports.close()
  assert.equal(state.tries, 0)
})

test('Memory is bounded: what does not fit is dropped and its number told', async () => {
  const { time, batches, reports, counted } = scene()
  for (let n = 0; n < 2100; n += 1) reports.record('token_expired', caller(`u${n}`))
  assert.equal(reports.held, 2000)
  assert.deepEqual(
    counted,
    Array.from({ length: 100 }, () => ['rs_reports_total', 'dropped', 1]),
  )
  await time.advance(120_000)
  assert.equal(
    batches.reduce((sum, { reports }) => sum + reports.length, 0),
    2000,
  )
  assert.ok(batches.every(({ reports }) => reports.length <= 200))
  assert.equal(
    batches.reduce((sum, { dropped }) => sum + dropped, 0),
    100,
  )
  await reports.close()
})

test('A server that fails is tried five times, then the batch is given up and its number told when it is back', async () => {
  const { time, state, batches, reports, counted } = scene()
  state.status = 500
  reports.record('token_revoked', caller('alice'))
  for (let n = 0; n < 7; n += 1) reports.record('token_malformed', null)
  await time.advance(120_000)
  assert.equal(state.tries, 5)
  state.status = 202
  reports.record('token_revoked', caller('bob'))
  await time.advance(5000)
  assert.deepEqual(
    batches.map(({ dropped, reports }) => [dropped, reports.length]),
    [[8, 1]],
  )
  assert.deepEqual(counted, [
    ['rs_reports_total', 'dropped', 2],
    ['rs_reports_total', 'sent', 1],
  ])
  await reports.close()
})

test('A retried batch keeps its ids, so that the server can tell it is the same', async () => {
  const { time, state, batches, reports } = scene()
  state.status = 503
  reports.record('token_revoked', caller('alice'))
  await time.advance(5000)
  assert.equal(state.tries, 1)
  state.status = 202
  await time.advance(2000)
  assert.equal(batches.length, 1)
  const [first, second] = state.bodies
  assert.ok(first !== undefined)
  assert.equal(second, first)
  await reports.close()
})

test('A refused batch is not tried again; a refused token is replaced', async () => {
  const { time, state, reports } = scene()
  state.status = 400
  reports.record('token_revoked', caller('alice'))
  await time.advance(60_000)
  assert.equal(state.tries, 1)
  state.status = 401
  reports.record('token_revoked', caller('alice'))
  await time.advance(10_000)
  assert.ok(state.tokens >= 2)
  await reports.close()
})

test('Closing hands in what is left', async () => {
  const { batches, reports } = scene()
  reports.record('token_expired', caller('alice'))
  await reports.close()
  assert.equal(batches.length, 1)
})

for (const [status, again] of [
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [403, false],
  [404, false],
  [300, false],
  [302, false],
  [499, false],
] as const) {
  test(`A batch that is answered with ${status} is ${again ? 'tried again' : 'given up'}`, async () => {
    const { time, state, reports, counted } = scene()
    state.status = status
    reports.record('token_revoked', caller('alice'))
    await time.advance(60_000)
    assert.equal(state.tries, again ? 5 : 1)
    assert.deepEqual(counted, [['rs_reports_total', 'dropped', 1]])
    await reports.close()
  })
}

test('A batch that was tried for the last time is given up at once, and what comes meanwhile waits for its own time', async () => {
  const { time, state, reports, counted } = scene()
  state.status = 500
  reports.record('token_revoked', caller('alice'))
  // After 5 s, and 1, 2, 4 and 8 s between the tries.
  await time.advance(19_999)
  assert.deepEqual([state.tries, counted.length], [4, 0])
  await time.advance(1)
  assert.deepEqual([state.tries, counted], [5, [['rs_reports_total', 'dropped', 1]]])
  await reports.close()
})

test('A count tells from when to when, and of which refusal', async () => {
  const { time, batches, reports } = scene()
  const from = time.now()
  reports.record('token_malformed', null)
  await time.advance(1500)
  reports.record('token_malformed', null)
  reports.record('signature_invalid', null)
  assert.equal(reports.held, 2)
  const to = time.now()
  await time.advance(3500)
  assert.deepEqual(
    batches[0]?.counts.map(({ code, count, from: since, to: until }) => [code, count, since, until]),
    [
      ['token_malformed', 2, from, to],
      ['signature_invalid', 1, to, to],
    ],
  )
  assert.equal(reports.held, 0)
  await reports.close()
})
