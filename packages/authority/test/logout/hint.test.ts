/** What an ID token of ours may ask for when it is handed back: RP-Initiated Logout 1.0 §2, OIDC Core §3.1.2.1. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject, Secret } from '@grantor/protocol/types'
import { asking, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { signedByUs } from '../support/own-signature.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

interface SignedIn {
  readonly deployment: Deployment
  readonly person: PersonAtBrowser
  readonly hint: string
  readonly access: string
  readonly claims: JsonObject
}

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

/** Alice, signed in to the client `web`, whose userinfo is signed and which hears of logouts. */
async function signedIn(): Promise<SignedIn> {
  const deployment = await openDeployment()
  await declarePeople(deployment, {
    userinfo_signed_response_alg: 'RS256',
    frontchannel_logout_uri: 'https://client.example/out',
  })
  const person = new PersonAtBrowser(deployment.authority)
  const answer = await deployment.authority.token(asking(redemption(await person.code()), { as: 'web' }))
  assert.ok(answer.kind === 'ok')
  const { id_token: hint, access_token: access } = answer.value as Record<string, string>
  assert.ok(hint !== undefined && access !== undefined)
  return { deployment, person, hint, access, claims: claimsOf(hint) }
}

/** Where a hint leads: `left` signs out at once, `ask` shows a page. */
async function leave({ deployment, person }: SignedIn, hint: string, more: Record<string, string> = {}) {
  const form = formOf(new URLSearchParams({ id_token_hint: hint, ...more }))
  const begun = await deployment.authority.browser.logout.begin(form, person.visitor())
  if (begun.kind === 'error') return begun.error.reason
  if (begun.value.go === 'plain') return 'plain'
  return (await deployment.authority.browser.logout.continue(begun.value.interaction, person.visitor())).go
}

const isSignedIn = async ({ deployment, person }: SignedIn): Promise<boolean> =>
  (await deployment.authority.browser.accounts(person.visitor())).length > 0

describe('RP-Initiated Logout §2: a hint', () => {
  test('signs out at once where it is of this session, also long after it expired', async () => {
    const it = await signedIn()
    // The session itself must stand: it is used in between.
    for (let hour = 0; hour < 3; hour += 1) {
      it.deployment.clock += 3_600_000
      assert.ok(await isSignedIn(it))
    }
    assert.ok(it.deployment.clock / 1000 > (it.claims['exp'] as number))
    assert.equal(await leave(it, it.hint), 'left')
    assert.equal(await isSignedIn(it), false)
  })

  const others: Readonly<Record<string, (claims: JsonObject) => JsonObject>> = {
    'another sub': (claims) => ({ ...claims, sub: 'somebody-else' }),
    'another sid': (claims) => ({ ...claims, sid: 'another-session' }),
    'no sid': (claims) => ({ ...claims, sid: null }),
  }
  for (const [what, change] of Object.entries(others)) {
    test(`with ${what} than this session has is asked about`, async () => {
      const it = await signedIn()
      assert.equal(await leave(it, await signedByUs(it.deployment, 'JWT', change(it.claims))), 'ask')
      assert.ok(await isSignedIn(it))
    })
  }

  const invalid: Readonly<Record<string, readonly [typ: string, change: (claims: JsonObject) => JsonObject]>> = {
    'signed userinfo': ['JWT', ({ iss, aud, sub }) => ({ iss, aud, sub }) as JsonObject],
    'another issuer': ['JWT', (claims) => ({ ...claims, iss: 'https://as.example/t/acme' })],
    'the type of an access token': ['at+jwt', (claims) => claims],
    'the type of a logout token': ['logout+jwt', (claims) => claims],
    'several audiences': ['JWT', (claims) => ({ ...claims, aud: ['web', 'web2'] })],
    'a subject that is no text': ['JWT', (claims) => ({ ...claims, sub: 7 })],
    'a session that is no text': ['JWT', (claims) => ({ ...claims, sid: 7 })],
  }
  for (const [what, [typ, change]] of Object.entries(invalid)) {
    test(`with ${what} is no ID token of ours: refused here and at /authorize`, async () => {
      const it = await signedIn()
      const hint = await signedByUs(it.deployment, typ, change(it.claims))
      assert.equal(await leave(it, hint), 'parameter_malformed')
      assert.ok(await isSignedIn(it))
      const shown = await it.person.begin(authorizeQuery({ id_token_hint: hint }))
      assert.equal(answerOf(shown).get('error'), 'invalid_request')
    })
  }

  test('is not the userinfo that the client really gets', async () => {
    const it = await signedIn()
    const got = await it.deployment.authority.userinfo(it.access, { tenant: root, ip: null, traceId: null })
    assert.ok(got.kind === 'ok' && got.value.signed !== null)
    assert.equal(await leave(it, got.value.signed), 'parameter_malformed')
    assert.ok(await isSignedIn(it))
  })

  test('of another client than the one that asks is refused', async () => {
    const it = await signedIn()
    assert.equal(await leave(it, it.hint, { client_id: 'web2' }), 'parameter_malformed')
    const shown = await it.person.begin(authorizeQuery({ client_id: 'web2', id_token_hint: it.hint }))
    assert.equal(answerOf(shown).get('error'), 'invalid_request')
    assert.ok(await isSignedIn(it))
  })

  test('of a session that was renewed since counts for the client that took part in it, and for no other', async () => {
    const it = await signedIn()
    // At another client, so that the first has heard of no newer session.
    it.deployment.clock += 1000
    await it.person.begin(authorizeQuery({ client_id: 'web2', prompt: 'login' }))
    await it.person.signIn()
    const ofAnother = await signedByUs(it.deployment, 'JWT', { ...it.claims, aud: 'web2' })
    assert.equal(await leave(it, ofAnother), 'ask', 'this client was no party of that session')
    assert.ok(await isSignedIn(it))
    assert.equal(await leave(it, it.hint), 'left')
    assert.equal(await isSignedIn(it), false)
  })
})

describe('a logout that waits for a yes', () => {
  async function waiting() {
    const it = await signedIn()
    const hint = await signedByUs(it.deployment, 'JWT', { ...it.claims, sid: 'another-session' })
    const { logout } = it.deployment.authority.browser
    const begun = await logout.begin(formOf(new URLSearchParams({ id_token_hint: hint })), it.person.visitor())
    assert.ok(begun.kind === 'ok' && begun.value.go === 'hub')
    const { interaction } = begun.value
    const show = async (id: Secret = interaction) => (await logout.continue(id, it.person.visitor())).go
    const confirm = async (id: Secret = interaction) => (await logout.confirm(id, it.person.visitor())).go
    return { it, show, confirm }
  }

  test('is over after ten minutes: it can neither be shown nor said yes to', async () => {
    const { it, show, confirm } = await waiting()
    it.deployment.clock += 600_000 - 1
    assert.equal(await show(), 'ask')
    it.deployment.clock += 1
    assert.equal(await show(), 'gone')
    assert.equal(await confirm(), 'gone')
    assert.ok(await isSignedIn(it))
  })

  test('is not kept without end for one address; signing in, and other addresses, are counted apart', async () => {
    const it = await signedIn()
    const few = { ...limits, authorize: { ...limits.authorize, quota: 3 } }
    const { logout, authorize } = it.deployment.node({ limits: few }).browser
    const form = formOf(new URLSearchParams({ id_token_hint: it.hint }))
    const begin = async (more: { readonly ip?: string } = {}) => {
      const begun = await logout.begin(form, { ...it.person.visitor(), ...more })
      return begun.kind === 'error' ? begun.error.reason : begun.value.go
    }
    const tried = [await begin(), await begin(), await begin(), await begin()]
    assert.deepEqual(tried, ['hub', 'hub', 'hub', 'limit_reached'])
    assert.equal(await begin({ ip: '198.51.100.7' }), 'hub')
    const signIn = await authorize(authorizeQuery(), it.person.visitor())
    assert.doesNotMatch(JSON.stringify(signIn), /limit_reached/)
  })

  test('is answered once', async () => {
    const { it, show, confirm } = await waiting()
    assert.equal(await confirm(), 'left')
    assert.equal(await isSignedIn(it), false)
    assert.deepEqual([await confirm(), await show()], ['gone', 'gone'])
  })

  test('is no sign-in, and a sign-in is no logout', async () => {
    const { it, show } = await waiting()
    await it.person.begin(authorizeQuery({ prompt: 'consent' }))
    assert.equal(await show(it.person.interaction), 'gone')
    assert.ok(await isSignedIn(it))
  })
})
