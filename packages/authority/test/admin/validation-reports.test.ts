/** What resource servers say of tokens they refused: believed of their own API, told once, and as their word. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReportBatch } from '@grantor/protocol/events'
import { api, declare, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { openValidationReportAdmin } from '../../src/admin/validation-reports.ts'

const report = (id: string) => ({
  id,
  at: 5_000,
  code: 'token_expired',
  issuer: 'https://as.example',
  tenant: null,
  subject: 'alice',
  clientId: 'web',
  grantId: 'g1',
  jti: `jti-${id}`,
})
const count = (id: string) => ({ id, code: 'token_malformed', count: 7, from: 1_000, to: 2_000 })
const batch = (more: object = {}): ReportBatch =>
  ({ resource: api, reports: [report('r1')], counts: [count('c1')], dropped: 0, ...more }) as unknown as ReportBatch

async function open() {
  const deployment = await openDeployment()
  await declare(deployment)
  const admin = openValidationReportAdmin(deployment.ports)
  const hand = async (it: ReportBatch, as = 'api') => {
    const answer = await admin.record(root, as, it)
    return answer.kind === 'ok' ? answer.value.recorded : answer.error.reason
  }
  return { deployment, hand }
}

const told = async ({ store }: Deployment) => {
  await store.events.position()
  return (await store.events.after(root, 0, 1000)).filter((it) => it.name === 'token.rejected')
}

test('a report is written with what it says, a count with its number, each under the name of who said so', async () => {
  const { deployment, hand } = await open()
  assert.equal(await hand(batch()), 2)
  const [one, many] = await told(deployment)
  assert.deepEqual(
    [one?.actor, one?.subject, one?.clientId, one?.grantId, one?.jti, one?.reason, one?.data],
    [
      { kind: 'resource_server', id: 'api' },
      'alice',
      'web',
      'g1',
      'jti-r1',
      'token_expired',
      { report_id: 'r1', resource: api, issuer: 'https://as.example', token_tenant: null, at: 5_000 },
    ],
  )
  assert.deepEqual(
    [many?.actor, many?.subject, many?.reason, many?.data],
    [
      { kind: 'resource_server', id: 'api' },
      null,
      'token_malformed',
      { report_id: 'c1', resource: api, count: 7, from: 1_000, to: 2_000 },
    ],
  )
})

test('only the resource server of that API is heard, whoever else asks', async () => {
  const { deployment, hand } = await open()
  for (const [it, as] of [
    [batch(), 'svc'],
    [batch(), 'nobody'],
    [batch({ resource: 'https://other.example' }), 'api'],
    [batch({ resource: `${api}.evil.example` }), 'api'],
  ] as const)
    assert.equal(await hand(it, as), 'forbidden', as)
  assert.deepEqual(await told(deployment), [])
  assert.equal(await hand(batch({ resource: `${api}/` })), 2, 'the same address, written otherwise')
})

test('what is sent again, or twice at once, is written once; what is new in it is written', async () => {
  const { deployment, hand } = await open()
  const [a, b] = await Promise.all([hand(batch({ dropped: 3 })), hand(batch({ dropped: 3 }))])
  assert.deepEqual(new Set([a, b]), new Set([0, 2]))
  assert.equal(await hand(batch({ reports: [report('r1'), report('r2')] })), 1)
  assert.equal(await hand(batch({ reports: [], counts: [], dropped: 5 })), 0, 'nothing but what was dropped before')
  assert.deepEqual(
    (await told(deployment)).map((it) => [it.reason, it.data?.['report_id'] ?? it.data?.['count']]),
    [
      ['token_expired', 'r1'],
      ['token_malformed', 'c1'],
      ['reports_dropped', 3],
      ['token_expired', 'r2'],
    ],
  )
})

test('a batch whose writing failed can be handed in again', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { store } = deployment.ports
  let away = true
  const events = {
    ...store.events,
    append: (it: never) => (away ? Promise.reject(new Error('away')) : store.events.append(it)),
  }
  const admin = openValidationReportAdmin({ ...deployment.ports, store: { ...store, events } })
  await assert.rejects(admin.record(root, 'api', batch()), /away/)
  away = false
  const again = await admin.record(root, 'api', batch())
  assert.equal(again.kind === 'ok' && again.value.recorded, 2)
})
