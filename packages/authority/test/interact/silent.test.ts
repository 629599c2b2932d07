/** prompt=none is answered by /authorize itself, and whoever only asks has us keep nothing. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { err } from '@grantor/protocol/result'
import type { Handle } from '@grantor/protocol/types'
import { databases, openDeployment, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser } from '../support/person.ts'

const handleOf = (secret: string) => createHash('sha256').update(secret).digest('base64url') as Handle

for (const database of databases) {
  describe(`asking without being known, on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { authority, store } = deployment
    const silent = authorizeQuery({ prompt: 'none' })
    const errorOf = async (person: PersonAtBrowser, form = silent) => answerOf(await person.begin(form)).get('error')

    test('OIDC Core §3.1.2.1: prompt=none is answered at once: login_required, consent_required, then a code', async () => {
      const person = new PersonAtBrowser(authority)
      assert.equal(await errorOf(person), 'login_required')
      assert.equal(person.browser, null)
      await person.begin()
      await person.signIn()
      assert.equal(await errorOf(person), 'consent_required')
      await person.code()
      const answer = answerOf(await person.begin(silent))
      assert.match(answer.get('code') ?? '', /^gc_/)
      assert.deepEqual([answer.get('state'), answer.get('iss')], ['xyz', 'https://as.example'])
      // Without the cookies of a browser, as in the frame of another site, the session alone says who it is.
      const framed = new PersonAtBrowser(authority)
      framed.sessions = person.sessions
      assert.match(answerOf(await framed.begin(silent)).get('code') ?? '', /^gc_/)
      framed.sessions = []
      assert.equal(await errorOf(framed), 'login_required')
    })

    test('a form of another site brings no cookies: the way back here does, and in a frame it does not', async () => {
      const person = new PersonAtBrowser(authority)
      await person.code()
      const posted = { ...person.visitor(), browser: null, sessions: [], cookieless: true }
      const sent = await authority.browser.authorize(silent, posted)
      assert.ok(sent.kind === 'ok' && sent.value.go === 'hub')
      assert.deepEqual(sent.value.cookies, {})
      person.interaction = sent.value.interaction
      assert.match(answerOf(await person.stand()).get('code') ?? '', /^gc_/)
      const framed = new PersonAtBrowser(authority)
      framed.interaction = sent.value.interaction
      assert.equal(answerOf(await framed.stand()).get('error'), 'login_required')
      // It is a way to no other step.
      assert.deepEqual(
        await authority.browser.signIn(person.at(), { username: 'alice', password: 'correct-horse' }),
        err({ reason: 'interaction_of_another_browser' }),
      )
      assert.equal(await store.interactions.find(root, handleOf(sent.value.interaction)), null)
    })

    test('a form of another site does not rename the browser: the way back here makes the interaction its own', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin()
      await person.signIn()
      const name = person.browser
      const posted = { ...person.visitor(), browser: null, sessions: [], cookieless: true }
      const sent = await authority.browser.authorize(authorizeQuery({ prompt: 'consent' }), posted)
      assert.ok(sent.kind === 'ok' && sent.value.go === 'hub')
      assert.deepEqual(sent.value.cookies, {})
      person.interaction = sent.value.interaction
      const denied = await authority.browser.answerConsent(person.at(), { allow: false, ticked: new Set() })
      assert.deepEqual(denied, err({ reason: 'interaction_of_another_browser' }))
      const bound = await person.stand()
      assert.ok(bound.go === 'hub' && bound.cookies.browser === undefined)
      person.interaction = bound.interaction
      assert.equal((await person.stand()).go, 'consent')
      assert.equal(person.browser, name)
      // Whoever came without a name gets one then, and it is nobody else's.
      const stranger = new PersonAtBrowser(authority)
      stranger.interaction = sent.value.interaction
      const first = await stranger.stand()
      assert.ok(first.go === 'hub' && first.cookies.browser !== undefined)
      stranger.keep(first.cookies)
      stranger.interaction = first.interaction
      assert.equal((await stranger.stand()).go, 'login')
      person.interaction = first.interaction
      const elsewhere = await person.stand()
      assert.equal(elsewhere.go === 'error' && elsewhere.refusal.reason, 'interaction_of_another_browser')
    })

    test('it answers in the mode that was asked for, and says that the page may stand in a frame', async () => {
      const shown = await new PersonAtBrowser(authority).begin(
        authorizeQuery({ prompt: 'none', response_mode: 'form_post' }),
      )
      assert.ok(shown.go === 'answer' && shown.response.mode === 'form_post')
      assert.equal(shown.framed, true)
    })

    test('an interaction has no row before somebody has signed in, and keeps no request in it', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(authorizeQuery({ state: 's'.repeat(2000), prompt: 'consent' }))
      const kept = () => store.interactions.find(root, handleOf(person.interaction))
      await person.stand()
      await authority.browser.signIn(person.at(), { username: 'alice', password: 'wrong-password' })
      await authority.browser.chooseAccount(person.at(), null)
      await authority.browser.switchAccount(person.at())
      await authority.browser.startOver(person.at())
      await authority.browser.answerConsent(person.at(), { allow: true, ticked: new Set() })
      assert.equal(await kept(), null)
      await person.signIn()
      assert.deepEqual((await kept())?.request, {})
      assert.equal(answerOf(await person.allow()).get('state'), 's'.repeat(2000))
      assert.notEqual((await kept())?.closedAt, null)
      assert.deepEqual(await person.stand(), { go: 'error', refusal: { reason: 'interaction_gone' } })
    })

    test('what was sealed for another tenant, bent or made up is no interaction', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin()
      const { interaction } = person
      for (const bent of [
        `${interaction.slice(0, -2)}${interaction.endsWith('AA') ? 'QQ' : 'AA'}`,
        `${interaction}A`,
        interaction.slice(0, 46),
        'gi_'.padEnd(80, 'A'),
      ]) {
        person.interaction = bent as typeof interaction
        assert.deepEqual(await person.stand(), { go: 'error', refusal: { reason: 'interaction_gone' } }, bent)
      }
    })

    test('a request that would not fit into an address is refused by name', async () => {
      const long = Array.from({ length: 300 }, (_, i) => createHash('sha256').update(`${i}`).digest('base64url')).join(
        '',
      )
      const person = new PersonAtBrowser(authority)
      const form = authorizeQuery({
        state: long.slice(0, 4096),
        nonce: long.slice(4096, 5120),
        login_hint: long.slice(5120, 6144),
        acr_values: long.slice(0, 250),
      })
      assert.equal(await errorOf(person, form), 'invalid_request')
      assert.equal((await person.begin(authorizeQuery({ state: long.slice(0, 4096) }))).go, 'login')
      // One that still fits, but not once it says which browser it belongs to.
      const asked = (length: number) =>
        authorizeQuery({
          state: long.slice(0, 4096),
          nonce: long.slice(4096, 5120),
          login_hint: long.slice(5120, 5120 + length),
        })
      const posted = async (length: number) => {
        const sent = await authority.browser.authorize(asked(length), {
          ...person.visitor(),
          browser: null,
          cookieless: true,
        })
        return sent.kind === 'ok' && sent.value.go === 'hub' ? sent.value.interaction : null
      }
      let [fits, above] = [0, 1024]
      while (above - fits > 1) {
        const middle = (fits + above) >> 1
        if ((await posted(middle)) === null) above = middle
        else fits = middle
      }
      const longest = await posted(fits)
      assert.ok(longest)
      person.interaction = longest
      assert.equal(answerOf(await person.stand()).get('error'), 'invalid_request')
    })
  })
}
