/** Where an issuer's metadata are looked for, which of them are used, and how tenants are named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IssuerDiscovery, splitTenantIssuer, tenantOfIssuer } from '../../src/issuer/issuer-metadata.ts'
import type { Concern, Outbound, OutboundRequest, WholeResponse } from '../../src/issuer/outbound.ts'

const issuer = 'https://as.example/t/acme'
const document = { issuer, jwks_uri: 'https://as.example/jwks' }

function scene(answers: (url: string) => { readonly status: number; readonly text?: string } | null, of = issuer) {
  const asked: string[] = []
  const unusable: string[] = []
  const over: Concern[] = []
  const seen: { readonly ask: OutboundRequest; readonly limit: unknown }[] = []
  const outbound = {
    unusable: (concern: Concern, why: string) => unusable.push(`${concern.part} of ${concern.issuer}: ${why}`),
    over: (concern: Concern) => over.push(concern),
    fetchWhole(ask: OutboundRequest, limit: unknown): Promise<WholeResponse | null> {
      asked.push(ask.url)
      seen.push({ ask, limit })
      const answer = answers(ask.url)
      return Promise.resolve(answer && { header: () => null, text: '', ...answer })
    },
  } as unknown as Outbound
  return { discovery: new IssuerDiscovery(outbound, of), asked, unusable, over, seen }
}

const json = (more: object = {}) => ({ status: 200, text: JSON.stringify({ ...document, ...more }) })
const openid = `${issuer}/.well-known/openid-configuration`
const oauth = 'https://as.example/.well-known/oauth-authorization-server/t/acme'

test('RFC 8414 §3.1: OpenID’s place first, then that between host and path; bounded in size and time', async () => {
  const { discovery, asked, seen } = scene(() => null)
  assert.deepEqual(await discovery.read(), { kind: 'error', error: 'unavailable' })
  assert.deepEqual(asked, [openid, oauth])
  assert.deepEqual(seen[0]?.limit, { bytes: 262_144, milliseconds: 5000 })
  assert.deepEqual(seen[0]?.ask.headers, { accept: 'application/json' })
})

test('a slash at the end is not doubled, and an issuer without a path has none', async () => {
  for (const named of ['https://as.example/', 'https://as.example']) {
    const { discovery, asked } = scene(() => null, named)
    await discovery.read()
    assert.deepEqual(asked, [
      'https://as.example/.well-known/openid-configuration',
      'https://as.example/.well-known/oauth-authorization-server',
    ])
  }
  const { discovery, asked } = scene(() => null, 'https://as.example/x/')
  await discovery.read()
  assert.deepEqual(asked, [
    'https://as.example/x/.well-known/openid-configuration',
    'https://as.example/.well-known/oauth-authorization-server/x',
  ])
})

test('what was found is asked for once, by however many, until somebody found it wrong; what was not is asked again', async () => {
  const state = { away: true }
  const { discovery, asked } = scene(() => (state.away ? null : json()))
  await discovery.read()
  assert.equal(asked.length, 2)
  state.away = false
  const [one, two] = await Promise.all([discovery.read(), discovery.read()])
  assert.deepEqual(one, {
    kind: 'ok',
    value: { jwksUri: 'https://as.example/jwks', tokenEndpoint: null, introspectionEndpoint: null },
  })
  assert.equal(one, two)
  await discovery.read()
  assert.equal(asked.length, 3)
  discovery.forget()
  await discovery.read()
  assert.equal(asked.length, 4)
})

test('absent is who answers 404 at both places, and the operator is told; one place may be empty', async () => {
  const gone = scene(() => ({ status: 404 }))
  assert.deepEqual(await gone.discovery.read(), { kind: 'error', error: 'absent' })
  assert.deepEqual(gone.unusable, [
    `metadata of ${issuer}: there are no metadata (404): is this the issuer, letter by letter?`,
  ])
  const half = scene((url) => (url === openid ? { status: 404 } : { status: 500 }))
  assert.deepEqual(await half.discovery.read(), { kind: 'error', error: 'unavailable' })
  assert.deepEqual(half.unusable, [])
  const second = scene((url) => (url === openid ? { status: 404 } : json()))
  assert.equal((await second.discovery.read()).kind, 'ok')
  const concern = { issuer, part: 'metadata' }
  assert.deepEqual([gone.over, half.over, second.over], [[], [], [concern]], 'found is told, too')
  assert.deepEqual(
    second.seen.map(({ ask }) => ask.concern),
    [concern, concern],
  )
})

for (const [what, answer, why] of [
  ['are no JSON', { status: 200, text: 'x' }, 'the metadata are no JSON object'],
  [
    'are of another issuer',
    json({ issuer: 'https://evil.example' }),
    'the metadata name another issuer, "https://evil.example"',
  ],
  ['name no keys', json({ jwks_uri: undefined }), 'the metadata name no jwks_uri that may be asked'],
  [
    'name keys in the clear',
    json({ jwks_uri: 'http://as.example/jwks' }),
    'the metadata name no jwks_uri that may be asked',
  ],
] as const)
  test(`RFC 8414 §3.3: metadata that ${what} are not used, and why is told`, async () => {
    const { discovery, unusable } = scene((url) => (url === openid ? answer : { status: 404 }))
    assert.deepEqual(await discovery.read(), { kind: 'error', error: 'unavailable' })
    assert.deepEqual(unusable, [`metadata of ${issuer}: ${why}`])
  })

test('endpoints are read where they may be asked', async () => {
  const { discovery } = scene(() =>
    json({ token_endpoint: 'https://as.example/token', introspection_endpoint: 'http://as.example/introspect' }),
  )
  assert.deepEqual(await discovery.read(), {
    kind: 'ok',
    value: {
      jwksUri: 'https://as.example/jwks',
      tokenEndpoint: 'https://as.example/token',
      introspectionEndpoint: null,
    },
  })
})

test('a tenant is what follows /t/ behind the root, in the letters of tenants, and nothing longer', () => {
  const root = 'https://as.example'
  for (const name of ['acme', 'a', 'a-b_c', 'a'.repeat(64)]) {
    assert.equal(tenantOfIssuer(root, `${root}/t/${name}`), name)
    assert.deepEqual(splitTenantIssuer(`${root}/t/${name}`), { root, tenant: name })
  }
  for (const name of ['', 'A', '-a', 'a-', 'a/b', 'a'.repeat(65), 'a?b']) {
    assert.equal(tenantOfIssuer(root, `${root}/t/${name}`), null, name)
    const address = `${root}/t/${name}`
    assert.deepEqual(splitTenantIssuer(address), { root: address, tenant: null }, name)
  }
  assert.equal(tenantOfIssuer(root, 'https://other.example/t/acme'), null)
  assert.deepEqual(splitTenantIssuer(root), { root, tenant: null })
  assert.deepEqual(splitTenantIssuer(`${root}/t/x/t/y`), { root: `${root}/t/x`, tenant: 'y' })
})

test('an answer that somebody stumbles over is asked for again', async () => {
  const state = { stumbles: true }
  const { discovery } = scene(() => {
    if (state.stumbles) throw new Error('a bug')
    return json()
  })
  await assert.rejects(discovery.read(), /a bug/)
  state.stumbles = false
  assert.equal((await discovery.read()).kind, 'ok')
})
