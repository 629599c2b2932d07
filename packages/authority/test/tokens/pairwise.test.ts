/** Pairwise subjects, wherever a client can see one: OIDC Core §8. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import {
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
} from '../support/deployment.ts'
import { answerOf, authorizeQuery, codeOf, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'

const at = (host: string, id: string, more: JsonObject = {}): JsonObject => ({
  ...machine(id, 'openid profile offline_access invoices:read'),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [`https://${host}/cb`],
  subject_type: 'pairwise',
  ...more,
})

/** Two clients of one sector, one of another, one that is not pairwise, and one whose userinfo is signed. */
async function openPairwise(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declare(deployment, {
    ...declaration,
    clients: [
      ...declaration.clients,
      at('client.example', 'web'),
      at('client.example', 'sister'),
      at('other.example', 'stranger', { userinfo_signed_response_alg: 'ES256' }),
      at('client.example', 'open', { subject_type: 'public' }),
    ],
    users: ['alice', 'bob'].map((username) => ({ username, password: 'correct-horse' })),
  })
  return deployment
}

interface Held {
  readonly access: string
  readonly refresh: string
  readonly idToken: string
  readonly sub: string
}

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

const redirects: Readonly<Record<string, string>> = { stranger: 'https://other.example/cb' }

function heldOf(answer: Awaited<ReturnType<Deployment['authority']['token']>>): Held {
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  const { access_token: access, refresh_token: refresh, id_token: idToken } = answer.value as Record<string, string>
  assert.ok(access !== undefined && refresh !== undefined && idToken !== undefined)
  return { access, refresh, idToken, sub: claimsOf(idToken)['sub'] as string }
}

async function signedIn(
  deployment: Deployment,
  client: string,
  person = new PersonAtBrowser(deployment.authority),
): Promise<Held> {
  const redirect_uri = redirects[client] ?? 'https://client.example/cb'
  const code = await person.code(authorizeQuery({ client_id: client, redirect_uri }))
  return heldOf(await deployment.authority.token(asking(redemption(code, { redirect_uri }), { as: client })))
}

test('OIDC Core §8.1: one person is one subject to a sector, another to the next, and their id to nobody', async () => {
  const deployment = await openPairwise()
  const person = new PersonAtBrowser(deployment.authority)
  const [web, sister, stranger, open] = [
    await signedIn(deployment, 'web', person),
    await signedIn(deployment, 'sister', person),
    await signedIn(deployment, 'stranger', person),
    await signedIn(deployment, 'open', person),
  ]
  const id = (await deployment.store.users.byUsername(root, 'alice'))?.id
  assert.equal(open.sub, id)
  assert.equal(web.sub, sister.sub)
  assert.equal(new Set([web.sub, stranger.sub, id]).size, 3)
  // What a client can read must not hold what was hidden from it, in any of its tokens.
  for (const token of [web.access, web.idToken, stranger.access]) {
    assert.ok(!JSON.stringify(claimsOf(token)).includes(String(id)))
  }
})

test('OIDC Core §8: ID token, access token, refreshed ones, userinfo and introspection say the same sub', async () => {
  const deployment = await openPairwise()
  const { authority } = deployment
  for (const client of ['web', 'stranger']) {
    const held = await signedIn(deployment, client)
    const { sub } = held
    const origin = { tenant: root, ip: null, traceId: null }
    assert.equal(claimsOf(held.access)['sub'], sub)
    const told = await authority.userinfo(held.access, origin)
    assert.equal(told.kind === 'ok' && told.value.claims['sub'], sub)
    if (client === 'stranger') assert.equal(told.kind === 'ok' && claimsOf(told.value.signed ?? '')['sub'], sub)
    for (const token of [held.access, held.refresh]) {
      const seen = await authority.introspect(asking(`token=${token}`, { as: client }))
      assert.equal(seen.kind === 'ok' && seen.value['sub'], sub)
    }
    const again = heldOf(await authority.token(asking(refreshing(held.refresh), { as: client })))
    assert.equal(again.sub, sub)
    assert.equal(claimsOf(again.access)['sub'], sub)
    // The resource server of the audience knows them by the same name.
    const seen = await authority.introspect(asking(`token=${again.access}`, { as: 'api' }))
    assert.equal(seen.kind === 'ok' && seen.value['sub'], sub)
  }
})

test('OIDC Core §12.2: what a grant began with it keeps, though the client changes what it wants to hear', async () => {
  const deployment = await openPairwise()
  const held = await signedIn(deployment, 'web')
  const { clients } = deployment.authority.admin
  const found = await clients.find(root, 'web')
  assert.ok(found.kind === 'ok')
  const metadata = { ...found.value.metadata, subject_type: 'public' } as unknown as JsonObject
  const changed = await clients.replace(operator, root, { ...found.value, metadata, disabled: false })
  assert.ok(changed.kind === 'ok')
  deployment.clock += 2_000
  const again = heldOf(await deployment.authority.token(asking(refreshing(held.refresh), { as: 'web' })))
  assert.equal(again.sub, held.sub)
})

test('OIDC Core §3.1.2.1, §5.5.1: a hint and a sub by value are understood in the name the client knows', async () => {
  const deployment = await openPairwise()
  const person = new PersonAtBrowser(deployment.authority)
  const held = await signedIn(deployment, 'web', person)
  const silent = { prompt: 'none', client_id: 'web' }
  const wishing = (sub: string) => JSON.stringify({ id_token: { sub: { value: sub } } })
  assert.ok(codeOf(await person.begin(authorizeQuery({ ...silent, id_token_hint: held.idToken }))))
  assert.ok(codeOf(await person.begin(authorizeQuery({ ...silent, claims: wishing(held.sub) }))))
  // Their own id is no name that this client could know them by.
  const id = (await deployment.store.users.byUsername(root, 'alice'))?.id ?? ''
  const refused = await person.begin(authorizeQuery({ ...silent, claims: wishing(id) }))
  assert.equal(answerOf(refused).get('error'), 'login_required')
  // And signing in as the one who is meant is enough.
  const elsewhere = new PersonAtBrowser(deployment.authority)
  await elsewhere.begin(authorizeQuery({ id_token_hint: held.idToken }))
  assert.ok(codeOf(await elsewhere.signIn('alice')))
})

for (const database of databases) {
  test(`${database}: whatever ends a person's access ends it under every name: session, password, disabling`, async () => {
    const deployment = await openPairwise(database)
    const { authority } = deployment
    const person = new PersonAtBrowser(authority)
    const first = await signedIn(deployment, 'web', person)
    assert.ok(await isActive(authority, first.access, { as: 'api' }))
    deployment.clock += 2_000
    person.keep(await authority.browser.signOut(person.visitor()))
    assert.equal(await isActive(authority, first.access, { as: 'api' }), false)
    deployment.clock += 2_000
    const second = await signedIn(deployment, 'web')
    const disabled = { username: 'alice', disabled: true }
    assert.ok((await authority.admin.users.setDisabled(operator, root, disabled)).kind === 'ok')
    assert.equal(await isActive(authority, second.access, { as: 'api' }), false)
    const refreshed = await authority.token(asking(refreshing(second.refresh), { as: 'web' }))
    assert.equal(refreshed.kind === 'error' && refreshed.error.reason, 'subject_gone')
    // The log names the grants by which validators know what dies, and the person by their id.
    await deployment.store.events.position()
    const cut = (await deployment.store.events.after(root, 0, 1000)).filter(
      (it) => it.name === 'token.revoked' && it.grantId,
    )
    assert.ok(cut.length > 0)
    const id = (await deployment.store.users.byUsername(root, 'alice'))?.id
    for (const it of cut) assert.deepEqual([it.subject, it.jti, it.clientId], [id, null, 'web'])
  })
}
