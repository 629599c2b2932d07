/** Webhooks as an administrator makes, changes and replays them: every refusal, and what the log says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminResult } from '../../src/admin/result.ts'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { mostWebhooks } from '@grantor/protocol/webhooks'
import { declare, openDeployment, operator, root } from '../support/deployment.ts'

const acme = 'acme' as TenantId
const input = { url: 'https://hooks.example/a', events: ['session.*'], description: 'ours' }

const told = (result: AdminResult<unknown>): unknown => {
  if (result.kind === 'ok') return 'ok'
  const { error } = result
  if (error.reason === 'invalid') return error.problems.map(({ field }) => field)
  return [error.reason, 'what' in error && error.what]
}

async function scene() {
  const deployment = await openDeployment()
  await declare(deployment, { tenants: [{ id: acme, name: 'Acme' }] })
  const { webhooks } = deployment.authority.admin
  const made = await webhooks.create(operator, root, input)
  assert.ok(made.kind === 'ok')
  const log = async () =>
    (await deployment.store.events.after(root, 0, 1_000))
      .filter((it) => it.name === 'admin.webhook_changed')
      .map(({ data }) => data)
  return { deployment, webhooks, made: made.value, id: made.value.webhook.id, log }
}

test('a webhook is told whole but for its secret, which is shown once', async () => {
  const { deployment, webhooks, made, id, log } = await scene()
  const { webhook, secret } = made
  assert.match(secret, /^whsec_/)
  assert.deepEqual(webhook, {
    tenant: root,
    id,
    createdAt: deployment.clock,
    version: 1,
    failingSince: null,
    declared: false,
    settings: { ...input, status: 'enabled' },
    disabledBecause: null,
    previousSecretUntil: null,
  })
  const found = await webhooks.find(root, id)
  assert.deepEqual(found.kind === 'ok' && found.value, webhook)
  const listed = await webhooks.list(root, { after: null, limit: 10 })
  assert.deepEqual(listed.kind === 'ok' && listed.value, [webhook])
  assert.deepEqual(await log(), [{ id, url: input.url, events: input.events }])
})

test('it is replaced at the version that was looked at, and nothing of a wrong one is kept', async () => {
  const { webhooks, id, log } = await scene()
  const put = (version: number, more: JsonObject) =>
    webhooks.replace(operator, root, { id, version, input: { ...input, ...more } })
  assert.deepEqual(told(await put(2, {})), ['conflict', `webhook ${id} was changed`])
  assert.deepEqual(told(await put(1, { url: 'http://hooks.example' })), ['url'])
  const changed = await put(1, { events: ['token.revoked'], status: 'disabled' })
  assert.ok(changed.kind === 'ok')
  assert.deepEqual(
    [
      changed.value.version,
      changed.value.settings.events,
      changed.value.settings.status,
      changed.value.disabledBecause,
    ],
    [2, ['token.revoked'], 'disabled', null],
  )
  assert.deepEqual((await log()).at(-1), { id, url: input.url, events: ['token.revoked'], status: 'disabled' })
  assert.deepEqual(told(await webhooks.test(operator, root, id)), ['conflict', `webhook ${id} is disabled`])
  assert.equal(told(await put(2, {})), 'ok')
  assert.equal(told(await webhooks.test(operator, root, id)), 'ok')
})

test('it hears from where it was, unless it is switched on again; why the service disabled it stands until then', async () => {
  const { deployment, webhooks, id } = await scene()
  const held = () => deployment.store.eventReceivers.find(root, id)
  const put = async (status: string) => {
    const before = await held()
    assert.ok(before)
    // The log goes on meanwhile.
    await declare(deployment, { tenants: [{ id: acme, name: `Acme ${before.version}` }] })
    const change = { id, version: before.version, input: { ...input, status } }
    const changed = await webhooks.replace(operator, root, change)
    assert.ok(changed.kind === 'ok')
    return [(await held())?.sincePos === before.sincePos, changed.value.disabledBecause]
  }
  assert.deepEqual(await put('enabled'), [true, null])
  await deployment.tamper("update event_receivers set status = 'disabled', status_reason = 'gone'")
  assert.deepEqual(await put('disabled'), [true, 'gone'])
  assert.deepEqual(await put('enabled'), [false, null])
  assert.deepEqual(await put('disabled'), [true, null])
})

test('whoever is overtaken by another change changes nothing, and is told', async () => {
  const { deployment, id, log } = await scene()
  const { eventReceivers } = deployment.store
  const replace = async () => 'changed-meanwhile' as const
  const { webhooks } = deployment.node({
    store: { ...deployment.store, eventReceivers: { ...eventReceivers, replace } },
  }).admin
  const conflict = ['conflict', `webhook ${id} was changed`]
  assert.deepEqual(told(await webhooks.replace(operator, root, { id, version: 1, input })), conflict)
  assert.deepEqual(told(await webhooks.rotateSecret(operator, root, { id, overlap: 1 })), conflict)
  assert.equal((await log()).length, 1)
})

test('a secret is rotated with an overlap, or at once', async () => {
  const { deployment, webhooks, made, id, log } = await scene()
  const rotate = (overlap: number) => webhooks.rotateSecret(operator, root, { id, overlap })
  const until = async () => {
    const found = await webhooks.find(root, id)
    return found.kind === 'ok' ? found.value.previousSecretUntil : undefined
  }
  const first = await rotate(60)
  assert.ok(first.kind === 'ok')
  assert.equal(first.value.previousUntil, deployment.clock + 60_000)
  assert.equal(await until(), deployment.clock + 60_000)
  assert.notEqual(first.value.secret, made.secret)
  assert.equal(told(await rotate(0)), 'ok')
  assert.equal(await until(), null)
  assert.deepEqual((await log()).slice(1), [
    { id, secret_rotated: true, overlap: 60 },
    { id, secret_rotated: true, overlap: 0 },
  ])
})

test('a test is queued, found and replayed; what is not there is not', async () => {
  const { deployment, webhooks, id, log } = await scene()
  const tested = await webhooks.test(operator, root, id)
  assert.ok(tested.kind === 'ok')
  const search = { receiver: id, state: null, before: null, limit: 10 }
  const found = await webhooks.deliveries(root, search)
  assert.ok(found.kind === 'ok')
  assert.deepEqual(
    found.value.map((it) => it.id),
    [tested.value],
  )
  assert.deepEqual((await log()).at(-1), { id, tested: tested.value })
  const queued = await deployment.store.eventDeliveries.find(root, id, tested.value)
  assert.deepEqual([queued?.pos, queued?.orderKey], [0, `event ${tested.value}`], 'it waits for no other')
  const replay = (delivery: string | null) => webhooks.replay(operator, root, { id, delivery })
  assert.deepEqual(told(await replay('nothing')), ['absent', 'delivery nothing'])
  // Nothing was given up: nothing is done, and nothing is logged.
  const again = await replay(null)
  assert.equal(again.kind === 'ok' && again.value, 0)
  assert.deepEqual((await log()).at(-1), { id, tested: tested.value })
})

test('a webhook that is gone, or another tenant’s, is absent to every act', async () => {
  const { webhooks, id, log } = await scene()
  const acts = (tenant: TenantId) => [
    () => webhooks.find(tenant, id),
    () => webhooks.replace(operator, tenant, { id, version: 1, input }),
    () => webhooks.rotateSecret(operator, tenant, { id, overlap: 1 }),
    () => webhooks.test(operator, tenant, id),
    () => webhooks.deliveries(tenant, { receiver: id, state: null, before: null, limit: 10 }),
    () => webhooks.replay(operator, tenant, { id, delivery: null }),
    () => webhooks.remove(operator, tenant, id),
  ]
  for (const act of acts(acme)) assert.deepEqual(told(await act()), ['absent', `webhook ${id}`])
  assert.equal(told(await webhooks.remove(operator, root, id)), 'ok')
  assert.deepEqual((await log()).at(-1), { id, removed: true })
  for (const act of acts(root)) assert.deepEqual(told(await act()), ['absent', `webhook ${id}`])
})

test('a tenant that is not there has none, and one that is has a bounded number', async () => {
  const { webhooks } = await scene()
  assert.deepEqual(told(await webhooks.create(operator, 'nowhere' as TenantId, input)), ['absent', 'tenant nowhere'])
  let made = 0
  for (; made < 200; made += 1) {
    const one = await webhooks.create(operator, acme, input)
    if (one.kind === 'ok') continue
    assert.deepEqual(told(one), ['conflict', `a tenant has at most ${made} webhooks`])
    break
  }
  assert.ok(made > 1 && made < 200)
})

test('of those that come at once as many are made as there may be', async () => {
  const { webhooks } = await scene()
  const made = await Promise.all(Array.from({ length: mostWebhooks + 5 }, () => webhooks.create(operator, acme, input)))
  assert.equal(made.filter(({ kind }) => kind === 'ok').length, mostWebhooks)
})
