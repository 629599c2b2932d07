import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  claimLimits,
  type ClaimMapping,
  claimMappingsProblem,
  claimMappingsSchema,
} from '../../src/claims/claim-mapping.ts'
import { claimsForClient, claimsForResource } from '../../src/claims/mapped-claims.ts'
import type { Person } from '../../src/people/person.ts'
import type { JsonObject } from '../../src/types.ts'
import { catalogue, client, person, resource } from '../samples.ts'

const ada = person({
  username: 'ada',
  claims: { name: 'Ada Doe', email: 'ada@example.com', nickname: '' },
  attributes: { department: 'Sales', tags: ['a', 'b'], none: [], level: 3 },
  groups: ['Office', 'Night shift'],
  roles: ['reader', 'elsewhere'],
})
const roles = [
  { name: 'reader', description: '', resource: 'https://a.example', scopes: ['a:read'] },
  { name: 'elsewhere', description: '', resource: 'https://b.example', scopes: ['b:read'] },
]

const atClient = (mappings: readonly ClaimMapping[], scope = 'openid profile email', into = 'id_token' as const) =>
  claimsForClient(client({ scope: 'openid profile email a:read', claim_mappings: mappings }), {
    person: ada,
    scope: new Set(scope.split(' ')),
    into,
  })

interface AtApi {
  readonly scope?: string
  readonly who?: Person | null
}

const atApi = (mappings: readonly ClaimMapping[], { scope = 'a:read', who = ada }: AtApi = {}) =>
  claimsForResource(
    { ...resource('https://a.example'), claimMappings: mappings },
    { person: who, scope: new Set(scope.split(' ')), catalogue: catalogue({ roles }) },
  )

test('every source gives what is known of the person, and nothing where nothing is', () => {
  for (const [from, value] of [
    ['username', 'ada'],
    ['name', 'Ada Doe'],
    ['preferred_username', 'ada'],
    ['email', 'ada@example.com'],
    ['groups', ['Office', 'Night shift']],
    ['roles', ['reader', 'elsewhere']],
    ['attributes.department', 'Sales'],
    ['attributes.tags', ['a', 'b']],
    ['attributes.level', 3],
    ['attributes.none', undefined],
    ['attributes.constructor', undefined],
    ['nickname', undefined],
    ['birthdate', undefined],
  ] as const) {
    assert.deepEqual(atClient([{ claim: 'x', from }]), value === undefined ? {} : { x: value }, from)
  }
  assert.deepEqual(atClient([{ claim: 'x', value: { tier: 'gold' } }]), { x: { tier: 'gold' } })
  assert.deepEqual(atClient([{ claim: 'x', value: false }]), { x: false })
})

test('a claim takes its scope: the one it names, that of its field, else profile at a client and none at an API', () => {
  const mapping = (more: Partial<ClaimMapping>) => [{ claim: 'x', ...more }]
  for (const [more, lacking, held] of [
    [{ from: 'email' }, 'openid profile', 'openid email'],
    [{ from: 'name' }, 'openid email', 'openid profile'],
    [{ from: 'attributes.department' }, 'openid email', 'openid profile'],
    [{ from: 'groups', scope: 'a:read' }, 'openid profile', 'openid a:read'],
    [{ value: 1 }, 'a:read', 'openid'],
  ] as const) {
    assert.deepEqual(atClient(mapping(more), lacking), {}, JSON.stringify(more))
    assert.deepEqual(Object.keys(atClient(mapping(more), held)), ['x'], JSON.stringify(more))
  }
  assert.deepEqual(atApi(mapping({ from: 'groups' })), { x: ['Office', 'Night shift'] })
  assert.deepEqual(
    atApi(mapping({ from: 'email' })),
    {},
    'OIDC Core §5.4: the field of a scope asks for it at an API, too',
  )
  assert.deepEqual(atApi(mapping({ from: 'email' }), { scope: 'a:read email' }), { x: 'ada@example.com' })
  assert.deepEqual(atApi(mapping({ from: 'groups', scope: 'a:write' })), {})
})

test('a scope that the client is not registered for any more gives it nothing', () => {
  const narrow = client({ scope: 'openid', claim_mappings: [{ claim: 'x', from: 'groups' }] })
  assert.deepEqual(
    claimsForClient(narrow, { person: ada, scope: new Set(['openid', 'profile']), into: 'userinfo' }),
    {},
  )
})

test('a mapping goes where it says, and into both where it says nothing', () => {
  const one = [{ claim: 'x', from: 'groups', in: ['userinfo'] }] as const
  assert.deepEqual(atClient(one), {})
  const it = client({ scope: 'openid profile', claim_mappings: one })
  const told = claimsForClient(it, { person: ada, scope: new Set(['openid', 'profile']), into: 'userinfo' })
  assert.deepEqual(Object.keys(told), ['x'])
})

test('an API hears of the roles that are held there, and a client that speaks for itself has constants alone', () => {
  assert.deepEqual(atApi([{ claim: 'roles', from: 'roles' }]), { roles: ['reader'] })
  const both = [
    { claim: 'roles', from: 'roles' },
    { claim: 'https://example.com/plan', value: 'gold' },
  ]
  assert.deepEqual(atApi(both, { who: null }), { 'https://example.com/plan': 'gold' })
})

test('what is too long is left out whole, and the rest is there', () => {
  const long = { ...ada, attributes: { long: 'x'.repeat(claimLimits.value), short: 'y' } }
  const groups = { ...ada, groups: Array.from({ length: 201 }, (_, n) => `g${n}`) }
  const rows = [
    { claim: 'long', from: 'attributes.long' },
    { claim: 'short', from: 'attributes.short' },
  ]
  assert.deepEqual(atApi(rows, { who: long }), { short: 'y' })
  assert.deepEqual(atApi([{ claim: 'groups', from: 'groups' }], { who: groups }), {})
  const constants = Array.from({ length: 30 }, (_, n) => ({ claim: `c${n}`, value: 'z'.repeat(1000) }))
  const told = JSON.stringify(atApi(constants))
  assert.ok(told.length <= claimLimits.all + 1000, String(told.length))
  assert.ok(told.length > claimLimits.all - 1100, String(told.length))
})

test('what is declared is checked, and told what is wrong with it', () => {
  const good = { claim: 'x', from: 'groups' }
  for (const [mappings, problem] of [
    [[good], null],
    [[{ claim: 'https://example.com/department', from: 'attributes.department', scope: 'profile' }], null],
    [[{ claim: 'urn:example:x', value: [1] }], null],
    [{}, /must be a list/],
    [['x'], /must be an object/],
    [[good, good], /twice/],
    [Array.from({ length: 31 }, (_, n) => ({ ...good, claim: `c${n}` })), /more than 30/],
    [[{ ...good, more: 1 }], /nothing else/],
    [[{ claim: 'x' }], /one of from and value/],
    [[{ ...good, value: 1 }], /one of from and value/],
    [[{ claim: 'x', value: null }], /null/],
    [[{ claim: 'x', value: 'y'.repeat(5000) }], /4096 bytes/],
    [[{ claim: 'x', from: 'password' }], /must say from/],
    [[{ claim: 'x', from: 'attributes.' }], /must say from/],
    [[{ claim: 'x', from: 'attributes.__proto__' }], /must say from/],
    [[{ claim: '__proto__', value: 1 }], /plain name or a URI/],
    [[{ claim: 'a b', value: 1 }], /plain name or a URI/],
    [[{ claim: 'x'.repeat(201), value: 1 }], /must name a claim/],
    [[{ ...good, scope: 'a b' }], /one scope/],
    [[{ ...good, scope: '' }], /one scope/],
    [[{ ...good, in: [] }], /must say in/],
    [[{ ...good, in: ['access_token'] }], /must say in/],
    [[{ ...good, in: ['userinfo', 'userinfo'] }], /must say in/],
  ] as const) {
    const found = claimMappingsProblem(mappings, 'client')
    if (problem === null) assert.equal(found, null, JSON.stringify(mappings))
    else assert.match(found ?? 'nothing', problem, JSON.stringify(mappings))
  }
  assert.match(claimMappingsProblem([{ ...good, in: ['userinfo'] }], 'resource') ?? '', /nothing else/)
  for (const claim of 'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash sid cnf act may_act'.split(' '))
    assert.match(claimMappingsProblem([{ claim, value: 'x' }], 'client') ?? '', /the protocol says/, claim)
  for (const claim of 'client_id scope tenant grant_id status authorization_details active token_type SUB'.split(' '))
    assert.match(claimMappingsProblem([{ claim, value: 'x' }], 'resource') ?? '', /the protocol says/, claim)
})

test('no name of a prototype is a value', () => {
  const told: JsonObject = atClient([{ claim: 'constructor', from: 'attributes.toString' }])
  assert.deepEqual(Object.keys(told), [])
})

test('what is declared is taken up to its bounds, and who goes beyond is told', () => {
  const list = (count: number) => Array.from({ length: count }, (_, n) => ({ claim: `c${n}`, value: 1 }))
  const value = (bytes: number) => [{ claim: 'c', value: 'x'.repeat(bytes - 2) }]
  const destinations = 'holds an entry that must say in: some of id_token, userinfo'
  const rows: readonly (readonly [unknown, 'client' | 'resource', string | null])[] = [
    [list(30), 'client', null],
    [list(31), 'client', 'must not hold more than 30 entries'],
    [[{ claim: 'c'.repeat(200), value: 1 }], 'client', null],
    [[{ claim: 'c'.repeat(201), value: 1 }], 'client', 'holds an entry that must name a claim'],
    [value(4096), 'resource', null],
    [value(4097), 'resource', 'holds an entry that must not have a value of more than 4096 bytes'],
    [[{ claim: 'sub', value: 1 }], 'client', 'holds an entry that must not set sub, which the protocol says'],
    [[{ claim: 'c', odd: 1 }], 'client', 'holds an entry that must hold claim, from, value, scope, in, nothing else'],
    [
      [{ claim: 'c', value: 1, in: [] }],
      'resource',
      'holds an entry that must hold claim, from, value, scope, nothing else',
    ],
    ...[['id_token'], ['userinfo'], ['userinfo', 'id_token']].map(
      (it) => [[{ claim: 'c', value: 1, in: it }], 'client', null] as const,
    ),
    ...[[], ['id_token', 'id_token'], ['id_token', 'x'], ['id_token', 7], 'id_token'].map(
      (it) => [[{ claim: 'c', value: 1, in: it }], 'client', destinations] as const,
    ),
  ]
  for (const [mappings, place, problem] of rows)
    assert.equal(claimMappingsProblem(mappings, place), problem, JSON.stringify(mappings).slice(0, 80))
})

test('what an API describes of a mapping is what is taken', () => {
  const properties = {
    claim: { type: 'string', minLength: 1, maxLength: 200 },
    from: { type: 'string', maxLength: 100 },
    value: {},
    scope: { type: 'string', maxLength: 200 },
  }
  const described = (more: object) => ({
    type: 'array',
    maxItems: 30,
    items: { type: 'object', required: ['claim'], properties: { ...properties, ...more }, additionalProperties: false },
  })
  assert.deepEqual(claimMappingsSchema('resource'), described({}))
  const both = { type: 'array', items: { type: 'string', enum: ['id_token', 'userinfo'] }, maxItems: 2 }
  assert.deepEqual(claimMappingsSchema('client'), described({ in: both }))
})
