/** Cutoffs: what an event tells validators is what the store answers about a token, from the same commit on. */
import { equal } from 'node:assert/strict'
import { tombstoneKeeping } from '../../src/verbs/sweep.ts'
import { acme, at, event, grantId, jti, other, revocable, tenantWithClient } from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'

const ends = {
  client: event('client.updated', { clientId: 'web', at: at(5_000), data: { cutoff: true } }),
  subject: event('admin.user_changed', { subject: 'ada', at: at(5_000), data: { cutoff: true } }),
  session: event('session.ended', { subject: 'ada', at: at(5_000), data: { sid: 's1' } }),
  grant: event('token.revoked', { grantId: grantId('g1'), jti: null, at: at(5_000) }),
  tenant: event('admin.tenant_changed', { at: at(5_000), data: { cutoff: true } }),
  issuer: event('admin.restored', { at: at(5_000) }),
}

/** Which token of the same second each of them hits, and what is like it but stays. */
const hit = {
  client: [revocable({ clientId: 'web' }), revocable({ clientId: 'ada', subject: 'web', grantId: grantId('g1') })],
  subject: [revocable({ subject: 'ada' }), revocable({ subject: 'web', clientId: 'ada' })],
  session: [revocable({ sessionId: 's1' }), revocable({ sessionId: 's2', subject: 's1' })],
  grant: [revocable({ grantId: grantId('g1') }), revocable({ sessionId: 'g1' })],
  tenant: [revocable(), null],
  issuer: [revocable(), null],
} as const

export function cutoffSuite(open: OpenEngine): void {
  for (const dimension of Object.keys(ends) as (keyof typeof ends)[]) {
    storeTest(
      open,
      `a token up to the second of the end of its ${dimension} is dead, a later one is not`,
      async (it) => {
        const { store } = it
        await tenantWithClient(store)
        const [token, spared] = hit[dimension]
        const revokedAt = async (issuedAt: number, tenant = acme, of = token) =>
          (await store.tokens.status(tenant, { ...of, issuedAt: at(issuedAt) })).revokedAt
        equal(await revokedAt(5_000), null)
        await store.events.append([ends[dimension]])
        equal(await revokedAt(5_000), 5_000)
        equal(await revokedAt(1_000), 5_000)
        // What is over gives its name to nothing that comes later; a client, a person, a tenant goes on.
        equal(await revokedAt(6_000), dimension === 'session' ? 5_000 : null)
        equal(await revokedAt(5_000, other), dimension === 'issuer' ? 5_000 : null)
        if (spared !== null) equal(await revokedAt(5_000, acme, spared), null)
      },
    )
  }

  storeTest(open, 'a token without a grant ends with the client that it speaks for, too', async ({ store }) => {
    await tenantWithClient(store)
    await store.events.append([ends.client])
    const exchanged = revocable({ clientId: 'ada', subject: 'web', grantId: null, issuedAt: at(5_000) })
    equal((await store.tokens.status(acme, exchanged)).revokedAt, 5_000)
    equal((await store.tokens.status(acme, { ...exchanged, issuedAt: at(6_000) })).revokedAt, null)
  })

  storeTest(open, 'an earlier end takes nothing back from a later one', async ({ store }) => {
    await tenantWithClient(store)
    await store.events.append([ends.client])
    await store.events.append([event('client.updated', { clientId: 'web', at: at(3_000), data: { cutoff: true } })])
    equal((await store.tokens.status(acme, revocable({ issuedAt: at(5_000) }))).revokedAt, 3_000)
    equal((await store.tokens.status(acme, revocable({ issuedAt: at(6_000) }))).revokedAt, null)
  })

  storeTest(open, 'a change that takes nothing away ends no token', async ({ store }) => {
    await tenantWithClient(store)
    await store.events.append([
      event('client.updated', { clientId: 'web', at: at(5_000), data: { cutoff: false } }),
      event('token.revoked', { jti: jti('another'), at: at(5_000) }),
    ])
    equal((await store.tokens.status(acme, revocable())).revokedAt, null)
  })

  storeTest(open, 'a cutoff is forgotten when no token can live that it kills', async ({ store }) => {
    await tenantWithClient(store)
    await store.events.append([ends.client])
    const longest = 2 * 86_400_000
    equal(await store.sweep(at(5_000 + longest + tombstoneKeeping - 1), 10), 0)
    equal(await store.sweep(at(5_000 + longest + tombstoneKeeping), 10), 1)
  })
}
