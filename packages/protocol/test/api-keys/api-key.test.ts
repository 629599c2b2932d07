import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiKey, introspectKey, keyFault, keyIsOver, keyScope } from '../../src/api-keys/api-key.ts'
import { checkNewKey, type NewKeyInput } from '../../src/api-keys/new-key.ts'
import { at, catalogue, client, issuer, resource, tenant } from '../samples.ts'

const key = (more: Partial<ApiKey> = {}): ApiKey => ({
  tenant,
  id: 'k1',
  name: 'Nightly export',
  clientId: 'web',
  resource: 'https://a.example',
  scope: null,
  addresses: [],
  createdAt: at(1_000),
  createdBy: { kind: 'operator', id: 'ops' },
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...more,
})
const owner = (scope = 'openid a:read a:write b:read admin:clients:read') => client({ scope })
const names = (of: ReadonlySet<string>) => [...of].sort().join(' ')
const around = { owner: owner(), catalogue: catalogue(), issuer, now: at(2_000) }
const asker = client({ resource_server: 'https://a.example' }, { id: 'rs' })
const describe = (more: Partial<ApiKey> = {}, others: Partial<Parameters<typeof introspectKey>[0]> = {}) =>
  introspectKey({ key: key(more), ...around, client: asker, from: { issuer, tenant }, ...others })

test('A key without scopes gives what the client has at its API, and nothing of other APIs, of people or the issuer', () => {
  assert.equal(names(keyScope(key(), owner(), { catalogue: catalogue(), issuer })), 'a:read a:write')
})

test('What the client, the API or the catalogue loses, the key has lost', () => {
  const asked = key({ scope: new Set(['a:read', 'a:write']) })
  assert.equal(names(keyScope(asked, owner('a:read'), { catalogue: catalogue(), issuer })), 'a:read')
  assert.equal(names(keyScope(key(), owner('a:read'), { catalogue: catalogue(), issuer })), 'a:read')
  assert.equal(keyScope(asked, owner(), { catalogue: catalogue({ scopes: [] }), issuer }).size, 0)
  assert.equal(
    keyScope(asked, owner(), { catalogue: catalogue({ resources: [resource('https://b.example')] }), issuer }).size,
    0,
  )
})

test('Each reason why a key opens nothing', () => {
  const fault = (more: Partial<ApiKey>, others: Partial<typeof around> | { owner: null } = {}) =>
    keyFault({ key: key(more), ...around, ...others })
  assert.equal(fault({}), null)
  assert.equal(fault({ revokedAt: at(1_500) }), 'token_revoked')
  assert.equal(fault({ expiresAt: at(2_001) }), null)
  assert.equal(fault({ expiresAt: at(2_000) }), 'token_expired')
  assert.equal(fault({}, { owner: null }), 'client_disabled')
  assert.equal(fault({}, { owner: client({ scope: 'a:read' }, { disabledAt: at(1) }) }), 'client_disabled')
  assert.equal(fault({}, { owner: owner('b:read') }), 'nothing_granted')
  for (const bound of ['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens'] as const)
    assert.equal(fault({}, { owner: client({ scope: 'a:read', [bound]: true }) }), 'client_needs_proof')
  const tenant = { ...catalogue().tenant, profile: 'fapi2-security' } as const
  assert.equal(fault({}, { catalogue: catalogue({ tenant }) }), 'client_needs_proof')
  assert.equal(keyIsOver(key({ revokedAt: at(1) }), at(2)), true)
  assert.equal(keyIsOver(key(), at(2)), false)
})

test('RFC 7662 §2.2: a living key is described to its API and to its client, and to nobody else', () => {
  const whole = {
    active: true,
    token_type: 'api_key',
    iss: issuer,
    sub: 'web',
    aud: 'https://a.example',
    client_id: 'web',
    scope: 'a:read a:write',
    iat: 1,
    jti: 'k1',
  }
  assert.deepEqual(describe().described, whole)
  assert.deepEqual(describe({}, { client: owner() }).described, whole)
  assert.deepEqual(describe({}, { client: client({ resource_server: 'https://b.example' }, { id: 'rs' }) }), {
    described: { active: false },
    fault: 'not_for_this_caller',
  })
  assert.deepEqual(describe({ revokedAt: at(1) }), { described: { active: false }, fault: 'token_revoked' })
})

test('What a key may be limited by is told: its end, its addresses, its tenant', () => {
  const more = { expiresAt: at(9_000), addresses: ['192.0.2.0/24'] }
  const { described } = describe(more, { from: { issuer: `${issuer}/t/acme`, tenant: 'acme' } })
  assert.deepEqual(
    [described['exp'], described['addresses'], described['tenant'], described['iss']],
    [9, ['192.0.2.0/24'], 'acme', `${issuer}/t/acme`],
  )
})

const input = (more: Partial<NewKeyInput> = {}): NewKeyInput => ({
  name: 'Nightly export',
  clientId: 'web',
  resource: 'HTTPS://a.example/',
  scope: 'a:read',
  addresses: ['192.0.2.7', '2001:db8::/32', '192.0.2.7'],
  expiresAt: at(9_000),
  ...more,
})
const check = (more: Partial<NewKeyInput> = {}, by = owner()) =>
  checkNewKey(input(more), { client: by, catalogue: catalogue(), issuer, now: at(2_000) })

test('A new key has the declared spelling of its API, and each address once', () => {
  const checked = check()
  assert.ok(checked.kind === 'ok')
  assert.deepEqual(checked.value, {
    name: 'Nightly export',
    clientId: 'web',
    resource: 'https://a.example',
    scope: new Set(['a:read']),
    addresses: ['192.0.2.7', '2001:db8::/32'],
    expiresAt: at(9_000),
  })
  assert.equal(check({ scope: null }).kind, 'ok')
})

for (const [field, more, by] of [
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['name', { name: 'safe\u202egnp' }],
  ['name', { name: 'a\nb' }],
  ['client_id', {}, null],
  ['client_id', {}, client({ scope: 'a:read' }, { disabledAt: at(1) })],
  ['client_id', {}, client({ scope: 'a:read', dpop_bound_access_tokens: true })],
  ['resource', { resource: 'https://c.example' }],
  ['resource', { resource: issuer }],
  ['resource', { scope: null }, owner('b:read')],
  ['scope', { scope: 'a:read b:read' }],
  ['scope', { scope: 'a:delete' }],
  ['scope', { scope: 'openid' }],
  ['scope', { scope: 'admin:clients:read' }],
  ['scope', { scope: '' }],
  ['scope', { scope: 'a:read"' }],
  ['addresses[1]', { addresses: ['192.0.2.0/24', '192.0.2.1/24'] }],
  ['addresses[0]', { addresses: ['192.0.2.0/33'] }],
  ['addresses[0]', { addresses: ['::/129'] }],
  ['addresses[0]', { addresses: ['fe80::1%eth0'] }],
  ['addresses[0]', { addresses: ['localhost'] }],
  ['addresses', { addresses: Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`) }],
  ['expires_at', { expiresAt: at(2_000) }],
  ['expires_at', { expiresAt: at(400 * 366 * 86_400_000) }],
] as const)
  test(`A new key with a wrong ${field} (${JSON.stringify(more).slice(0, 50)}) is refused by that name`, () => {
    const maker = by === undefined ? owner() : by
    const checked = checkNewKey(input(more), { client: maker, catalogue: catalogue(), issuer, now: at(2_000) })
    assert.ok(checked.kind === 'error')
    assert.deepEqual(
      checked.error.map((it) => it.field),
      [field],
    )
  })

test('The ends of what a new key may be called, of how many addresses it is for, and of how long it lives', () => {
  const input = {
    name: 'x',
    clientId: 'web',
    resource: 'https://a.example',
    scope: null,
    addresses: [],
    expiresAt: null,
  }
  const problems = (more: Partial<NewKeyInput>) => {
    const made = checkNewKey({ ...input, ...more }, { client: owner(), catalogue: catalogue(), issuer, now: at(0) })
    return made.kind === 'ok' ? [] : made.error.map(({ field }) => field)
  }
  const addresses = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}`)
  assert.deepEqual(problems({ name: 'x'.repeat(200), addresses: addresses(20) }), [])
  assert.deepEqual(problems({ name: 'x'.repeat(201), addresses: addresses(21) }), ['name', 'addresses'])
  assert.deepEqual(problems({ name: ' ', addresses: ['192.0.2.0/24', 'x'] }), ['name', 'addresses[1]'])
  const tenYears = 10 * 366 * 86_400_000
  assert.deepEqual(problems({ expiresAt: at(tenYears) }), [])
  assert.deepEqual(problems({ expiresAt: at(tenYears + 1) }), ['expires_at'])
})
