/** Clients that change while a person is on the way, or after one said yes: nothing goes where nobody was asked about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import { declare, type Deployment, machine, openDeployment, operator, root } from '../support/deployment.ts'
import { authorizeQuery, codeOf, declarePeople, PersonAtBrowser, redirectUri } from '../support/person.ts'
import { managing, registered, Web } from '../support/registration.ts'

const web = { client_name: 'Shop', redirect_uris: [redirectUri], grant_types: ['authorization_code'] }
const elsewhere = 'https://evil.example/cb'

async function stage(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

const moving =
  ({ registration }: Authority, id: string, access: string) =>
  (body: JsonObject) =>
    registration.replace({ ...managing(id, access), body: { ...web, ...body, client_id: id } })

test('RFC 7592 §2.2: an earlier yes is void once the client registered other addresses, for prompt=none too', async () => {
  const { authority } = await stage()
  const { id, access } = await registered(authority, web)
  const person = new PersonAtBrowser(authority)
  const query = authorizeQuery({ client_id: id })
  const silently = (to: string) => authorizeQuery({ client_id: id, redirect_uri: to, prompt: 'none' })
  await person.code(query)
  codeOf(await person.begin(silently(redirectUri)))
  const move = moving(authority, id, access)
  assert.ok((await move({ client_name: 'Shop 2' })).kind === 'ok')
  codeOf(await person.begin(silently(redirectUri)))
  assert.ok((await move({ redirect_uris: [redirectUri, elsewhere] })).kind === 'ok')
  const refused = await person.begin(silently(elsewhere))
  assert.ok(refused.go === 'unredirected' && refused.refusal.reason === 'consent_required')
  assert.equal((await person.begin(authorizeQuery({ client_id: id, redirect_uri: elsewhere }))).go, 'consent')
  // Asked and allowed, it counts again.
  codeOf(await person.allow())
  codeOf(await person.begin(silently(elsewhere)))
})

test('what only an administrator says of a client, neither an update nor a newer document lays off', async () => {
  const deployment = await stage()
  const document = 'https://app.example/client.json'
  const said = (name: string) => ({ client_id: document, client_name: name, redirect_uris: [redirectUri] })
  const elsewhere = new Web(() => deployment.clock).put(document, said('App'))
  const authority = deployment.node({ outbound: elsewhere })
  const { id, access } = await registered(authority, web)
  const begin = () => new PersonAtBrowser(authority).begin(authorizeQuery({ client_id: document }))
  await begin()
  const demanded = { pkce: 'always', accent: '#336699', claim_mappings: [{ claim: 'team', value: 'shop' }] }
  const demand = async (clientId: string, more: JsonObject) => {
    const held = await deployment.store.clients.find(root, clientId)
    assert.ok(held)
    const wish = { id: clientId, version: held.version, metadata: { ...held.metadata, ...more }, disabled: false }
    const replaced = await authority.admin.clients.replace(operator, root, wish)
    assert.ok(replaced.kind === 'ok', JSON.stringify(replaced))
  }
  for (const clientId of [id, document]) await demand(clientId, demanded)
  const move = moving(authority, id, access)
  assert.ok((await move({ client_name: 'Shop 2', pkce: 'public_clients', accent: '#ffffff' })).kind === 'ok')
  elsewhere.put(document, said('App 2'))
  deployment.clock += elsewhere.maxAge * 1000 + 1
  await begin()
  const metadataOf = async (clientId: string) => (await deployment.store.clients.find(root, clientId))?.metadata
  for (const [clientId, name] of [
    [id, 'Shop 2'],
    [document, 'App 2'],
  ] as const) {
    const { client_name: called, pkce, accent, claim_mappings: mappings } = (await metadataOf(clientId)) ?? {}
    assert.deepEqual([called, { pkce, accent, claim_mappings: mappings }], [name, demanded])
  }
  // What it was given for something that it no longer is goes with that.
  await demand(id, { resource_server: 'https://api.example' })
  assert.equal((await metadataOf(id))?.resource_server, 'https://api.example')
  assert.ok((await move({ token_endpoint_auth_method: 'none' })).kind === 'ok')
  const { resource_server: resource, pkce, token_endpoint_auth_method: method } = (await metadataOf(id)) ?? {}
  assert.deepEqual([resource, pkce, method], [undefined, 'always', 'none'])
  // A profile is not laid off: what contradicts it is refused.
  const signing = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://client.example/jwks' }
  assert.ok((await move(signing)).kind === 'ok')
  await demand(id, {
    ...signing,
    profile: 'fapi2-security',
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
    id_token_signed_response_alg: 'ES256',
  })
  const refused = await move({ token_endpoint_auth_method: 'client_secret_basic' })
  assert.ok(refused.kind === 'error' && refused.error.reason === 'client_metadata_invalid', JSON.stringify(refused))
  assert.ok((await move({ jwks_uri: signing.jwks_uri })).kind === 'ok')
  const { profile, dpop_bound_access_tokens: bound } = (await metadataOf(id)) ?? {}
  assert.deepEqual([profile, bound], ['fapi2-security', true])
})

test('RFC 6749 §3.1.2.4: an address that is given up while a person is on the way gets neither code nor refusal', async () => {
  const { authority } = await stage()
  const { id, access } = await registered(authority, web)
  const move = moving(authority, id, access)
  const [allowing, denying] = [new PersonAtBrowser(authority), new PersonAtBrowser(authority)]
  for (const person of [allowing, denying]) {
    await person.begin(authorizeQuery({ client_id: id }))
    assert.equal((await person.signIn()).go, 'consent')
  }
  assert.ok((await move({ redirect_uris: ['https://client.example/new'] })).kind === 'ok')
  for (const shown of [await allowing.allow(), await denying.deny()])
    assert.deepEqual(shown, { go: 'error', refusal: { reason: 'redirect_uri_unregistered' } })
})

test('a client that is declared anew under an old name does not take up what the old one began', async () => {
  const deployment = await stage()
  const person = new PersonAtBrowser(deployment.authority)
  await person.begin()
  await person.signIn()
  await declare(deployment, { clients: [{ ...machine('web', 'openid'), client_name: 'Another' }] })
  assert.deepEqual(await person.allow(), { go: 'error', refusal: { reason: 'redirect_uri_unregistered' } })
})
