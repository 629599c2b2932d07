/** Token exchange: what becomes of a token, who is named as acting, and everything that is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TokenFacts } from '../../src/grants/grant.ts'
import type { IssueDecision } from '../../src/grants/rule.ts'
import { tokenExchange } from '../../src/grants/token-exchange.ts'
import type { AccessTokenFacts } from '../../src/oauth/access-token.ts'
import { noPossession, type Possession } from '../../src/oauth/confirmation.ts'
import { formOf } from '../../src/oauth/form.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Resource } from '../../src/oauth/tenant.ts'
import type { ExchangeRule } from '../../src/registration/exchange-policy.ts'
import type { GrantId, Handle, JsonObject, TokenId } from '../../src/types.ts'
import { at, catalogue, client, grant, issuer, person, resource } from '../samples.ts'

const [a, b] = ['https://a.example', 'https://b.example']
const accessType = 'urn:ietf:params:oauth:token-type:access_token'

const token = (more: Partial<AccessTokenFacts> = {}): AccessTokenFacts => ({
  jti: 't1' as TokenId,
  clientId: 'web',
  subject: 'alice',
  grantId: 'g1' as GrantId,
  audience: a,
  scope: new Set(['a:read', 'a:write', 'openid']),
  issuedAt: at(0),
  expiresAt: at(600_000),
  claims: { auth_time: 5, acr: 'pwd', sid: 's1', note: 'not copied' },
  ...more,
})
const facts = (more: Partial<AccessTokenFacts> = {}, active = true): TokenFacts => ({
  kind: 'access',
  token: token(more),
  active,
  grant: more.grantId === null ? null : grant(),
})

interface Case {
  readonly form?: Record<string, string>
  readonly subject?: TokenFacts | null
  readonly actor?: TokenFacts | null
  readonly rules?: readonly ExchangeRule[]
  readonly method?: string
  readonly administrator?: 'owner'
  readonly resources?: readonly Resource[]
  readonly possession?: Partial<Possession>
  /** Registered for tokens that are bound to its certificate. */
  readonly certified?: boolean
}

const both: readonly ExchangeRule[] = [
  { audience: a, as: 'delegate' },
  { audience: b, scopes: ['b:read'], as: 'impersonate' },
]

function decide({ form = {}, subject = facts(), actor = null, rules = both, ...it }: Case) {
  const { method, administrator, resources, possession, certified } = it
  const pairs = { subject_token: 'subject', subject_token_type: accessType, ...form }
  const params = tokenExchange.parse(formOf(Object.entries(pairs)), (text) => text as Handle)
  if (params.kind === 'error') return params.error.reason
  const metadata = {
    grant_types: [tokenExchange.type],
    exchange: rules,
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
    ...(certified === undefined ? {} : { tls_client_certificate_bound_access_tokens: certified }),
  }
  const decision = tokenExchange.decide({
    params: params.value,
    facts: { subject, actor },
    client: client(metadata, { id: 'backend' }),
    catalogue: catalogue(resources === undefined ? {} : { resources }),
    issuer,
    policy: defaultPolicy,
    now: at(0),
    person: person(administrator === undefined ? {} : { administrator }),
    possession: { ...noPossession, ...possession },
  })
  return decision.do === 'refuse' ? decision.refusal.reason : decision
}

function issued(it: Case): IssueDecision {
  const decision = decide(it)
  assert.ok(typeof decision === 'object', JSON.stringify(decision))
  return decision
}

test('RFC 8693 §2.2.1: a token for the next API hangs on the grant of the first, ends with it and is never refreshed', () => {
  const { grantId, subject, scope, resource, expiresBy, refresh, idToken, response } = issued({
    form: { resource: b },
  })
  assert.deepEqual([grantId, subject, [...scope], resource?.identifier], ['g1', 'alice', ['b:read'], b])
  assert.deepEqual([expiresBy, refresh, idToken], [600_000, null, null])
  assert.deepEqual(response, { issued_token_type: accessType })
})

test('RFC 8693 §1.1: a delegate is named in act, whoever impersonates is not; when and how the person signed in stays', () => {
  assert.deepEqual(issued({}).claims, { auth_time: 5, acr: 'pwd', sid: 's1', act: { sub: 'backend' } })
  assert.deepEqual(issued({ form: { audience: b } }).claims, { auth_time: 5, acr: 'pwd', sid: 's1' })
})

test('RFC 8693 §4.1: who acted before stands inside who acts now, four deep and no deeper', () => {
  let act: JsonObject = { sub: 'one' }
  assert.deepEqual(issued({ subject: facts({ claims: { act } }) }).claims['act'], { sub: 'backend', act })
  assert.deepEqual(issued({ subject: facts({ claims: { act } }), form: { resource: b } }).claims['act'], act)
  for (const sub of ['two', 'three']) act = { sub, act }
  assert.deepEqual(issued({ subject: facts({ claims: { act } }) }).claims['act'], { sub: 'backend', act })
  const four = { sub: 'four', act }
  assert.equal(decide({ subject: facts({ claims: { act: four } }) }), 'actors_too_many')
  // Whoever impersonates adds nobody: as many as there may be stay, and no more are handed on.
  const handedOn = (chain: JsonObject) => ({ subject: facts({ claims: { act: chain } }), form: { resource: b } })
  assert.deepEqual(issued(handedOn(four)).claims['act'], four)
  assert.equal(decide(handedOn({ sub: 'five', act: four })), 'actors_too_many')
})

test('RFC 8693 §2.1: an actor with a token of its own is named instead of the client', () => {
  const form = { actor_token: 'actor', actor_token_type: accessType }
  const actor = facts({ subject: 'robot', clientId: 'robot', grantId: null })
  assert.deepEqual(issued({ form, actor }).claims['act'], { sub: 'robot' })
  assert.equal(decide({ form, actor: null }), 'actor_token_invalid')
  assert.equal(decide({ form, actor: facts({}, false) }), 'actor_token_invalid')
  assert.equal(decide({ form: { ...form, resource: b }, actor }), 'actor_not_allowed')
})

test('RFC 8693 §2.1: both tokens are looked for, the actor’s only where there is one', () => {
  const lookups = (form: Record<string, string>) => {
    const pairs = { subject_token: 'one', subject_token_type: accessType, ...form }
    const params = tokenExchange.parse(formOf(Object.entries(pairs)), (text) => text as Handle)
    assert.ok(params.kind === 'ok')
    return tokenExchange.lookups(params.value)
  }
  assert.deepEqual(lookups({}), { subject: { find: 'token', by: 'one' }, actor: null })
  assert.deepEqual(lookups({ actor_token: 'two', actor_token_type: accessType }), {
    subject: { find: 'token', by: 'one' },
    actor: { find: 'token', by: 'two' },
  })
})

test('RFC 8693 §3: a JWT may be asked for by name, where the API takes JWTs', () => {
  const jwt = 'urn:ietf:params:oauth:token-type:jwt'
  const form = { requested_token_type: jwt, resource: b }
  assert.deepEqual(issued({ form }).response, { issued_token_type: jwt })
  const opaque = [resource(a), { ...resource(b), tokenFormat: 'opaque' as const }]
  assert.equal(decide({ form, resources: opaque }), 'token_type_not_exchanged')
  assert.equal(typeof decide({ form: { resource: b }, resources: opaque }), 'object')
})

test('RFC 8693 §4.4: where a token says who may act, nobody else does', () => {
  const rows: readonly [unknown, boolean][] = [
    [{ sub: 'backend' }, true],
    [{ client_id: 'backend', iss: issuer }, true],
    [{ sub: 'other' }, false],
    [{ sub: 'backend', iss: 'https://elsewhere.example' }, false],
    [{}, false],
    ['backend', false],
    [{ sub: 'backend', email: 'a@b.example' }, false],
  ]
  for (const [may, allowed] of rows) {
    const decision = decide({ subject: facts({ claims: { may_act: may as JsonObject } }) })
    assert.equal(typeof decision === 'object', allowed, JSON.stringify(may))
    if (!allowed) assert.equal(decision, 'actor_not_allowed')
  }
})

const refused: readonly [string, Case, string][] = [
  ['no subject token', { form: { subject_token: '' } }, 'parameter_missing'],
  ['one that is unknown, of another tenant, or a refresh token', { subject: null }, 'subject_token_invalid'],
  ['one that expired or was revoked', { subject: facts({}, false) }, 'subject_token_invalid'],
  ['one that ends now', { subject: facts({ expiresAt: at(1999) }) }, 'subject_token_invalid'],
  ['one that is bound, by who shows no key', { subject: facts({ claims: { cnf: { jkt: 'k' } } }) }, 'proof_missing'],
  ['another JWT of ours', { subject: { kind: 'jwt', typ: 'jwt', claims: {}, grant: null } }, 'subject_token_invalid'],
  [
    'the type of a refresh token',
    { form: { subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' } },
    'token_type_not_exchanged',
  ],
  [
    'a refresh token as what is asked for',
    { form: { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' } },
    'token_type_not_exchanged',
  ],
  [
    'authorization details, of which none are handed on',
    { form: { authorization_details: '[]' } },
    'details_exceed_grant',
  ],
  ['a scope that is none', { form: { scope: 'a"b' } }, 'scope_malformed'],
  [
    'the type of a refresh token for the actor',
    { form: { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' } },
    'token_type_not_exchanged',
  ],
  ['an actor token without its type', { form: { actor_token: 'x' } }, 'parameter_missing'],
  ['a type without an actor token', { form: { actor_token_type: accessType } }, 'parameter_missing'],
  ['a client that cannot authenticate', { method: 'none' }, 'grant_type_not_allowed'],
  ['no row at all', { rules: [] }, 'exchange_not_allowed'],
  ['no row for the audience', { rules: both.slice(1) }, 'exchange_not_allowed'],
  ['an audience nobody declared', { form: { resource: 'https://c.example' } }, 'resource_unknown'],
  ['two audiences', { form: { resource: a, audience: b } }, 'resource_ambiguous'],
  ['an audience that is no URI', { form: { audience: 'a' } }, 'resource_malformed'],
  [
    'a scope that the token does not carry',
    { subject: facts({ scope: new Set(['a:read']) }), form: { scope: 'a:write' } },
    'scope_exceeds_exchange',
  ],
  ['a scope beyond the row', { form: { resource: b, scope: 'b:read b:write' } }, 'scope_exceeds_exchange'],
  ['a scope of the first API at the second', { form: { resource: b, scope: 'a:read' } }, 'scope_exceeds_exchange'],
  ['a scope of OIDC', { form: { scope: 'openid' } }, 'scope_exceeds_exchange'],
  [
    'a row without scopes at another API',
    { rules: [{ audience: b, as: 'delegate' }], form: { resource: b } },
    'scope_missing',
  ],
]
for (const [what, it, reason] of refused)
  test(`RFC 8693 §2.2.2: refused: ${what}`, () => assert.equal(decide(it), reason))

test('RFC 9449 §5, RFC 8705 §3: what is bound is exchanged by whose new token is bound, and by nobody who only shows a certificate', () => {
  const subject = facts({ claims: { cnf: { jkt: 'k' } } })
  issued({ subject, possession: { jkt: 'mine' } })
  issued({ subject, possession: { certificate: 'mine' }, certified: true })
  for (const certified of [false, undefined])
    assert.equal(
      decide({ subject, possession: { certificate: 'mine' }, ...(certified === undefined ? {} : { certified }) }),
      'proof_missing',
    )
})

test('RFC 9449 §7, RFC 8705 §3: the token of an actor that is bound is sent by whoever has its key, and by nobody else', () => {
  const form = { actor_token: 'actor', actor_token_type: accessType }
  const bound = (cnf: JsonObject) => facts({ subject: 'robot', grantId: null, claims: { cnf } })
  const rows: readonly [JsonObject, Partial<Possession>, boolean][] = [
    [{ jkt: 'k' }, {}, false],
    [{ jkt: 'k' }, { jkt: 'other' }, false],
    [{ jkt: 'k' }, { certificate: 'k' }, false],
    [{ jkt: 'k' }, { jkt: 'k' }, true],
    [{ 'x5t#S256': 'c' }, {}, false],
    [{ 'x5t#S256': 'c' }, { certificate: 'other' }, false],
    [{ 'x5t#S256': 'c' }, { certificate: 'c' }, true],
    [{ jkt: 'k', 'x5t#S256': 'c' }, { jkt: 'k' }, false],
    [{ jkt: 'k', 'x5t#S256': 'c' }, { jkt: 'k', certificate: 'c' }, true],
    [{ jkt: 'k', kid: 'x' }, { jkt: 'k' }, false],
    [{ jkt: null }, {}, false],
    [{}, { jkt: 'k' }, false],
  ]
  for (const [cnf, possession, held] of rows) {
    const decision = decide({ form, actor: bound(cnf), possession })
    if (held) assert.ok(typeof decision === 'object', JSON.stringify(cnf))
    else assert.equal(decision, 'actor_of_another_key', JSON.stringify([cnf, possession]))
  }
})

test('a row bounds what is exchanged at the same audience too', () => {
  const rules: readonly ExchangeRule[] = [{ audience: `${a}/`, scopes: ['a:read', 'b:read'], as: 'delegate' }]
  assert.deepEqual([...issued({ rules }).scope], ['a:read'])
  assert.equal(decide({ rules, form: { scope: 'a:write' } }), 'scope_exceeds_exchange')
})

test('nobody becomes an administrator by an exchange; who is one may hand it on', () => {
  const rules: readonly ExchangeRule[] = [{ audience: issuer, scopes: ['admin:users:read'], as: 'delegate' }]
  const form = { resource: issuer }
  assert.equal(decide({ rules, form }), 'scope_missing')
  assert.equal(decide({ rules, form: { ...form, scope: 'admin:users:read' } }), 'scope_exceeds_exchange')
  assert.deepEqual([...issued({ rules, form, administrator: 'owner' }).scope], ['admin:users:read'])
  // A client of its own right is held by its row alone.
  assert.deepEqual(
    [...issued({ rules, form, subject: facts({ grantId: null, subject: 'svc' }) }).scope],
    ['admin:users:read'],
  )
})

test('the event of an exchange names both parties and what was exchanged', () => {
  assert.deepEqual(issued({ form: { scope: 'a:read' } }).eventData, {
    exchanged: 't1',
    exchanged_client: 'web',
    exchanged_scope: 'a:read a:write openid',
    as: 'delegate',
    act: { sub: 'backend' },
  })
})

test('whatever is asked, an exchange at the same audience never widens', () => {
  const names = fc.subarray(['a:read', 'a:write', 'b:read', 'openid', 'admin:users:write'])
  fc.assert(
    fc.property(names, names, fc.option(names, { nil: undefined }), (held, asked, row) => {
      const rules: readonly ExchangeRule[] = [
        { audience: a, as: 'delegate', ...(row === undefined ? {} : { scopes: row }) },
      ]
      const form = asked.length === 0 ? {} : { scope: asked.join(' ') }
      const decision = decide({ subject: facts({ scope: new Set(held) }), rules, form })
      if (typeof decision !== 'object') return
      for (const name of decision.scope)
        assert.ok(held.includes(name) && name.startsWith('a:') && (row?.includes(name) ?? true))
    }),
  )
})
