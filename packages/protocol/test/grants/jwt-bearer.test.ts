/** What a trusted issuer says becomes a token: of a workload's client, or of a person by an ID-JAG. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ForeignToken } from '../../src/grants/grant.ts'
import { jwtBearer } from '../../src/grants/jwt-bearer.ts'
import type { IssueDecision } from '../../src/grants/rule.ts'
import { formOf } from '../../src/oauth/form.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Handle, JsonObject } from '../../src/types.ts'
import { at, catalogue, client, issuer, person, resource, scopeEntry } from '../samples.ts'

const [a, b] = ['https://a.example', 'https://b.example']
const now = at(1_000_000)
const metadata = { grant_types: [jwtBearer.type], scope: 'openid a:read a:write b:read' }
const workload = client(metadata, { id: 'workload' })

type Assertion = Extract<ForeignToken, { kind: 'foreign' }>
const foreign = (more: Partial<Assertion> = {}): Assertion => ({
  kind: 'foreign',
  issuer: 'https://ci.example',
  subject: 'repo',
  idJag: false,
  claims: {},
  id: 'j1',
  singleUse: true,
  expiresAt: at(1_600_000),
  client: workload,
  person: null,
  ...more,
})
const idJag = (claims: JsonObject = {}, more: Partial<Assertion> = {}): Assertion =>
  foreign({
    idJag: true,
    client: null,
    person: person(),
    claims: { client_id: 'workload', iat: 900, auth_time: 800, scope: 'a:read', ...claims },
    ...more,
  })

interface Case {
  readonly assertion?: ForeignToken | null
  readonly form?: Record<string, string>
  readonly of?: Partial<ClientMetadata>
  readonly id?: string
  readonly jkt?: string
}
function decide({ assertion = foreign(), form = {}, of = {}, id = 'workload', jkt }: Case = {}) {
  const params = jwtBearer.parse(formOf(Object.entries({ assertion: 'x', ...form })), (text) => text as Handle)
  if (params.kind === 'error') return params.error.reason
  const decision = jwtBearer.decide({
    params: params.value,
    facts: { assertion },
    client: client({ ...metadata, ...of }, { id }),
    catalogue: catalogue({
      resources: [{ ...resource(a), accessTtl: 60 }, resource(b)],
      scopes: [scopeEntry('a:read', a), scopeEntry('a:write', a, 'optional'), scopeEntry('b:read', b)],
    }),
    issuer,
    policy: defaultPolicy,
    now,
    person: null,
    ...(jkt === undefined ? {} : { possession: { jkt, certificate: null } }),
  })
  return decision.do === 'refuse' ? decision.refusal.reason : decision
}
function issued(it: Case): IssueDecision {
  const decision = decide(it)
  assert.ok(typeof decision === 'object', JSON.stringify(decision))
  return decision
}

test('RFC 7523 §2.1: an assertion is required, and looked up as it came', () => {
  const parsed = jwtBearer.parse(formOf([]), (text) => text as Handle)
  assert.deepEqual(parsed, { kind: 'error', error: { reason: 'parameter_missing', name: 'assertion' } })
  assert.equal(decide({ form: { resource: 'no URI' } }), 'resource_malformed')
  assert.deepEqual(jwtBearer.lookups({ assertion: 'x' } as never), { assertion: { find: 'foreign', by: 'x' } })
})

test('RFC 7521 §4.1: a workload gets a token of its client, which does not outlive the assertion', () => {
  const { subject, expiresBy, refresh, idToken, grantId, spend, assertion, eventData, claims, scope } = issued({
    form: { scope: 'a:read' },
  })
  assert.deepEqual([subject, expiresBy, [...scope]], ['workload', 1_600_000, ['a:read']])
  assert.deepEqual([refresh, idToken, grantId, spend, claims], [null, null, null, null, {}])
  assert.deepEqual(assertion, { id: 'https://ci.example j1', expiresAt: 1_600_000 })
  assert.deepEqual(eventData, {
    assertion_issuer: 'https://ci.example',
    assertion_subject: 'repo',
    assertion_jti: 'j1',
  })
})

test('RFC 7523 §3: what is not taken once, or says no name, is not remembered', () => {
  const form = { scope: 'a:read' }
  assert.equal('assertion' in issued({ form, assertion: foreign({ singleUse: false }) }), false)
  const nameless = issued({ form, assertion: foreign({ id: null }) })
  assert.equal('assertion' in nameless, false)
  assert.deepEqual(nameless.eventData, { assertion_issuer: 'https://ci.example', assertion_subject: 'repo' })
})

const refusedWorkloads: readonly (readonly [what: string, it: Case, reason: string])[] = [
  ['nothing is known of', { assertion: null }, 'assertion_invalid'],
  ['is refused', { assertion: { kind: 'refused', problem: 'x' } }, 'assertion_invalid'],
  ['cannot be checked now', { assertion: { kind: 'unavailable' } }, 'issuer_unavailable'],
  ['is of another client', { id: 'other' }, 'assertion_invalid'],
  ['is of no client', { assertion: foreign({ client: null }) }, 'assertion_invalid'],
  ['ends too soon', { assertion: foreign({ expiresAt: at(1_001_999) }) }, 'assertion_invalid'],
  [
    'is bound to a key that nobody proves',
    { assertion: foreign({ claims: { cnf: { jkt: 'k' } } }) },
    'assertion_invalid',
  ],
  ['is bound to another key', { assertion: foreign({ claims: { cnf: { jkt: 'k' } } }), jkt: 'l' }, 'assertion_invalid'],
  [
    'is bound to what cannot be proven here',
    { assertion: foreign({ claims: { cnf: { kid: 'k' } } }), jkt: 'k' },
    'assertion_invalid',
  ],
  ['asks for too much', { form: { scope: 'c:read' } }, 'scope_unknown'],
]
for (const [what, it, reason] of refusedWorkloads)
  test(`RFC 7523 §3: what ${what} → ${reason}`, () => assert.equal(decide(it), reason))
test('RFC 7800 §3.1: a workload that proves the key of its token has the use of it', () => {
  const bound = foreign({ claims: { cnf: { jkt: 'k' } } })
  assert.equal(typeof decide({ form: { scope: 'a:read' }, assertion: bound, jkt: 'k' }), 'object')
})

test('RFC 7521 §4.1: one that ends in two seconds is still good', () => {
  assert.equal(typeof decide({ form: { scope: 'a:read' }, assertion: foreign({ expiresAt: at(1_002_000) }) }), 'object')
})

test('ID-JAG §4.4: a person’s grant becomes a token of that person, and stands in for a refresh token', () => {
  const decision = issued({ assertion: idJag() })
  const { subject, resource: target, claims, assertion, opens, eventData, refresh, grantId } = decision
  assert.deepEqual(
    [subject, target?.identifier, [...decision.scope], refresh, grantId],
    ['alice', a, ['a:read'], null, null],
  )
  assert.deepEqual(claims, { auth_time: 800 })
  assert.deepEqual(assertion, { id: 'https://ci.example j1', expiresAt: 1_600_000 })
  // The token of that resource lives for a minute, the grant a minute longer.
  assert.deepEqual([opens?.person.id, opens?.signedInAt, opens?.expiresAt], ['alice', 800_000, 1_120_000])
  assert.equal(eventData?.['assertion_jti'], 'j1')
  assert.equal(issued({ assertion: idJag({ scope: 'b:read' }) }).opens?.expiresAt, 1_000_000 + 600_000 + 60_000)
})

test('ID-JAG §4.4: when the person signed in is never later than now, and when it was made where nothing else is said', () => {
  const signedIn = (claims: JsonObject) => issued({ assertion: idJag(claims) }).opens?.signedInAt
  assert.equal(signedIn({ auth_time: 1_500 }), 1_000_000)
  assert.equal(signedIn({ auth_time: undefined as never }), 900_000)
  assert.equal(signedIn({ auth_time: 'yesterday' }), 1_000_000)
  assert.equal(signedIn({ auth_time: 800.123_456 }), 800_123)
  assert.equal(signedIn({ auth_time: -1e300 }), 0)
})

const refusedGrants: readonly (readonly [what: string, it: Case, reason: string])[] = [
  ['a public client', { assertion: idJag(), of: { token_endpoint_auth_method: 'none' } }, 'grant_type_not_allowed'],
  ['another client', { assertion: idJag({ client_id: 'other' }) }, 'assertion_invalid'],
  ['no identifier', { assertion: idJag({}, { id: null }) }, 'assertion_invalid'],
  ['no beginning', { assertion: idJag({ iat: 'x' }) }, 'assertion_invalid'],
  ['nobody', { assertion: idJag({}, { person: null }) }, 'assertion_invalid'],
  ['somebody disabled', { assertion: idJag({}, { person: person({ disabledAt: at(1) }) }) }, 'assertion_invalid'],
  ['another tenant', { assertion: idJag({ aud_tenant: 'acme' }) }, 'assertion_invalid'],
  ['a key that nobody proves', { assertion: idJag({ cnf: { jkt: 'k' } }) }, 'assertion_invalid'],
  ['another key', { assertion: idJag({ cnf: { jkt: 'k' } }), jkt: 'other' }, 'assertion_invalid'],
  ['a key that cannot be proven here', { assertion: idJag({ cnf: { kid: 'k' } }), jkt: 'k' }, 'assertion_invalid'],
  ['two keys', { assertion: idJag({ cnf: { jkt: 'k', kid: 'k' } }), jkt: 'k' }, 'assertion_invalid'],
  ['a key that is no object', { assertion: idJag({ cnf: 'k' }), jkt: 'k' }, 'assertion_invalid'],
  ['a scope that is no text', { assertion: idJag({ scope: 7 }) }, 'scope_missing'],
  ['an empty scope', { assertion: idJag({ scope: '' }) }, 'scope_missing'],
  ['a scope that cannot be read', { assertion: idJag({ scope: 'read  write' }) }, 'scope_missing'],
  ['no scope of ours', { assertion: idJag({ scope: 'openid theirs' }) }, 'scope_missing'],
  [
    'a scope that the client has not',
    { assertion: idJag({ scope: 'a:read' }), of: { scope: 'b:read' } },
    'scope_missing',
  ],
  ['less than is asked for', { assertion: idJag(), form: { scope: 'a:read a:write' } }, 'scope_exceeds_grant'],
  ['a resource that is none', { assertion: idJag({ resource: 'https://c.example' }) }, 'resource_unknown'],
  ['two resources', { assertion: idJag({ resource: [a, b] }) }, 'resource_ambiguous'],
  [
    'a resource that is no text',
    { assertion: idJag({ resource: [a, 7] }), form: { resource: a } },
    'resource_ambiguous',
  ],
  ['another resource', { assertion: idJag({ resource: a }), form: { resource: b } }, 'resource_outside_grant'],
]
for (const [what, it, reason] of refusedGrants)
  test(`ID-JAG §4.4.1: for ${what} → ${reason}`, () => assert.equal(decide(it), reason))

test('ID-JAG §4.4.1: what the grant, the client and the request allow, all three', () => {
  const scopeOf = (it: Case) => [...issued(it).scope].toSorted()
  const wide = { scope: 'a:read a:write openid theirs' }
  assert.deepEqual(scopeOf({ assertion: idJag(wide) }), ['a:read', 'a:write'])
  assert.deepEqual(scopeOf({ assertion: idJag(wide), form: { scope: 'a:write' } }), ['a:write'])
  assert.deepEqual(scopeOf({ assertion: idJag({ ...wide, aud_tenant: 'default' }) }), ['a:read', 'a:write'])
  assert.deepEqual(scopeOf({ assertion: idJag({ cnf: { jkt: 'k' } }), jkt: 'k' }), ['a:read'])
  const both = idJag({ scope: 'a:read b:read', resource: [a, b] })
  assert.deepEqual(scopeOf({ assertion: both, form: { resource: b } }), ['b:read'])
  assert.deepEqual(scopeOf({ assertion: idJag({ scope: 'a:read b:read', resource: b }) }), ['b:read'])
  assert.equal(issued({ assertion: idJag({ scope: 'a:read b:read', resource: b }) }).resource?.identifier, b)
  assert.deepEqual(scopeOf({ assertion: idJag({ scope: undefined as never, resource: a }) }), ['a:read', 'a:write'])
})

test('an assertion that names no scope stands for what the client has at the API it names, else at its usual one', () => {
  const scopes = (claims: JsonObject, of: Partial<ClientMetadata> = {}) => [
    ...issued({ assertion: idJag({ scope: undefined as never, ...claims }), of }).scope,
  ]
  assert.deepEqual(scopes({ resource: a }), ['a:read', 'a:write'])
  assert.deepEqual(scopes({ resource: b }), ['b:read'])
  assert.deepEqual(scopes({ resource: a }, { default_resource: b }), ['a:read', 'a:write'])
  assert.deepEqual(scopes({}, { default_resource: b }), ['b:read'])
  assert.equal(decide({ assertion: idJag({ scope: 7 }) }), 'scope_missing')
})

test('RFC 9396 §5: an identity assertion grants no authorization details, and whoever asks for some is told so', () => {
  const form = { authorization_details: '[{"type":"payment"}]' }
  assert.equal(decide({ assertion: idJag(), form }), 'details_exceed_grant')
})
