/** What a client is told of a person: no more than it may ask for now, and in the ID token where it wants it (OIDC Core §5.4, §5.5). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, databases, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { authorizeQuery, codeOf, declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'
import { managing, registered, registering } from '../support/registration.ts'

const origin = { tenant: root, ip: null, traceId: null }
const everything = JSON.stringify({
  userinfo: { email: { essential: true }, name: null },
  id_token: { email: { essential: true }, name: null },
})

const claimsOf = (jwt: unknown): JsonObject =>
  JSON.parse(Buffer.from((jwt as string).split('.')[1] ?? '', 'base64url').toString()) as JsonObject

const told = (it: JsonObject) =>
  Object.keys(it).filter((name) => ['email', 'name', 'preferred_username'].includes(name))

async function setMetadata({ authority }: Deployment, id: string, more: JsonObject): Promise<void> {
  const found = await authority.admin.clients.find(root, id)
  assert.ok(found.kind === 'ok')
  const metadata = { ...(found.value.metadata as unknown as JsonObject), ...more }
  const changed = await authority.admin.clients.replace(operator, root, { ...found.value, metadata, disabled: false })
  assert.equal(changed.kind, 'ok', JSON.stringify(changed))
}

type Tokens = Readonly<Record<string, string>>

async function tokens({ authority }: Deployment, body: string): Promise<Tokens> {
  const answer = await authority.token(asking(body, { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Tokens
}

async function userinfo({ authority }: Deployment, token: string | undefined): Promise<JsonObject> {
  const answer = await authority.userinfo(token ?? '', origin)
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value.claims
}

const asked = (scope: string) => authorizeQuery({ scope, claims: everything })

for (const database of databases) {
  test(`${database}: OIDC Core §5.5: claims give nothing to a client that is registered for openid alone, and nobody is asked for it`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it, { scope: 'openid offline_access invoices:read' })
    const person = new PersonAtBrowser(it.authority)
    await person.begin(asked('openid offline_access'))
    const shown = await person.signIn()
    assert.ok(shown.go === 'consent')
    assert.deepEqual([...shown.question.claims], [])
    const held = await tokens(it, redemption(codeOf(await person.allow())))
    assert.deepEqual(told(claimsOf(held['id_token'])), [])
    assert.deepEqual(told(await userinfo(it, held['access_token'])), [])
  })

  test(`${database}: OIDC Core §5.5: what a client may not ask any more it is not told, in refreshed grants either`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it)
    const person = new PersonAtBrowser(it.authority)
    const held = await tokens(it, redemption(await person.code(asked('openid profile offline_access'))))
    assert.deepEqual(told(claimsOf(held['id_token'])).toSorted(), ['email', 'name'])
    assert.deepEqual(told(await userinfo(it, held['access_token'])).toSorted(), ['email', 'name', 'preferred_username'])

    await setMetadata(it, 'web', { scope: 'openid offline_access' })
    assert.deepEqual(told(await userinfo(it, held['access_token'])), [], 'a token from before')
    const next = await tokens(it, refreshing(held['refresh_token'] ?? ''))
    assert.deepEqual(told(claimsOf(next['id_token'])), [])
    assert.deepEqual(told(await userinfo(it, next['access_token'])), [])
    // A remembered yes is no way around it.
    const silent = await person.begin(authorizeQuery({ scope: 'openid', claims: everything, prompt: 'none' }))
    const again = await tokens(it, redemption(codeOf(silent)))
    assert.deepEqual([told(claimsOf(again['id_token'])), told(await userinfo(it, again['access_token']))], [[], []])
    // Without openid there is no userinfo at all.
    await setMetadata(it, 'web', { scope: 'offline_access' })
    const refused = await it.authority.userinfo(next['access_token'] ?? '', origin)
    assert.equal(refused.kind === 'error' && refused.error, 'insufficient_scope')
  })

  test(`${database}: RFC 7592 §2.2: claims that a client gave up do not come back when it registers for them again`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it)
    const body = {
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile email offline_access',
    }
    const { id, access, secret } = await registered(it.authority, body)
    const form = authorizeQuery({ client_id: id, scope: 'openid offline_access', claims: everything })
    const code = await new PersonAtBrowser(it.authority).code(form)
    const from = { as: id, secret: secret ?? '' }
    const first = await it.authority.token(asking(redemption(code), from))
    assert.ok(first.kind === 'ok')
    assert.deepEqual(told(claimsOf(first.value['id_token'])).toSorted(), ['email', 'name'])
    for (const scope of ['openid profile offline_access', body.scope]) {
      const update = { ...managing(id, access), body: { ...body, client_id: id, scope } }
      const outcome = await it.authority.registration.replace(update)
      assert.equal(outcome.kind, 'ok', JSON.stringify(outcome))
    }
    const next = await it.authority.token(asking(refreshing(first.value['refresh_token'] as string), from))
    assert.ok(next.kind === 'ok', JSON.stringify(next))
    assert.deepEqual(told(claimsOf(next.value['id_token'])), ['name'])
  })

  test(`${database}: OIDC Core §5.4: id_token_scope_claims puts the claims of the granted scopes into ID tokens, refreshed ones too`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it)
    const person = new PersonAtBrowser(it.authority)
    const form = authorizeQuery({ scope: 'openid profile email offline_access' })
    const before = await tokens(it, redemption(await person.code(form)))
    assert.deepEqual(told(claimsOf(before['id_token'])), [])

    await setMetadata(it, 'web', { id_token_scope_claims: true })
    const held = await tokens(it, redemption(await person.code(form)))
    const claims = claimsOf(held['id_token'])
    assert.deepEqual(
      [claims['name'], claims['email'], claims['email_verified'], claims['preferred_username']],
      ['Alice Doe', 'alice@example.com', true, 'alice'],
    )
    const { sub } = claims
    assert.deepEqual(await userinfo(it, held['access_token']), {
      sub,
      name: 'Alice Doe',
      preferred_username: 'alice',
      email: 'alice@example.com',
      email_verified: true,
    })
    const next = await tokens(it, refreshing(held['refresh_token'] ?? ''))
    assert.deepEqual(told(claimsOf(next['id_token'])).toSorted(), ['email', 'name', 'preferred_username'])
    const narrow = await tokens(it, refreshing(next['refresh_token'] ?? '', { scope: 'openid email' }))
    assert.deepEqual(told(claimsOf(narrow['id_token'])), ['email'], 'of the scopes that are granted')
    await setMetadata(it, 'web', { scope: 'openid profile offline_access' })
    const less = await tokens(it, refreshing(narrow['refresh_token'] ?? ''))
    assert.deepEqual(told(claimsOf(less['id_token'])).toSorted(), ['name', 'preferred_username'])
  })
}

test('RFC 7591 §2: id_token_scope_claims is registered like any other field, and must be true or false', async () => {
  const it = await openDeployment()
  await declarePeople(it)
  const body = { redirect_uris: ['https://client.example/cb'], id_token_scope_claims: true }
  const { document } = await registered(it.authority, body)
  assert.equal(document['id_token_scope_claims'], true)
  const refused = await it.authority.register(registering({ ...body, id_token_scope_claims: 'yes' }))
  assert.ok(refused.kind === 'error' && 'field' in refused.error)
  assert.equal(refused.error.field, 'id_token_scope_claims')
})
