/** Password and second factor: what signs in, what does not, and what is told of it. */
import type { Instant } from '@grantor/protocol/types'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { FactorAnswer } from '@grantor/authority'
import type { Factors } from '@grantor/protocol/authorize'
import { asking, databases, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { answerOf, authorizeQuery, codeOf, declarePeople, redemption } from '../support/person.ts'

const [one, two] = ['urn:grantor:acr:1fa', 'urn:grantor:acr:2fa']
const essential = (...values: string[]) => JSON.stringify({ id_token: { acr: { essential: true, values } } })

async function idToken(deployment: Deployment, code: string) {
  const answer = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return decodeJwt(answer.value['id_token'] as string)
}

const names = async ({ store }: Deployment, name: string) => {
  await store.events.position()
  return (await store.events.after(root, 0, 10_000)).filter((it) => it.name === name)
}

async function freshHouse(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

describe('a second factor', { concurrency: 2 }, () => {
  test('a password alone is half way: no session, no way on, and nothing to see', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    assert.equal(owner.codes.length, 10)
    const person = owner.elsewhere()
    await person.begin()
    const shown = await person.signIn()
    assert.equal(shown.go, 'second-factor')
    assert.deepEqual(person.sessions, [])
    assert.deepEqual(await person.authority.browser.accounts(person.visitor()), [])
    // Neither the step after it nor another interaction opens.
    await person.allow()
    assert.equal((await person.stand()).go, 'second-factor')
    const done = await person.second({ otp: person.otp() })
    assert.equal(done.go, 'consent')
    const claims = await idToken(deployment, codeOf(await person.allow()))
    assert.deepEqual([claims['acr'], claims['amr']], [two, ['pwd', 'otp', 'mfa']])
  })

  test('RFC 6238 §5.2: a code is accepted once, one step early or late, and never two', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.enter()
    for (const steps of [-2, 2]) assert.equal(await person.further({ otp: person.otp(steps) }), 'rejected')
    assert.equal(await person.further({ otp: person.otp(1) }), 'signed-in')
    const other = owner.elsewhere()
    await other.enter()
    assert.equal(await other.further({ otp: other.otp(1) }), 'rejected', 'used')
    assert.equal(await other.further({ otp: other.otp() }), 'rejected', 'older than one that was used')
    deployment.clock += 3_600_000
    await other.enter()
    assert.equal(await other.further({ otp: other.otp() }), 'signed-in')
  })

  test('a recovery code stands in once, however it is spelled, and is told', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const [code = '', second = ''] = owner.codes
    const person = owner.elsewhere()
    await person.enter()
    assert.equal(await person.further({ recoveryCode: ` ${code.toLowerCase().replaceAll('-', ' ')}` }), 'signed-in')
    const other = owner.elsewhere()
    await other.enter()
    assert.equal(await other.further({ recoveryCode: code }), 'rejected')
    assert.equal(await other.further({ recoveryCode: second }), 'signed-in')
    assert.deepEqual(
      (await names(deployment, 'factor.recovered')).map(({ data }) => data?.['left']),
      [9, 8],
    )
    const account = await other.account()
    assert.equal((await other.factors.methods(account)).factors.recoveryCodes, 8)
    const fresh = await other.factors.newRecoveryCodes(account, other.visitor())
    assert.ok(fresh !== 'stale')
    assert.equal((await other.factors.methods(account)).factors.recoveryCodes, 10)
    const third = owner.elsewhere()
    await third.enter()
    assert.equal(await third.further({ recoveryCode: owner.codes[2] ?? '' }), 'rejected', 'of the old list')
    assert.equal(await third.further({ recoveryCode: fresh[0] ?? '' }), 'signed-in')
  })

  test('codes of an app are guessed 30 times a day by all strangers; the owner gets in all the same', async () => {
    const deployment = await freshHouse()
    const limits = { ...deployment.ports.limits, loginAccount: null, loginAddress: null }
    const owner = await withApp(Object.assign(deployment, { authority: deployment.node({ limits }) }))
    const usual = owner.elsewhere()
    await usual.enter()
    assert.equal(await usual.further({ otp: usual.otp() }), 'signed-in')
    deployment.clock += 30_000
    const outcomes: string[] = []
    for (const stranger of [owner.elsewhere(), owner.elsewhere()]) {
      await stranger.enter()
      for (let n = 0; n < 20; n++) outcomes.push(await stranger.further({ otp: '000000' }))
    }
    assert.deepEqual(new Set(outcomes.slice(0, 30)), new Set(['rejected']))
    assert.deepEqual(new Set(outcomes.slice(30)), new Set(['throttled']))
    const stranger = owner.elsewhere()
    await stranger.enter()
    assert.equal(await stranger.further({ otp: stranger.otp() }), 'throttled', 'nor does the right one')
    assert.equal(await stranger.further({ recoveryCode: owner.codes[0] ?? '' }), 'signed-in')
    await usual.enter()
    assert.equal(await usual.further({ otp: usual.otp() }), 'signed-in', 'they showed a second factor here before')
    deployment.clock += 48 * 60_000
    const later = owner.elsewhere()
    await later.enter()
    assert.equal(await later.further({ otp: later.otp() }), 'signed-in', 'one guess more')
  })

  test('guesses at codes are counted with those at the password, and a right password forgives none', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    const outcomes: string[] = []
    for (let n = 0; n < 12; n++) {
      outcomes.push(await person.enter())
      outcomes.push(await person.further({ otp: '000000' }))
    }
    assert.equal(outcomes.filter((it) => it === 'rejected').length, 10)
    assert.deepEqual(outcomes.slice(-2), ['throttled', 'throttled'])
    assert.equal(await person.further({ otp: person.otp() }), 'throttled', 'nor does the right one')
    assert.equal(await person.further({ recoveryCode: owner.codes[0] ?? '' }), 'throttled')
  })

  test('half way belongs to one browser, one tenant, one password, and ten minutes', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.enter()
    const thief = owner.elsewhere()
    thief.pendingSecondFactor = person.pendingSecondFactor
    assert.equal(await thief.further({ otp: person.otp() }), 'rejected', 'another browser')
    const visitor = { ...person.visitor(), tenant: 'acme' as typeof root }
    assert.equal(
      (
        await deployment.authority.browser.accountSignIn.bySecondFactor(
          { answer: { otp: '' }, remember: false },
          visitor,
        )
      ).did,
      'rejected',
    )
    for (const sealed of ['x', 'A'.repeat(80), `${person.pendingSecondFactor?.slice(0, -2)}AA`]) {
      thief.pendingSecondFactor = sealed
      assert.equal(await thief.further({ otp: person.otp() }), 'rejected')
    }
    deployment.clock += 600_001
    assert.equal(await person.further({ otp: person.otp() }), 'rejected', 'too late')
    await person.enter()
    deployment.clock += 1
    const reset = { username: 'alice', password: 'correct-horse' }
    assert.ok((await deployment.authority.admin.users.resetPassword(operator, root, reset)).kind === 'ok')
    assert.equal(await person.further({ otp: person.otp() }), 'rejected', 'the password was changed')
  })

  test('OIDC Core §3.1.2.1: acr_values and an essential acr step up a weaker session, and only then', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.enter()
    assert.equal(await person.further({ otp: person.otp() }, true), 'signed-in')
    deployment.clock += 60_000
    // A browser that is trusted shows one factor, and nothing else is told.
    assert.equal(await person.enter(), 'signed-in')
    const account = await person.account()
    assert.deepEqual([account.authentication.acr, account.authentication.amr], [one, ['pwd']])
    const plain = await idToken(deployment, await person.code())
    assert.deepEqual([plain['acr'], plain['amr']], [one, ['pwd']])

    const silent = authorizeQuery({ prompt: 'none', claims: essential(two) })
    assert.equal(answerOf(await person.begin(silent)).get('error'), 'login_required')
    assert.equal((await person.begin(authorizeQuery({ acr_values: two }))).go, 'second-factor')
    deployment.clock += 60_000
    const authTime = account.authentication.at
    const stepped = await idToken(deployment, codeOf(await person.second({ otp: person.otp() })))
    assert.deepEqual([stepped['acr'], stepped['amr']], [two, ['pwd', 'otp', 'mfa']])
    assert.equal(stepped['auth_time'], Math.floor(authTime / 1000), 'no younger than its password')
    assert.equal((await person.begin(authorizeQuery({ claims: essential(two) }))).go, 'answer', 'it is there now')
    assert.equal(answerOf(await person.begin(authorizeQuery({ prompt: 'none', acr_values: two }))).has('code'), true)
  })

  test('RFC 9470 §4: whoever has no second factor is told apart: a preference goes on, a condition fails', async () => {
    const deployment = await freshHouse()
    const person = new Enrolling(deployment)
    await person.begin(authorizeQuery({ acr_values: two }))
    const shown = await person.signIn('bob', 'battery-staple')
    assert.equal(shown.go, 'consent')
    assert.equal((await idToken(deployment, codeOf(await person.allow())))['acr'], one)
    deployment.clock += 1000
    await person.begin(authorizeQuery({ claims: essential(two) }))
    const refused = await person.signIn('bob', 'battery-staple')
    assert.equal(answerOf(refused).get('error'), 'unmet_authentication_requirements')
  })

  test('OIDC Core §3.1.2.1: prompt=login and max_age ask for both factors again', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.enter()
    await person.further({ otp: person.otp() })
    for (const query of [{ prompt: 'login' }, { max_age: '10' }]) {
      deployment.clock += 60_000
      assert.equal((await person.begin(authorizeQuery(query))).go, 'login')
      assert.equal((await person.signIn()).go, 'second-factor')
      const done = await person.second({ otp: person.otp() })
      const code = codeOf(done.go === 'consent' ? await person.allow() : done)
      assert.equal((await idToken(deployment, code))['auth_time'], Math.floor(deployment.clock / 1000))
    }
  })

  test('starting over leads to the login page, and whoever was half way in is no longer', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.begin()
    assert.equal((await person.signIn()).go, 'second-factor')
    const kept = await person.authority.browser.startOver(person.at())
    assert.ok(kept.kind === 'ok')
    person.keep(kept.value)
    assert.equal((await person.stand()).go, 'login')
    assert.equal((await person.signIn('bob', 'battery-staple')).go, 'consent')
  })

  test('a trusted browser is spared for thirty days, for its own person, until the password or a factor goes', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const person = owner.elsewhere()
    await person.enter()
    await person.further({ otp: person.otp() }, true)
    const days = (n: number) => void (deployment.clock += n * 86_400_000)
    const kept = person.remembered
    days(29)
    assert.equal(await person.enter(), 'signed-in')
    assert.equal(
      await person.enter('alice', 'correct-horse', true),
      'second-factor-pending',
      'not where it is confirmed',
    )
    days(1)
    assert.equal(await person.enter(), 'second-factor-pending', 'over')
    deployment.clock += 30_000
    await person.further({ otp: person.otp() }, true)
    const bobs = new Enrolling(deployment)
    bobs.remembered = person.remembered
    await bobs.enter('bob', 'battery-staple')
    await bobs.addApp()
    assert.equal(await bobs.enter('bob', 'battery-staple'), 'second-factor-pending', 'trusted by somebody else')
    assert.equal(await bobs.further({ otp: bobs.otp() }), 'signed-in')
    assert.equal(await bobs.factors.remove(await bobs.account(), 'totp', bobs.visitor()), 'removed')

    const account = await person.account()
    const [browser] = (await person.factors.methods(account)).browsers
    assert.ok(browser)
    await bobs.factors.forgetBrowser(await bobs.account(), browser.id, bobs.visitor())
    assert.equal(await person.enter(), 'signed-in', 'nobody else forgets it')
    await person.factors.forgetBrowser(account, browser.id, person.visitor())
    assert.equal(await person.enter(), 'second-factor-pending')
    deployment.clock += 30_000
    await person.further({ otp: person.otp() }, true)
    assert.equal(await person.enter(), 'signed-in')
    const change = { current: 'correct-horse', next: 'battery-horse' }
    assert.equal(
      await person.authority.browser.account.changePassword(await person.account(), change, person.visitor()),
      'changed',
    )
    assert.equal(await person.enter('alice', 'battery-horse'), 'second-factor-pending', 'another password')
    assert.ok(
      (
        await deployment.authority.admin.users.resetPassword(operator, root, {
          username: 'alice',
          password: 'correct-horse',
        })
      ).kind === 'ok',
    )
    person.remembered = kept
    assert.equal(await person.enter(), 'second-factor-pending')
  })

  test('factors are changed shortly after a sign-in that was as strong as theirs, and not otherwise', async () => {
    const deployment = await freshHouse()
    const owner = new Enrolling(deployment)
    await owner.enter()
    const { session, authentication } = await owner.account()
    // Whoever else knows the password was signed in before there was a factor.
    const intruder = owner.elsewhere()
    await intruder.enter()
    await owner.addApp()
    const weak = await intruder.account()
    assert.equal(weak.authentication.acr, one)
    const refusedAll = async (person: Enrolling) => {
      const account = await person.account()
      assert.equal((await person.factors.methods(account)).mayChange, false)
      assert.equal(await person.factors.remove(account, 'totp', person.visitor()), 'stale')
      assert.equal(await person.factors.newRecoveryCodes(account, person.visitor()), 'stale')
      const { sealed } = person.factors.offerTotp(account)
      assert.deepEqual(await person.factors.addTotp(account, { sealed, otp: '' }, person.visitor()), { did: 'stale' })
      const answer = { answer: '{}', name: 'x' }
      assert.deepEqual(await person.factors.addPasskey(account, answer, person.visitor()), { did: 'stale' })
    }
    await refusedAll(intruder)
    const proven = await owner.account()
    assert.equal((await owner.factors.methods(proven)).mayChange, true, 'both were just shown')
    assert.deepEqual([proven.authentication.acr, proven.authentication.at], [two, authentication.at])
    assert.equal(proven.session.expiresAt, session.expiresAt)
    assert.notEqual(proven.session.id, session.id)
    await owner.enter()
    assert.equal(await owner.further({ otp: owner.otp() }), 'signed-in')
    assert.equal((await owner.factors.methods(await owner.account())).mayChange, true)
    deployment.clock += 600_001
    await refusedAll(owner)
    const held: Factors = await deployment.store.factors.of(root, weak.person.id)
    assert.deepEqual(held, { otp: true, passkey: false, recoveryCodes: 10 })
  })

  test('an offer for an app is one person’s, needs a code of it, and is over after ten minutes', async () => {
    const deployment = await freshHouse()
    const alice = new Enrolling(deployment)
    await alice.enter()
    const account = await alice.account()
    const offer = alice.factors.offerTotp(account)
    alice.secret = offer.secret
    const bob = new Enrolling(deployment)
    await bob.enter('bob', 'battery-staple')
    const add = (person: Enrolling, sealed: string, otp: string, as = account) =>
      person.factors.addTotp(as, { sealed, otp }, person.visitor())
    assert.deepEqual(await add(bob, offer.sealed, alice.otp(), await bob.account()), { did: 'stale' })
    for (const otp of ['', '000000', alice.otp(2)]) {
      assert.deepEqual(await add(alice, offer.sealed, otp), { did: 'refused' })
    }
    assert.deepEqual(await add(alice, 'A'.repeat(90), alice.otp()), { did: 'stale' })
    assert.deepEqual(await deployment.store.factors.of(root, account.person.id), {
      otp: false,
      passkey: false,
      recoveryCodes: 0,
    })
    deployment.clock += 600_001
    await alice.enter()
    assert.deepEqual(await add(alice, offer.sealed, alice.otp(), await alice.account()), { did: 'stale' })
  })

  test('an administrator takes everything away, and the password alone signs in again', async () => {
    const deployment = await freshHouse()
    const owner = await withApp(deployment)
    const reset = () => deployment.authority.admin.users.resetFactors(operator, root, 'alice')
    assert.ok((await reset()).kind === 'ok')
    const again = await reset()
    assert.ok(again.kind === 'error' && again.error.reason === 'absent')
    const nobody = await deployment.authority.admin.users.resetFactors(operator, root, 'nobody')
    assert.ok(nobody.kind === 'error' && nobody.error.reason === 'absent')
    assert.equal(await owner.elsewhere().enter(), 'signed-in')
    assert.deepEqual((await names(deployment, 'factor.removed')).at(-1)?.data, { factor: 'all' })
  })
})

for (const database of databases) {
  test(`${database}: of 50 sign-ins with one code at once one starts a session`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    // Limits would refuse most of them for another reason.
    const authority = deployment.node({
      limits: { ...deployment.ports.limits, loginAccount: null, loginAddress: null, secondFactor: null },
    })
    const owner = await withApp({ ...deployment, authority })
    const person = owner.elsewhere()
    await person.enter()
    const visitor = person.visitor()
    const race = async (answer: FactorAnswer) => {
      const further = () => authority.browser.accountSignIn.bySecondFactor({ answer, remember: false }, visitor)
      const outcomes = await Promise.all(Array.from({ length: 50 }, further))
      return outcomes.filter(({ did }) => did === 'signed-in').length
    }
    assert.equal(await race({ otp: person.otp() }), 1)
    assert.equal(await race({ recoveryCode: owner.codes[0] ?? '' }), 1)
    const {
      session,
      person: { id },
    } = await owner.account()
    const all = { now: 0 as Instant, before: null, limit: 200 }
    const living = await deployment.store.sessions.livingOf(root, id, all)
    const strong = living.filter((it) => it.authentication.acr === two && it.id !== session.id)
    assert.equal(strong.length, 2)
    assert.equal((await deployment.store.factors.of(root, id)).recoveryCodes, 9)
  })
}
