/** What one client or one address could have us do or keep without end: each has its bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import { asking, bounded, declaration, declare, openDeployment } from '../support/deployment.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser, redemption, redirectUri } from '../support/person.ts'
import { managing, registered, Web } from '../support/registration.ts'

test(
  'a client updates its registration sixty times an hour, and has us call no more strangers than that',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const web = new Web(() => deployment.clock)
    const authority = deployment.node({ outbound: web })
    const body = { redirect_uris: [redirectUri] }
    const [one, other] = [await registered(authority, body), await registered(authority, body)]
    const update = async ({ id, access }: typeof one, n: number) => {
      const sector = { subject_type: 'pairwise', sector_identifier_uri: `https://victim-${n}.example/` }
      const answer = await authority.registration.replace({
        ...managing(id, access),
        body: { ...body, ...sector, client_id: id },
      })
      return answer.kind === 'ok' ? null : answer.error.reason
    }
    for (let n = 0; n < 60; n++) assert.equal(await update(one, n), 'client_metadata_invalid')
    assert.equal(await update(one, 60), 'limit_reached')
    assert.equal(web.asked.length, 60)
    assert.equal(await update(other, 61), 'client_metadata_invalid', 'another client is not held back')
    assert.equal(await update({ ...one, access: 'gm_guessed' }, 62), 'registration_token_invalid', 'nor is it counted')
    deployment.clock += 60_000
    assert.equal(await update(one, 63), 'client_metadata_invalid')
  },
)

test(
  'RP-Initiated Logout §2: one ID token asks for a sign-out so often from one address, and then waits',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    const code = await new PersonAtBrowser(deployment.authority).code(authorizeQuery())
    const answer = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
    assert.ok(answer.kind === 'ok')
    const node = deployment.node({ limits: { ...limits, authorize: { ...limits.authorize, quota: 3 } } })
    const form = formOf([['id_token_hint', answer.value['id_token'] as string]])
    const ask = async (ip: string) => {
      const begun = await node.browser.logout.begin(form, { ...new PersonAtBrowser(node).visitor(), ip })
      return begun.kind === 'error' ? begun.error.reason : begun.value.go
    }
    for (let n = 0; n < 3; n++) assert.equal(await ask('198.51.100.7'), 'hub')
    assert.equal(await ask('198.51.100.7'), 'limit_reached')
    assert.equal(await ask('198.51.100.8'), 'hub')
  },
)

test(
  'guesses at a password on the account page and at sign-in are one count, however the name is spelled',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declare(deployment, { ...declaration, users: [{ username: 'Alice', password: 'correct-horse' }] })
    const { browser } = deployment.authority
    const person = new PersonAtBrowser(deployment.authority)
    person.keep(browser.nameBrowser(person.visitor()))
    const enter = async (username: string, password: string) => {
      const by = { username, password, confirming: false }
      const outcome = await browser.accountSignIn.byPassword(by, person.visitor())
      if ('cookies' in outcome) person.keep(outcome.cookies)
      return outcome.did
    }
    assert.equal(await enter('ALICE', 'correct-horse'), 'signed-in')
    const [account] = await browser.accounts(person.visitor())
    assert.ok(account)
    const guess = () =>
      browser.account.changePassword(account, { current: 'a guess', next: 'another-password' }, person.visitor())
    for (let n = 0; n < 5; n++)
      assert.deepEqual([await guess(), await enter('alice', 'a guess')], ['wrong', 'rejected'])
    assert.deepEqual([await guess(), await enter('aLiCe', 'correct-horse')], ['throttled', 'throttled'])
  },
)
