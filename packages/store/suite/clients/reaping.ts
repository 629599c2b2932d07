/** Clients that registered themselves and were never used go; a client that somebody uses at that moment stays. */
import { deepEqual, equal } from 'node:assert/strict'
import { race } from '../races.ts'
import { acme, at, basisNow, change, client, event, grantId, opening, session } from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'
import { idsOf, registration, selfMade } from './registrations.ts'

const harvest = (before: number, limit = 10) => ({
  tenant: acme,
  before: at(before),
  limit,
  at: at(9_000),
  event: event('client.deleted', { reason: 'unused' }),
})

export function reapingSuite(open: OpenEngine): void {
  storeTest(open, 'a grant that is not opened is no use of its client', async ({ store }) => {
    await store.directory.apply([change()])
    await store.registrations.register(registration('a', { client: selfMade('a', { createdAt: at(1_000) }) }))
    await store.sessions.start(session('s1'), null, [])
    await store.sessions.end(acme, 's1', at(1_500), [])
    const { grant, ...it } = opening(await basisNow(store, acme, 'a'), 'g1')
    equal(await store.grants.open({ ...it, grant: { ...grant, clientId: 'a' } }), 'stale')
    equal(await store.registrations.reap(harvest(1_000)), 1)
  })

  storeTest(open, 'clients that nobody used go in batches, each with its event; all others stay', async ({ store }) => {
    await store.directory.apply([change({ createClients: [client('web')] })])
    const { registrations } = store
    const service = { ...client('x').metadata, grant_types: ['client_credentials'] }
    for (const [id, createdAt, more] of [
      ['a', 1_000, {}],
      ['b', 2_000, {}],
      ['c', 3_000, {}],
      ['service', 1_000, { metadata: service }],
      ['used', 1_000, {}],
    ] as const) {
      await registrations.register(registration(id, { client: selfMade(id, { createdAt: at(createdAt), ...more }) }))
    }
    const grant = opening(await basisNow(store, acme, 'used'), 'g1')
    equal(await store.grants.open({ ...grant, grant: { ...grant.grant, clientId: 'used' } }), 'opened')
    equal(await registrations.hasGrants(acme, 'used', at(2_000)), true)
    equal(await registrations.hasGrants(acme, 'used', at(1_000_000)), false)
    deepEqual(await registrations.unused(), [{ tenant: acme, since: 1_000 }])
    equal(await registrations.reap(harvest(999)), 0)
    equal(await registrations.reap(harvest(2_000, 1)), 1)
    equal(await registrations.reap(harvest(2_000, 1)), 1)
    equal(await registrations.reap(harvest(2_000, 1)), 0)
    deepEqual(await idsOf(store), ['c', 'service', 'used', 'web'])
    await store.events.position()
    const deleted = (await store.events.after(acme, 0, 100)).filter(({ name }) => name === 'client.deleted')
    deepEqual(
      deleted.map(({ clientId, reason }) => [clientId, reason]),
      [
        ['a', 'unused'],
        ['b', 'unused'],
      ],
    )
  })

  storeTest(
    open,
    'one from a document waits like others; one that begins to act for itself waits no more',
    async ({ store }) => {
      await store.directory.apply([change()])
      for (const id of ['doc', 'kept', 'acts']) {
        const made = selfMade(id, { origin: id === 'doc' ? 'document' : 'dynamic', createdAt: at(1_000) })
        await store.registrations.register(registration(id, { client: made }))
      }
      for (const [id, grantType] of [
        ['kept', 'authorization_code'],
        ['acts', 'client_credentials'],
      ] as const) {
        const version = (await basisNow(store, acme, id)).client?.version ?? 0
        const metadata = { ...client(id).metadata, grant_types: [grantType] }
        const by = { tenant: acme, id, version, metadata, disabledAt: null, secrets: null, at: at(1_500), events: [] }
        equal(await store.clients.replace(by), 'replaced')
      }
      equal(await store.registrations.reap(harvest(2_000)), 2)
      deepEqual(await idsOf(store), ['acts'])
    },
  )

  storeTest(
    open,
    'a client that is used while it is reaped keeps its grant, or is gone before it',
    async ({ store }) => {
      await store.directory.apply([change()])
      for (let round = 0; round < 8; round += 1) {
        const id = `client-${round}`
        await store.registrations.register(registration(id))
        const basis = await basisNow(store, acme, id)
        const uses = Array.from({ length: 12 }, (_, n) => {
          const it = opening(basis, `${id}-${n}`)
          return async () => store.grants.open({ ...it, grant: { ...it.grant, clientId: id } })
        })
        const reaps = [1, 2].map(() => async () => String(await store.registrations.reap(harvest(5_000))))
        // The reapers stand in the middle of the queue, in another place each round.
        const acts = [...uses.slice(0, round), ...reaps, ...uses.slice(round)]
        const counts = await race(acts.length, (n) => acts[n]?.() ?? Promise.reject(new Error('no act')))
        const there = await store.clients.find(acme, id)
        const living = await store.registrations.hasGrants(acme, id, at(2_000))
        if (there === null)
          deepEqual([counts['1'], counts['opened'] ?? 0, living], [1, 0, false], JSON.stringify(counts))
        else deepEqual([counts['1'] ?? 0, counts['opened'], living], [0, 12, true], JSON.stringify(counts))
        if (there !== null) equal((await store.grants.find(acme, grantId(`${id}-0`)))?.revokedAt, null)
      }
    },
  )
}
