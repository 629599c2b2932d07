/** RFC 8252 §8.6: what leads back to a person's own device is allowed by the person each time, never in silence. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, declare, openDeployment } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser } from '../support/person.ts'

const loopback = 'http://127.0.0.1/cb'
const app = 'com.example.app:/cb'
const web = 'https://app.example/cb'

const native = (id: string, more: JsonObject = {}): JsonObject => ({
  client_id: id,
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [loopback, app, web],
  scope: 'openid profile email',
  ...more,
})

for (const database of databases) {
  describe(`consent of native apps on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    await declare(deployment, {
      clients: [
        native('native'),
        native('confidential', { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'c'.repeat(40) }),
      ],
    })
    const ask = (redirectUri: string, more: Record<string, string> = {}) => {
      const form = { client_id: 'native', redirect_uri: redirectUri, scope: 'openid profile', resource: '', ...more }
      return authorizeQuery(form)
    }
    const errorOf = async (person: PersonAtBrowser, form: ReturnType<typeof ask>) =>
      answerOf(await person.begin(form)).get('error')

    const allowed = async (redirectUri: string, more: Record<string, string> = {}) => {
      const person = new PersonAtBrowser(deployment.authority)
      await person.code(ask(redirectUri, more))
      return person
    }

    for (const redirectUri of ['http://127.0.0.1:4711/cb', app]) {
      test(`RFC 8252 §8.6: ${redirectUri} of a public client: asked again, and consent_required in silence`, async () => {
        const person = await allowed(redirectUri)
        const shown = await person.begin(ask(redirectUri))
        assert.ok(shown.go === 'consent')
        assert.deepEqual([shown.question.again, shown.question.missing.size], [true, 0])
        assert.deepEqual([...shown.question.already].toSorted(), ['openid', 'profile'])
        assert.equal(await errorOf(person, ask(redirectUri, { prompt: 'none' })), 'consent_required')
        // Saying yes again gives what was given before, and is remembered for no one either.
        await person.begin(ask(redirectUri))
        assert.match(answerOf(await person.allow()).get('code') ?? '', /^gc_/)
        assert.equal(await errorOf(person, ask(redirectUri, { prompt: 'none' })), 'consent_required')
        await person.begin(ask(redirectUri))
        assert.equal(answerOf(await person.deny()).get('error'), 'access_denied')
      })
    }

    test('a yes at the claimed https address does not answer for the device, and the reverse does', async () => {
      const person = await allowed(web)
      assert.match(answerOf(await person.begin(ask(web))).get('code') ?? '', /^gc_/)
      assert.match(answerOf(await person.begin(ask(web, { prompt: 'none' }))).get('code') ?? '', /^gc_/)
      for (const uri of [loopback, 'http://127.0.0.1:9/cb', app]) {
        assert.equal((await person.begin(ask(uri))).go, 'consent')
        assert.equal(await errorOf(person, ask(uri, { prompt: 'none' })), 'consent_required')
      }
    })

    test('something new is asked for as such, with what was allowed before beside it', async () => {
      const person = await allowed(loopback)
      const shown = await person.begin(ask(loopback, { scope: 'openid profile email' }))
      assert.ok(shown.go === 'consent')
      assert.deepEqual([shown.question.again, [...shown.question.missing]], [false, ['email']])
    })

    test('a confidential client keeps what was allowed, wherever its answer goes', async () => {
      const as = { client_id: 'confidential' }
      const person = await allowed(loopback, as)
      assert.match(answerOf(await person.begin(ask(loopback, { ...as, prompt: 'none' }))).get('code') ?? '', /^gc_/)
    })
  })
}
