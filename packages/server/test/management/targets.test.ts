/** How a server's own counts stand to the operating targets, and that it counts what its table of metrics says. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMeters } from '../../src/metrics/meters.ts'
import { serverMetrics } from '../../src/metrics/server-metrics.ts'
import { judgeTargets, operatingTargets } from '../../src/metrics/targets.ts'
import { startMtls } from '../mtls/mtls-deployment.ts'

const stateOf = (target: string, text: string) => {
  const found = judgeTargets(text).find((it) => it.target === target)
  assert.ok(found !== undefined, target)
  return found
}

const requests = (route: string, status: number, count: number): string =>
  `grantor_http_requests_total{route="${route}",status="${status}"} ${count}`

/** So many within each time, all told. */
const times = (route: string, ...buckets: readonly (readonly [string, number])[]): string =>
  buckets
    .map(([le, count]) => `grantor_http_request_duration_seconds_bucket{le="${le}",route="${route}"} ${count}`)
    .join('\n')

test('each target is judged at its bound, and not by mistakes of clients', () => {
  const cases: readonly (readonly [string, boolean | null, readonly string[]])[] = [
    ['issuance', true, [requests('/token', 200, 999), requests('/token', 503, 1), requests('/token', 400, 5000)]],
    ['issuance', false, [requests('/token', 200, 998), requests('/token', 503, 2)]],
    ['issuance', null, [requests('/token', 400, 5), requests('/jwks', 500, 5)]],
    ['unauthorized', true, [requests('/token', 401, 1), requests('/jwks', 200, 999)]],
    ['unauthorized', false, [requests('/token', 401, 2), requests('/jwks', 200, 998)]],
    ['server_errors', true, [requests('/a', 500, 1), requests('/jwks', 200, 9999)]],
    ['server_errors', false, [requests('/a', 503, 2), requests('/jwks', 200, 9998)]],
    ['server_errors', null, []],
    ['availability', true, ['grantor_ready 1']],
    ['availability', false, ['grantor_ready 0']],
    ['validation', true, [times('/introspect', ['0.05', 0], ['0.1', 95], ['0.25', 100], ['+Inf', 100])]],
    ['validation', false, [times('/introspect', ['0.05', 0], ['0.1', 94], ['0.25', 100], ['+Inf', 100])]],
    ['validation', null, [times('/token', ['0.1', 0], ['+Inf', 100])]],
    [
      'response_time',
      true,
      [times('/a', ['0.25', 110], ['0.5', 120], ['+Inf', 120]), times('/b', ['0.25', 80], ['0.5', 80], ['+Inf', 80])],
    ],
    ['response_time', false, [times('/a', ['0.25', 0], ['0.5', 100], ['+Inf', 100])]],
    ['response_time', false, [times('/a', ['0.25', 0], ['2.5', 0], ['+Inf', 100])]],
    ['revocation', null, [requests('/revoke', 200, 5)]],
  ]
  for (const [target, met, lines] of cases) {
    const state = stateOf(target, `# HELP x y\n${lines.join('\n')}\n`)
    assert.equal(state.met, met, `${target}: ${lines.join(' ')} → ${state.measured}`)
  }
  assert.deepEqual(
    judgeTargets('').map(({ target }) => target),
    Object.keys(operatingTargets),
  )
})

test('a running server counts what the table says, is ready, and knows when its certificate ends', async () => {
  await using it = await startMtls()
  await it.get('/jwks')
  await it.post('/token', { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'wrong' })
  const text = await (await fetch(`http://127.0.0.1:${it.running.managementPort}/metrics`)).text()
  for (const [name, { help }] of Object.entries(serverMetrics)) assert.ok(text.includes(`# HELP ${name} ${help}`), name)
  const counted = [...text.matchAll(/^# HELP (grantor_\w+)/gm)].map(([, name]) => name)
  assert.deepEqual(new Set(counted), new Set(Object.keys(serverMetrics)))
  assert.equal(counted.length, Object.keys(serverMetrics).length)
  const { validToDate } = new X509Certificate(readFileSync(join(it.folder, 'tls', 'server.pem')))
  const ends = /^grantor_certificate_expiry_timestamp_seconds (\S+)$/m.exec(text)?.[1]
  assert.equal(Number(ends), validToDate.getTime() / 1000)
  assert.equal(stateOf('availability', text).met, true)
  assert.equal(stateOf('unauthorized', text).met, false)
})

test('an answer slower than every bucket makes a quantile of the longest, which is a number', async () => {
  const meters = openMeters()
  const route = meters.route('/token')
  assert.equal(await meters.quantile('/token', 0.95), null)
  route.answered(200, 60)
  assert.equal(await meters.quantile('/token', 0.95), 2.5)
})
