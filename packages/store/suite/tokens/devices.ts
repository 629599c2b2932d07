/** Devices that wait for a person: typed once, decided once, redeemed once. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Basis } from '../../src/contract/directory/basis.ts'
import type { Store } from '../../src/contract/store.ts'
import { tombstoneKeeping } from '../../src/verbs/sweep.ts'
import { registration } from '../clients/registrations.ts'
import { race } from '../races.ts'
import {
  acme,
  at,
  backchannelRequest,
  basisNow,
  change,
  consent,
  device,
  deviceApproval,
  event,
  grant,
  grantId,
  handle,
  interaction,
  issuance,
  opaqueToken,
  other,
  refresh,
  session,
  tenantWithClient,
  user,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const one = handle('device d1')
const typed = (id: string, browser = 'browser 1') =>
  interaction(id, { kind: 'device', browser: handle(browser), openedAt: at(2_000) })
const denial = (id: string) => ({
  tenant: acme,
  device: one,
  interaction: handle(`interaction ${id}`),
  at: at(3_000),
  events: [event('login.failed')],
})

/** A device whose code was typed in the interaction i1. */
async function claimed(store: Store): Promise<Basis> {
  const basis = await tenantWithClient(store)
  equal(await store.devices.open(device('d1'), basis), 'opened')
  equal(await store.devices.claim(one, typed('i1')), 'claimed')
  return basis
}

export function deviceSuite(open: OpenEngine): void {
  storeTest(open, 'a device reads back whole, by either code, in its tenant only', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.devices.open(device('d1'), basis), 'opened')
    const row = { ...device('d1'), browser: null, deniedAt: null, approved: false }
    deepEqual(await store.devices.find(acme, one), row)
    deepEqual(await store.devices.byUserCode(acme, handle('user code d1')), row)
    equal(await store.devices.find(other, one), null)
    equal(await store.devices.byUserCode(other, handle('user code d1')), null)
    equal(await store.grants.device(other, one), null)
    deepEqual(await store.grants.device(acme, one), {
      clientId: 'web',
      expiresAt: at(601_000),
      interval: 5,
      deniedAt: null,
      grant: null,
      redeemedAt: null,
      spentFor: null,
      successorSpentAt: null,
      salt: device('d1').salt,
    })
  })

  storeTest(open, 'a user code means one device, and a stale basis opens none', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.devices.open(device('d1'), basis)
    const same = device('d2', { userCode: handle('user code d1') })
    equal(await store.devices.open(same, basis), 'taken')
    equal(await store.devices.open(device('d3'), { ...basis, revision: basis.revision + 1 }), 'stale')
    deepEqual(
      [await store.devices.find(acme, same.handle), await store.devices.find(acme, handle('device d3'))],
      [null, null],
    )
  })

  storeTest(open, 'a typed code is its browser’s: it may type it again, another one may not', async ({ store }) => {
    await claimed(store)
    equal(await store.devices.claim(one, typed('i2', 'browser 2')), 'gone')
    equal(await store.interactions.find(acme, handle('interaction i2')), null)
    equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, null)
    equal(await store.devices.claim(one, typed('i3')), 'claimed')
    equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, 2_000)
    equal((await store.interactions.find(acme, handle('interaction i3')))?.closedAt, null)
  })

  storeTest(
    open,
    'an interaction that is over decides nothing, and when it ended stays as it was',
    async ({ store }) => {
      const basis = await claimed(store)
      await store.interactions.close(typed('i1'), at(2_500))
      equal(await store.devices.approve(deviceApproval(basis, 'g1')), 'already-closed')
      equal(await store.devices.deny(denial('i1')), 'already-closed')
      equal((await store.devices.find(acme, one))?.deniedAt, null)
      const closedAt = async () => (await store.interactions.find(acme, handle('interaction i1')))?.closedAt
      equal(await store.devices.claim(one, { ...typed('i2'), openedAt: at(2_700) }), 'claimed')
      equal(await closedAt(), 2_500)
      await store.interactions.close(typed('i2'), at(2_800))
      const refusal = { tenant: acme, device: one, at: at(3_000), events: [] }
      equal(await store.devices.refuse(refusal), 'denied')
      equal((await store.interactions.find(acme, handle('interaction i2')))?.closedAt, 2_800)
    },
  )

  storeTest(open, 'a code of the same name elsewhere ends no interaction here', async ({ store }) => {
    await store.devices.open(device('d1'), await tenantWithClient(store))
    await store.devices.open(device('d1', { tenant: other }), await tenantWithClient(store, other))
    equal(await store.devices.claim(one, { ...typed('i1'), tenant: other }), 'claimed')
    await store.interactions.record(interaction('i1'), {})
    equal(await store.devices.claim(one, typed('i2')), 'claimed')
    for (const tenant of [acme, other])
      equal((await store.interactions.find(tenant, handle('interaction i1')))?.closedAt, null)
  })

  storeTest(open, 'nobody claims what is over, denied or approved', async ({ store }) => {
    const basis = await claimed(store)
    equal(await store.devices.claim(one, { ...typed('late'), openedAt: at(601_000) }), 'gone')
    equal(await store.devices.deny(denial('i1')), 'denied')
    equal(await store.devices.claim(one, typed('i2')), 'gone')
    await store.devices.open(device('d2'), basis)
    const second = handle('device d2')
    await store.devices.claim(second, typed('i4'))
    equal(
      await store.devices.approve(
        deviceApproval(basis, 'g', { device: second, interaction: handle('interaction i4') }),
      ),
      'opened',
    )
    equal(await store.devices.claim(second, typed('i5')), 'gone')
  })

  storeTest(
    open,
    'an approval opens grant and consent, ends the interaction, and is the only one',
    async ({ store }) => {
      const basis = await claimed(store)
      equal(await store.devices.approve(deviceApproval({ ...basis, revision: 0 }, 'g1')), 'stale')
      equal(
        await store.devices.approve(deviceApproval(basis, 'g1', { interaction: handle('interaction i9') })),
        'already-closed',
      )
      equal(await store.devices.approve(deviceApproval(basis, 'g1', { at: at(601_000) })), 'already-closed')
      equal(await store.grants.find(acme, grantId('g1')), null)
      equal(await store.devices.approve(deviceApproval(basis, 'g1')), 'opened')
      equal(await store.devices.approve(deviceApproval(basis, 'g2')), 'already-closed')
      equal(await store.devices.deny(denial('i1')), 'already-closed')
      deepEqual((await store.grants.device(acme, one))?.grant, grant('g1'))
      deepEqual(await store.consents.ofSubject(acme, 'ada', 10), [
        { ...consent('g1', { how: 'device' }), revokedAt: null, revokedBy: null },
      ])
      equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, 1_000)
      deepEqual(await logged(store, acme), ['admin.tenant_changed', 'consent.granted'])
    },
  )

  storeTest(open, 'whose session is over approves nothing, and that is no use of the client', async ({ store }) => {
    await store.directory.apply([change()])
    await store.registrations.register(registration('web'))
    const basis = await basisNow(store)
    await store.devices.open(device('d1'), basis)
    await store.devices.claim(one, typed('i1'))
    await store.sessions.start(session('s1'), null, [])
    await store.sessions.end(acme, 's1', at(1_500), [])
    equal(await store.devices.approve(deviceApproval(basis, 'g1')), 'stale')
    equal((await store.devices.find(acme, one))?.approved, false)
    equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, null)
    const harvest = { tenant: acme, before: at(5_000), limit: 10, at: at(9_000), event: event('client.deleted') }
    equal(await store.registrations.reap(harvest), 1)
  })

  storeTest(
    open,
    'a client that wants to hear of the session’s end takes part in it, others do not',
    async ({ store }) => {
      const basis = await claimed(store)
      await store.sessions.start(session('s1'), null, [])
      equal(await store.devices.approve(deviceApproval(basis, 'g1')), 'opened')
      deepEqual(await store.sessions.parties(acme, 's1'), [])
      await store.devices.open(device('d2'), basis)
      await store.devices.claim(handle('device d2'), typed('i2'))
      const second = { device: handle('device d2'), interaction: handle('interaction i2'), party: true }
      equal(await store.devices.approve(deviceApproval(basis, 'g2', second)), 'opened')
      deepEqual(
        (await store.sessions.parties(acme, 's1')).map(({ clientId }) => clientId),
        ['web'],
      )
    },
  )

  storeTest(open, 'what is decided in an interaction is decided for its own device alone', async ({ store }) => {
    const basis = await claimed(store)
    await store.devices.open(device('d2'), basis)
    const second = { device: handle('device d2') }
    equal(await store.devices.approve(deviceApproval(basis, 'g1', second)), 'already-closed')
    equal(await store.devices.deny({ ...denial('i1'), ...second }), 'already-closed')
    equal(await store.grants.find(acme, grantId('g1')), null)
    equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, null, 'it is open still')
    equal(await store.devices.claim(second.device, typed('i2')), 'claimed')
    equal(await store.devices.deny(denial('i1')), 'denied')
    equal((await store.devices.find(acme, second.device))?.deniedAt, null)
    equal((await store.interactions.find(acme, handle('interaction i2')))?.closedAt, null)
  })

  storeTest(open, 'a denial is final, and belongs to the interaction that holds the code', async ({ store }) => {
    const basis = await claimed(store)
    await store.devices.claim(one, typed('i2'))
    equal(await store.devices.deny(denial('i1')), 'already-closed')
    equal(await store.devices.deny(denial('i2')), 'denied')
    equal(
      await store.devices.approve(deviceApproval(basis, 'g1', { interaction: handle('interaction i2') })),
      'already-closed',
    )
    equal((await store.grants.device(acme, one))?.deniedAt, 3_000)
    equal((await store.interactions.find(acme, handle('interaction i2')))?.closedAt, 3_000)
  })

  storeTest(
    open,
    'whoever looks after devices refuses one that waits, once, and its interaction is over',
    async ({ store }) => {
      const basis = await claimed(store)
      await store.users.create(user('ada'), [])
      const by = { basis, mostWaiting: 5, events: [], unasked: [] }
      await store.backchannel.open(backchannelRequest('b1'), by)
      await store.devices.open(device('d2'), basis)
      const refusal = { tenant: acme, device: one, at: at(3_000), events: [event('device.guessed')] }
      equal(await store.devices.refuse({ ...refusal, tenant: other }), 'absent')
      equal(await store.devices.refuse({ ...refusal, device: handle('request b1') }), 'absent')
      equal(await store.devices.refuse({ ...refusal, at: at(601_000) }), 'absent', 'it is over')
      equal((await logged(store, acme)).includes('device.guessed'), false)
      equal(await store.devices.refuse(refusal), 'denied')
      equal(await store.devices.refuse(refusal), 'absent')
      equal((await store.devices.find(acme, one))?.deniedAt, 3_000)
      equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, 3_000)
      equal(await store.devices.approve(deviceApproval(basis, 'g1', { at: at(3_000) })), 'already-closed')
      equal(await store.devices.refuse({ ...refusal, device: handle('device d2'), at: at(600_999) }), 'denied')
      equal((await logged(store, acme)).filter((name) => name === 'device.guessed').length, 2)
    },
  )

  storeTest(open, 'polling too fast lengthens the interval up to its utmost', async ({ store }) => {
    await claimed(store)
    for (let n = 0; n < 4; n += 1) await store.devices.slowDown(acme, one, { by: 5, most: 15 })
    equal((await store.grants.device(acme, one))?.interval, 15)
  })

  storeTest(
    open,
    'of 50 that redeem one device code one does; a retry holds while its refresh token is unused',
    async ({ store }) => {
      const basis = await claimed(store)
      await store.devices.approve(deviceApproval(basis, 'g1'))
      const issue = (more: object) => store.tokens.issue(issuance(basis, { grantId: grantId('g1'), ...more }))
      const spend = { kind: 'device', handle: one } as const
      const redeem = () => issue({ spend: { ...spend, spentFor: 'this' }, successor: refresh('r', 'g1') })
      deepEqual(await race(50, redeem), { committed: 1, 'already-spent': 49 })
      const facts = await store.grants.device(acme, one)
      equal(facts?.spentFor, 'this')
      deepEqual([facts?.redeemedAt, facts?.successorSpentAt], [2_000, null])
      const retry = { kind: 'device-retry', handle: one, successor: handle('refresh r') } as const
      equal(await issue({ spend: retry, opaque: opaqueToken('again', { grantId: grantId('g1') }) }), 'committed')
      equal(await issue({ spend: { ...retry, successor: handle('refresh other') } }), 'already-spent')
      equal(await issue({ spend: { ...retry, handle: handle('device d2') } }), 'already-spent')
      await issue({ spend: { kind: 'refresh', handle: handle('refresh r') }, successor: refresh('r2', 'g1') })
      equal(await issue({ spend: retry }), 'already-spent')
      equal((await store.grants.device(acme, one))?.successorSpentAt, 2_000)
      equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, 3)
    },
  )

  storeTest(open, 'a device that brings no refresh token is retried on its own row', async ({ store }) => {
    const basis = await claimed(store)
    await store.devices.approve(deviceApproval(basis, 'g1'))
    const issue = (spend: object) => store.tokens.issue(issuance(basis, { grantId: grantId('g1'), ...spend }))
    const retry = { spend: { kind: 'device-retry', handle: one, successor: null } as const }
    equal(await issue(retry), 'already-spent')
    // Others that were redeemed, here or by the same code elsewhere, are none of it.
    const there = await tenantWithClient(store, other)
    await store.devices.open(device('d1', { tenant: other }), there)
    const redeemed = { kind: 'device', handle: one } as const
    equal(await store.tokens.issue(issuance(there, { spend: redeemed, events: [] })), 'committed')
    await store.devices.open(device('d2'), basis)
    equal(await issue({ spend: { ...redeemed, handle: handle('device d2') } }), 'committed')
    equal(await issue(retry), 'already-spent')
    equal(await issue({ spend: redeemed }), 'committed')
    equal(await issue(retry), 'committed')
    await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(3_000), events: [] })
    equal(await issue(retry), 'grant-dead')
  })

  storeTest(
    open,
    'of 50 browsers that type one code, and of 50 approvals and denials, one counts',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.devices.open(device('d1'), basis)
      const types = (n: number) => store.devices.claim(one, typed(`i${n}`, `browser ${n}`))
      deepEqual(await race(50, types), { claimed: 1, gone: 49 })
      const holder = (await store.devices.find(acme, one))?.browser?.replace('browser ', '') ?? ''
      const mine = { interaction: handle(`interaction i${holder}`) }
      const counts = await race<string>(50, (n) =>
        n % 2 === 0
          ? store.devices.approve(deviceApproval(basis, `g${n}`, mine))
          : store.devices.deny(denial(`i${holder}`)),
      )
      equal((counts['opened'] ?? 0) + (counts['denied'] ?? 0), 1)
      const facts = await store.grants.device(acme, one)
      equal((facts?.grant === null) !== (facts?.deniedAt === null), true)
    },
  )

  storeTest(
    open,
    'a device is forgotten a day after its end, and a new epoch ends those that wait',
    async ({ store }) => {
      await claimed(store)
      await store.beginNewEpoch(at(5_000), [])
      equal((await store.devices.find(acme, one))?.expiresAt, 5_000)
      await store.sweep(at(5_000 + tombstoneKeeping - 1), 10)
      equal((await store.devices.find(acme, one))?.expiresAt, 5_000)
      await store.sweep(at(5_000 + tombstoneKeeping), 10)
      equal(await store.devices.find(acme, one), null)
    },
  )
}
