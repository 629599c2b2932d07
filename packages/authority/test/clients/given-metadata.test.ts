/** What a client may not say of itself, by every way to make one; and what becomes of a client that said it long ago. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Authority, type Limits, limits } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser } from '../support/person.ts'
import { registering, Web } from '../support/registration.ts'

const id = 'https://app.example/oauth/client.json'
const callback = 'https://app.example/cb'
const good: JsonObject = { client_name: 'App', redirect_uris: [callback], token_endpoint_auth_method: 'none' }

const refused: readonly (readonly [string, JsonObject])[] = [
  ['a parameter of the answer in a redirect URI', { redirect_uris: [`${callback}?c%6fde=1`] }],
  ['a user in a redirect URI', { redirect_uris: ['https://app.example@evil.example/cb'] }],
  ['an encoded dot segment in a redirect URI', { redirect_uris: ['https://app.example/%2e%2e/cb'] }],
  ['a wildcard in a redirect URI', { redirect_uris: ['https://app.example/*'] }],
  ['a single slash in a redirect URI', { redirect_uris: ['https:/app.example/cb'] }],
  ['a scheme that hands on to a browser', { redirect_uris: ['microsoft-edge:/cb'], application_type: 'native' }],
  ['a scheme of nobody known', { redirect_uris: ['myapp:/cb'], application_type: 'native' }],
  ['a parameter of the answer in a logout address', { post_logout_redirect_uris: [`${callback}?state=1`] }],
  ['a private address for a logout token', { backchannel_logout_uri: 'https://[::ffff:10.0.0.1]/out' }],
  ['a private address for keys', { jwks_uri: 'https://metadata.google.internal/keys' }],
  ['a name that nobody sees', { client_name: '\u3164' }],
  ['a name that reads backwards', { client_name: 'knaB\u202e' }],
  ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
  ['a weak key', { jwks: { keys: [{ kty: 'RSA', n: 'w'.repeat(171), e: 'AQAB' }] } }],
  ['the port of another protocol', { logo_uri: 'https://app.example:6379/logo' }],
]

const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null])) as unknown as Limits

interface Way {
  readonly name: string
  make(metadata: JsonObject): Promise<boolean>
}

async function ways(): Promise<readonly Way[]> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const web = new Web(() => deployment.clock)
  const authority = deployment.node({ outbound: web, limits: none })
  return [
    {
      name: 'registration',
      make: async (metadata) => (await authority.register(registering(metadata))).kind === 'ok',
    },
    {
      name: 'metadata document',
      async make(metadata) {
        web.put(id, { client_id: id, ...metadata })
        const [uri = ''] = metadata['redirect_uris'] as readonly string[]
        const begun = await new PersonAtBrowser(authority).begin(
          authorizeQuery({ client_id: id, redirect_uri: uri, scope: 'openid' }),
        )
        return begun.go === 'login'
      },
    },
    {
      name: 'admin API',
      make: async (metadata) => (await authority.admin.clients.create(operator, root, { metadata })).kind === 'ok',
    },
    {
      name: 'declared file',
      async make(metadata) {
        const clients = [{ client_id: 'declared', ...metadata }]
        return (await authority.admin.declared.apply(operator, { clients })).kind === 'ok'
      },
    },
  ]
}

test('what is dangerous is refused by registration, document, admin API and declared file alike', async () => {
  for (const way of await ways()) {
    for (const [what, metadata] of refused) {
      const made = await way.make({ ...good, ...metadata })
      assert.equal(made, false, `${way.name}: ${what}`)
    }
    assert.equal(await way.make(good), true, way.name)
  }
})

/** A client as an earlier release would have taken it. */
async function heldBefore({ store, ports }: Deployment, metadata: JsonObject): Promise<void> {
  const held = await store.clients.find(root, 'web')
  assert.ok(held !== null)
  const old = { ...held.metadata, ...metadata }
  const client = {
    tenant: root,
    id: 'old',
    metadata: old,
    secrets: [],
    origin: 'manual',
    createdAt: ports.clock.now(),
  } as const
  assert.equal(await store.clients.create(client, []), 'created')
}

const ending = async (authority: Authority, redirectUri: string): Promise<string> => {
  const person = new PersonAtBrowser(authority)
  const begun = await person.begin(authorizeQuery({ client_id: 'old', redirect_uri: redirectUri }))
  return begun.go === 'error' ? begun.refusal.reason : begun.go
}

for (const database of databases)
  test(`an address taken under older rules leads nowhere any more, and the operator is told (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const [bad, app] = [`${callback}?code=stolen`, 'myapp:/cb']
    await heldBefore(deployment, { redirect_uris: [bad, app, callback], application_type: 'native' })
    const { authority } = deployment
    assert.equal(await ending(authority, bad), 'redirect_uri_unregistered')
    assert.equal(await ending(authority, app), 'redirect_uri_unregistered')
    assert.equal(await ending(authority, callback), 'login')
    const held = await authority.admin.clients.find(root, 'old')
    assert.ok(held.kind === 'ok')
    const problems = await authority.admin.clients.problems(held.value)
    assert.ok(problems.kind === 'ok')
    const fields = problems.value.map(({ field }) => field)
    assert.deepEqual(fields, ['redirect_uris[0]', 'redirect_uris[1]'])
  })

test('an app that the operator names is called back by its plain scheme, and never by a form', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  await heldBefore(deployment, { redirect_uris: ['myapp:/cb'], application_type: 'native' })
  const { policy } = deployment.ports
  const addresses = { ...policy.addresses, schemes: new Set(['myapp']) }
  const authority = deployment.node({ policy: { ...policy, addresses } })
  assert.equal(await ending(authority, 'myapp:/cb'), 'login')
  const person = new PersonAtBrowser(authority)
  const form = { client_id: 'old', redirect_uri: 'myapp:/cb', response_mode: 'form_post' }
  const answer = await person.begin(authorizeQuery(form))
  assert.ok(answer.go === 'answer' && answer.response.mode === 'redirect')
  assert.deepEqual(
    [answerOf(answer).get('error'), answer.response.location.split('?')[0]],
    ['invalid_request', 'myapp:/cb'],
  )
})
