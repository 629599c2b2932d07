/** Administration of tenants, keys, registration tokens and the log: what is absent or in the way is said, and nothing changed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  databases,
  declare,
  type Deployment,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const acme = 'acme' as TenantId
const nowhere = 'nowhere' as TenantId
const absent = (what: string) => ({ reason: 'absent', what })
const refusal = (answer: { kind: 'ok' } | { kind: 'error'; error: unknown }) =>
  answer.kind === 'error' ? answer.error : null

async function lastEvent({ store }: Deployment, tenant: TenantId) {
  await store.events.position()
  const { name, data } = (await store.events.after(tenant, 0, 1000)).at(-1) ?? assert.fail()
  return { name, data }
}

for (const database of databases)
  describe(`administration on ${database}`, () => {
    test('tenants are made once, under a good name; removed only when disabled, and told so', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { tenants } = deployment.authority.admin
      for (const [id, name, field] of [
        ['Acme', 'Acme', 'id'],
        ['default', 'Acme', 'id'],
        ['acme', '', 'name'],
        ['acme', 'a\u200bb', 'name'],
      ] as const) {
        const refused = await tenants.create(operator, id, name)
        assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid')
        assert.deepEqual(
          refused.error.problems.map((it) => it.field),
          [field],
        )
      }
      const made = await tenants.create(operator, 'acme', 'Acme')
      assert.ok(made.kind === 'ok' && made.value.name === 'Acme' && made.value.disabledAt === null)
      assert.deepEqual(await lastEvent(deployment, acme), {
        name: 'admin.tenant_changed',
        data: { name: 'Acme', created: true },
      })
      assert.deepEqual(refusal(await tenants.create(operator, 'acme', 'Again')), {
        reason: 'exists',
        what: 'tenant acme',
      })
      assert.deepEqual(refusal(await tenants.remove(operator, acme)), {
        reason: 'conflict',
        what: 'tenant acme is in use; disable it first, then remove it',
      })
      for (const asked of [await tenants.remove(operator, nowhere), await tenants.setDisabled(operator, nowhere, true)])
        assert.deepEqual(refusal(asked), absent('tenant nowhere'))
      for (const disabled of [true, false, true]) {
        const changed = await tenants.setDisabled(operator, acme, disabled)
        assert.ok(changed.kind === 'ok')
        assert.equal(changed.value.disabledAt, disabled ? deployment.clock : null)
        assert.deepEqual((await lastEvent(deployment, acme)).data, { disabled, cutoff: disabled })
      }
      assert.equal((await tenants.remove(operator, acme)).kind, 'ok')
      await tenants.setDisabled(operator, root, true)
      const kept = { reason: 'conflict', what: 'the first tenant is never removed' }
      assert.deepEqual(refusal(await tenants.remove(operator, root)), kept)
      const left = await tenants.list({ after: null, limit: 10 })
      assert.deepEqual(left.kind === 'ok' && left.value.map(({ id }) => id), [root])
    })

    test('the log is read from a place on or at its end, found by id, and its head is signed for this tenant', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const token = await tokenFrom(deployment.authority, 'scope=invoices:read')
      const { events } = deployment.authority.admin
      const all = await events.after(root, 0, 1000)
      assert.ok(all.kind === 'ok' && all.value.length > 3)
      const newest = all.value.at(-1) ?? assert.fail()
      assert.equal(newest.name, 'token.issued', 'what was done before one asks is seen')
      const seqs = async (asked: ReturnType<typeof events.last>) => {
        const found = await asked
        return found.kind === 'ok' ? found.value.map(({ seq }) => seq) : []
      }
      assert.deepEqual(await seqs(events.last(root, 2)), [newest.seq - 1, newest.seq])
      assert.equal((await seqs(events.last(root, 1000))).length, all.value.length)
      assert.deepEqual(await seqs(events.after(root, newest.seq - 1, 10)), [newest.seq])
      assert.deepEqual(await seqs(events.last(nowhere, 10)), [])
      const found = await events.find(root, newest.id)
      assert.equal(found.kind === 'ok' && found.value.seq, newest.seq)
      const unknown = newest.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      assert.deepEqual(refusal(await events.find(root, unknown)), absent(`event ${unknown}`))
      assert.deepEqual(refusal(await events.head(nowhere)), absent('tenant nowhere'))
      const head = await events.head(root)
      assert.ok(head.kind === 'ok' && head.value !== null)
      const { seq, hash, signed } = head.value
      const claims = decodeJwt(signed)
      assert.deepEqual(
        [seq, claims['seq'], claims['hash'], claims['tenant'], claims.iss, claims.iat],
        [newest.seq, seq, hash, root, 'https://as.example', Math.floor(deployment.clock / 1000)],
      )
      assert.equal(claims['epoch'], await deployment.store.epoch())
      assert.equal(decodeProtectedHeader(signed).typ, 'grantor-log-head+jwt')
      assert.equal(decodeProtectedHeader(signed).kid, decodeProtectedHeader(token).kid)
    })

    test('keys and registration tokens that are not there, or gone already, are said to be', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { keys, registrationTokens: tokens } = deployment.authority.admin
      const kid = String(decodeProtectedHeader(await tokenFrom(deployment.authority, 'scope=invoices:read')).kid)
      assert.deepEqual(refusal(await keys.drop(operator, root, 'other')), absent('key other'))
      assert.equal((await keys.drop(operator, root, kid)).kind, 'ok')
      assert.deepEqual(refusal(await keys.drop(operator, root, kid)), {
        reason: 'conflict',
        what: `key ${kid} is dropped already`,
      })
      const rotated = await keys.rotate(operator, nowhere, { now: true })
      assert.ok(rotated.kind === 'error' && rotated.error.reason === 'absent')

      const anyNumber = { uses: null, expiresIn: null }
      for (const uses of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
        const refused = await tokens.create(operator, root, { uses, expiresIn: null })
        assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid', String(uses))
      }
      assert.deepEqual(refusal(await tokens.create(operator, nowhere, anyNumber)), absent('tenant nowhere'))
      const made = await tokens.create(operator, root, { uses: 1, expiresIn: 60 })
      assert.ok(made.kind === 'ok')
      assert.deepEqual([made.value.usesLeft, made.value.expiresAt], [1, deployment.clock + 60_000])
      const { id } = made.value
      assert.deepEqual((await lastEvent(deployment, root)).data, {
        id,
        created: true,
        uses: 1,
        expires_at: deployment.clock + 60_000,
      })
      const open = await tokens.create(operator, root, anyNumber)
      assert.ok(open.kind === 'ok' && open.value.expiresAt === null && open.value.usesLeft === null)
      assert.deepEqual(refusal(await tokens.revoke(operator, root, 'x')), absent('registration token x'))
      assert.equal((await tokens.revoke(operator, root, id)).kind, 'ok')
      assert.deepEqual((await lastEvent(deployment, root)).data, { id, revoked: true })
      const left = await tokens.list(root, { after: null, limit: 10 })
      assert.deepEqual(left.kind === 'ok' && left.value.map((it) => it.id), [open.value.id])
    })
  })
