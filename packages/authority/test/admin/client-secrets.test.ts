/** Administration of clients: ids, secrets that overlap, versions, removal; and what the log says of each act. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  asking,
  databases,
  declare,
  type Deployment,
  openDeployment,
  operator,
  root,
  secret,
} from '../support/deployment.ts'

const bot = { grant_types: ['client_credentials'], scope: 'invoices:read' }
const overlap = 600

async function openWithBot(database: (typeof databases)[number]): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declare(deployment)
  const made = await deployment.authority.admin.clients.create(operator, root, { id: 'bot', metadata: bot, secret })
  assert.ok(made.kind === 'ok' && made.value.secret === secret)
  return deployment
}

const gets = async ({ authority }: Deployment, shown: string) =>
  (await authority.token(asking('grant_type=client_credentials', { as: 'bot', secret: shown }))).kind === 'ok'

/** The newest event, as somebody would look for it. */
async function lastEvent({ store }: Deployment) {
  await store.events.position()
  const { name, actor, clientId, data } = (await store.events.after(root, 0, 1000)).at(-1) ?? assert.fail()
  return { name, by: actor.id, clientId, data }
}

for (const database of databases)
  describe(`client administration on ${database}`, () => {
    test('a rotated secret lets both in for the overlap, and then the new one alone', async () => {
      const deployment = await openWithBot(database)
      const { clients } = deployment.authority.admin
      const rotated = await clients.rotateSecret(operator, root, { id: 'bot', overlap })
      assert.ok(rotated.kind === 'ok' && rotated.value.client.id === 'bot')
      const fresh = rotated.value.secret
      assert.match(fresh, /^gs_[\w-]{43}$/)
      assert.deepEqual(await lastEvent(deployment), {
        name: 'client.secret_rotated',
        by: 'test',
        clientId: 'bot',
        data: { overlap_seconds: overlap },
      })
      deployment.clock += overlap * 1000 - 1
      assert.deepEqual([await gets(deployment, secret), await gets(deployment, fresh)], [true, true])
      deployment.clock += 1
      assert.deepEqual([await gets(deployment, secret), await gets(deployment, fresh)], [false, true])
    })

    test('a client without secrets has none to rotate, and one that is not there neither', async () => {
      const deployment = await openWithBot(database)
      const { clients } = deployment.authority.admin
      const metadata = { token_endpoint_auth_method: 'none', redirect_uris: ['https://app.example/cb'] }
      const app = await clients.create(operator, root, { id: 'app', metadata })
      assert.ok(app.kind === 'ok' && app.value.secret === null)
      const refused = await clients.rotateSecret(operator, root, { id: 'app', overlap })
      assert.deepEqual(refused.kind === 'error' && refused.error, {
        reason: 'conflict',
        what: 'client app does not authenticate with a secret',
      })
      const absent = { reason: 'absent', what: 'client nobody' }
      for (const asked of [
        await clients.rotateSecret(operator, root, { id: 'nobody', overlap }),
        await clients.find(root, 'nobody'),
        await clients.remove(operator, root, 'nobody'),
        await clients.replace(operator, root, { id: 'nobody', version: 1, metadata: bot, disabled: false }),
      ])
        assert.deepEqual(asked.kind === 'error' && asked.error, absent)
    })

    test('an id that is taken, a tenant that is not there, and a secret that is short: nothing is made', async () => {
      const deployment = await openWithBot(database)
      const { clients } = deployment.authority.admin
      const refusal = async (tenant: TenantId, more: { id?: string; secret?: string }) => {
        const made = await clients.create(operator, tenant, { metadata: bot, ...more })
        return made.kind === 'error' && made.error
      }
      assert.deepEqual(await refusal(root, { id: 'bot' }), { reason: 'exists', what: 'client bot' })
      assert.deepEqual(await refusal('nowhere' as TenantId, {}), { reason: 'absent', what: 'tenant nowhere' })
      const short = await refusal(root, { id: 'bot2', secret: 'x'.repeat(31) })
      assert.ok(short !== false && short.reason === 'invalid')
      assert.deepEqual(
        short.problems.map(({ field }) => field),
        ['client_secret'],
      )
      assert.equal(await deployment.store.clients.find(root, 'bot2'), null)
      const named = await clients.create(operator, root, { metadata: bot })
      assert.ok(named.kind === 'ok' && named.value.client.id !== '', 'an id is made where none is given')
    })

    test('what was changed since it was looked at is neither replaced nor removed', async () => {
      const deployment = await openWithBot(database)
      const { clients } = deployment.authority.admin
      const held = await clients.find(root, 'bot')
      assert.ok(held.kind === 'ok')
      const { version } = held.value
      const change = { id: 'bot', version, metadata: { ...bot, client_name: 'Bot' }, disabled: false }
      assert.ok((await clients.replace(operator, root, change)).kind === 'ok')
      for (const late of [
        await clients.replace(operator, root, change),
        await clients.remove(operator, root, { id: 'bot', version }),
      ])
        assert.ok(
          late.kind === 'error' && late.error.reason === 'conflict' && late.error.what.startsWith('client bot '),
        )
      assert.ok(await gets(deployment, secret))
      assert.equal((await clients.remove(operator, root, { id: 'bot', version: version + 1 })).kind, 'ok')
      assert.deepEqual(await lastEvent(deployment), { name: 'client.deleted', by: 'test', clientId: 'bot', data: null })
      assert.equal(await gets(deployment, secret), false)
      assert.equal((await clients.find(root, 'bot')).kind, 'error')
    })

    test('secrets come and go with the way in which a client proves itself', async () => {
      const deployment = await openWithBot(database)
      const { clients } = deployment.authority.admin
      const changed = async (metadata: JsonObject) => {
        const held = await clients.find(root, 'bot')
        assert.ok(held.kind === 'ok')
        const done = await clients.replace(operator, root, {
          id: 'bot',
          version: held.value.version,
          metadata,
          disabled: false,
        })
        assert.ok(done.kind === 'ok', JSON.stringify(done))
        return { shown: done.value.secret, held: done.value.client.secrets.length }
      }
      assert.deepEqual(await changed({ ...bot, client_name: 'Bot' }), { shown: null, held: 1 })
      assert.ok(await gets(deployment, secret), 'the one it has stays')
      const open = { token_endpoint_auth_method: 'none', redirect_uris: ['https://app.example/cb'] }
      assert.deepEqual(await changed(open), { shown: null, held: 0 })
      const back = await changed(bot)
      assert.equal(back.held, 1)
      assert.deepEqual([await gets(deployment, secret), await gets(deployment, String(back.shown))], [false, true])
    })
  })
