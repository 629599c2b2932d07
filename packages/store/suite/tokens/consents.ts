/** Consent records. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import {
  acme,
  at,
  authentication,
  basisNow,
  client,
  consent,
  event,
  grant,
  grantId,
  opening,
  tenantWithClient,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function consentSuite(open: OpenEngine): void {
  storeTest(open, 'a consent stands until it expires or is withdrawn; the record stays', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1', { consent: consent('g1', { expiresAt: at(5_000) }) }))
    equal((await store.consents.inForce(acme, 'ada', 'web', at(4_999))).length, 1)
    equal((await store.consents.inForce(acme, 'ada', 'web', at(5_000))).length, 0)
    equal((await store.consents.ofSubject(acme, 'ada', 10)).length, 1)
    deepEqual(await store.consents.inForce(acme, 'bob', 'web', at(1_000)), [])
  })

  storeTest(open, 'a withdrawal ends every consent and grant between the two, and tells of each', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const byBob = {
      grant: grant('b1', { authentication: authentication('bob') }),
      consent: consent('b1', { subject: 'bob' }),
    }
    await store.grants.open(opening(basis, 'g1'))
    await store.grants.open(opening(basis, 'g2'))
    await store.grants.open(opening(basis, 'b1', byBob))
    const withdrawal = {
      tenant: acme,
      subject: 'ada',
      clientId: 'web',
      by: 'ada',
      at: at(9_000),
      event: event('consent.withdrawn'),
      grantEvent: event('grant.revoked', { reason: 'withdrawn' }),
    }
    deepEqual(await store.consents.withdraw(withdrawal), ['g1', 'g2'])
    deepEqual(await store.consents.withdraw(withdrawal), [])
    deepEqual(await store.consents.inForce(acme, 'ada', 'web', at(2_000)), [])
    const records = await store.consents.ofSubject(acme, 'ada', 10)
    deepEqual(
      records.map((it) => [it.revokedAt, it.revokedBy]),
      [
        [9_000, 'ada'],
        [9_000, 'ada'],
      ],
    )
    equal((await store.grants.find(acme, grantId('g2')))?.revokedAt, 9_000)
    equal((await store.grants.find(acme, grantId('b1')))?.revokedAt, null)
    equal((await store.consents.inForce(acme, 'bob', 'web', at(2_000))).length, 1)
    deepEqual((await logged(store, acme)).slice(-3), ['consent.withdrawn', 'grant.revoked', 'grant.revoked'])
    const [one, two] = (await store.events.after(acme, 0, 100)).slice(-2)
    deepEqual([one?.grantId, two?.grantId, one?.reason], ['g1', 'g2', 'withdrawn'])
    notEqual(one?.id, two?.id)
  })

  storeTest(open, 'a grant on a remembered consent opens while that stands, and is stale after', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const [record] = await store.consents.inForce(acme, 'ada', 'web', at(1_000))
    const onRecord = { consent: null, remembered: record?.id ?? '' }
    equal(await store.grants.open(opening(basis, 'g2', onRecord)), 'opened')
    const withdrawal = {
      tenant: acme,
      subject: 'ada',
      clientId: 'web',
      by: 'ada',
      at: at(9_000),
      event: event('consent.withdrawn'),
      grantEvent: event('grant.revoked'),
    }
    deepEqual(await store.consents.withdraw(withdrawal), ['g1', 'g2'])
    const count = (await logged(store, acme)).length
    equal(await store.grants.open(opening(basis, 'g3', onRecord)), 'stale')
    equal(await store.grants.find(acme, grantId('g3')), null)
    equal((await logged(store, acme)).length, count)
  })

  storeTest(
    open,
    'opening on a remembered consent and its withdrawal at once leave no living grant',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      for (let round = 0; round < 20; round++) {
        await store.grants.open(opening(basis, `r${round}`))
        const [record] = await store.consents.inForce(acme, 'ada', 'web', at(1_000))
        const onRecord = { consent: null, remembered: record?.id ?? '' }
        const ids = Array.from({ length: 4 }, (_, i) => `o${round}-${i}`)
        await Promise.all([
          ...ids.slice(0, 2).map((id) => store.grants.open(opening(basis, id, onRecord))),
          store.consents.withdraw({
            tenant: acme,
            subject: 'ada',
            clientId: 'web',
            by: 'ada',
            at: at(9_000),
            event: event('consent.withdrawn'),
            grantEvent: event('grant.revoked'),
          }),
          ...ids.slice(2).map((id) => store.grants.open(opening(basis, id, onRecord))),
        ])
        for (const id of ids) {
          const opened = await store.grants.find(acme, grantId(id))
          equal(opened === null || opened.revokedAt !== null, true, id)
        }
      }
    },
  )

  storeTest(
    open,
    'withdrawing the consent of one app leaves the other apps of the person theirs',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.clients.create(client('app'), [])
      const ofApp = { grant: grant('a1', { clientId: 'app' }), consent: consent('a1', { clientId: 'app' }) }
      await store.grants.open(opening(basis, 'g1'))
      await store.grants.open(opening(await basisNow(store, acme, 'app'), 'a1', ofApp))
      const withdrawn = await store.consents.withdraw({
        tenant: acme,
        subject: 'ada',
        clientId: 'web',
        by: 'ada',
        at: at(9_000),
        event: event('consent.withdrawn'),
        grantEvent: event('grant.revoked'),
      })
      deepEqual(withdrawn, ['g1'])
      equal((await store.grants.find(acme, grantId('a1')))?.revokedAt, null)
      equal((await store.consents.inForce(acme, 'ada', 'app', at(9_001))).length, 1)
      deepEqual(
        (await store.grants.ofSubject(acme, 'ada', { clientId: 'app', limit: 10 })).map(({ id }) => id),
        ['a1'],
      )
    },
  )
}
