import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../src/oauth/form.ts'
import { refreshToken } from '../../src/grants/refresh-token.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Grant, RefreshFacts } from '../../src/grants/grant.ts'
import type { Person } from '../../src/people/person.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Handle } from '../../src/types.ts'
import { confirmationOf } from '../../src/grants/retry.ts'
import { refuse } from '../../src/grants/rule.ts'
import type { Possession } from '../../src/oauth/confirmation.ts'
import { at, catalogue, client, grant, issuer, person, refreshFacts, resource } from '../samples.ts'

const a = resource('https://a.example')
const web = (metadata: Partial<ClientMetadata> = {}, id = 'web') =>
  client({ grant_types: ['refresh_token'], scope: 'openid offline_access a:read a:write', ...metadata }, { id })
const day = 86_400_000
const granted = grant({
  scope: new Set(['openid', 'offline_access', 'a:read', 'a:write']),
  resources: [a.identifier],
  nonce: 'n1',
  expiresAt: at(180 * day),
})
const held = refreshFacts(granted, { expiresAt: at(30 * day) })
interface Change {
  readonly body?: Record<string, string>
  readonly held?: Partial<RefreshFacts> | null
  readonly grant?: Partial<Grant>
  readonly client?: Client
  readonly person?: Person | null
  readonly now?: number
  readonly possession?: Possession
}
function run(change: Change) {
  const params = refreshToken.parse(
    formOf(Object.entries({ refresh_token: 'gr_1', ...change.body })),
    (s) => `h:${s}` as Handle,
  )
  if (params.kind === 'error') return refuse(params.error)
  return refreshToken.decide({
    params: params.value,
    facts: {
      refresh: change.held === null ? null : { ...held, grant: { ...granted, ...change.grant }, ...change.held },
    },
    client: change.client ?? web(),
    catalogue: catalogue(),
    issuer,
    policy: defaultPolicy,
    now: at(change.now ?? day),
    person: change.person === undefined ? person() : change.person,
    ...(change.possession === undefined ? {} : { possession: change.possession }),
  })
}
const issued = (change: Change) => {
  const decision = run(change)
  assert.ok(decision.do === 'issue', JSON.stringify(decision))
  return decision
}

test('RFC 6749 §6: a refresh spends the token and orders its one successor, of the same scope', () => {
  assert.deepEqual(run({}), {
    do: 'issue',
    grantId: 'g1',
    subject: 'alice',
    scope: granted.scope,
    resource: a,
    claims: { auth_time: 5, acr: 'pwd', sid: 's1' },
    spend: {
      kind: 'refresh',
      handle: 'h:gr_1',
      spentFor: 'https://a.example a:read a:write offline_access openid',
    },
    refresh: { scope: granted.scope, expiresAt: 31 * day, successorOf: { token: 'gr_1', salt: held.salt } },
    idToken: { grant: granted, nonce: null },
  })
})

test('no successor outlives its grant', () => {
  const decision = issued({ now: 170 * day, held: { expiresAt: at(175 * day) } })
  assert.equal(decision.refresh?.expiresAt, 180 * day)
})

test('RFC 6749 §6: scope narrows this access token, never the refresh token', () => {
  const decision = issued({ body: { scope: 'a:read' } })
  assert.deepEqual(decision.scope, new Set(['a:read']))
  assert.deepEqual(decision.refresh?.scope, granted.scope)
  assert.equal(decision.idToken, null)
})

test('what the client is no longer registered for is not issued, and cannot be asked for', () => {
  const narrower = web({ scope: 'openid a:read' })
  assert.deepEqual(issued({ client: narrower }).scope, new Set(['openid', 'a:read']))
  const asked = run({ client: narrower, body: { scope: 'a:write' } })
  assert.ok('do' in asked && asked.do === 'refuse' && asked.refusal.reason === 'scope_exceeds_client')
})

const spentAt = at(day)
for (const [title, change] of [
  ['at once', { now: day }],
  ['at the end of the window', { now: day + 60_000 }],
] as const)
  test(`the spent token presented again ${title} yields the same successor`, () => {
    const decision = issued({ ...change, held: { spentAt } })
    assert.equal(decision.spend?.kind, 'retry')
    assert.deepEqual(decision.refresh?.successorOf, { token: 'gr_1', salt: held.salt })
  })

const app = web({ token_endpoint_auth_method: 'none' })
const proves = (jkt: string): Possession => ({ jkt, certificate: null })

test('RFC 9449 §5: a token that is bound to nothing and gets a successor that is says so, and is itself bound to nothing', () => {
  const spentFor = (change: Change): string => {
    const { spend } = issued(change)
    assert.ok(spend?.kind === 'refresh')
    return spend.spentFor
  }
  const grantOf = (jkt: string) => ({ confirmation: { jkt } })
  const begun = spentFor({ client: app, possession: proves('k') })
  assert.deepEqual(confirmationOf(grantOf('k'), begun), null)
  for (const change of [
    { client: app },
    { client: app, grant: grantOf('k'), possession: proves('k') },
    { possession: proves('k') },
  ])
    assert.deepEqual(confirmationOf(grantOf('k'), spentFor(change)), { jkt: 'k' })
  assert.deepEqual(confirmationOf(grantOf('k'), null), { jkt: 'k' })
  const retried = issued({
    client: app,
    grant: grantOf('k'),
    possession: proves('k'),
    held: { spentAt, spentFor: begun },
  })
  assert.equal(retried.spend?.kind, 'retry')
})

for (const [title, change] of [
  ['no key any more', { grant: { confirmation: { jkt: 'k' } } }],
  ['another key', { grant: { confirmation: { jkt: 'k' } }, possession: proves('other') }],
  ['a key for the first time', { possession: proves('k') }],
] as const)
  test(`RFC 9700 §4.14.2: a public client that presents a spent token again with ${title} ends the grant`, () => {
    const decision = run({ client: app, held: { spentAt }, ...change })
    assert.ok(decision.do === 'refuse')
    assert.deepEqual([decision.refusal.reason, decision.revoke], ['refresh_replayed', 'g1'])
  })

test('RFC 9449 §5: a client that authenticates retries with whatever key it has by then', () => {
  const change = { held: { spentAt }, grant: { confirmation: { jkt: 'k' } } }
  for (const possession of [proves('k'), proves('other'), { jkt: null, certificate: null }])
    assert.equal(issued({ ...change, possession }).spend?.kind, 'retry')
})

const refused: readonly (readonly [title: string, change: Change, reason: string, revoke?: string])[] = [
  ['RFC 6749 §5.2: an unknown token', { held: null }, 'refresh_unknown'],
  [
    'RFC 6749 §10.4: a token of another client, which cannot end the grant',
    { client: web({}, 'other') },
    'refresh_of_another_client',
  ],
  [
    'RFC 9700 §4.14.2: a spent token shown by another client ends nothing',
    { client: web({}, 'other'), held: { spentAt: at(1) } },
    'refresh_of_another_client',
  ],
  [
    'RFC 9700 §4.14.2: reuse after the window ends the grant',
    { held: { spentAt }, now: day + 60_001 },
    'refresh_replayed',
    'g1',
  ],
  [
    'reuse after the successor was used ends the grant',
    { held: { spentAt, successorSpentAt: at(day + 1) }, now: day + 2 },
    'refresh_replayed',
    'g1',
  ],
  [
    'RFC 9700 §4.14.2: reuse is known as such after expiry',
    { held: { spentAt, expiresAt: at(day) }, now: 5 * day },
    'refresh_replayed',
    'g1',
  ],
  ['a token expires at its very instant', { now: 30 * day }, 'refresh_expired'],
  [
    'nothing is issued after the end of the grant',
    { now: 180 * day, held: { expiresAt: at(200 * day) } },
    'grant_ended',
  ],
  ['a revoked grant stays dead, also for a retry', { grant: { revokedAt: at(1) }, held: { spentAt } }, 'grant_ended'],
  [
    'a revoked grant does not die twice',
    { grant: { revokedAt: at(1) }, held: { spentAt }, now: 2 * day },
    'grant_ended',
  ],
  ['RFC 6749 §6: scope never widens', { body: { scope: 'a:read b:read' } }, 'scope_exceeds_grant'],
  [
    'RFC 6749 §6: scope never widens beyond the token, even within the grant',
    { body: { scope: 'a:write' }, held: { scope: new Set(['a:read']) } },
    'scope_exceeds_grant',
  ],
  ['RFC 6749 §6: a malformed scope', { body: { scope: ' ' } }, 'scope_malformed'],
  [
    'RFC 8707 §2.2: a resource outside the grant',
    { body: { resource: 'https://b.example' } },
    'resource_outside_grant',
  ],
  ['a disabled person', { person: person({ disabledAt: at(1) }) }, 'subject_gone'],
  ['a person nobody loaded', { person: null }, 'subject_gone'],
]
for (const [title, change, reason, revoke] of refused)
  test(`${title} → ${reason}`, () => {
    const decision = run(change)
    assert.ok(decision.do === 'refuse')
    assert.deepEqual([decision.refusal.reason, decision.revoke], [reason, revoke ?? null])
  })

test('RFC 6749 §6: refresh_token is required', () => {
  assert.deepEqual(run({ body: { refresh_token: '' } }), refuse({ reason: 'parameter_missing', name: 'refresh_token' }))
})

test('FAPI 2.0 §5.3.2.1: the refresh token of a client with a profile is not rotated, and ends as others do', () => {
  const strong = web({ profile: 'fapi2-security' })
  const { spend, refresh, scope } = issued({ client: strong })
  assert.deepEqual([spend, refresh], [null, null])
  assert.deepEqual([...scope].toSorted(), ['a:read', 'a:write', 'offline_access', 'openid'])
  const expired = run({ client: strong, now: 31 * day })
  assert.ok(expired.do === 'refuse' && expired.refusal.reason === 'refresh_expired')
  const ended = run({ client: strong, grant: { revokedAt: at(5) } })
  assert.ok(ended.do === 'refuse' && ended.refusal.reason === 'grant_ended')
  const wider = run({ client: strong, body: { scope: 'b:read' } })
  assert.ok(wider.do === 'refuse' && wider.refusal.reason === 'scope_exceeds_grant')
  // Spent while the client still rotated: shown again it is a replay, profile or not.
  const replayed = run({ client: strong, held: { spentAt: at(0) } })
  assert.ok(replayed.do === 'refuse' && replayed.refusal.reason === 'refresh_replayed' && replayed.revoke !== null)
})
