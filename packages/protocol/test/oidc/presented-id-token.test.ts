/** An ID token that its client presents: good as long as all of what it rests on is, each to the millisecond. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantOfIdToken, idTokenJti, liveIdToken } from '../../src/oidc/presented-id-token.ts'
import type { Grant } from '../../src/grants/grant.ts'
import type { Person } from '../../src/people/person.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Tenant } from '../../src/oauth/tenant.ts'
import type { JsonObject } from '../../src/types.ts'
import { at, catalogue, client, grant, issuer, person } from '../samples.ts'

const now = at(100_000)
const claims: JsonObject = { iss: issuer, aud: 'web', sub: 'alice', exp: 200, iat: 50, auth_time: 5, jti: 'g1.x' }

interface Change {
  readonly typ?: string | undefined
  readonly claims?: JsonObject
  readonly grant?: Partial<Grant> | null
  readonly client?: Partial<Client>
  readonly tenant?: Partial<Tenant>
  readonly person?: Person | null
  readonly now?: number
}
const live = (change: Change = {}) =>
  liveIdToken(
    {
      typ: 'typ' in change ? change.typ : 'jwt',
      claims: { ...claims, ...change.claims },
      grant: change.grant === null ? null : grant({ sessionEndedAt: null, ...change.grant }),
    },
    {
      client: client({}, { id: 'web', ...change.client }),
      catalogue: catalogue({ tenant: { ...catalogue().tenant, ...change.tenant } }),
      issuer,
      now: at(change.now ?? now),
      person: change.person === undefined ? person() : change.person,
    },
  )

test('RFC 8693 §2.1: a good one is what it says, until it ends', () => {
  const held = live()
  assert.deepEqual([held?.grant.id, held?.expiresAt, held?.claims], ['g1', 200_000, claims])
  assert.notEqual(live({ now: 199_999 }), null)
  assert.equal(live({ now: 200_000 }), null)
})

const withdrawn: readonly (readonly [what: string, change: Change])[] = [
  ['of no type', { typ: undefined }],
  ['an access token', { typ: 'at+jwt' }],
  ['signed userinfo, without a sign-in', { claims: { auth_time: undefined as never } }],
  ['an access token that has the type', { claims: { client_id: 'web' } }],
  ['of another issuer', { claims: { iss: 'https://other.example' } }],
  ['for another client', { claims: { aud: 'other' } }],
  ['for several clients', { claims: { aud: ['web'] } }],
  ['without an end', { claims: { exp: 'never' } }],
  ['without a beginning', { claims: { iat: null } }],
  ['of no grant', { grant: null }],
  ['of a grant of another client', { grant: { clientId: 'other' } }],
  ['about another person', { claims: { sub: 'bob' } }],
  ['about somebody by the name that another client knows', { grant: { pairwiseSubject: 'x' } }],
  ['of a grant that was revoked', { grant: { revokedAt: at(1) } }],
  ['of a grant that is over', { grant: { expiresAt: now } }],
  ['of a person who is disabled', { person: person({ disabledAt: at(1) }) }],
  ['of a person who is gone', { person: null }],
  ['of a session that was ended', { grant: { sessionEndedAt: at(1) } }],
  ['from before its grant ended all tokens', { grant: { tokensDeadUpTo: at(50_000) } }],
  ['from before its client did', { client: { tokensDeadUpTo: at(50_000) } }],
  ['from before its tenant did', { tenant: { tokensDeadUpTo: at(50_000) } }],
]
for (const [what, change] of withdrawn)
  test(`RFC 8693 §2.1: one ${what} is none`, () => assert.equal(live(change), null))

test('what ended all tokens a moment before leaves this one', () => {
  const before = at(49_999)
  assert.notEqual(live({ grant: { tokensDeadUpTo: before } }), null)
  assert.notEqual(live({ client: { tokensDeadUpTo: before } }), null)
  assert.notEqual(live({ tenant: { tokensDeadUpTo: before } }), null)
  assert.notEqual(live({ claims: { iat: 0 }, grant: {} }), null)
  const pairwise = live({ grant: { pairwiseSubject: 'x' }, claims: { sub: 'x' } })
  assert.equal(pairwise?.claims['sub'], 'x')
})

test('its jti begins with the grant that it came with', () => {
  assert.equal(idTokenJti(grant(), 'x'), 'g1.x')
  assert.equal(grantOfIdToken({ jti: 'g1.x' }), 'g1')
  assert.equal(grantOfIdToken({ jti: 'g1.x.y' }), 'g1')
  assert.equal(grantOfIdToken({ jti: 'g1' }), null)
  assert.equal(grantOfIdToken({ jti: 7 }), null)
  assert.equal(grantOfIdToken({}), null)
})
