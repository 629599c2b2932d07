/** Issuance and revocation of access tokens. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import {
  acme,
  at,
  basisNow,
  change,
  event,
  grant,
  grantId,
  handle,
  issuance,
  jti,
  key,
  opaqueToken,
  opening,
  other,
  refresh,
  revocable,
  tenantWithClient,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function tokenSuite(open: OpenEngine): void {
  storeTest(open, 'an issuance commits its event', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.tokens.issue(issuance(basis)), 'committed')
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'token.issued'])
  })

  storeTest(open, 'an opaque token reads back whole, in its tenant only', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const token = opaqueToken('t')
    equal(await store.tokens.issue(issuance(basis, { opaque: token })), 'committed')
    const { handle: presented, ...facts } = token
    deepEqual(await store.tokens.opaque(acme, presented), facts)
    equal(await store.tokens.opaque(other, presented), null)
    equal(await store.tokens.opaque(acme, handle('unknown')), null)
  })

  storeTest(open, 'a token is of the grant of its own tenant, whatever has that id elsewhere', async ({ store }) => {
    const [here, there] = [await tenantWithClient(store), await tenantWithClient(store, other)]
    await store.grants.open(opening(here, 'g1', { consent: null }))
    await store.grants.open(opening(there, 'g1', { grant: grant('g1', { tenant: other }), consent: null, events: [] }))
    const lastUsed = async (tenant = acme) => (await store.grants.findUsed(tenant, grantId('g1')))?.lastUsedAt
    for (const binding of [null, { jkt: 'key' }]) {
      equal(await store.tokens.issue(issuance(here, { grantId: grantId('g1'), binding })), 'committed')
      deepEqual([await lastUsed(), await lastUsed(other)], [2_000, null])
    }
    await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(3_000), events: [] })
    for (const binding of [null, { jkt: 'key' }])
      equal(await store.tokens.issue(issuance(here, { grantId: grantId('g1'), binding })), 'grant-dead')
    equal(await lastUsed(other), null)
  })

  storeTest(open, 'a proof that was used before gives nothing, and spends nothing', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1', { events: [] }))
    const proof = { handle: handle('proof'), expiresAt: at(9_000) }
    equal(await store.tokens.issue(issuance(basis, { proof })), 'committed')
    const spend = { kind: 'code', handle: handle('code g1') } as const
    const redeemed = { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1'), opaque: opaqueToken('t') }
    equal(await store.tokens.issue(issuance(basis, { ...redeemed, proof })), 'proof-used')
    equal(await store.tokens.opaque(acme, opaqueToken('t').handle), null)
    equal(await store.grants.refresh(acme, handle('refresh r1')), null)
    equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, 1)
    const another = { ...proof, handle: handle('another proof') }
    equal(await store.tokens.issue(issuance(basis, { ...redeemed, proof: another })), 'committed')
  })

  storeTest(open, 'an issuance without a client rests on the tenant alone', async ({ store }) => {
    const { revision } = await tenantWithClient(store)
    equal(await store.tokens.issue(issuance({ tenant: acme, revision, client: null })), 'committed')
    equal(await store.tokens.issue(issuance({ tenant: acme, revision: revision - 1, client: null })), 'stale')
  })

  storeTest(
    open,
    'whatever a decision rested on, a change of it makes the issuance stale and leaves nothing',
    async ({ store }) => {
      let basis = await tenantWithClient(store)
      const stale = async (changed: () => Promise<unknown>): Promise<void> => {
        basis = await basisNow(store)
        await changed()
        equal(await store.tokens.issue(issuance(basis, { opaque: opaqueToken('t') })), 'stale')
        equal(await store.tokens.opaque(acme, opaqueToken('t').handle), null)
      }
      const web = async () => (await store.clients.find(acme, 'web')) ?? Promise.reject(new Error('no client'))
      await stale(() => store.keys.add(key(1, { kid: 'k' }), []))
      await stale(() => store.keys.activate(acme, 'k', at(1), []))
      await stale(() => store.keys.drop(acme, 'k', at(2), []))
      await stale(() => store.keys.forget(acme, ['k'], []))
      await stale(async () => {
        const secret = { handle: handle('n'), createdAt: at(1), expiresAt: null }
        const { version } = await web()
        await store.clients.rotateSecret({
          tenant: acme,
          id: 'web',
          version,
          secret,
          othersExpireAt: at(9),
          at: at(1),
          events: [],
        })
      })
      await stale(async () => {
        const { metadata, version } = await web()
        const disabled = { id: 'web', metadata, version, disabledAt: at(3), secrets: null }
        await store.directory.apply([change({ expected: basis.revision, replaceClients: [disabled] })])
      })
      await stale(() => store.directory.apply([change({ expected: basis.revision, disabledAt: at(4) })]))
      await stale(() => store.clients.remove(acme, 'web', at(5), []))
      equal((await logged(store, acme)).includes('token.issued'), false)
    },
  )

  storeTest(open, 'an issuance that fails halfway leaves nothing, not even its event', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.tokens.issue(issuance(basis, { opaque: opaqueToken('t') }))
    await rejects(store.tokens.issue(issuance(basis, { opaque: opaqueToken('t', { jti: jti('another') }) })))
    equal((await store.tokens.opaque(acme, opaqueToken('t').handle))?.jti, 'jti of t')
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'token.issued'])
  })

  storeTest(open, 'one failing issuance does not touch the others that came with it', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.tokens.issue(issuance(basis, { opaque: opaqueToken('taken') }))
    const names = ['a', 'b', 'taken', 'c', 'd']
    const outcomes = await Promise.allSettled(
      names.map((name) => store.tokens.issue(issuance(basis, { opaque: opaqueToken(name) }))),
    )
    deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, 5)
  })

  storeTest(open, 'a revocation is known until long after the token ended, and happens once', async ({ store }) => {
    await tenantWithClient(store)
    const token = revocable()
    deepEqual(await store.tokens.status(acme, token), { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null })
    const revocation = {
      tenant: acme,
      jti: jti('j1'),
      expiresAt: at(601_000),
      at: at(3_000),
      events: [event('token.revoked')],
    }
    equal(await store.tokens.revoke(revocation), 'revoked')
    equal(await store.tokens.revoke({ ...revocation, at: at(4_000) }), 'already-revoked')
    deepEqual(await store.tokens.status(acme, token), { revokedAt: 3_000, grantRevokedAt: null, sessionEndedAt: null })
    deepEqual(await store.tokens.status(other, token), { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null })
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'token.revoked'])
  })

  storeTest(open, 'a token of a grant stands and falls with it', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const token = revocable({ grantId: grantId('g1') })
    deepEqual(await store.tokens.status(acme, token), { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null })
    await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(5_000), events: [] })
    deepEqual(await store.tokens.status(acme, token), { revokedAt: null, grantRevokedAt: 5_000, sessionEndedAt: null })
    const unknown = await store.tokens.status(acme, revocable({ grantId: grantId('never was') }))
    equal(unknown.grantRevokedAt, 0)
  })

  storeTest(open, 'a code is spent together with what is issued for it, once', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const spend = { kind: 'code', handle: handle('code g1') } as const
    const issue = issuance(basis, {
      grantId: grantId('g1'),
      spend,
      successor: refresh('r1', 'g1'),
      opaque: opaqueToken('t'),
    })
    equal(await store.tokens.issue(issue), 'committed')
    const again = { ...issue, successor: refresh('r2', 'g1'), opaque: opaqueToken('t2') }
    equal(await store.tokens.issue(again), 'already-spent')
    equal((await store.grants.code(acme, spend.handle))?.spentAt, 2_000)
    equal((await store.grants.refresh(acme, handle('refresh r1')))?.spentAt, null)
    equal(await store.grants.refresh(acme, handle('refresh r2')), null)
    equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, 1)
  })

  storeTest(open, 'nothing is issued under a dead grant, and its code stays as it was', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(1_500), events: [] })
    const spend = { kind: 'code', handle: handle('code g1') } as const
    const issue = issuance(basis, { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1') })
    equal(await store.tokens.issue(issue), 'grant-dead')
    equal((await store.grants.code(acme, spend.handle))?.spentAt, null)
    equal(await store.grants.refresh(acme, handle('refresh r1')), null)
    equal(await store.tokens.issue(issuance(basis, { grantId: grantId('never was') })), 'grant-dead')
  })

  storeTest(open, 'a retry is honoured while the one successor is unspent, and not after', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const under = (more: object) => issuance(basis, { grantId: grantId('g1'), ...more })
    const code = { kind: 'code', handle: handle('code g1') } as const
    await store.tokens.issue(under({ spend: code, successor: refresh('r1', 'g1') }))
    const first = { kind: 'refresh', handle: handle('refresh r1') } as const
    const retry = { kind: 'retry', handle: handle('refresh r1'), successor: handle('refresh r2') } as const
    equal(await store.tokens.issue(under({ spend: retry })), 'already-spent')
    equal(await store.tokens.issue(under({ spend: first, successor: refresh('r2', 'g1') })), 'committed')
    equal(await store.tokens.issue(under({ spend: first, successor: refresh('r2x', 'g1') })), 'already-spent')
    equal(await store.tokens.issue(under({ spend: retry })), 'committed')
    equal((await store.grants.refresh(acme, handle('refresh r1')))?.successorSpentAt, null)
    const second = { kind: 'refresh', handle: handle('refresh r2') } as const
    equal(await store.tokens.issue(under({ spend: second, successor: refresh('r3', 'g1') })), 'committed')
    equal(await store.tokens.issue(under({ spend: retry })), 'already-spent')
    equal((await store.grants.refresh(acme, handle('refresh r1')))?.successorSpentAt, 2_000)
  })
}
