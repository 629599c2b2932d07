/** Signed authorization responses (JARM): codes and errors, by query and by form, by a key that everybody can check. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Vault } from '@grantor/authority'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { asking, databases, declare, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, redemption, type Shown } from '../support/person.ts'
import { parameters, push, reference } from '../support/signing-client.ts'

const openFor = async (database: (typeof databases)[number], more = {}): Promise<Deployment> => {
  const deployment = await openDeployment(database)
  await declarePeople(deployment, more)
  return deployment
}

/** Checked as a client checks it; nothing but the one parameter may stand there. */
async function opened(deployment: Deployment, shown: Shown) {
  const answer = answerOf(shown)
  assert.deepEqual([...answer.keys()], ['response'])
  const keys = await deployment.authority.keySet(root)
  assert.ok(keys.kind === 'ok')
  return jwtVerify(answer.get('response') ?? '', createLocalJWKSet(keys.value.body as never), {
    issuer: 'https://as.example',
    audience: 'web',
    currentDate: new Date(deployment.clock),
  })
}

for (const database of databases) {
  describe(`signed responses on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority } = deployment

    for (const [mode, way] of [
      ['jwt', 'redirect'],
      ['query.jwt', 'redirect'],
      ['form_post.jwt', 'form_post'],
    ] as const) {
      test(`JARM §2.3: ${mode} carries the code, the state and the issuer, for one client and ten minutes at most`, async () => {
        const person = new PersonAtBrowser(authority)
        await person.begin(authorizeQuery({ response_mode: mode }))
        const shown = await person.signIn()
        const answered = shown.go === 'consent' ? await person.allow() : shown
        assert.ok(answered.go === 'answer' && answered.response.mode === way)
        const { payload, protectedHeader } = await opened(deployment, answered)
        assert.equal(protectedHeader.alg, 'RS256')
        const { exp = 0, code, ...rest } = payload
        assert.deepEqual(rest, { iss: 'https://as.example', aud: 'web', state: 'xyz' })
        assert.ok(exp > deployment.clock / 1000 && exp <= deployment.clock / 1000 + 600)
        const redeemed = await authority.token(asking(redemption(String(code)), { as: 'web' }))
        assert.equal(redeemed.kind, 'ok')
      })
    }

    test('JARM §2.1: errors are signed too, of a request, of a person and of prompt=none', async () => {
      const person = new PersonAtBrowser(authority)
      const jwt = { response_mode: 'jwt' }
      for (const [more, error] of [
        [{ scope: 'admin:clients:write' }, 'invalid_scope'],
        [{ prompt: 'none' }, 'login_required'],
        [{ response_type: 'token' }, 'unsupported_response_type'],
      ] as const) {
        const { payload } = await opened(deployment, await person.begin(authorizeQuery({ ...jwt, ...more })))
        assert.deepEqual([payload['error'], payload['state'], 'code' in payload], [error, 'xyz', false])
        assert.match(String(payload['error_uri']), /^https:\/\/as\.example\/problems\//)
      }
      await person.begin(authorizeQuery({ ...jwt, prompt: 'consent' }))
      await person.signIn('bob', 'battery-staple')
      const { payload } = await opened(deployment, await person.deny())
      assert.equal(payload['error'], 'access_denied')
    })

    test('JARM §3: by the algorithm that the client registered; pushed requests are answered so as well', async () => {
      const own = await openFor(database, { authorization_signed_response_alg: 'ES256' })
      const person = new PersonAtBrowser(own.authority)
      const uri = await push(own.authority, parameters({ response_mode: 'jwt' }))
      await person.begin(reference(uri))
      await person.signIn()
      const { protectedHeader, payload } = await opened(own, await person.allow())
      assert.deepEqual([protectedHeader.alg, typeof payload['code']], ['ES256', 'string'])
    })

    test('RFC 9126 §7.3: a no that cannot be signed uses up nothing that was pushed, and is given when it can be', async () => {
      const own = await openFor(database)
      const { vault } = own.ports
      let away = true
      const open: Vault['open'] = (sealed, context) =>
        away && context.startsWith('signing-key') ? null : vault.open(sealed, context)
      const node = own.node({ vault: { ...vault, open } })
      const asked = async (more: Record<string, string>) =>
        reference(await push(node, parameters({ response_mode: 'jwt', ...more })))
      const silent = await asked({ prompt: 'none' })
      const stranger = new PersonAtBrowser(node)
      const person = new PersonAtBrowser(node)
      const failures = [await stranger.begin(silent)]
      await person.begin(await asked({ prompt: 'consent' }))
      await person.signIn()
      failures.push(await person.deny())
      assert.deepEqual(
        failures.map((it) => it.go === 'error' && it.refusal.reason),
        ['unavailable', 'unavailable'],
      )
      away = false
      const answers = [await stranger.begin(silent), await person.stand()]
      const errors = []
      for (const answer of answers) errors.push((await opened(own, answer)).payload['error'])
      assert.deepEqual(errors, ['login_required', 'access_denied'])
      assert.deepEqual(await person.stand(), { go: 'error', refusal: { reason: 'interaction_gone' } })
    })

    test('a mode that is not served is refused by query, and an app gets no form', async () => {
      const person = new PersonAtBrowser(authority)
      for (const mode of ['fragment', 'fragment.jwt', 'web_message', '__proto__', 'JWT', 'query.JWT', 'constructor'])
        assert.equal(
          answerOf(await person.begin(authorizeQuery({ response_mode: mode }))).get('error'),
          'invalid_request',
          mode,
        )
      const own = await openDeployment(database)
      await declare(own, {
        clients: [
          {
            client_id: 'app',
            token_endpoint_auth_method: 'none',
            application_type: 'native',
            redirect_uris: ['com.example.app:/cb'],
            scope: 'openid',
          },
        ],
      })
      const asked = { client_id: 'app', redirect_uri: 'com.example.app:/cb', scope: 'openid', resource: '' }
      const shown = await new PersonAtBrowser(own.authority).begin(
        authorizeQuery({ ...asked, response_mode: 'form_post.jwt' }),
      )
      assert.ok(shown.go === 'answer' && shown.response.mode === 'redirect')
      assert.match(shown.response.location, /error=invalid_request/)
    })

    test('a signed response is no ID token: as a hint it is refused', async () => {
      const person = new PersonAtBrowser(authority)
      const shown = await person.begin(authorizeQuery({ response_mode: 'jwt', prompt: 'none' }))
      const hint = answerOf(shown).get('response') ?? ''
      assert.equal(
        answerOf(await person.begin(authorizeQuery({ id_token_hint: hint }))).get('error'),
        'invalid_request',
      )
    })
  })
}
