/** Grants, codes and refresh tokens. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Grant } from '@grantor/protocol/grants'
import type { UserChange } from '../../src/contract/people/users.ts'
import { race } from '../races.ts'
import {
  acme,
  at,
  authentication,
  basisNow,
  client,
  code,
  consent,
  event,
  grant,
  grantId,
  handle,
  interaction,
  issuance,
  opening,
  other,
  refresh,
  session,
  tenantWithClient,
  user,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function grantSuite(open: OpenEngine): void {
  storeTest(open, 'a grant tells of the end of its own session, however it is found', async ({ store }) => {
    for (const tenant of [other, acme]) {
      const basis = await tenantWithClient(store, tenant)
      for (const id of ['s1', 's2']) await store.sessions.start(session(id, { tenant }), null, [])
      for (const [id, sid, createdAt] of [
        ['g1', 's1', 1_000],
        ['g2', 's2', 1_000],
        ['g3', 's2', 500],
      ] as const) {
        const resting = grant(id, { tenant, authentication: authentication('ada', sid), createdAt: at(createdAt) })
        const opened = opening(basis, id, { grant: resting, consent: null, events: [] })
        equal(await store.grants.open(opened), 'opened')
        // A code that is still open would end with its session.
        await store.grants.failVerifier(tenant, handle(`code ${id}`), 1, at(1_500))
      }
    }
    await store.sessions.end(acme, 's1', at(2_000), [])
    await store.sessions.end(other, 's2', at(2_000), [])
    const seen = (found: readonly (Grant | null)[]) => found.map((it) => `${it?.id} ${it?.sessionEndedAt}`)
    const search = { subject: null, clientId: null, before: null, limit: 9 }
    for (const more of [{}, { subject: 'ada' }, { clientId: 'web' }, { subject: 'ada', clientId: 'web' }]) {
      const found = await store.grants.search(acme, at(2_000), { ...search, ...more })
      deepEqual(seen(found), ['g3 null', 'g2 null', 'g1 2000'], JSON.stringify(more))
    }
    const ofAda = await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 9 })
    deepEqual(seen(ofAda), ['g2 null', 'g1 2000', 'g3 null'], 'the newest first')
    equal((await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 2 })).length, 2)
    deepEqual(await store.grants.ofSubject(acme, 'ada', { clientId: 'app', limit: 9 }), [])
    for (const find of [store.grants.find, store.grants.findUsed])
      deepEqual(seen([await find(acme, grantId('g1')), await find(acme, grantId('g2'))]), ['g1 2000', 'g2 null'])
    await store.grants.revoke({ tenant: acme, id: grantId('g2'), at: at(2_000), events: [] })
    deepEqual(seen(await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 9 })), ['g1 2000', 'g3 null'])
  })

  storeTest(open, 'grant, code and consent come to be together and read back whole', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.grants.open(opening(basis, 'g1')), 'opened')
    deepEqual(await store.grants.find(acme, grantId('g1')), grant('g1'))
    const { handle: presented, ...facts } = code('g1')
    deepEqual(await store.grants.code(acme, presented), { grant: grant('g1'), ...facts, spentAt: null, failures: 0 })
    deepEqual(await store.consents.inForce(acme, 'ada', 'web', at(2_000)), [
      { ...consent('g1'), revokedAt: null, revokedBy: null },
    ])
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'consent.granted'])
  })

  storeTest(
    open,
    'a decision that no client had a part in holds as long as its tenant is what it was',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      const alone = { ...basis, client: null }
      equal(await store.grants.open(opening(alone, 'g1')), 'opened')
      equal(await store.grants.open(opening({ ...alone, revision: alone.revision + 1 }, 'g2')), 'stale')
      equal(await store.grants.find(acme, grantId('g2')), null)
    },
  )

  storeTest(open, 'what may be absent is absent, not empty', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const bare = grant('g1', { claims: null, nonce: null, resources: [], scope: new Set() })
    const plain = code('g1', { challenge: null, redirectUriSent: false })
    equal(await store.grants.open(opening(basis, 'g1', { grant: bare, code: plain, consent: null })), 'opened')
    const facts = await store.grants.code(acme, plain.handle)
    deepEqual([facts?.grant, facts?.challenge, facts?.redirectUriSent], [bare, null, false])
    deepEqual(await store.consents.ofSubject(acme, 'ada', 10), [])
  })

  storeTest(
    open,
    'of 20 that bring one assertion one opens a grant, and a stale basis uses nothing up',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.users.create(user('ada'), [])
      const assertion = { tenant: acme, clientId: 'web', handle: handle('asserted'), expiresAt: at(9_000) }
      const older = { ...basis, revision: basis.revision + 1 }
      equal(await store.grants.openByAssertion({ basis: older, grant: grant('g0'), assertion }), 'stale')
      let n = 0
      const opened = await race(20, () => store.grants.openByAssertion({ basis, grant: grant(`g${++n}`), assertion }))
      deepEqual(opened, { opened: 1, 'already-spent': 19 })
      const held = await Promise.all(Array.from({ length: 21 }, (_, i) => store.grants.find(acme, grantId(`g${i}`))))
      equal(held.filter((it) => it !== null).length, 1)
      equal(await store.grants.openByAssertion({ basis, grant: grant('again'), assertion: null }), 'opened')
    },
  )

  storeTest(
    open,
    'nobody is spoken for who is gone, disabled or ended, and that uses nothing up',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      const assertion = { tenant: acme, clientId: 'web', handle: handle('asserted'), expiresAt: at(9_000) }
      const opened = (id: string) => store.grants.openByAssertion({ basis, grant: grant(id), assertion })
      const alter = async (to: Pick<UserChange, 'disabledAt' | 'deletionDueAt'>) => {
        const { version = 0 } = (await store.users.byId(acme, 'ada')) ?? {}
        equal(
          await store.users.change({ tenant: acme, id: 'ada', version, ...to, at: at(2_000), events: [] }),
          'changed',
        )
      }
      await tenantWithClient(store, other)
      await store.users.create(user('ada', { tenant: other }), [])
      equal(await opened('g1'), 'stale', 'nobody of that name in this tenant')
      await store.users.create(user('ada'), [])
      await alter({ disabledAt: at(2_000) })
      equal(await opened('g2'), 'stale')
      await alter({ disabledAt: null, deletionDueAt: at(9_000) })
      equal(await opened('g3'), 'stale')
      await alter({ deletionDueAt: null })
      equal(await opened('g4'), 'opened')
      const found = await Promise.all(['g1', 'g2', 'g3', 'g4'].map((id) => store.grants.find(acme, grantId(id))))
      deepEqual(
        found.map((it) => it?.id),
        [undefined, undefined, undefined, 'g4'],
      )
    },
  )

  storeTest(open, 'a grant keeps its authorization details, and so does the record of consent', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const details = [{ type: 'pay', amount: { value: '1.00' }, to: ['Zoë'] }, { type: 'other' }]
    const granted = grant('g1', { authorizationDetails: details })
    const record = { ...consent('g1'), authorizationDetails: { details } }
    equal(await store.grants.open(opening(basis, 'g1', { grant: granted, consent: record })), 'opened')
    deepEqual((await store.grants.code(acme, code('g1').handle))?.grant, granted)
    deepEqual(await store.grants.find(acme, grantId('g1')), granted)
    const [kept] = await store.consents.inForce(acme, 'ada', 'web', at(2_000))
    deepEqual(kept?.authorizationDetails, { details })
  })

  storeTest(open, 'an unknown code, refresh token or grant is null, also in another tenant', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    equal(await store.grants.code(acme, handle('nope')), null)
    equal(await store.grants.code(other, handle('code g1')), null)
    equal(await store.grants.refresh(acme, handle('nope')), null)
    equal(await store.grants.find(other, grantId('g1')), null)
  })

  storeTest(open, 'a stale basis opens nothing', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.grants.open(opening({ ...basis, revision: basis.revision + 1 }, 'g1')), 'stale')
    // Its version alone is no client: others have the same.
    const gone = basis.client === null ? null : { ...basis.client, id: 'gone' }
    equal(await store.grants.open(opening({ ...basis, client: gone }, 'g1')), 'stale')
    equal(await store.grants.find(acme, grantId('g1')), null)
    deepEqual(await logged(store, acme), ['admin.tenant_changed'])
  })

  storeTest(open, 'an interaction is answered once', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.interactions.record(interaction('i1'), {})
    const answer = { interaction: interaction('i1', { version: 2 }) }
    equal(await store.grants.open(opening(basis, 'g1', answer)), 'opened')
    equal(await store.grants.open(opening(basis, 'g2', answer)), 'already-closed')
    equal(await store.grants.find(acme, grantId('g2')), null)
    equal((await store.interactions.find(acme, answer.interaction.handle))?.closedAt, 1_000)
  })

  storeTest(open, 'a code burns at the limit of wrong verifiers and not before', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const presented = handle('code g1')
    for (let n = 1; n < 5; n += 1) {
      await store.grants.failVerifier(acme, presented, 5, at(2_000 + n))
      const facts = await store.grants.code(acme, presented)
      deepEqual([facts?.failures, facts?.spentAt], [n, null])
    }
    await store.grants.failVerifier(acme, presented, 5, at(3_000))
    await store.grants.failVerifier(acme, presented, 5, at(4_000))
    const burnt = await store.grants.code(acme, presented)
    deepEqual([burnt?.failures, burnt?.spentAt], [5, 3_000])
    const spend = { kind: 'code', handle: presented } as const
    equal(await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend })), 'already-spent')
  })

  storeTest(open, 'a refresh token reads back whole, and sees its grant die', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const spend = { kind: 'code', handle: handle('code g1') } as const
    await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1') }))
    deepEqual(await store.grants.refresh(acme, handle('refresh r1')), {
      grant: grant('g1'),
      scope: new Set(['openid', 'a:read']),
      expiresAt: 500_000,
      spentAt: null,
      spentFor: null,
      successorSpentAt: null,
      salt: Uint8Array.from([9, 8, 7]),
    })
    const revocation = { tenant: acme, id: grantId('g1'), at: at(9_000), events: [event('grant.revoked')] }
    equal(await store.grants.revoke(revocation), 'revoked')
    equal(await store.grants.revoke(revocation), 'already-revoked')
    equal((await store.grants.refresh(acme, handle('refresh r1')))?.grant.revokedAt, 9_000)
    equal((await logged(store, acme)).filter((name) => name === 'grant.revoked').length, 1)
  })

  storeTest(open, 'living grants of a person are listed newest first, with their last use', async ({ store }) => {
    const basis = await tenantWithClient(store)
    for (const [id, created] of [
      ['g1', 1],
      ['g2', 3],
      ['g3', 2],
    ] as const) {
      await store.grants.open(opening(basis, id, { grant: grant(id, { createdAt: at(created) }) }))
    }
    await store.tokens.issue(issuance(basis, { grantId: grantId('g3'), at: at(7_000) }))
    await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(8_000), events: [] })
    const found = await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 10 })
    deepEqual(
      found.map(({ id, lastUsedAt }) => [id, lastUsedAt]),
      [
        ['g2', null],
        ['g3', 7_000],
      ],
    )
    equal((await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 1 })).length, 1)
    deepEqual(await store.grants.ofSubject(acme, 'bob', { clientId: 'web', limit: 10 }), [])
    const page = { now: at(8_000), after: null, limit: 10 }
    deepEqual(await store.grants.clientsOf(acme, 'ada', page), ['web'], 'once, however many grants')
    deepEqual(await store.grants.clientsOf(acme, 'ada', { ...page, after: 'web' }), [])
    await store.clients.create(client('!first'), [])
    const first = opening(await basisNow(store, acme, '!first'), 'first', { consent: null, events: [] })
    await store.grants.open({ ...first, grant: grant('first', { clientId: '!first' }) })
    deepEqual(await store.grants.clientsOf(acme, 'ada', page), ['!first', 'web'])
    const last = { ...page, now: at(Number.MAX_SAFE_INTEGER) }
    deepEqual(await store.grants.clientsOf(acme, 'ada', last), ['web'], 'what was agreed to outlives the grants')
    deepEqual(await store.grants.clientsOf(acme, 'bob', page), [])
    await store.consents.withdraw({
      tenant: acme,
      subject: 'ada',
      clientId: 'web',
      by: 'ada',
      at: at(8_000),
      event: event('consent.withdrawn'),
      grantEvent: event('grant.revoked'),
    })
    deepEqual(await store.grants.clientsOf(acme, 'ada', page), ['!first'])
    deepEqual(await store.grants.clientsOf(acme, 'ada', last), [])
  })
}
