/** RFC 9700 §4.11: a client that registered itself leads nobody from our address to its own before it was allowed anything. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { defaultPolicy, formOf } from '@grantor/protocol/oauth'
import { databases, openDeployment, operator, root, asking } from '../support/deployment.ts'
import {
  answerOf,
  authorizeQuery,
  declarePeople,
  PersonAtBrowser,
  redemption,
  redirectUri,
  type Shown,
} from '../support/person.ts'
import { managing, registered, Web } from '../support/registration.ts'

const bye = 'https://client.example/bye'
const body = {
  client_name: 'Shop',
  redirect_uris: [redirectUri],
  post_logout_redirect_uris: [bye],
  grant_types: ['authorization_code'],
}
const document = 'https://app.example/client.json'

const stays = (shown: Shown): string => {
  assert.ok(shown.go === 'unredirected', shown.go)
  assert.equal(shown.redirectUri, redirectUri)
  return shown.refusal.reason
}

for (const database of databases) {
  describe(`clients that nobody vouches for, on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const web = new Web(() => deployment.clock).put(document, {
      client_id: document,
      client_name: 'App',
      redirect_uris: [redirectUri],
    })
    const authority = deployment.node({ outbound: web })
    const open = (await registered(authority, body)).id

    for (const [what, id] of [
      ['registered openly', open],
      ['a metadata document', document],
    ] as const) {
      const ask = (more: Record<string, string> = {}) =>
        authorizeQuery({ client_id: id, scope: 'openid', resource: '', ...more })

      test(`${what}: every error stays here until the person of this browser has allowed something`, async () => {
        const stranger = new PersonAtBrowser(authority)
        assert.equal(stays(await stranger.begin(ask({ prompt: 'none' }))), 'login_required')
        assert.equal(
          stays(await stranger.begin(ask({ scope: 'openid invoices:read admin:users:read' }))),
          'scope_exceeds_client',
        )
        assert.equal(stays(await stranger.begin(ask({ response_mode: 'fragment' }))), 'response_mode_unsupported')
        assert.equal(stays(await stranger.begin(ask({ response_type: 'token' }))), 'response_type_unsupported')
        const posted = await stranger.begin(ask({ prompt: 'none', response_mode: 'form_post' }))
        assert.equal(stays(posted), 'login_required')
        assert.ok(posted.go === 'unredirected' && posted.response.mode === 'form_post')

        const person = new PersonAtBrowser(authority)
        await person.begin(ask())
        await person.signIn()
        assert.equal(stays(await person.deny()), 'access_denied')
        assert.equal(stays(await person.begin(ask({ prompt: 'none' }))), 'consent_required')
        await person.code(ask())
        const error = async (more: Record<string, string>) => answerOf(await person.begin(ask(more))).get('error')
        assert.equal(await error({ scope: 'openid email', prompt: 'none' }), 'consent_required')
        assert.equal(await error({ response_type: 'token' }), 'unsupported_response_type')
        // Another browser, and another person in it, have allowed nothing.
        assert.equal(stays(await stranger.begin(ask({ prompt: 'none' }))), 'login_required')
        const bob = new PersonAtBrowser(authority)
        await bob.begin(ask())
        await bob.signIn('bob', 'battery-staple')
        assert.equal(stays(await bob.begin(ask({ response_type: 'token' }))), 'response_type_unsupported')
      })
    }

    test('what was allowed is void for addresses that came later', async () => {
      const { id, access } = await registered(authority, body)
      const person = new PersonAtBrowser(authority)
      const ask = (more: Record<string, string>) =>
        authorizeQuery({ client_id: id, scope: 'openid', resource: '', ...more })
      await person.code(ask({}))
      const elsewhere = 'https://evil.example/cb'
      const moved = { ...body, redirect_uris: [redirectUri, elsewhere], client_id: id }
      assert.ok((await authority.registration.replace({ ...managing(id, access), body: moved })).kind === 'ok')
      const shown = await person.begin(ask({ redirect_uri: elsewhere, response_type: 'token' }))
      assert.ok(shown.go === 'unredirected' && shown.redirectUri === elsewhere)
    })

    test('an initial access token vouches, and so does a setting, of the deployment or of the tenant', async () => {
      const made = await authority.admin.registrationTokens.create(operator, root, { uses: 1, expiresIn: null })
      assert.ok(made.kind === 'ok')
      const { id } = await registered(authority, body, { bearer: made.value.token })
      const error = async (node: Authority, client: string) =>
        answerOf(await new PersonAtBrowser(node).begin(authorizeQuery({ client_id: client, prompt: 'none' }))).get(
          'error',
        )
      assert.equal(await error(authority, id), 'login_required')
      const registration = { ...defaultPolicy.registration, errorRedirects: 'always' as const }
      const always = deployment.node({ outbound: web, policy: { ...defaultPolicy, registration } })
      assert.equal(await error(always, open), 'login_required')
      assert.equal(await error(always, document), 'login_required')
    })

    test('RP-Initiated Logout §3: a hint of its own leads nobody on who has not allowed it anything', async () => {
      const { id, secret } = await registered(authority, body)
      const owner = new PersonAtBrowser(authority)
      const ask = authorizeQuery({ client_id: id, scope: 'openid', resource: '' })
      const code = await owner.code(ask)
      const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      const answer = await authority.token({ ...asking(redemption(code)), authorization: basic })
      assert.ok(answer.kind === 'ok')
      const hint = String((answer.value as Record<string, unknown>)['id_token'])
      const logout = formOf([
        ['id_token_hint', hint],
        ['post_logout_redirect_uri', bye],
        ['state', 's'],
      ])
      const left = async (person: PersonAtBrowser, confirmed: boolean) => {
        const begun = await authority.browser.logout.begin(logout, person.visitor())
        assert.ok(begun.kind === 'ok' && begun.value.go === 'hub')
        const { continue: go, confirm } = authority.browser.logout
        const shown = await (confirmed ? confirm : go)(begun.value.interaction, person.visitor())
        assert.ok(shown.go === 'left', shown.go)
        assert.equal(shown.onward, `${bye}?state=s`)
        return shown.unvouched
      }
      assert.deepEqual(await left(new PersonAtBrowser(authority), false), { client: 'Shop', redirectUri: bye })
      const bob = new PersonAtBrowser(authority)
      await bob.begin()
      await bob.signIn('bob', 'battery-staple')
      assert.deepEqual(await left(bob, true), { client: 'Shop', redirectUri: bye })
      assert.equal(await left(owner, false), null)
    })
  })
}
