/** /v1/events and /v1/events/reports over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { api, databases, eventually, verdictOf } from '../feed/feed-deployment.ts'
import { startAdminDeployment, codeIn, everyPage, itemsIn } from './admin-deployment.ts'

for (const database of databases) {
  describe(`events on ${database}`, () => {
    test('the log is listed newest first or oldest first, without gaps, and each is found by its id', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      for (let n = 0; n < 5; n++) await it.token()
      const forth = await everyPage(deployment, '/v1/events?limit=3&sort=seq')
      assert.deepEqual(
        forth.map(({ seq }) => seq),
        forth.map((_, n) => n + 1),
      )
      const back = await everyPage(deployment, `/v1/events?limit=4&seq[lte]=${forth.length}`)
      assert.deepEqual(
        back.map(({ id }) => id),
        forth.map(({ id }) => id).toReversed(),
      )
      for (const event of forth) assert.deepEqual((await call(`/v1/events/${event.id}`)).json(), event)
      for (const id of ['nobody', '0192f0c4-a1b2-7c3d-8e4f-5a6b7c8d9e0f', '0192f0c4-a1b2-4c3d-8e4f-5a6b7c8d9e0f'])
        assert.equal((await call(`/v1/events/${id}`)).status, 404)
    })

    test('filters say what an event is about, and a range where to look', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      await it.token('svc')
      const token = await it.token('other')
      await it.post('/revoke', 'other', { token })
      const named = async (query: string) => itemsIn(await call(`/v1/events?sort=seq&${query}`))
      assert.deepEqual((await named('name=token.issued&client_id=svc')).length, 1)
      const ofOther = await named('client_id=other&name[in]=token.issued,token.revoked')
      assert.deepEqual(
        ofOther.map(({ name }) => name),
        ['token.issued', 'token.revoked'],
      )
      const [first] = ofOther
      assert.deepEqual((await named(`jti=${String(first?.['jti'])}`)).length, 2)
      const from = Number(first?.['seq'])
      assert.ok((await named(`seq[gt]=${from}&seq[lt]=${from + 2}`)).every(({ seq }) => seq === from + 1))
      const at = String(first?.['at'])
      assert.ok((await named(`at[gte]=${encodeURIComponent(at)}`)).every((event) => String(event['at']) >= at))
      assert.deepEqual(await named('subject=nobody'), [])
      for (const bad of ['sort=id', 'at[gte]=yesterday', 'name=token.eaten', 'seq=x', 'scope=x', 'name[gt]=a'])
        assert.equal((await call(`/v1/events?${bad}`)).status, 400, bad)
    })

    test('reports of a resource server become events, once, whatever it sends again', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call, as } = deployment
      const headers = await as('api', 'events:report')
      const batch = { resource: api, dropped: 2, reports: [report('r1'), report('r2')], counts: [count('c1')] }
      const hand = () => it.ask('/v1/events/reports', { json: batch, headers })
      const [one, two] = await Promise.all([hand(), hand()])
      assert.deepEqual([one?.status, two?.status], [200, 200])
      assert.deepEqual([Number(one?.json()['recorded']) + Number(two?.json()['recorded'])], [3])
      assert.deepEqual((await hand()).json(), { recorded: 0 })
      const events = itemsIn(await call('/v1/events?name=token.rejected&sort=seq'))
      assert.deepEqual(
        events.map(({ reason }) => reason),
        ['token_revoked', 'token_revoked', 'token_expired', 'reports_dropped'],
      )
      assert.deepEqual(events[0]?.['actor'], { kind: 'resource_server', id: 'api' })
      assert.deepEqual([events[0]?.['client_id'], events[0]?.['jti']], ['svc', 'j-r1'])
      assert.deepEqual((events[2]?.['data'] as JsonObject | undefined)?.['count'], 7)
    })
  })
}

const report = (id: string): JsonObject => ({
  id,
  at: '2026-11-15T10:00:00.000Z',
  code: 'token_revoked',
  issuer: 'https://as.example',
  tenant: null,
  subject: 'svc',
  client_id: 'svc',
  grant_id: null,
  jti: `j-${id}`,
})

const count = (id: string): JsonObject => ({
  id,
  code: 'token_expired',
  count: 7,
  from: '2026-11-15T10:00:00.000Z',
  to: '2026-11-15T10:00:05.000Z',
})

describe('reports', () => {
  test('only the resource server itself speaks for its resource; another is 403, and nothing is written', async () => {
    await using deployment = await startAdminDeployment()
    const { it, call, as } = deployment
    const batch = { resource: 'https://opaque.example', dropped: 0, reports: [report('r1')], counts: [] }
    const foreign = await it.ask('/v1/events/reports', { json: batch, headers: await as('api', 'events:report') })
    assert.deepEqual([foreign.status, codeIn(foreign)], [403, 'forbidden'])
    const unscoped = await it.ask('/v1/events/reports', { json: batch, headers: await as('api', 'revocations:read') })
    assert.deepEqual([unscoped.status, codeIn(unscoped)], [401, 'insufficient_scope'])
    assert.deepEqual(itemsIn(await call('/v1/events?name=token.rejected')), [])
  })

  test('a batch that is too large, or not one, is 400 and says where', async () => {
    await using deployment = await startAdminDeployment()
    const { it, as } = deployment
    const headers = await as('api', 'events:report')
    const good = { resource: api, dropped: 0, reports: [], counts: [] }
    const bad: readonly (readonly [JsonObject, string])[] = [
      [{ ...good, reports: Array.from({ length: 201 }, (_, n) => report(`r${n}`)) }, '#/reports'],
      [{ ...good, dropped: -1 }, '#/dropped'],
      [{ ...good, reports: [{ ...report('r'), jti: 5 }] }, '#/reports/0/jti'],
      [{ ...good, reports: [{ ...report('r'), code: 'DROP TABLE' }] }, '#/reports/0/code'],
      [{ resource: api, dropped: 0, reports: [] }, '#/counts'],
      [{ ...good, more: 1 }, '#/more'],
    ]
    for (const [json, pointer] of bad) {
      const answer = await it.ask('/v1/events/reports', { json, headers })
      assert.equal(answer.status, 400, answer.body)
      assert.ok(
        (answer.json()['errors'] as { pointer: string }[]).some((fault) => fault.pointer === pointer),
        answer.body,
      )
    }
    const when = { ...good, reports: [{ ...report('r'), at: 'yesterday' }] }
    assert.equal((await it.ask('/v1/events/reports', { json: when, headers })).status, 400)
  })

  test('the toolkit hands in by itself what its validator refused', async () => {
    await using deployment = await startAdminDeployment()
    const { it, call } = deployment
    const validator = it.validator()
    await validator.whenReady()
    const token = await it.token()
    await it.post('/revoke', 'svc', { token })
    await eventually(async () => (await verdictOf(validator, token)) === 'token_revoked', 'the revocation is heard of')
    await verdictOf(validator, 'no.such.token')
    await validator.close()
    const reasons = itemsIn(await call('/v1/events?name=token.rejected')).map(({ reason }) => reason)
    assert.ok(reasons.includes('token_revoked') && reasons.includes('token_malformed'), JSON.stringify(reasons))
  })
})
