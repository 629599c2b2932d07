/** An identity assertion grant for another server: who gets one, for what, and what it says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IdJagRequest, idJagLife, issueIdJag } from '../../src/exchange/id-jag-issuance.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Person } from '../../src/people/person.ts'
import type { ExchangeRule } from '../../src/registration/exchange-policy.ts'
import { accessFacts, at, catalogue, client, grant, issuer, person, refreshFacts } from '../samples.ts'

const there = 'https://other.example'
const now = at(100_000)
const idToken = {
  kind: 'jwt',
  typ: 'jwt',
  claims: { iss: issuer, aud: 'web', sub: 'alice', exp: 600, iat: 50, auth_time: 5 },
  grant: grant(),
} as const

function issue(
  more: Partial<IdJagRequest> = {},
  rule: Partial<ExchangeRule> = {},
  who: Person | null | undefined = person(),
) {
  const exchange: readonly ExchangeRule[] = [
    { audience: there, scopes: ['x', 'y'], as: 'impersonate', ...rule },
    { audience: issuer, as: 'impersonate' },
    { audience: 'https://a.example', as: 'impersonate' },
  ]
  const decision = issueIdJag(
    { audience: there, resources: [], scope: null, subject: idToken, ...more },
    {
      params: {},
      facts: {},
      client: client({ exchange }),
      catalogue: catalogue(),
      issuer,
      policy: defaultPolicy,
      now,
      ...(who === undefined ? {} : { person: who }),
    },
  )
  return decision.do === 'refuse' ? decision.refusal.reason : decision
}

test('ID-JAG §4.3: for an ID token, what the operator wrote down of the other server', () => {
  assert.equal(idJagLife, 300)
  const type = 'urn:ietf:params:oauth:token-type:id-jag'
  assert.deepEqual(issue(), {
    do: 'issue',
    grantId: 'g1',
    subject: 'alice',
    scope: new Set(['x', 'y']),
    resource: null,
    claims: { auth_time: 5, acr: 'pwd', amr: ['pwd'] },
    spend: null,
    refresh: null,
    idToken: null,
    expiresBy: 600_000,
    idJag: { audience: there, clientId: 'web' },
    response: { issued_token_type: type },
    eventData: { issued_token_type: type, exchanged_client: 'web', exchanged_scope: 'offline_access openid' },
  })
})

const issued = (...args: Parameters<typeof issue>) => {
  const decision = issue(...args)
  assert.ok(typeof decision === 'object', JSON.stringify(decision))
  return decision
}

test('ID-JAG §4.3: less than all, for one resource or several, under the name that the client has there', () => {
  assert.deepEqual([...issued({ scope: new Set(['y']) }).scope], ['y'])
  assert.equal(issued({ resources: ['https://one.example'] }).claims['resource'], 'https://one.example')
  assert.deepEqual(issued({ resources: ['https://1.example', 'https://2.example'] }).claims['resource'], [
    'https://1.example',
    'https://2.example',
  ])
  assert.deepEqual(issued({}, { client_id: 'them' }).idJag, { audience: there, clientId: 'them' })
  assert.deepEqual(issued({ audience: `${there}/` }).idJag, { audience: there, clientId: 'web' })
})

test('ID-JAG §3: the address goes along where the person agreed that the client is told', () => {
  const emailed = { ...idToken, grant: grant({ scope: new Set(['openid', 'email']) }) }
  const who = (claims: Person['claims']) => issued({ subject: emailed }, {}, person({ claims })).claims
  const address = 'alice@a.example'
  assert.equal(who({ email: address, email_verified: true })['email_verified'], true)
  assert.deepEqual(who({ email: address })['email'], address)
  assert.equal(who({ email: address })['email_verified'], false)
  assert.equal('email' in who({}), false)
  assert.equal('email' in issued({}, {}, person({ claims: { email: address } })).claims, false)
})

const refresh = refreshFacts(grant())
test('ID-JAG §4.3.3: a refresh token is as good, and not used up', () => {
  const decision = issued({ subject: refresh })
  assert.deepEqual([decision.grantId, decision.expiresBy, decision.spend], ['g1', 10_000_000, null])
})

const refused: readonly (readonly [what: string, more: Partial<IdJagRequest>, reason: string, who?: Person | null])[] =
  [
    ['nothing', { subject: null }, 'subject_token_invalid'],
    [
      'an access token',
      { subject: { kind: 'access', token: accessFacts(), active: true, grant: grant() } },
      'subject_token_invalid',
    ],
    ['a spent refresh token', { subject: { ...refresh, spentAt: at(1) } }, 'subject_token_invalid'],
    ['a refresh token that is over', { subject: { ...refresh, expiresAt: now } }, 'subject_token_invalid'],
    [
      'a refresh token without openid',
      { subject: { ...refresh, scope: new Set(['a:read']) } },
      'subject_token_invalid',
    ],
    ['another client’s refresh token', { subject: refreshFacts(grant({ clientId: 'x' })) }, 'subject_token_invalid'],
    ['a revoked grant’s', { subject: refreshFacts(grant({ revokedAt: at(1) })) }, 'subject_token_invalid'],
    ['a refresh token of somebody who is gone', { subject: refresh }, 'subject_token_invalid', null],
    ['an ID token of somebody who is gone', {}, 'subject_token_invalid', null],
    ['another server', { audience: 'https://third.example' }, 'exchange_not_allowed'],
    ['ourselves', { audience: issuer }, 'exchange_not_allowed'],
    ['an API of ours', { audience: 'https://a.example' }, 'exchange_not_allowed'],
    ['more scope', { scope: new Set(['x', 'z']) }, 'scope_exceeds_exchange'],
  ]
for (const [what, more, reason, who] of refused)
  test(`ID-JAG §4.3.2: ${what} → ${reason}`, () =>
    assert.equal(issue(more, {}, who === undefined ? person() : who), reason))
