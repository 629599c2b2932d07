import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Authority, limits } from '@grantor/authority'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, databases, declare, type Deployment, openDeployment, root } from '../support/deployment.ts'
import {
  answerOf,
  authorizeQuery,
  codeOf,
  declarePeople,
  PersonAtBrowser,
  redemption,
  refreshing,
  shownOf,
} from '../support/person.ts'
import { Web } from '../support/registration.ts'

const id = 'https://app.example/oauth/client.json'
const callback = 'https://app.example/cb'
const document = (more: JsonObject = {}): JsonObject => ({
  client_id: id,
  client_name: 'App',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  ...more,
})
const query = (more: Record<string, string> = {}) => authorizeQuery({ client_id: id, redirect_uri: callback, ...more })

interface Stage {
  readonly deployment: Deployment
  readonly web: Web
  readonly authority: Authority
}

async function stage(more: JsonObject = {}, database: (typeof databases)[number] = 'sqlite'): Promise<Stage> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  const web = new Web(() => deployment.clock).put(id, document(more))
  return { deployment, web, authority: deployment.node({ outbound: web }) }
}

const publicly = (body: string, client = id) => ({
  ...asking(`${body}&client_id=${encodeURIComponent(client)}`),
  authorization: null,
})

const redeem = (authority: Authority, code: string, redirect = callback) =>
  authority.token(publicly(redemption(code, { redirect_uri: redirect })))

for (const database of databases)
  test(`Client ID Metadata Document §4: a client that nobody registered completes the code flow (${database})`, async () => {
    const { deployment, web, authority } = await stage({}, database)
    const person = new PersonAtBrowser(authority)
    await person.begin(query())
    const asked = await person.signIn()
    assert.ok(asked.go === 'consent')
    assert.deepEqual([asked.client.name, asked.client.provenHost], ['App', 'app.example'])
    const first = await redeem(authority, codeOf(await person.allow()))
    assert.ok(first.kind === 'ok', JSON.stringify(first))
    const second = await authority.token(publicly(refreshing(first.value['refresh_token'] as string)))
    assert.ok(second.kind === 'ok', JSON.stringify(second))
    assert.deepEqual(web.asked, [id])
    const client = await deployment.store.clients.find(root, id)
    assert.deepEqual(
      [client?.origin, client?.secrets, client?.freshUntil],
      ['document', [], deployment.clock + 600_000],
    )
  })

test('Client ID Metadata Document §4.3: a copy is believed for its time, then the document is read again', async () => {
  const { deployment, web, authority } = await stage()
  const person = new PersonAtBrowser(authority)
  await person.code(query())
  const before = await deployment.store.clients.find(root, id)
  deployment.clock += 599_000
  await person.begin(query())
  assert.equal(web.asked.length, 1)
  deployment.clock += 1_000
  await person.begin(query())
  assert.equal(web.asked.length, 2)
  const same = await deployment.store.clients.find(root, id)
  assert.deepEqual([same?.version, same?.freshUntil], [before?.version, deployment.clock + 600_000])
  deployment.clock += 600_000
  web.put(id, document({ client_name: 'Renamed' }))
  const shown = await person.begin(query({ prompt: 'consent' }))
  assert.equal(shown.go === 'consent' && shown.client.name, 'Renamed')
  await deployment.store.events.position()
  const told = (await deployment.store.events.after(root, 0, 200)).filter(({ clientId }) => clientId === id)
  const updates = told.filter(({ name }) => name === 'client.updated').map(({ data }) => data?.['changed'])
  assert.deepEqual(updates, [['client_name']])
})

test('Client ID Metadata Document §4.3: the last good copy stands in while somebody is connected, and not longer', async () => {
  const { deployment, web, authority } = await stage()
  const person = new PersonAtBrowser(authority)
  await person.code(query())
  web.documents.delete(id)
  deployment.clock += 86_400_000
  assert.equal((await person.begin(query())).go, 'login')
  web.put(id, 'not json')
  assert.equal((await person.begin(query())).go, 'login')
  // The grant is over; nobody vouches for the copy any more.
  deployment.clock += 200 * 86_400_000
  const shown = await person.begin(query())
  assert.equal(shown.go === 'error' && shown.refusal.reason, 'client_document_invalid')
  web.documents.delete(id)
  const gone = await person.begin(query())
  assert.equal(gone.go === 'error' && gone.refusal.reason, 'client_document_unfetched')
})

test('Client ID Metadata Document §6: what is no document of this client is refused and leaves nothing', async () => {
  const { deployment, web, authority } = await stage()
  for (const bad of [
    document({ client_id: `${id}x` }),
    document({ client_secret: 'x' }),
    document({ token_endpoint_auth_method: 'client_secret_basic' }),
    document({ redirect_uris: ['javascript:alert(1)'] }),
    [document()],
    'null',
    '{"client_id": "x", "client_id": "y"}',
    '{"__proto__": {}}',
    '<html>',
    `{"client_id":"${id}","client_name":"${'x'.repeat(6000)}"}`,
  ]) {
    web.put(id, bad)
    const shown = await new PersonAtBrowser(authority).begin(query())
    assert.ok(shown.go === 'error' && shown.refusal.reason.startsWith('client_document_'), JSON.stringify(shown))
  }
  assert.equal(await deployment.store.clients.find(root, id), null)
})

test('OIDC Registration §5: a document is of the sector that it claims only where that names its redirect URIs', async () => {
  const sector = 'https://bank.example/uris.json'
  const { deployment, web, authority } = await stage({ subject_type: 'pairwise', sector_identifier_uri: sector })
  const begun = () => new PersonAtBrowser(authority).begin(query())
  for (const bad of [['https://bank.example/cb'], { uris: [callback] }, 'not json', null]) {
    if (bad === null) web.documents.delete(sector)
    else web.put(sector, bad)
    const shown = await begun()
    assert.equal(shown.go === 'error' && shown.refusal.reason, 'client_document_invalid', JSON.stringify(shown))
    assert.equal(await deployment.store.clients.find(root, id), null)
  }
  web.put(sector, ['https://bank.example/cb', callback])
  assert.equal((await begun()).go, 'login')
})

test('Client ID Metadata Document §6: a redirect URI that is not in the document is never used', async () => {
  const { authority } = await stage()
  for (const redirect_uri of ['https://app.example/cb2', 'https://evil.example/cb', 'http://localhost/cb']) {
    const shown = await new PersonAtBrowser(authority).begin(query({ redirect_uri }))
    assert.equal(shown.go === 'error' && shown.refusal.reason, 'redirect_uri_unregistered')
  }
})

test('no fetch is caused by what cannot be a document, by the token endpoint, or where documents are off', async () => {
  const { deployment, web, authority } = await stage()
  for (const client_id of [
    'https://app.example/',
    'http://app.example/x',
    'https://u@app.example/x',
    'https://app.example/a/../x',
  ]) {
    const shown = await new PersonAtBrowser(authority).begin(query({ client_id }))
    assert.equal(shown.go === 'error' && shown.refusal.reason, 'client_unknown')
  }
  const refused = await redeem(authority, 'gc_x')
  assert.equal(refused.kind === 'error' && refused.error.reason, 'client_unauthenticated')
  const registration = { ...defaultPolicy.registration, metadataDocuments: false }
  const off = deployment.node({ outbound: web, policy: { ...defaultPolicy, registration } })
  const shown = await new PersonAtBrowser(off).begin(query())
  assert.equal(shown.go === 'error' && shown.refusal.reason, 'client_unknown')
  assert.deepEqual(web.asked, [])
  // One that came before they were switched off is not let in any more either.
  await new PersonAtBrowser(authority).code(query())
  const late = await new PersonAtBrowser(off).begin(query())
  assert.equal(late.go === 'error' && late.refusal.reason, 'client_unknown')
})

test('one address makes us look at 30 new documents in ten minutes, and not at more', async () => {
  const { deployment, web, authority } = await stage()
  const begin = (n: number) => new PersonAtBrowser(authority).begin(query({ client_id: `https://app.example/${n}` }))
  for (let n = 0; n < 30; n++) await begin(n)
  const shown = await begin(30)
  assert.equal(shown.go === 'error' && shown.refusal.reason, 'limit_reached')
  assert.equal(web.asked.length, 30)
  deployment.clock += 20_000
  await begin(31)
  assert.equal(web.asked.length, 31)
})

test('an earlier yes counts for a document that leads to the web, and for prompt=none', async () => {
  const { authority } = await stage()
  const person = new PersonAtBrowser(authority)
  await person.code(query())
  assert.ok(answerOf(await person.begin(query({ prompt: 'none' }))).has('code'))
})

test('RFC 8252 §8.6: where the answer goes to the device itself, the person is asked each time', async () => {
  const { authority } = await stage({ redirect_uris: ['http://127.0.0.1/cb', 'app.example:/cb'] })
  const person = new PersonAtBrowser(authority)
  for (const redirect_uri of ['http://127.0.0.1:49152/cb', 'app.example:/cb']) {
    await person.code(query({ redirect_uri }))
    assert.equal((await person.begin(query({ redirect_uri }))).go, 'consent')
    const silent = answerOf(await person.begin(query({ redirect_uri, prompt: 'none' })))
    assert.equal(silent.get('error'), 'consent_required')
  }
})

test('an earlier yes is void once the document names other addresses', async () => {
  const { deployment, web, authority } = await stage()
  const person = new PersonAtBrowser(authority)
  await person.code(query())
  web.put(id, document({ redirect_uris: [callback, 'https://evil.example/cb'] }))
  deployment.clock += 600_000
  assert.equal((await person.begin(query())).go, 'consent')
  web.put(id, document({ redirect_uris: [callback], client_name: 'Other name' }))
  deployment.clock += 600_000
  assert.ok(answerOf(await person.begin(query())).has('code'))
})

test('what a document no longer asks for, the grants to its client lose', async () => {
  const scope = 'openid offline_access invoices:read invoices:write'
  const { deployment, web, authority } = await stage({ scope })
  const person = new PersonAtBrowser(authority)
  const first = await redeem(authority, await person.code(query({ scope })))
  assert.ok(first.kind === 'ok')
  for (const wish of ['openid offline_access invoices:read', scope]) {
    web.put(id, document({ scope: wish }))
    deployment.clock += 600_000
    await person.begin(query({ scope: 'openid' }))
  }
  const second = await authority.token(publicly(refreshing(first.value['refresh_token'] as string)))
  assert.equal(second.kind === 'ok' && second.value['scope'], 'invoices:read offline_access openid')
})

test('an administrator disables a document, and nothing that it says lets it in again', async () => {
  const { deployment, web, authority } = await stage()
  const person = new PersonAtBrowser(authority)
  await person.code(query())
  const held = await deployment.store.clients.find(root, id)
  assert.ok(held !== null)
  const by = { kind: 'operator', id: 'test' } as const
  const metadata = { ...held.metadata } as unknown as JsonObject
  const replaced = await authority.admin.clients.replace(by, root, {
    id,
    version: held.version,
    metadata,
    disabled: true,
  })
  assert.ok(replaced.kind === 'ok', JSON.stringify(replaced))
  web.put(id, document({ client_name: 'Back again' }))
  deployment.clock += 600_000
  const shown = await person.begin(query())
  assert.equal(shown.go === 'error' && shown.refusal.reason, 'client_unknown')
})

for (const database of databases)
  test(`50 people meet a document at once: it is one client, and all of them are let in (${database})`, async () => {
    const { deployment, authority } = await stage({}, database)
    const shown = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        authority.browser.authorize(query(), { ...new PersonAtBrowser(authority).visitor(), ip: `198.51.100.${n}` }),
      ),
    )
    assert.deepEqual(new Set(shown.map((it) => shownOf(it).go)), new Set(['hub']))
    await deployment.store.events.position()
    const made = (await deployment.store.events.after(root, 0, 200)).filter(({ clientId }) => clientId === id)
    assert.deepEqual(
      made.map(({ name }) => name),
      ['client.registered'],
    )
  })

test('nobody declares or makes a client whose name is an address', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const by = { kind: 'operator', id: 'test' } as const
  const made = await deployment.authority.admin.clients.create(by, root, {
    id: 'https://claude.ai/oauth/x',
    metadata: { redirect_uris: [callback] },
  })
  assert.equal(made.kind === 'error' && made.error.reason, 'invalid')
})

test('so many sign-ins are begun by one address, and not more', async () => {
  const { deployment } = await stage()
  const authority = deployment.node({ limits: { ...limits, authorize: { ...limits.authorize, quota: 3 } } })
  const begin = async (ip: string) =>
    shownOf(await authority.browser.authorize(authorizeQuery(), { ...new PersonAtBrowser(authority).visitor(), ip }))
  for (let n = 0; n < 3; n++) assert.equal((await begin('198.51.100.7')).go, 'hub')
  const shown = await begin('198.51.100.7')
  assert.equal(shown.go === 'error' && shown.refusal.reason, 'limit_reached')
  assert.equal((await begin('198.51.100.8')).go, 'hub')
  deployment.clock += 200_000
  assert.equal((await begin('198.51.100.7')).go, 'hub')
})
