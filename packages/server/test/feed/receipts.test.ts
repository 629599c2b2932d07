/** Receipts: who revokes sees how many validators have stopped it, and nobody can claim it for others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acknowledgementPath, feedPaths, parseFeedPage } from '@grantor/protocol/feed'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { databases, eventually, type FeedDeployment, startFeedDeployment } from './feed-deployment.ts'

const reading = (it: FeedDeployment, tenant = ''): Promise<string> =>
  it.token('api', { scope: 'revocations:read' }, tenant)

async function revoked(it: FeedDeployment, tenant = ''): Promise<string> {
  const token = await it.token('svc', { scope: 'invoices:read' }, tenant)
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  assert.equal((await it.post(`${tenant}/revoke`, 'svc', { token })).status, 200)
  return jti
}

/** As an administrator sees it, by the authority itself. */
async function receiptOf(it: FeedDeployment, jti: string, tenant = 'default') {
  const { admin } = it.deployment.authority
  const search = { above: 0, below: Number.MAX_SAFE_INTEGER, descending: true, limit: 1 }
  const found = await admin.revocations.search(tenant as TenantId, { ...search, matches: (event) => event.jti === jti })
  assert.ok(found.kind === 'ok')
  const [one] = found.value.found
  assert.ok(one?.receipt)
  return { event: one.event, receipt: one.receipt }
}

async function headOf(it: FeedDeployment, token: string): Promise<{ readonly epoch: string; readonly pos: number }> {
  const { json } = await it.ask(feedPaths.changes, { headers: { authorization: `Bearer ${token}` } })
  const hello = parseFeedPage(json())?.frames[0]
  assert.ok(hello?.kind === 'hello')
  return { epoch: hello.epoch, pos: hello.head }
}

const acknowledge = (it: FeedDeployment, token: string | null, query: Readonly<Record<string, string>>, tenant = '') =>
  it.ask(`${tenant}${acknowledgementPath}?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })

const told = (position: string, more: Readonly<Record<string, string>> = {}) => ({
  validator: 'a-validator-of-a-test',
  position,
  delay: '0',
  closes_after: '45',
  ...more,
})

for (const database of databases) {
  describe(`receipts on ${database}`, () => {
    test('validators acknowledge what they heard, by stream and by poll, and leave when they close', async () => {
      await using it = await startFeedDeployment(database)
      const all = [it.validator(), it.validator(), it.validator({ feed: { transport: 'poll' } })]
      await Promise.all(all.map((one) => one.whenReady()))
      const jtis: string[] = []
      await eventually(async () => {
        const jti = await revoked(it)
        jtis.push(jti)
        return (await receiptOf(it, jti)).receipt.validators === 3
      }, 'all are known')
      const last = jtis.at(-1) ?? ''
      await eventually(async () => (await receiptOf(it, last)).receipt.acknowledged === 3, 'all have heard')
      const { receipt } = await receiptOf(it, last)
      assert.ok((receipt.slowest ?? -1) >= 0)
      assert.deepEqual(
        { ...receipt, slowest: 0 },
        {
          validators: 3,
          acknowledged: 3,
          slowest: 0,
          waiting: 0,
          closed: 0,
          notAcknowledging: 0,
          closesAt: null,
        },
      )
      await all[0]?.close()
      const after = await revoked(it)
      await eventually(async () => (await receiptOf(it, after)).receipt.acknowledged === 2, 'the others have heard')
      assert.equal((await receiptOf(it, after)).receipt.validators, 2)
      // What was revoked while it was there says so still.
      const before = (await receiptOf(it, last)).receipt
      assert.deepEqual([before.validators, before.acknowledged], [3, 3])
    })

    test('one that falls silent is waited for until its own bound, and one that never acknowledges is counted as such', async () => {
      await using it = await startFeedDeployment(database)
      const token = await reading(it)
      const { epoch, pos } = await headOf(it, token)
      assert.equal((await acknowledge(it, token, told(`${epoch}.${pos}`))).status, 204)
      const older = it.validator({ feed: { acknowledge: false } })
      await older.whenReady()
      const known = async (jti: string) => (await receiptOf(it, jti)).receipt
      let jti = ''
      await eventually(async () => (await known((jti = await revoked(it)))).validators === 2, 'both are known')
      const { event, receipt } = await receiptOf(it, jti)
      assert.deepEqual(receipt, {
        validators: 2,
        acknowledged: 0,
        slowest: null,
        waiting: 2,
        closed: 0,
        notAcknowledging: 1,
        closesAt: event.at + 55_000,
      })
    })

    test('nobody acknowledges what was not said, in another log, without the scope, or for another tenant or client', async () => {
      await using it = await startFeedDeployment(database)
      const token = await reading(it)
      const { epoch, pos } = await headOf(it, token)
      const at = `${epoch}.${pos}`
      const status = async (...args: Parameters<typeof acknowledge> extends [unknown, ...infer Rest] ? Rest : never) =>
        (await acknowledge(it, ...args)).status
      assert.equal(await status(token, told(`${epoch}.${pos + 1_000_000}`)), 400)
      assert.equal(await status(token, told(`another.${pos}`)), 400)
      assert.equal(await status(null, told(at)), 401)
      assert.equal(await status(await it.token('other', { scope: 'metrics:read' }), told(at)), 401)
      assert.equal(await status(await it.token(), told(at)), 401)
      assert.equal(await status(token, told(at), '/t/acme'), 401)
      assert.equal(await status(await reading(it, '/t/acme'), told(at)), 401)
      for (const wrong of [
        { validator: 'short' },
        { validator: 'x'.repeat(65) },
        { validator: 'with spaces and more' },
        { position: '' },
        { position: `${epoch}.-1` },
        { delay: '-1' },
        { delay: '9999999999' },
        { closes_after: 'never' },
      ])
        assert.equal(await status(token, told(at, wrong)), 400, JSON.stringify(wrong))
      // Another client's goodbye, and another tenant's word, change nothing.
      assert.equal(await status(token, told(at)), 204)
      const jti = await revoked(it)
      assert.equal((await receiptOf(it, jti)).receipt.validators, 1)
      const foreign = await headOf(it, token)
      const acme = await reading(it, '/t/acme')
      assert.equal(await status(acme, told(`${foreign.epoch}.${foreign.pos}`), '/t/acme'), 204)
      assert.equal(await status(acme, told(`${foreign.epoch}.${foreign.pos}`, { leaves: 'true' }), '/t/acme'), 204)
      const { receipt } = await receiptOf(it, jti)
      assert.deepEqual([receipt.validators, receipt.acknowledged], [1, 0])
    })

    test('a tenant’s revocation is heard by readers of its own feed and of the first tenant’s, not by those of another', async () => {
      await using it = await startFeedDeployment(database)
      const { epoch, pos } = await headOf(it, await reading(it))
      for (const tenant of ['', '/t/acme', '/t/globex'])
        assert.equal((await acknowledge(it, await reading(it, tenant), told(`${epoch}.${pos}`), tenant)).status, 204)
      await eventually(
        async () => (await receiptOf(it, await revoked(it, '/t/acme'), 'acme')).receipt.validators === 2,
        'both are known',
      )
      assert.equal((await receiptOf(it, await revoked(it))).receipt.validators, 1)
    })
  })
}

test('the admin API shows receipts to whoever may read the log, and to nobody else', async () => {
  await using it = await startFeedDeployment()
  await it.deployment.authority.admin.declared.apply(
    { kind: 'operator', id: 'test' },
    {
      clients: [
        {
          client_id: 'auditor',
          client_secret: 'zz9canary-secret-of-more-than-32-characters',
          grant_types: ['client_credentials'],
          response_types: [],
          scope: 'admin:events:read',
        },
      ],
    },
  )
  const jti = await revoked(it)
  const ask = async (client: string, scope: string) =>
    it.ask(`/v1/revocations?jti=${jti}`, { headers: { authorization: `Bearer ${await it.token(client, { scope })}` } })
  const listed = await ask('auditor', 'admin:events:read')
  assert.equal(listed.status, 200, listed.body)
  const [one] = listed.json()['items'] as readonly JsonObject[]
  assert.deepEqual([one?.['name'], one?.['jti'], one?.['validators']], ['token.revoked', jti, 0])
  assert.equal((await ask('api', 'revocations:read')).status, 401)
})
