/** Workload identity: what a trusted issuer says of a workload becomes a token of a client that has no secret. */
import assert from 'node:assert/strict'
import { hash, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { type Authority, type EndpointRequest, type Vault } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf, refusalResponse } from '@grantor/protocol/oauth'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import { authority as issuedByNobody, issued } from '../../../protocol/test/mtls/throw-away.ts'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
  unproven,
} from '../support/deployment.ts'
import { KeyHolder } from '../support/dpop-client.ts'
import {
  confusedToken,
  OtherIssuers,
  type Signing,
  signedToken,
  signingKey,
  workloadClaims,
} from '../support/trusted-issuer.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const github = 'https://token.actions.githubusercontent.com'
const cluster = 'https://oidc.cluster.example/id/7'
const self = 'https://as.example'
const key = signingKey('k1')
const clusterKey = signingKey('c1')

const workload = (id: string, more: JsonObject = {}): JsonObject => {
  const { client_secret: _, ...rest } = machine(id, 'invoices:read invoices:write')
  return { ...rest, grant_types: [grantType], token_endpoint_auth_method: 'federated_jwt', ...more }
}

const trusted: readonly JsonObject[] = [
  {
    issuer: github,
    audience: 'https://as.example',
    rules: [
      { claims: { sub: 'repo:acme/shop:environment:production' }, client: 'deployer' },
      { claims: { sub: 'repo:acme/shop:*', repository_owner: 'acme' }, client: 'builder' },
    ],
  },
  {
    issuer: cluster,
    audience: 'grantor',
    single_use: false,
    rules: [{ claims: { 'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'web' } } }, client: 'web' }],
  },
]

const clients = [
  workload('deployer'),
  workload('builder', { grant_types: [grantType, 'client_credentials'] }),
  workload('web'),
]
const wanted = { ...declaration, clients: [...declaration.clients, ...clients], trusted_issuers: trusted } as JsonObject

interface World {
  readonly it: Deployment
  readonly authority: Authority
  readonly others: OtherIssuers
}

async function world(database: 'sqlite' | 'postgres' = 'sqlite', what: JsonObject = wanted): Promise<World> {
  const it = await openDeployment(database)
  const others = new OtherIssuers()
  others.publish(github, [key])
  others.publish(cluster, [clusterKey])
  await declare(it, what)
  return { it, others, authority: it.node({ outbound: others }) }
}

const job = (it: Deployment, more: JsonObject = {}, how: Signing = {}): string =>
  signedToken(
    workloadClaims(it.clock, {
      iss: github,
      aud: self,
      sub: 'repo:acme/shop:ref:refs/heads/main',
      repository_owner: 'acme',
      ...more,
    }),
    { by: key, ...how },
  )

const pod = (it: Deployment, more: JsonObject = {}): string =>
  signedToken(
    workloadClaims(it.clock, {
      iss: cluster,
      aud: ['grantor'],
      sub: 'system:serviceaccount:shop:web',
      'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'web', uid: '1' } },
      ...more,
    }),
    { by: clusterKey },
  )

const bare = (form: Readonly<Record<string, string>>, tenant: TenantId = root): EndpointRequest => ({
  ...unproven,
  tenant,
  form: formOf(new URLSearchParams(form)),
  ip: '192.0.2.9',
  traceId: null,
})

const granting = (assertion: string, more: Readonly<Record<string, string>> = {}, tenant: TenantId = root) =>
  bare({ grant_type: grantType, assertion, ...more }, tenant)

const asClient = (assertion: string, more: Readonly<Record<string, string>> = {}) =>
  bare({ client_assertion: assertion, client_assertion_type: assertionType, ...more })

async function reasonOf(authority: Authority, request: EndpointRequest): Promise<string> {
  const answer = await authority.token(request)
  return answer.kind === 'ok' ? 'ok' : answer.error.reason
}

async function claimsOf(authority: Authority, request: EndpointRequest): Promise<JsonObject> {
  const answer = await authority.token(request)
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  assert.equal(answer.value['refresh_token'], undefined)
  return decodeJwt(answer.value['access_token'] as string) as JsonObject
}

for (const database of databases) {
  test(`${database}: RFC 7523 §2.1: a workload gets a token of the client that the first fitting rule names`, async () => {
    const { it, authority } = await world(database)
    const claims = await claimsOf(authority, granting(job(it), { scope: 'invoices:read' }))
    assert.deepEqual(
      [claims['sub'], claims['client_id'], claims['aud'], claims['scope']],
      ['builder', 'builder', api, 'invoices:read'],
    )
    // The rule that stands first decides, also where the next would fit.
    const deploying = job(it, { sub: 'repo:acme/shop:environment:production' })
    assert.equal((await claimsOf(authority, granting(deploying)))['client_id'], 'deployer')
    await it.store.events.position()
    const events = await it.store.events.after(root, 0, 100)
    const issued = events.find(({ name }) => name === 'token.issued')
    assert.deepEqual(
      [issued?.clientId, issued?.data?.['assertion_issuer'], issued?.data?.['assertion_subject']],
      ['builder', github, 'repo:acme/shop:ref:refs/heads/main'],
    )
  })

  test(`${database}: RFC 7523 §3: a jti is taken once, by 20 at once and on another node, in either use`, async () => {
    const { it, authority, others } = await world(database)
    const another = it.node({ outbound: others })
    const assertion = job(it)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => reasonOf(i % 2 === 0 ? authority : another, granting(assertion))),
    )
    assert.deepEqual(answers.toSorted(), [...Array.from({ length: 19 }, () => 'assertion_used'), 'ok'])
    assert.equal(
      await reasonOf(authority, asClient(assertion, { grant_type: 'client_credentials' })),
      'client_unauthenticated',
    )
    const other = job(it)
    assert.equal(await reasonOf(authority, asClient(other, { grant_type: 'client_credentials' })), 'ok')
    assert.equal(await reasonOf(another, granting(other)), 'assertion_used')
    // Where an issuer's tokens are used again by design, its declaration says so; without a jti there is nothing to remember.
    const reused = pod(it)
    for (const node of [authority, another]) assert.equal(await reasonOf(node, granting(reused)), 'ok')
    const nameless = job(it, { jti: undefined as unknown as string })
    for (const node of [authority, another]) assert.equal(await reasonOf(node, granting(nameless)), 'ok')
  })

  test(`${database}: a rule that is taken away stops at once everywhere; what was issued dies with its client`, async () => {
    const { it, authority, others } = await world(database)
    const another = it.node({ outbound: others })
    assert.equal(await reasonOf(another, granting(job(it))), 'ok')
    const answer = await authority.token(granting(job(it), { scope: 'invoices:read' }))
    assert.ok(answer.kind === 'ok')
    const token = answer.value['access_token'] as string
    const [first, ...rest] = trusted
    const without = {
      ...wanted,
      trusted_issuers: [{ ...first, rules: [{ claims: { sub: 'x' }, client: 'builder' }] }, ...rest],
    }
    await declare(it, without)
    for (const node of [authority, another]) assert.equal(await reasonOf(node, granting(job(it))), 'assertion_invalid')
    assert.ok(await isActive(authority, token, { as: 'api' }))
    await declare(it, {
      ...without,
      clients: [...declaration.clients, ...clients.map((it) => ({ ...it, disabled: true }))],
    })
    assert.ok(!(await isActive(authority, token, { as: 'api' })))
  })

  test(`${database}: what is declared comes back by export, is pruned, and another tenant's rules are none here`, async () => {
    const { it, authority } = await world(database)
    const exported = await it.authority.admin.declared.export()
    assert.ok(exported.kind === 'ok')
    assert.deepEqual(exported.value.trusted_issuers, trusted)
    const acme = { id: 'acme', resources: [], scopes: [], clients: [workload('builder', { scope: '' })] }
    await declare(it, { tenants: [acme] })
    const meant = job(it, { aud: 'https://as.example/t/acme' })
    assert.equal(await reasonOf(authority, granting(meant, {}, 'acme' as TenantId)), 'assertion_invalid')
    assert.equal(await reasonOf(authority, granting(meant)), 'assertion_invalid')
    const pruned = await it.authority.admin.declared.apply(operator, { trusted_issuers: [] }, { prune: true })
    assert.ok(pruned.kind === 'ok')
    assert.deepEqual(
      pruned.value.steps.map(({ kind, id, act }) => [kind, id, act]),
      [github, cluster].map((issuer) => ['trusted issuer', issuer, 'remove']),
    )
    assert.equal(await reasonOf(authority, granting(job(it))), 'assertion_invalid')
  })
}

test('RFC 7523 §2.2: a workload is a client by its assertion, at every endpoint, and only as it is registered', async () => {
  const { it, authority } = await world()
  const asking = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const claims = await claimsOf(authority, asClient(job(it), asking))
  assert.deepEqual([claims['sub'], claims['client_id']], ['builder', 'builder'])
  assert.equal(await reasonOf(authority, asClient(job(it), { ...asking, client_id: 'builder' })), 'ok')
  // Who says who it is must be who the rule says.
  assert.equal(await reasonOf(authority, asClient(job(it), { ...asking, client_id: 'svc' })), 'client_unauthenticated')
  assert.equal(await reasonOf(authority, granting(job(it), { client_id: 'deployer' })), 'assertion_invalid')
  const introspected = await authority.introspect(asClient(job(it), { token: 'x' }))
  assert.ok(introspected.kind === 'ok')
  // The rule is no second key to a client that has a secret.
  const secretly = { ...wanted, clients: [...clients.slice(1), machine('deployer', 'invoices:read')] } as JsonObject
  await declare(it, secretly)
  const deploying = () => job(it, { sub: 'repo:acme/shop:environment:production' })
  assert.equal(await reasonOf(authority, asClient(deploying(), asking)), 'client_unauthenticated')
  assert.equal(await reasonOf(authority, granting(deploying())), 'grant_type_not_allowed')
})

test('RFC 7523 §3: a jti is not taken where nothing can be signed', async () => {
  const { it, others } = await world()
  const { vault } = it.ports
  let away = true
  const open: Vault['open'] = (sealed, context) => (away ? null : vault.open(sealed, context))
  const node = it.node({ outbound: others, vault: { ...vault, open } })
  const assertion = job(it)
  assert.equal(await reasonOf(node, granting(assertion)), 'unavailable')
  away = false
  assert.equal(await reasonOf(node, granting(assertion)), 'ok')
  assert.equal(await reasonOf(node, granting(assertion)), 'assertion_used')
})

test('RFC 7800 §3.1: a token that is bound to a key stands for a workload only together with that key', async () => {
  const both = { ...machine('both', 'invoices:read'), grant_types: [grantType] }
  const rules = [
    { claims: { sub: 'job-of-both' }, client: 'both' },
    { claims: { sub: 'repo:acme/shop:*' }, client: 'builder' },
  ]
  const { it, authority } = await world('sqlite', {
    ...wanted,
    clients: [...declaration.clients, ...clients, both],
    trusted_issuers: [{ ...trusted[0], rules }],
  })
  const mine = new KeyHolder()
  const thief = new KeyHolder()
  const bound = (more: JsonObject = {}) => job(it, { cnf: { jkt: mine.jkt }, ...more })
  const own = { grant_type: 'client_credentials' }
  const form = (assertion: string) => String(new URLSearchParams({ grant_type: grantType, assertion }))
  const uses: readonly (readonly [make: () => EndpointRequest, reason: string])[] = [
    [() => granting(bound()), 'assertion_invalid'],
    [() => asClient(bound(), own), 'client_unauthenticated'],
    [() => asking(form(bound({ sub: 'job-of-both' })), { as: 'both' }), 'assertion_invalid'],
  ]
  for (const [make, reason] of uses) {
    assert.equal(await reasonOf(authority, make()), reason)
    assert.equal(await reasonOf(authority, { ...make(), proof: thief.proof(it.clock) }), reason)
    assert.equal(await reasonOf(authority, { ...make(), proof: mine.proof(it.clock) }), 'ok')
  }
  // Nothing was used up by the thief.
  const stolen = bound()
  assert.equal(await reasonOf(authority, { ...asClient(stolen, own), proof: thief.proof(it.clock) }), uses[1]?.[1])
  assert.equal(await reasonOf(authority, { ...asClient(stolen, own), proof: mine.proof(it.clock) }), 'ok')
  // What cannot be proven is not, and where no key is asked for none is.
  assert.equal(
    await reasonOf(authority, { ...granting(job(it, { cnf: {} })), proof: mine.proof(it.clock) }),
    uses[0]?.[1],
  )
  const asked = await authority.introspect({ ...asClient(bound(), { token: 'x' }), proof: mine.proof(it.clock) })
  assert.equal(asked.kind === 'error' && asked.error.reason, 'client_unauthenticated')
})

test('RFC 8705 §3.1: a token that is bound to a certificate stands for a workload only on a connection with it', async () => {
  const { it, authority } = await world()
  const [mine, thief] = [issued, issuedByNobody].map((pem) => new Uint8Array(new X509Certificate(pem).raw))
  assert.ok(mine !== undefined && thief !== undefined)
  const bound = () => granting(job(it, { cnf: { 'x5t#S256': hash('sha256', mine, 'base64url') } }))
  assert.equal(await reasonOf(authority, bound()), 'assertion_invalid')
  assert.equal(await reasonOf(authority, { ...bound(), clientCertificate: thief }), 'assertion_invalid')
  assert.equal(await reasonOf(authority, { ...bound(), clientCertificate: mine }), 'ok')
})

test('RFC 7523 §2.1: a client that authenticates may send its own workload, and nobody else the workload of another', async () => {
  const both = { ...machine('builder', 'invoices:read'), grant_types: [grantType] }
  const { it, authority } = await world('sqlite', {
    ...wanted,
    clients: [...declaration.clients, clients[0], clients[2], both],
  } as JsonObject)
  const form = (assertion: string) => String(new URLSearchParams({ grant_type: grantType, assertion }))
  assert.equal(await reasonOf(authority, asking(form(job(it)), { as: 'builder' })), 'ok')
  assert.equal(
    await reasonOf(authority, asking(form(job(it)), { as: 'builder', secret: 'wrong' })),
    'client_unauthenticated',
  )
  assert.equal(
    await reasonOf(
      authority,
      asking(form(job(it, { sub: 'repo:acme/shop:environment:production' })), { as: 'builder' }),
    ),
    'assertion_invalid',
  )
  assert.equal(await reasonOf(authority, asking(form(job(it)), { as: 'svc' })), 'grant_type_not_allowed')
})

test('RFC 7521 §4.1: a token does not outlive the assertion, nor exceed what its client may have', async () => {
  const { it, authority } = await world()
  const now = Math.floor(it.clock / 1000)
  assert.equal((await claimsOf(authority, granting(job(it, { exp: now + 60 }))))['exp'], now + 60)
  assert.equal((await claimsOf(authority, granting(job(it))))['exp'], now + 600)
  assert.equal(await reasonOf(authority, granting(job(it), { scope: 'files:read' })), 'scope_exceeds_client')
  assert.equal(await reasonOf(authority, granting(job(it), { scope: 'openid' })), 'scope_unknown')
  assert.equal(
    await reasonOf(authority, granting(job(it), { resource: 'https://opaque.example' })),
    'resource_not_allowed',
  )
})

const hours = (n: number) => n * 3600

const refused: readonly (readonly [string, (it: Deployment, now: number) => string])[] = [
  ['of an issuer that nobody declared', (it) => job(it, { iss: 'https://evil.example' })],
  ['of the issuer with a slash', (it) => job(it, { iss: `${github}/` })],
  ['of no issuer', (it) => job(it, { iss: undefined as unknown as string })],
  ['for another audience', (it) => job(it, { aud: 'https://other.example' })],
  ['for several audiences, also us', (it) => job(it, { aud: [self, 'https://other.example'] })],
  ['for the audience twice', (it) => job(it, { aud: [self, self] })],
  ['for no audience', (it) => job(it, { aud: [] })],
  ['for the token endpoint', (it) => job(it, { aud: `${self}/token` })],
  ['that expired', (it, now) => job(it, { exp: now })],
  ['that expired within the leeway', (it, now) => job(it, { exp: now - 30 })],
  ['that does not expire', (it) => job(it, { exp: undefined as unknown as number })],
  ['whose exp is a text', (it, now) => job(it, { exp: String(now + 60) })],
  ['that lives for years', (it, now) => job(it, { exp: now + hours(48) })],
  ['of the future', (it, now) => job(it, { nbf: now + 120 })],
  ['issued in the future', (it, now) => job(it, { iat: now + 120 })],
  ['without a subject', (it) => job(it, { sub: '' })],
  ['whose subject is no text', (it) => job(it, { sub: ['repo:acme/shop:x'] })],
  ['that no rule fits: another repository', (it) => job(it, { sub: 'repo:acme/shop2:ref:refs/heads/main' })],
  ['that no rule fits: nothing for the star', (it) => job(it, { sub: 'repo:acme/shop:' })],
  ['that no rule fits: one claim of two', (it) => job(it, { repository_owner: 'evil' })],
  ['that no rule fits: a claim is missing', (it) => job(it, { repository_owner: undefined as unknown as string })],
  ['that no rule fits: a list for a text', (it) => job(it, { repository_owner: ['acme'] })],
  ['whose jti is a whole text', (it) => job(it, { jti: 'j'.repeat(300) })],
  ['of the wrong key', (it) => job(it, {}, { by: signingKey('k1') })],
  ['of a key that is not there', (it) => job(it, {}, { by: signingKey('k9') })],
  ['of another issuer that is trusted, too', (it) => job(it, {}, { by: clusterKey })],
  ['whose kid is an address', (it) => job(it, {}, { header: { kid: 'https://evil.example/keys.json' } })],
  ['whose kid is a path', (it) => job(it, {}, { header: { kid: '../../keys/k1' } })],
  [
    'that brings its key along',
    (it) => {
      const own = signingKey('k1')
      return job(it, {}, { by: own, header: { jwk: own.jwk } })
    },
  ],
  [
    'with alg none',
    (it) =>
      `${job(it, {}, { header: { alg: 'none' } })
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
  ],
  ['with alg none and a signature', (it) => job(it, {}, { header: { alg: 'none' } })],
  ['with another algorithm than its key', (it) => job(it, {}, { header: { alg: 'RS256' } })],
  [
    'signed with the public key as a secret',
    (it) =>
      confusedToken(
        workloadClaims(it.clock, { iss: github, aud: self, sub: 'repo:acme/shop:x', repository_owner: 'acme' }),
        key,
      ),
  ],
  ['of the kind of an access token for a logout', (it) => job(it, {}, { header: { typ: 'logout+jwt' } })],
  ['of the kind of a DPoP proof', (it) => job(it, {}, { header: { typ: 'dpop+jwt' } })],
  ['with a crit header', (it) => job(it, {}, { header: { crit: ['exp'] } })],
  [
    'that says a name twice',
    (it, now) =>
      job(
        it,
        {},
        {
          text: `{"iss":"${github}","aud":"${self}","sub":"repo:evil/x:y","sub":"repo:acme/shop:x","repository_owner":"acme","exp":${now + 60}}`,
        },
      ),
  ],
  ['that is nested deeply', (it) => job(it, { deep: JSON.parse('['.repeat(60) + ']'.repeat(60)) })],
  ['that is huge', (it) => job(it, { much: 'x'.repeat(20_000) })],
  ['that is no JWT', () => 'ga_notatoken'],
]

for (const [what, make] of refused)
  test(`RFC 7523 §3: an assertion ${what} is refused, and alike in both uses`, async () => {
    const { it, authority, others } = await world()
    const assertion = make(it, Math.floor(it.clock / 1000))
    // What is no JWT names no client either.
    const asGrant = await reasonOf(authority, granting(assertion))
    assert.ok(asGrant === 'assertion_invalid' || asGrant === 'client_unauthenticated', asGrant)
    const response = refusalResponse({ reason: 'assertion_invalid' })
    assert.deepEqual([response.status, response.error], [400, 'invalid_grant'])
    assert.equal(
      await reasonOf(authority, asClient(assertion, { grant_type: 'client_credentials' })),
      'client_unauthenticated',
    )
    // Nobody is asked for keys but who was declared.
    for (const { url } of others.asks) assert.ok(url.startsWith(github) || url.startsWith(cluster), url)
  })

test('RFC 8725 §3.10: jku and x5u lead nowhere, and the declared keys count', async () => {
  const { it, authority, others } = await world()
  others.publish('https://evil.example', [key])
  const header = { jku: 'https://evil.example/keys.json', x5u: 'https://evil.example/cert.pem' }
  assert.equal(await reasonOf(authority, granting(job(it, {}, { header }))), 'ok')
  assert.ok(others.asks.every(({ url }) => url.startsWith(github)))
})

test('an issuer that is away is told apart from a refusal, and hurts nobody else', async () => {
  const { it, authority, others } = await world()
  others.away.add(github)
  for (const request of [granting(job(it)), asClient(job(it), { grant_type: 'client_credentials' })]) {
    const answer = await authority.token(request)
    assert.ok(answer.kind === 'error')
    const response = refusalResponse(answer.error)
    assert.deepEqual(
      [response.status, response.error, response.headers],
      [503, 'temporarily_unavailable', { 'Retry-After': '5' }],
    )
  }
  assert.equal(await reasonOf(authority, granting(pod(it))), 'ok')
  assert.equal(await reasonOf(authority, asking('grant_type=client_credentials&scope=invoices%3Aread')), 'ok')
  // What is wrong by itself is refused without asking anybody.
  const asked = others.asks.length
  assert.equal(await reasonOf(authority, granting(job(it, { aud: 'x' }))), 'assertion_invalid')
  assert.equal(others.asks.length, asked)
  others.away.clear()
  assert.equal(await reasonOf(authority, granting(job(it))), 'ok')
})

test('a new key is looked for in newer keys, an old one no longer counts, and a document of another issuer is none', async () => {
  const { it, authority, others } = await world()
  others.remembers = true
  assert.equal(await reasonOf(authority, granting(job(it))), 'ok')
  const next = signingKey('k2')
  others.publish(github, [next])
  assert.equal(await reasonOf(authority, granting(job(it, {}, { by: next }))), 'ok')
  assert.ok(others.asks.some(({ noOlderThan }) => noOlderThan === 30))
  assert.equal(await reasonOf(authority, granting(job(it))), 'assertion_invalid')
  others.remembers = false
  others.publish(github, [next], { issuer: 'https://evil.example' })
  assert.equal(await reasonOf(authority, granting(job(it, {}, { by: next }))), 'issuer_unavailable')
})

test('keys that are declared are asked of nobody', async () => {
  const given = { ...trusted[0], jwks: { keys: [key.jwk] } }
  const { it, authority, others } = await world('sqlite', { ...wanted, trusted_issuers: [given] })
  others.away.add(github)
  assert.equal(await reasonOf(authority, granting(job(it))), 'ok')
  assert.deepEqual(others.asks, [])
})

test('RFC 8414 §2: what rests on trusted issuers is offered where there are any', async () => {
  const { it, authority } = await world()
  const told = await authority.metadata(root)
  assert.ok(told.kind === 'ok')
  assert.ok((told.value['grant_types_supported'] as string[]).includes(grantType))
  assert.ok((told.value['token_endpoint_auth_methods_supported'] as string[]).includes('federated_jwt'))
  await declare(it, { tenants: [{ id: 'acme' }] })
  const other = await authority.metadata('acme' as TenantId)
  assert.ok(other.kind === 'ok')
  assert.ok(!(other.value['grant_types_supported'] as string[]).includes(grantType))
  assert.ok(!(other.value['token_endpoint_auth_methods_supported'] as string[]).includes('federated_jwt'))
})

test('RFC 6749 §5.2: where nobody is trusted the grant is unknown, and a node that remembers so looks before it says so', async () => {
  const { it, authority } = await world('sqlite', { ...declaration, clients: [...declaration.clients, ...clients] })
  const known = () => asking(`grant_type=${grantType}&assertion=${job(it)}`)
  for (const _ of [1, 2]) assert.equal(await reasonOf(authority, known()), 'grant_type_unknown')
  await declare(it, wanted)
  assert.equal(await reasonOf(authority, known()), 'grant_type_not_allowed')
})

const misdeclared: readonly (readonly [string, JsonObject, string])[] = [
  ['an issuer over http', { issuer: 'http://x.example' }, 'issuer'],
  ['an issuer with a query', { issuer: 'https://x.example/?a' }, 'issuer'],
  ['no issuer', { audience: 'x' }, 'issuer'],
  ['a rule without claims', { rules: [{ claims: {}, client: 'web' }] }, 'rules'],
  ['a rule that asks for nothing', { rules: [{ claims: { sub: '*' }, client: 'web' }] }, 'rules'],
  ['two stars', { rules: [{ claims: { sub: 'repo:*:*' }, client: 'web' }] }, 'rules'],
  [
    'two rules over the same',
    {
      rules: [
        { claims: { sub: 'a' }, client: 'web' },
        { claims: { sub: 'a' }, client: 'builder' },
      ],
    },
    'rules',
  ],
  ['a rule for a client that is not there', { rules: [{ claims: { sub: 'a' }, client: 'nobody' }] }, 'rules[0].client'],
  ['keys twice', { jwks: { keys: [key.jwk] }, jwks_uri: 'https://x.example/k' }, 'jwks'],
  ['keys that are secret', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, 'jwks'],
  ['people by nothing', { people: {} }, 'people'],
  [
    'a sub that is two people',
    {
      people: {
        linked: [
          { sub: 'a', username: 'b' },
          { sub: 'a', username: 'c' },
        ],
      },
    },
    'people',
  ],
  ['a domain that is none', { people: { email_domains: ['*'] } }, 'people'],
  ['a name that nobody knows', { key: 1 }, 'key'],
]

test('a trusted issuer that is misdeclared is refused with the field that is wrong', async () => {
  const { it } = await world()
  for (const [what, wrong, field] of misdeclared) {
    const trusting = { issuer: 'https://x.example', ...wrong } as Record<string, unknown>
    if (field === 'issuer' && !('issuer' in wrong)) delete trusting['issuer']
    const answer = await it.authority.admin.declared.plan({ trusted_issuers: [trusting as JsonObject] })
    assert.ok(answer.kind === 'error' && answer.error.reason === 'invalid', what)
    assert.ok(
      answer.error.problems.some((it) => it.field === `trusted_issuers[0].${field}`),
      `${what}: ${JSON.stringify(answer.error)}`,
    )
  }
})
