/** The sweeper frees what has expired, in small batches, and nothing that a rule still needs. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { tombstoneKeeping } from '../src/verbs/sweep.ts'
import {
  acme,
  at,
  change,
  client,
  device,
  grant,
  grantId,
  handle,
  interaction,
  issuance,
  jti,
  opaqueToken,
  opening,
  refresh,
  revocable,
  session,
  tenantWithClient,
} from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

export function sweepSuite(open: OpenEngine): void {
  storeTest(open, 'expired opaque tokens go in batches, living ones stay', async ({ store }) => {
    const basis = await tenantWithClient(store)
    for (const name of ['a', 'b', 'c']) await store.tokens.issue(issuance(basis, { opaque: opaqueToken(name) }))
    const living = opaqueToken('living', { expiresAt: at(601_001) })
    await store.tokens.issue(issuance(basis, { opaque: living }))
    equal(await store.sweep(at(601_000), 2), 2)
    equal(await store.sweep(at(601_000), 2), 1)
    equal(await store.sweep(at(601_000), 2), 0)
    notEqual(await store.tokens.opaque(acme, living.handle), null)
  })

  storeTest(open, 'a revocation is forgotten a day after the token ended, not before', async ({ store }) => {
    await store.tokens.revoke({ tenant: acme, jti: jti('j'), expiresAt: at(601_000), at: at(2_000), events: [] })
    const revokedAt = async () => (await store.tokens.status(acme, revocable({ jti: jti('j') }))).revokedAt
    equal(await store.sweep(at(601_000 + tombstoneKeeping - 1), 10), 0)
    equal(await revokedAt(), 2_000)
    equal(await store.sweep(at(601_000 + tombstoneKeeping), 10), 1)
    equal(await revokedAt(), null)
  })

  storeTest(open, 'expired secrets go, the others stay', async ({ store }) => {
    const secrets = [null, 5_000, 9_000].map((end, i) => ({
      handle: handle(`s${i}`),
      createdAt: at(i),
      expiresAt: end === null ? null : at(end),
    }))
    await store.directory.apply([change({ createClients: [client('web', { secrets })] })])
    equal(await store.sweep(at(5_000), 10), 1)
    deepEqual(
      (await store.clients.find(acme, 'web'))?.secrets.map((secret) => secret.handle),
      ['s0', 's2'],
    )
  })

  storeTest(
    open,
    'a grant goes a day after its end, when nothing hangs on it; its consent stays',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.interactions.record(interaction('i1'), {})
      await store.sessions.start(session('s1'), null, [])
      await store.grants.open(opening(basis, 'g1'))
      const spend = { kind: 'code', handle: handle('code g1') } as const
      const successor = refresh('r1', 'g1', { expiresAt: at(2_000_000) })
      await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend, successor }))
      // Code, interaction and session are over; the grant's own time is over too, but a refresh token hangs on it.
      equal(await store.sweep(at(1_000_000 + tombstoneKeeping), 10), 3)
      notEqual(await store.grants.refresh(acme, successor.handle), null)
      equal(await store.sweep(at(2_000_000 + tombstoneKeeping), 10), 2)
      equal(await store.grants.find(acme, grantId('g1')), null)
      equal((await store.consents.ofSubject(acme, 'ada', 10)).length, 1)
    },
  )

  storeTest(
    open,
    'a grant is known as long as its code is, and who took part in a session as long as that',
    async (it) => {
      const { store } = it
      const basis = await tenantWithClient(store)
      await store.sessions.start(session('s1'), null, [])
      const short = grant('g1', { expiresAt: at(2_000) })
      await store.grants.open(opening(basis, 'g1', { grant: short, party: true }))
      await store.sweep(at(2_000 + tombstoneKeeping), 10)
      notEqual(await store.grants.find(acme, grantId('g1')), null)
      await store.sweep(at(61_000 + tombstoneKeeping), 10)
      equal(await store.grants.find(acme, grantId('g1')), null)
      equal((await store.sessions.parties(acme, 's1')).length, 1)
      await store.sweep(at(900_000 + tombstoneKeeping), 10)
      deepEqual(await store.sessions.parties(acme, 's1'), [])
    },
  )

  storeTest(
    open,
    'what was spent or is over is known for a day, so that a replay is seen as one',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.interactions.record(interaction('i1'), {})
      await store.sessions.start(session('s1'), null, [])
      await store.grants.open(opening(basis, 'g1'))
      await store.devices.open(device('d1', { expiresAt: at(602_000) }), basis)
      const spend = { kind: 'code', handle: handle('code g1') } as const
      await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1') }))
      /** Each with the end that it has in the samples. */
      const kept: readonly (readonly [string, number, () => Promise<unknown>])[] = [
        ['code', 61_000, () => store.grants.code(acme, handle('code g1'))],
        ['refresh token', 500_000, () => store.grants.refresh(acme, handle('refresh r1'))],
        ['interaction', 601_000, () => store.interactions.find(acme, handle('interaction i1'))],
        ['device code', 602_000, () => store.devices.find(acme, handle('device d1'))],
        ['session', 900_000, () => store.sessions.byId(acme, 's1')],
        ['grant', 1_000_000, () => store.grants.find(acme, grantId('g1'))],
      ]
      for (const [what, end, find] of kept) {
        await store.sweep(at(end + tombstoneKeeping - 1), 10)
        notEqual(await find(), null, `the ${what} is still known`)
        await store.sweep(at(end + tombstoneKeeping), 10)
        equal(await find(), null, `the ${what} is forgotten`)
      }
      equal(tombstoneKeeping, 24 * 60 * 60 * 1000)
    },
  )
}
