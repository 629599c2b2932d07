/** Declared claims: in ID tokens, userinfo and access tokens, as far as the scopes go, as they are now. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const [invoices, opaque] = declaration.resources
const everything = 'openid profile offline_access invoices:read files:read'
const apiClaims = [
  { claim: 'department', from: 'attributes.department' },
  { claim: 'roles', from: 'roles' },
  { claim: 'email', from: 'email' },
  { claim: 'https://example.com/plan', value: 'gold' },
]
const objects: JsonObject = {
  ...declaration,
  resources: [
    { ...invoices, claim_mappings: apiClaims },
    { ...opaque, claim_mappings: apiClaims },
  ],
  clients: [
    ...declaration.clients,
    {
      ...machine('web', everything),
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      claim_mappings: [
        { claim: 'department', from: 'attributes.department' },
        { claim: 'teams', from: 'groups', in: ['userinfo'] },
        { claim: 'tier', value: 1, in: ['id_token'] },
        { claim: 'mail', from: 'email' },
      ],
    },
  ],
  roles: [{ name: 'reader', resource: api, scopes: ['invoices:read'] }],
  groups: [{ name: 'Office', roles: ['reader'] }],
  users: [
    {
      username: 'alice',
      password: 'correct-horse',
      email: 'alice@example.com',
      groups: ['office'],
      attributes: { department: 'Sales' },
    },
  ],
}

const claimsOf = (jwt: unknown): JsonObject =>
  JSON.parse(Buffer.from((jwt as string).split('.')[1] ?? '', 'base64url').toString()) as JsonObject
const mapped = ({ department, teams, tier, mail, roles, email, ...more }: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify({ department, teams, tier, mail, roles, email, plan: more['https://example.com/plan'] }),
  ) as JsonObject

type Tokens = Readonly<Record<string, string>>

async function tokens({ authority }: Deployment, body: string): Promise<Tokens> {
  const answer = await authority.token(asking(body, { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Tokens
}

const signedIn = async (it: Deployment, scope: string, more: Record<string, string> = {}): Promise<Tokens> =>
  tokens(it, redemption(await new PersonAtBrowser(it.authority).code(authorizeQuery({ scope, ...more }))))

for (const database of databases) {
  describe(`claim mappings on ${database}`, async () => {
    const it = await openDeployment(database)
    await declare(it, objects)

    test('an ID token, userinfo and an access token say what is declared, and each only what is declared for it', async () => {
      const held = await signedIn(it, 'openid profile invoices:read')
      assert.deepEqual(mapped(claimsOf(held['id_token'])), { department: 'Sales', tier: 1 })
      const told = await it.authority.userinfo(held['access_token'] ?? '', { tenant: root, ip: null, traceId: null })
      assert.ok(told.kind === 'ok')
      assert.deepEqual(mapped(told.value.claims), { department: 'Sales', teams: ['Office'] })
      assert.deepEqual(mapped(claimsOf(held['access_token'])), { department: 'Sales', roles: ['reader'], plan: 'gold' })
    })

    test('a claim whose scope was not granted is nowhere', async () => {
      const held = await signedIn(it, 'openid invoices:read')
      assert.deepEqual(mapped(claimsOf(held['id_token'])), { tier: 1 })
      const told = await it.authority.userinfo(held['access_token'] ?? '', { tenant: root, ip: null, traceId: null })
      assert.ok(told.kind === 'ok')
      assert.deepEqual(mapped(told.value.claims), {})
    })

    test('RFC 7662 §2.2: introspection of an opaque token says what a JWT would', async () => {
      const held = await signedIn(it, 'openid profile files:read', { resource: 'https://opaque.example' })
      assert.ok(held['access_token']?.startsWith('ga_'))
      const answer = await it.authority.introspect(asking(`token=${held['access_token']}`, { as: 'web' }))
      assert.ok(answer.kind === 'ok')
      assert.deepEqual(mapped(answer.value), { department: 'Sales', plan: 'gold' }, 'the role is one of the other API')
      assert.equal(answer.value['active'], true)
    })

    test('RFC 6749 §4.4: a client that speaks for itself has the constants alone', async () => {
      const held = await tokens(it, 'grant_type=client_credentials&scope=invoices:read')
      assert.deepEqual(mapped(claimsOf(held['access_token'])), { plan: 'gold' })
    })

    test('RFC 6749 §6: a refresh says what is true now, of the person and of the declaration', async () => {
      const held = await signedIn(it, 'openid profile offline_access invoices:read')
      await declare(it, {
        ...objects,
        resources: [{ ...invoices, claim_mappings: [...apiClaims, { claim: 'who', from: 'username' }] }, { ...opaque }],
        users: [{ username: 'alice', attributes: { department: 'Support' } }],
      })
      const next = await tokens(it, refreshing(held['refresh_token'] ?? ''))
      assert.equal(claimsOf(next['access_token'])['department'], 'Support')
      assert.equal(claimsOf(next['access_token'])['who'], 'alice')
      assert.equal(claimsOf(next['id_token'])['department'], 'Support')
      await declare(it, objects)
    })

    test('the preview shows what a token would say', async () => {
      const person = await it.store.users.byUsername(root, 'alice')
      const asked = {
        clientId: 'web',
        subject: person?.id ?? '',
        scope: 'openid profile invoices:read',
        resource: null,
      }
      const preview = await it.authority.admin.clients.preview(root, asked)
      assert.ok(preview.kind === 'ok', JSON.stringify(preview))
      assert.deepEqual(mapped(preview.value.claims), { department: 'Sales', roles: ['reader'], plan: 'gold' })
      assert.deepEqual(mapped(preview.value.signIn?.idToken ?? {}), { department: 'Sales', tier: 1 })
      assert.deepEqual(mapped(preview.value.signIn?.userinfo ?? {}), { department: 'Sales', teams: ['Office'] })
    })

    test('OIDC Discovery §3: claims_supported names what clients declare, in their tenant alone', async () => {
      const acme = 'acme' as TenantId
      await declare(it, { tenants: [{ id: 'acme', name: 'Acme' }] })
      const supported = async (tenant: TenantId) => {
        const answer = await it.authority.metadata(tenant)
        assert.ok(answer.kind === 'ok')
        const { claims_supported: names } = answer.value as unknown as Readonly<Record<string, readonly string[]>>
        return names?.filter((name) => ['department', 'teams', 'tier', 'mail'].includes(name))
      }
      assert.deepEqual(await supported(root), ['department', 'mail', 'teams', 'tier'])
      assert.deepEqual(await supported(acme), [])
    })

    test('what the protocol says can be declared by nobody, and a refused file changes nothing', async () => {
      for (const mapping of [{ claim: 'sub', from: 'username' }, { claim: 'scope', value: 'admin' }, { claim: 'x' }])
        for (const bad of [
          { ...objects, resources: [{ ...invoices, claim_mappings: [mapping] }] },
          { ...objects, clients: [{ ...machine('web', everything), claim_mappings: [mapping] }] },
        ]) {
          const refused = await it.authority.admin.declared.apply(operator, bad)
          assert.equal(refused.kind, 'error', JSON.stringify(mapping))
        }
      const held = await signedIn(it, 'openid profile invoices:read')
      assert.equal(claimsOf(held['id_token'])['department'], 'Sales')
    })

    test('a resource whose mappings cannot be read gets no tokens, and the others do', async () => {
      await it.tamper(`update resources set claim_mappings = 'broken' where identifier = '${api}'`)
      const node = it.node()
      const refused = await node.token(asking('grant_type=client_credentials&scope=invoices:read', { as: 'web' }))
      assert.equal(refused.kind, 'error')
      const served = await node.token(asking('grant_type=client_credentials&scope=files:read', { as: 'web' }))
      assert.equal(served.kind, 'ok', JSON.stringify(served))
    })
  })
}
