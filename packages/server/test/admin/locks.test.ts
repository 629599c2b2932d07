/** /v1/locks over HTTP: who is shut out by guessing, seen and let in again; nobody else, and never what was typed. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { formOf } from '@grantor/protocol/oauth'
import { databases, redirectUri, secret } from '../feed/feed-deployment.ts'
import { type Item, itemsIn, startAdminDeployment } from './admin-deployment.ts'

const limits = {
  GRANTOR_LIMIT_TOKEN_FAILURES: '2/1h',
  GRANTOR_LIMIT_TOKEN_FAILURES_ADDRESS: '40/1h',
  GRANTOR_LIMIT_LOGIN_ACCOUNT: '1/1h',
  GRANTOR_LIMIT_LOGIN_ADDRESS: '20/1h',
}

for (const database of databases) {
  describe(`locks on ${database}`, async () => {
    const deployment = await startAdminDeployment(database, limits)
    const { call, it } = deployment
    const { authority } = it.deployment

    const locked = async (query: string, tenant = ''): Promise<readonly Item[]> =>
      itemsIn(await call(`/v1/locks?${query}`, {}, tenant))
    /** Noted beside the answer: a moment later it is there. */
    async function eventually(query: string, tenant = ''): Promise<Item> {
      for (;;) {
        const [found] = await locked(query, tenant)
        if (found !== undefined) return found
        await wait(20)
      }
    }
    const tryToken = async (id: string, word: string, tenant = '') => {
      const authorization = `Basic ${Buffer.from(`${id}:${word}`).toString('base64')}`
      const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
      return (await it.ask(`${tenant}/token`, { form, headers: { authorization } })).status
    }
    /** A node that shut somebody out asks again within a second. */
    const letIn = async (id: string): Promise<void> => {
      let status = await tryToken(id, secret)
      for (; status === 429; status = await tryToken(id, secret)) await wait(50)
      assert.equal(status, 200)
    }
    const guess = async (username: string, ip: string) => {
      const visitor = {
        tenant: 'default' as TenantId,
        browser: null,
        sessions: [],
        pendingSecondFactor: null,
        remembered: [],
        ip,
        userAgent: 'test',
        traceId: null,
      }
      const query = { client_id: 'web', response_type: 'code', redirect_uri: redirectUri, scope: 'openid' }
      const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
      const begun = await authority.browser.authorize(formOf(new URLSearchParams({ ...query, ...challenge })), visitor)
      assert.ok(begun.kind === 'ok' && begun.value.go === 'hub', JSON.stringify(begun))
      const { interaction, cookies } = begun.value as { interaction: Secret; cookies: { browser?: Secret } }
      const seen = { ...visitor, browser: cookies.browser ?? null }
      return authority.browser.signIn({ interaction, visitor: seen }, { username, password: 'wrong-horse' })
    }

    test('a client whose secret was guessed at is listed with its end, and let in again', async () => {
      assert.deepEqual([await tryToken('svc', 'no'), await tryToken('svc', 'no')], [401, 401])
      assert.equal(await tryToken('svc', secret), 429, 'even with the right one')
      const { id, ...lock } = await eventually('client_id=svc')
      assert.deepEqual([lock['limit'], lock['kind'], lock['client_id']], ['token-failures', 'client', 'svc'])
      assert.ok(Date.parse(String(lock['ends_at'])) > Date.parse(String(lock['reached_at'])), JSON.stringify(lock))
      assert.equal((await call(`/v1/locks/${id}`)).json()['client_id'], 'svc')
      assert.equal((await call(`/v1/locks/${id}`, {}, '/t/acme')).status, 404)
      assert.equal((await call(`/v1/locks/${id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      assert.equal(await tryToken('svc', secret), 429)
      assert.equal((await call(`/v1/locks/${id}`, { method: 'DELETE' })).status, 204)
      assert.equal((await call(`/v1/locks/${id}`, { method: 'DELETE' })).status, 404)
      await letIn('svc')
      assert.deepEqual(await locked('client_id=svc'), [])
      const [event] = itemsIn(await call('/v1/events?name=admin.lock_removed'))
      assert.deepEqual(
        [event?.['actor'], event?.['client_id'], (event?.['data'] as Record<string, unknown> | undefined)?.['limit']],
        [{ kind: 'client', id: 'admin' }, 'svc', 'token-failures'],
      )
    })

    test('somebody who cannot sign in is listed by name; a name that nobody has is not', async () => {
      for (const username of ['Alice', 'zz9canary-password'])
        for (let n = 0; n < 2; n += 1) await guess(username, '192.0.2.1')
      const lock = await eventually('kind=user')
      const [alice] = itemsIn(await call('/v1/users?username=alice'))
      assert.deepEqual([lock['subject'], lock['username'], lock['limit']], [alice?.id, 'alice', 'login-account'])
      assert.deepEqual((await locked(`subject=${alice?.id ?? ''}`)).length, 1)
      assert.ok(!(await call('/v1/locks')).body.includes('zz9canary'))
      assert.equal((await call(`/v1/locks/${lock.id}`, { method: 'DELETE' })).status, 204)
      const again = await guess('alice', '192.0.2.1')
      assert.ok(!JSON.stringify(again).includes('limit'), JSON.stringify(again))
    })

    test('a tenant sees its own clients alone, and addresses are of the first tenant', async () => {
      for (let n = 0; n < 3; n += 1) await tryToken('svc', 'no', '/t/acme')
      assert.equal((await eventually('kind=client', '/t/acme'))['client_id'], 'svc')
      assert.deepEqual(await locked('kind=client'), [])
      for (let n = 0; n < 45; n += 1) await tryToken(`nobody-${n}`, 'no', '/t/acme')
      const lock = await eventually('kind=address')
      assert.deepEqual([lock['address'], lock['limit']], ['127.0.0.1', 'token-failures-address'])
      assert.deepEqual(await locked('kind=address', '/t/acme'), [])
      assert.equal((await call(`/v1/locks/${lock.id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      assert.equal((await call(`/v1/locks/${lock.id}`, { method: 'DELETE' })).status, 204)
      await letIn('other')
    })

    after(() => deployment[Symbol.asyncDispose]())
  })
}
