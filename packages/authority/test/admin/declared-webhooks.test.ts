/** Declared webhooks: what a file changes, what it leaves, and what is written back, which never holds a secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const hook = (more: JsonObject = {}): JsonObject => ({
  id: 'hook',
  url: 'https://hooks.example/in',
  events: ['token.issued'],
  ...more,
})

/** What a file would change, as `act id: fields`; or where it is wrong. */
async function planned({ authority }: Deployment, webhooks: readonly JsonObject[], prune = false) {
  const plan = await authority.admin.declared.plan({ webhooks }, { prune })
  if (plan.kind === 'error')
    return 'problems' in plan.error ? plan.error.problems.map(({ field }) => field) : plan.error
  const { steps } = plan.value
  assert.ok(steps.every(({ tenant, kind }) => tenant === root && kind === 'webhook'))
  return steps.map(({ act, id, fields }) => `${act} ${id}: ${fields.map(({ field }) => field).join(' ')}`)
}

const applied = ({ authority }: Deployment, webhooks: readonly JsonObject[], prune = false) =>
  authority.admin.declared.apply(operator, { webhooks }, { prune })

async function held({ store }: Deployment) {
  const rows = await store.eventReceivers.list(root, { kind: 'webhook', after: null, limit: 10 })
  return new Map(rows.map((it) => [it.id, it]))
}

const told = async ({ store }: Deployment) => {
  await store.events.position()
  const events = await store.events.after(root, 0, 1000)
  return events.flatMap(({ name, data }) => (name === 'admin.webhook_changed' ? [data] : []))
}

test('a webhook is made with its secret, changed by what differs, and left alone where nothing does', async () => {
  const deployment = await openDeployment()
  await declare(deployment, {})
  assert.deepEqual(await planned(deployment, [hook()]), ['webhooks[0].secret'], 'a new one needs a secret')
  const whole = hook({ secret: secretOf(1) })
  assert.deepEqual(await planned(deployment, [whole]), ['create hook: '])
  assert.equal((await applied(deployment, [whole])).kind, 'ok')
  for (const same of [whole, hook()]) assert.deepEqual(await planned(deployment, [same]), [])
  const first = (await held(deployment)).get('hook')
  assert.ok(first?.declared === true && first.status === 'enabled' && first.previous === null)
  assert.equal(first.createdAt, deployment.clock)
  assert.deepEqual(
    deployment.ports.vault.open(first.sealedSecret ?? new Uint8Array(), `webhook ${root} hook`),
    Buffer.alloc(32, 1),
  )
  for (const [more, fields] of [
    [{ url: 'https://hooks.example/other' }, 'url'],
    [{ events: ['*'] }, 'events'],
    [{ description: 'x' }, 'description'],
    [{ status: 'disabled' }, 'status'],
    [{ secret: secretOf(2) }, 'secret'],
    [{ secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}` }, 'secret'],
  ] as const)
    assert.deepEqual(await planned(deployment, [hook(more)]), [`change hook: ${fields}`])
})

test('a changed secret ends the old one at once; what is switched on again hears from then on', async () => {
  const deployment = await openDeployment()
  await declare(deployment, { webhooks: [hook({ secret: secretOf(1) })] })
  const before = (await held(deployment)).get('hook')
  deployment.clock += 1000
  await declare(deployment, { webhooks: [hook({ status: 'disabled' })] })
  const off = (await held(deployment)).get('hook')
  assert.deepEqual([off?.status, off?.createdAt, off?.sincePos], ['disabled', before?.createdAt, before?.sincePos])
  assert.deepEqual(off?.sealedSecret, before?.sealedSecret)
  await declare(deployment, { webhooks: [hook({ secret: secretOf(2) })] })
  const on = (await held(deployment)).get('hook')
  assert.ok(on !== undefined && before !== undefined && on.status === 'enabled' && on.previous === null)
  assert.ok(on.sincePos > before.sincePos, 'what came meanwhile is not told')
  assert.notDeepEqual(on.sealedSecret, before.sealedSecret)
  const created = { id: 'hook', origin: 'declared' }
  assert.deepEqual(await told(deployment), [created, created, created])
})

test('what is no longer declared goes only where that is asked for, and what was never declared stays', async () => {
  const deployment = await openDeployment()
  await declare(deployment, { webhooks: [hook({ secret: secretOf(1) }), hook({ id: 'other', secret: secretOf(2) })] })
  await deployment.tamper("update event_receivers set declared = 0 where id = 'other'")
  assert.deepEqual(await planned(deployment, []), [])
  assert.deepEqual(await planned(deployment, [], true), ['remove hook: '])
  assert.deepEqual(await planned(deployment, [hook({ id: 'other' })]), ['change other: '], 'from now on it is declared')
  const shown = await deployment.authority.admin.declared.export()
  assert.ok(shown.kind === 'ok')
  assert.deepEqual(shown.value['webhooks'], [hook()])
  assert.equal((await applied(deployment, [], true)).kind, 'ok')
  assert.deepEqual([...(await held(deployment)).keys()], ['other'])
  assert.deepEqual((await told(deployment)).at(-1), { id: 'hook', origin: 'declared', removed: true })
})

test('a hundred are allowed, and no more', async () => {
  const deployment = await openDeployment()
  await declare(deployment, {})
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => hook({ id: `h${n}`, secret: secretOf(n % 250) }))
  assert.deepEqual(
    await planned(deployment, many(100)),
    many(100).map((_, n) => `create h${n}: `),
  )
  assert.deepEqual(await planned(deployment, many(101)), ['webhooks'])
})
