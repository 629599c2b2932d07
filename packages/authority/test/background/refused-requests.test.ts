/** What is refused to clients is counted: one event for each client and reason, however often strangers try. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Authority, clockOf, type RefusedRequest } from '@grantor/authority'
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { openRefusedRequests } from '../../src/background/refused-requests.ts'
import { asking, databases, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

const counted = new Set([
  'client.refused',
  'redirect_uri.refused',
  'consent.denied',
  'verifier.refused',
  'token.refused',
  'token.rejected',
])

/** A node that was used, and stops: what it counted is in the log then. */
async function during(deployment: Deployment, work: (node: Authority) => Promise<void>): Promise<readonly NewEvent[]> {
  const node = deployment.node()
  await work(node)
  await node.close()
  const found = async () =>
    (await deployment.store.events.after(root, 0, 10_000)).filter(({ name }) => counted.has(name))
  // On PostgreSQL a notary gives events their places a moment later; the bound is for what never comes.
  for (let tries = 0; tries < 500 && (await found()).length === 0; tries++) await setTimeout(20)
  return found()
}

const brief = (events: readonly NewEvent[]) =>
  events.map(({ name, clientId, reason, data }) => [name, clientId, reason, data?.['count']])

const credentials = 'grant_type=client_credentials&scope=invoices:read'

async function open(database: (typeof databases)[number]): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  return deployment
}

for (const database of databases) {
  describe(`refused requests on ${database}`, () => {
    test('refused authentication is one event for each client and reason, and names of strangers are not kept', async () => {
      const deployment = await open(database)
      const events = await during(deployment, async (node) => {
        for (let n = 0; n < 5; n++) await node.token(asking(credentials, { secret: `wrong-${n}` }))
        for (let n = 0; n < 7; n++) await node.token(asking(credentials, { as: `stranger-${n}` }))
        const { form } = asking(`${credentials}&client_id=svc&client_secret=${'x'.repeat(40)}`)
        await node.token({ ...asking(credentials), authorization: null, form })
        await node.token({ ...asking(credentials), authorization: null })
        // What succeeds is not counted.
        assert.equal((await node.token(asking(credentials))).kind, 'ok')
      })
      assert.deepEqual(brief(events), [
        ['client.refused', 'svc', 'secret_wrong', 5],
        ['client.refused', null, 'client_unknown', 7],
        ['client.refused', 'svc', 'sent_client_secret_post', 1],
        ['client.refused', null, 'credentials_missing', 1],
      ])
      assert.doesNotMatch(JSON.stringify(events), /stranger|wrong-|xxxx/)
    })

    test('what /token refuses to a client that is known is counted by its reason, and in the statistics', async () => {
      const deployment = await open(database)
      const events = await during(deployment, async (node) => {
        for (let n = 0; n < 3; n++) await node.token(asking('grant_type=client_credentials&scope=no:such'))
        await node.token(asking('grant_type=magic'))
      })
      assert.deepEqual(brief(events), [
        ['token.refused', 'svc', 'scope_unknown', 3],
        ['token.refused', 'svc', 'grant_type_unknown', 1],
      ])
      const found = await deployment.node().admin.statistics.counts(root, { from: null, to: null, step: 'minute' })
      const refused = found.kind === 'ok' ? found.value.find(({ series }) => series === 'refused') : undefined
      const sums = Object.entries(refused?.reasons ?? {}).map(([reason, all]) => [reason, all.reduce((a, b) => a + b)])
      assert.deepEqual(sums, [
        ['grant_type_unknown', 1],
        ['scope_unknown', 3],
      ])
    })

    test('tokens that nobody has are counted by who asked about them, and never one event each', async () => {
      const deployment = await open(database)
      const events = await during(deployment, async (node) => {
        for (const made of ['no.such.token', 'made_up', 'no.other.token'])
          assert.equal((await node.introspect(asking(`token=${made}`))).kind, 'ok')
      })
      assert.deepEqual(brief(events), [['token.rejected', null, 'token_unknown', 3]])
      assert.deepEqual(events[0]?.actor, { kind: 'resource_server', id: 'svc' })
      assert.doesNotMatch(JSON.stringify(events), /made_up|such/)
    })

    test('so are refused redirect URIs, denied consent and wrong verifiers', async () => {
      const deployment = await open(database)
      const events = await during(deployment, async (node) => {
        const person = new PersonAtBrowser(node)
        for (const client_id of ['web', 'web', 'nobody'])
          await person.begin(authorizeQuery({ client_id, redirect_uri: 'https://evil.example/cb' }))
        await person.begin()
        await person.signIn()
        await person.deny()
        const code = await person.code()
        for (const code_verifier of ['w'.repeat(43), 'u'.repeat(43)])
          await node.token(asking(redemption(code, { code_verifier }), { as: 'web' }))
      })
      assert.deepEqual(brief(events), [
        ['redirect_uri.refused', 'web', 'redirect_uri_unregistered', 2],
        ['redirect_uri.refused', null, 'client_unknown', 1],
        ['consent.denied', 'web', 'access_denied', 1],
        ['verifier.refused', 'web', 'verifier_mismatch', 2],
      ])
    })

    test('the operator is told the first of a kind, with what was expected', async () => {
      const deployment = await open(database)
      const heard: RefusedRequest[] = []
      await during(deployment, async (node) => {
        node.watchRefusals((refused) => heard.push(refused))
        const { form } = asking(`${credentials}&client_id=svc&client_secret=${'x'.repeat(40)}`)
        for (let n = 0; n < 3; n++) await node.token({ ...asking(credentials), authorization: null, form })
      })
      const first = { name: 'client.refused', tenant: root, clientId: 'svc', reason: 'sent_client_secret_post' }
      assert.deepEqual(heard, [{ ...first, expected: 'client_secret_basic' }])
    })
  })
}

const parts = (append: (events: readonly NewEvent[]) => Promise<void>) => ({
  clock: clockOf(() => 1_000 as Instant),
  ids: { id: () => 'id' },
  store: { events: { append } as unknown as Store['events'] },
})

test('memory is bounded: beyond a thousand kinds clients are no longer told apart, and none is told of', async () => {
  const written: NewEvent[] = []
  let heard = 0
  const refused = openRefusedRequests(parts((events) => Promise.resolve(void written.push(...events))))
  refused.watch(() => heard++)
  for (let n = 0; n < 5_000; n++)
    refused.record({ name: 'client.refused', tenant: root, clientId: `client-${n}`, reason: 'secret_wrong' })
  await refused.close()
  assert.equal(written.length, 1_001)
  assert.equal(heard, 1_000)
  assert.deepEqual(brief(written.slice(-1)), [['client.refused', null, 'secret_wrong', 4_000]])
})

test('what cannot be written is written later, with what came meanwhile', async () => {
  const written: NewEvent[] = []
  let away = true
  const refused = openRefusedRequests(
    parts(async (events) => {
      if (away) throw new Error('away')
      written.push(...events)
    }),
  )
  const one = { name: 'client.refused', tenant: root, clientId: 'svc', reason: 'secret_wrong' } as const
  refused.record(one)
  await assert.rejects(refused.flush(), /away/)
  refused.record(one)
  refused.record({ ...one, clientId: 'web' })
  away = false
  await refused.flush()
  assert.deepEqual(brief(written), [
    ['client.refused', 'svc', 'secret_wrong', 2],
    ['client.refused', 'web', 'secret_wrong', 1],
  ])
  await refused.flush()
  assert.equal(written.length, 2)
})

test('memory is bounded also where no client is known: beyond two thousand kinds nothing is counted', async () => {
  const written: NewEvent[] = []
  let heard = 0
  const refused = openRefusedRequests(parts((events) => Promise.resolve(void written.push(...events))))
  refused.watch(() => heard++)
  const stranger = { name: 'client.refused', tenant: root, clientId: null } as const
  for (let n = 0; n < 2_500; n++) refused.record({ ...stranger, reason: `reason-${n}` })
  refused.record({ ...stranger, reason: 'reason-1999' })
  await refused.flush()
  assert.deepEqual([written.length, heard], [2_000, 1_000])
  assert.deepEqual(written.at(-1)?.data, { count: 2, first_at: 1_000, last_at: 1_000 })
})

test('a kind is its name, tenant, client, reason and API; it is told from when to when it was met', async () => {
  const written: NewEvent[] = []
  let [now, away] = [1_000, false]
  const append = async (events: readonly NewEvent[]) => {
    if (away) throw new Error('away')
    written.push(...events)
  }
  const refused = openRefusedRequests({ ...parts(append), clock: clockOf(() => now as Instant) })
  const one = {
    name: 'token.denied',
    tenant: root,
    clientId: 'svc',
    reason: 'r',
    resource: 'https://a.example',
  } as const
  refused.record(one)
  now = 2_000
  for (const other of [
    { name: 'token.refused' },
    { tenant: 'acme' as typeof root },
    { clientId: 'web' },
    { reason: 'another' },
    { resource: 'https://b.example' },
  ] as const)
    refused.record({ ...one, ...other })
  refused.record(one)
  away = true
  await assert.rejects(refused.flush())
  away = false
  now = 3_000
  refused.record(one)
  await refused.flush()
  const data = { resource: 'https://a.example', count: 1, first_at: 2_000, last_at: 2_000 }
  assert.deepEqual(
    written.map((event) => event.data),
    [
      { ...data, count: 3, first_at: 1_000, last_at: 3_000 },
      data,
      data,
      data,
      data,
      { ...data, resource: 'https://b.example' },
    ],
  )
  assert.deepEqual(new Set(written.map(({ tenant }) => tenant)), new Set([root, 'acme']))
  refused.record({ name: 'client.refused', tenant: root, clientId: null, reason: 'r' })
  await refused.flush()
  assert.deepEqual(written.at(-1)?.data, { count: 1, first_at: 3_000, last_at: 3_000 })
})
