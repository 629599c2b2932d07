/** A person grants access: the code flow, its consent, its end, and everybody who tries to misuse it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { asking, databases, type Deployment, isActive, openDeployment, operator, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'

const openFor = async (database: (typeof databases)[number]): Promise<Deployment> => {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  return deployment
}

const redeem = (authority: Authority, code: string, more: Record<string, string> = {}, as = 'web') =>
  authority.token(asking(redemption(code, more), { as }))

async function tokens(authority: Authority, person = new PersonAtBrowser(authority)): Promise<Record<string, string>> {
  const answer = await redeem(authority, await person.code())
  if (answer.kind === 'error') throw new Error(answer.error.reason)
  return answer.value as Record<string, string>
}

const reason = (answer: Awaited<ReturnType<typeof redeem>>) => (answer.kind === 'ok' ? 'ok' : answer.error.reason)

for (const database of databases) {
  describe(`the code flow on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority, store } = deployment

    test('OIDC Core §5.3.2: a client that registered an algorithm for it gets a signed answer, with iss and aud', async () => {
      const own = await openFor(database)
      const { access_token: access } = await tokens(own.authority)
      const asked = { tenant: root, ip: null, traceId: null }
      const plain = await own.authority.userinfo(String(access), asked)
      assert.ok(plain.kind === 'ok' && plain.value.signed === null)
      await declarePeople(own, { userinfo_signed_response_alg: 'PS256' })
      const about = await own.node().userinfo(String(access), asked)
      assert.ok(about.kind === 'ok')
      const keys = await own.authority.keySet(root)
      assert.ok(keys.kind === 'ok')
      const { payload, protectedHeader } = await jwtVerify(
        about.value.signed ?? '',
        createLocalJWKSet(keys.value.body as never),
      )
      assert.equal(protectedHeader.alg, 'PS256')
      assert.deepEqual(payload, { ...plain.value.claims, iss: 'https://as.example', aud: 'web' })
    })

    test('from sign-in over consent to tokens: the answer carries code, state and iss (RFC 9207)', async () => {
      const person = new PersonAtBrowser(authority)
      const login = await person.begin()
      assert.equal(login.go, 'login')
      const consent = await person.signIn()
      assert.ok(consent.go === 'consent')
      assert.deepEqual([...consent.question.missing].toSorted(), [
        'invoices:read',
        'offline_access',
        'openid',
        'profile',
      ])
      assert.equal(consent.account.name, 'Alice Doe')
      const answer = answerOf(await person.allow())
      assert.deepEqual([answer.get('state'), answer.get('iss')], ['xyz', 'https://as.example'])
      const answered = await redeem(authority, answer.get('code') ?? '')
      assert.ok(answered.kind === 'ok')
      const {
        access_token: access,
        id_token: id,
        refresh_token: refresh,
        scope,
      } = answered.value as Record<string, string>
      assert.match(String(refresh), /^gr_/)
      assert.equal(scope, 'invoices:read offline_access openid profile')
      const keys = await authority.keySet(root)
      assert.ok(keys.kind === 'ok')
      const verified = await jwtVerify(String(id), createLocalJWKSet(keys.value.body as never), {
        issuer: 'https://as.example',
        audience: 'web',
        currentDate: new Date(deployment.clock),
      })
      assert.equal(verified.protectedHeader.alg, 'RS256')
      assert.equal(verified.payload['nonce'], 'n-0S6')
      assert.ok(verified.payload['at_hash'])
      const claims = decodeJwt(String(access))
      assert.equal(claims.sub, verified.payload.sub)
      assert.ok(claims['grant_id'])
      const about = await authority.userinfo(String(access), { tenant: root, ip: null, traceId: null })
      assert.ok(about.kind === 'ok')
      assert.equal(about.value.claims['name'], 'Alice Doe')
      assert.equal('email' in about.value.claims, false, 'email was not asked for')
    })

    test('an ID token is never accepted as an access token', async () => {
      const { id_token: id } = await tokens(authority)
      const about = await authority.userinfo(String(id), { tenant: root, ip: null, traceId: null })
      assert.deepEqual(about, err('invalid_token'))
      assert.equal(await isActive(authority, String(id), { as: 'web' }), false)
      const revoked = await authority.revoke(asking(`token=${id}`, { as: 'web' }))
      assert.equal(revoked.kind === 'ok' ? '' : revoked.error.reason, 'token_type_unsupported')
    })

    test('remembered consent is not asked again; stepping up asks only for what is new; prompt=consent asks for all', async () => {
      const person = new PersonAtBrowser(authority)
      await person.code()
      assert.equal((await person.begin()).go, 'answer')
      assert.equal((await person.begin(authorizeQuery({ prompt: 'none' }))).go, 'answer')
      const more = await person.begin(
        authorizeQuery({ scope: 'openid profile offline_access invoices:read invoices:write' }),
      )
      assert.ok(more.go === 'consent')
      assert.deepEqual([...more.question.missing], ['invoices:write'])
      const all = await person.begin(authorizeQuery({ prompt: 'consent' }))
      assert.ok(all.go === 'consent')
      assert.equal(all.question.missing.size, 4)
    })

    test('Deny tells the client access_denied, and the interaction is over', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(authorizeQuery({ client_id: 'web2' }))
      await person.signIn()
      const answer = answerOf(await person.deny())
      assert.deepEqual(
        [answer.get('error'), answer.get('state'), answer.get('iss')],
        ['access_denied', 'xyz', 'https://as.example'],
      )
      assert.deepEqual(await person.stand(), { go: 'error', refusal: { reason: 'interaction_gone' } })
    })

    test('prompt=none without a session is login_required; prompt=login signs in once and comes back', async () => {
      const nobody = await new PersonAtBrowser(authority).begin(authorizeQuery({ prompt: 'none' }))
      assert.equal(answerOf(nobody).get('error'), 'login_required')
      const person = new PersonAtBrowser(authority)
      await person.code()
      deployment.clock += 1000
      assert.equal((await person.begin(authorizeQuery({ prompt: 'login' }))).go, 'login')
      assert.equal((await person.signIn()).go, 'answer')
      deployment.clock += 1000
      assert.equal((await person.begin(authorizeQuery({ max_age: '0' }))).go, 'login')
      assert.equal((await person.signIn()).go, 'answer')
    })

    test('an interaction belongs to the browser that began it', async () => {
      const attacker = new PersonAtBrowser(authority)
      await attacker.begin()
      const victim = new PersonAtBrowser(authority)
      await victim.code()
      victim.interaction = attacker.interaction
      assert.deepEqual(await victim.stand(), { go: 'error', refusal: { reason: 'interaction_of_another_browser' } })
      const outcome = await authority.browser.answerConsent(victim.at(), { allow: true, ticked: new Set() })
      assert.ok(outcome.kind === 'error')
      assert.equal(outcome.error.reason, 'interaction_of_another_browser')
    })

    test('steps cannot be skipped: allowing before signing in records nothing', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(authorizeQuery({ client_id: 'web2' }))
      assert.equal((await person.allow()).go, 'login')
      assert.equal((await person.signIn('bob', 'battery-staple')).go, 'consent')
    })

    test('another account in the same browser does not inherit the first one’s approval', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(authorizeQuery({ client_id: 'web2', prompt: 'consent' }))
      await person.signIn('alice', 'correct-horse')
      await authority.browser.chooseAccount(person.at(), null)
      assert.equal((await person.stand()).go, 'login')
      const shown = await person.signIn('bob', 'battery-staple')
      assert.ok(shown.go === 'consent')
      assert.equal(shown.account.username, 'bob')
      assert.equal((await person.begin(authorizeQuery({ client_id: 'web2' }))).go, 'choose')
    })

    test('a session cookie planted before sign-in is worth nothing after it', async () => {
      const person = new PersonAtBrowser(authority)
      await person.code()
      const before = person.sessions
      deployment.clock += 1000
      await person.begin(authorizeQuery({ prompt: 'login' }))
      await person.signIn()
      assert.notDeepEqual(person.sessions, before)
      const planted = await authority.browser.accounts({ ...person.visitor(), sessions: before })
      assert.deepEqual(planted, [])
    })

    test('bad requests: errors go to the client only when it is known and the address registered', async () => {
      const person = new PersonAtBrowser(authority)
      const local: readonly Record<string, string>[] = [
        { client_id: 'nobody' },
        { redirect_uri: 'https://evil.example/cb' },
        { redirect_uri: 'https://client.example/cb/' },
        { redirect_uri: 'https://client.example/CB' },
        { client_id: 'nobody', response_type: 'nonsense' },
        { redirect_uri: 'https://evil.example/cb', response_type: 'token' },
      ]
      for (const change of local)
        assert.equal((await person.begin(authorizeQuery(change))).go, 'error', JSON.stringify(change))
      const sent: readonly (readonly [Record<string, string>, string])[] = [
        [{ response_type: 'token' }, 'unsupported_response_type'],
        [{ code_challenge_method: 'plain' }, 'invalid_request'],
        [{ scope: 'admin:clients:write' }, 'invalid_scope'],
        [{ resource: 'https://unknown.example' }, 'invalid_target'],
        [{ prompt: 'none login' }, 'invalid_request'],
        [{ request: 'eyJ' }, 'invalid_request_object'],
        [{ id_token_hint: 'nonsense' }, 'invalid_request'],
      ]
      for (const [change, error] of sent) {
        const answer = answerOf(await person.begin(authorizeQuery(change)))
        assert.equal(answer.get('error'), error, JSON.stringify(change))
        assert.equal(answer.get('iss'), 'https://as.example')
      }
    })

    test('RFC 6749 §4.1.3: wrong redirect_uri, verifier, client or resource redeem nothing and burn nothing', async () => {
      const code = await new PersonAtBrowser(authority).code()
      assert.equal(
        reason(await redeem(authority, code, { redirect_uri: 'https://client.example/other' })),
        'redirect_uri_mismatch',
      )
      assert.equal(reason(await redeem(authority, code, { code_verifier: 'w'.repeat(43) })), 'verifier_mismatch')
      assert.equal(reason(await redeem(authority, code, {}, 'web2')), 'code_of_another_client')
      assert.equal(
        reason(await redeem(authority, code, { resource: 'https://opaque.example' })),
        'resource_outside_grant',
      )
      assert.equal(reason(await redeem(authority, code)), 'ok')
    })

    test('five wrong verifiers burn the code', async () => {
      const code = await new PersonAtBrowser(authority).code()
      for (let i = 0; i < 5; i++) await redeem(authority, code, { code_verifier: 'w'.repeat(43) })
      assert.notEqual(reason(await redeem(authority, code)), 'ok')
    })

    test('a code first presented after 60 seconds is refused, without leeway', async () => {
      const code = await new PersonAtBrowser(authority).code()
      deployment.clock += 60_000
      assert.equal(reason(await redeem(authority, code)), 'code_expired')
    })

    test('RFC 6749 §4.1.2: a replayed code is refused, and everything of its first use is dead', async () => {
      const code = await new PersonAtBrowser(authority).code()
      const first = await redeem(authority, code)
      assert.ok(first.kind === 'ok')
      const { access_token: access, refresh_token: refresh } = first.value as Record<string, string>
      assert.equal(reason(await redeem(authority, code)), 'code_replayed')
      assert.equal(await isActive(deployment.node(), String(access), { as: 'web' }), false)
      assert.equal(reason(await authority.token(asking(refreshing(String(refresh)), { as: 'web' }))), 'grant_ended')
    })

    test('200 parallel redemptions of one code over two nodes give exactly one success', async () => {
      const nodes = [authority, deployment.node()]
      const code = await new PersonAtBrowser(authority).code()
      const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => redeem(nodes[i % 2] ?? authority, code)))
      assert.equal(answers.filter((answer) => answer.kind === 'ok').length, 1)
    })

    test('two answers to one interaction open one grant', async () => {
      const person = new PersonAtBrowser(authority)
      await person.code()
      await person.begin(authorizeQuery({ prompt: 'consent' }))
      await authority.browser.answerConsent(person.at(), { allow: true, ticked: new Set() })
      const shown = await Promise.all(Array.from({ length: 10 }, () => person.stand()))
      assert.equal(shown.filter((it) => it.go === 'answer').length, 1)
    })

    test('a disabled person stops at once: sessions, codes, refresh tokens and access tokens', async () => {
      const wish = { username: `carol-${database}`, password: 'to-be-disabled', claims: {} }
      assert.ok((await authority.admin.users.create(operator, root, wish)).kind === 'ok')
      const person = new PersonAtBrowser(authority)
      await person.begin()
      await person.signIn(wish.username, wish.password)
      const first = await redeem(authority, answerOf(await person.allow()).get('code') ?? '')
      assert.ok(first.kind === 'ok')
      const pending = answerOf(await person.begin()).get('code') ?? ''
      assert.ok(
        (await authority.admin.users.setDisabled(operator, root, { username: wish.username, disabled: true })).kind ===
          'ok',
      )
      const { access_token: access, refresh_token: refresh } = first.value as Record<string, string>
      assert.equal(await isActive(authority, String(access), { as: 'web' }), false)
      assert.equal(reason(await authority.token(asking(refreshing(String(refresh)), { as: 'web' }))), 'subject_gone')
      assert.equal(reason(await redeem(authority, pending)), 'grant_ended')
      assert.equal((await person.begin()).go, 'login')
      assert.equal((await person.signIn(wish.username, wish.password)).go, 'login', 'and cannot sign in')
    })

    test('withdrawing consent kills grant, refresh token and access token, and the next time asks again', async () => {
      const person = new PersonAtBrowser(authority)
      const { access_token: access, refresh_token: refresh } = await tokens(authority, person)
      const [account] = await authority.browser.accounts(person.visitor())
      assert.ok(account)
      const { apps } = await authority.browser.account.apps(account, null)
      assert.ok(apps.some((app) => app.clientId === 'web' && app.scope.has('invoices:read')))
      await authority.browser.account.disconnect('web', account, person.visitor())
      assert.equal(await isActive(authority, String(access), { as: 'web' }), false)
      assert.equal(reason(await authority.token(asking(refreshing(String(refresh)), { as: 'web' }))), 'grant_ended')
      assert.equal((await person.begin()).go, 'consent')
      await store.events.position()
      const names = (await authority.admin.events.last(root, 100)) as { value: readonly { name: string }[] }
      assert.ok(names.value.some((it) => it.name === 'consent.withdrawn'))
      assert.ok(names.value.some((it) => it.name === 'grant.revoked'))
    })

    test('guessing a password is slowed down for the account, whoever asks, and says nothing about it', async () => {
      const wish = { username: `dave-${database}`, password: 'right-password', claims: {} }
      await authority.admin.users.create(operator, root, wish)
      const person = new PersonAtBrowser(authority)
      await person.begin()
      const attempt = async (username: string, password: string) => {
        const outcome = await authority.browser.signIn(person.at(), { username, password })
        return outcome.kind === 'ok' ? outcome.value.did : outcome.error.reason
      }
      assert.equal(await attempt('nobody-here', 'x'), 'rejected')
      for (let i = 0; i < 10; i++) assert.equal(await attempt(wish.username, `wrong-${i}`), 'rejected')
      assert.equal(await attempt(wish.username, wish.password), 'throttled')
      deployment.clock += 15 * 60_000
      await person.begin()
      assert.equal(await attempt(wish.username, wish.password), 'signed-in')
    })
  })

  describe(`refresh on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority } = deployment
    const refresh = (token: string, more: Record<string, string> = {}, on = authority) =>
      on.token(asking(refreshing(token, more), { as: 'web' }))
    const of = (answer: Awaited<ReturnType<typeof refresh>>): JsonObject => {
      assert.ok(answer.kind === 'ok', answer.kind === 'ok' ? '' : answer.error.reason)
      return answer.value
    }
    const first = async () => String((await tokens(authority))['refresh_token'])

    test('every refresh gives a new refresh token and a refreshed ID token without nonce', async () => {
      const token = await first()
      const body = of(await refresh(token))
      assert.notEqual(body['refresh_token'], token)
      assert.equal('nonce' in decodeJwt(body['id_token'] as string), false)
      of(await refresh(body['refresh_token'] as string))
    })

    test('scope can narrow, never widen', async () => {
      const token = await first()
      const narrow = of(await refresh(token, { scope: 'invoices:read' }))
      assert.equal(narrow['scope'], 'invoices:read')
      const again = of(await refresh(narrow['refresh_token'] as string))
      assert.equal(again['scope'], 'invoices:read offline_access openid profile', 'narrowing was for one access token')
      assert.equal(
        reason(await refresh(again['refresh_token'] as string, { scope: 'invoices:write' })),
        'scope_exceeds_grant',
      )
    })

    test('a lost answer, retried within the window, yields the same successor', async () => {
      const token = await first()
      const once = of(await refresh(token))
      deployment.clock += 59_000
      const twice = of(await refresh(token))
      assert.equal(twice['refresh_token'], once['refresh_token'])
      assert.notEqual(twice['access_token'], once['access_token'])
      of(await refresh(twice['refresh_token'] as string))
      assert.equal(reason(await refresh(token)), 'refresh_replayed', 'the successor was used: this is a replay')
      assert.equal(reason(await refresh(twice['refresh_token'] as string)), 'grant_ended')
    })

    test('reuse after the window revokes the grant with all its tokens', async () => {
      const token = await first()
      const body = of(await refresh(token))
      deployment.clock += 61_000
      assert.equal(reason(await refresh(token)), 'refresh_replayed')
      assert.equal(await isActive(authority, body['access_token'] as string, { as: 'web' }), false)
      assert.equal(reason(await refresh(body['refresh_token'] as string)), 'grant_ended')
    })

    test('another client can neither use a refresh token nor end its grant', async () => {
      const token = await first()
      const stolen = await authority.token(asking(refreshing(token), { as: 'web2' }))
      assert.equal(reason(stolen), 'refresh_of_another_client')
      of(await refresh(token))
    })

    test('100 parallel refreshes of one token over two nodes give one successor', async () => {
      const nodes = [authority, deployment.node()]
      const token = await first()
      const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => refresh(token, {}, nodes[i % 2])))
      const successors = new Set(
        answers
          .filter((answer) => answer.kind === 'ok')
          .map((answer) => (answer.kind === 'ok' ? answer.value['refresh_token'] : null)),
      )
      assert.equal(successors.size, 1)
      assert.ok(
        answers.every((answer) => answer.kind === 'ok'),
        answers.map(reason).join(),
      )
      of(await refresh([...successors][0] as string))
    })

    test('revoke racing refresh leaves nothing alive', async () => {
      for (let round = 0; round < 5; round++) {
        const token = await first()
        const racers = Array.from({ length: 6 }, () => refresh(token))
        const revoked = authority.revoke(asking(`token=${token}`, { as: 'web' }))
        const answers = await Promise.all(racers)
        assert.ok((await revoked).kind === 'ok')
        for (const answer of answers) {
          if (answer.kind === 'error') continue
          assert.equal(await isActive(authority, answer.value['access_token'] as string, { as: 'web' }), false)
          assert.notEqual(reason(await refresh(answer.value['refresh_token'] as string)), 'ok')
        }
      }
    })

    test('a refresh token ends by idleness and with its grant', async () => {
      const token = await first()
      deployment.clock += 30 * 86_400_000
      assert.equal(reason(await refresh(token)), 'refresh_expired')
    })
  })
}
