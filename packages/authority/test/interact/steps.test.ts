/** The steps of an interaction: what each records, whom it is about, and what it leaves alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ports } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, Secret } from '@grantor/protocol/types'
import { returnContext } from '../../src/sign-in-link/request.ts'
import { declare, type Deployment, nowhere, openDeployment, root } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser } from '../support/person.ts'

const two = 'urn:grantor:acr:2fa'

async function open(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

/** For those that change nothing of a person. */
const shared = await open()

/** Alice and Bob signed in at one browser, and asked who shall answer. */
async function both(deployment: Deployment): Promise<PersonAtBrowser> {
  const person = new PersonAtBrowser(deployment.authority)
  for (const [name, password] of [
    ['bob', 'battery-staple'],
    ['alice', 'correct-horse'],
  ] as const) {
    await person.begin(authorizeQuery({ prompt: 'login' }))
    await person.signIn(name, password)
  }
  await person.begin(authorizeQuery({ prompt: 'consent' }))
  return person
}

const subjectOf = async ({ store }: Deployment, name: string) => (await store.users.byUsername(root, name))?.id ?? ''

test('one of several accounts is chosen by name; a name that none has leads to the login page', async () => {
  const deployment = shared
  const { browser } = deployment.authority
  const person = await both(deployment)
  assert.equal((await person.stand()).go, 'choose')
  for (const name of ['bob', 'alice']) {
    assert.deepEqual(await browser.chooseAccount(person.at(), await subjectOf(deployment, name)), ok(null))
    const shown = await person.stand()
    assert.ok(shown.go === 'consent' && shown.account.username === name, name)
  }
  await browser.chooseAccount(person.at(), 'nobody')
  assert.equal((await person.stand()).go, 'login')
})

test('whoever has several accounts switches among them, whoever has one signs in to another', async () => {
  const deployment = shared
  const { browser } = deployment.authority
  const person = await both(deployment)
  await browser.chooseAccount(person.at(), await subjectOf(deployment, 'bob'))
  await browser.switchAccount(person.at())
  assert.equal((await person.stand()).go, 'choose')
  const single = new PersonAtBrowser(deployment.authority)
  await single.begin()
  assert.equal((await single.signIn()).go, 'consent')
  await browser.switchAccount(single.at())
  assert.equal((await single.stand()).go, 'login')
  await browser.chooseAccount(single.at(), await subjectOf(deployment, 'alice'))
  assert.equal((await single.stand()).go, 'consent', 'or stays')
})

test('starting over forgets who is half way in, and touches no cookie of whoever is not', async () => {
  const deployment = await open()
  const { browser } = deployment.authority
  const signedIn = new PersonAtBrowser(deployment.authority)
  await signedIn.begin()
  await signedIn.signIn('bob', 'battery-staple')
  assert.deepEqual(await browser.startOver(signedIn.at()), ok({}))
  assert.equal((await signedIn.stand()).go, 'login')
  const halfWay = (await withApp(deployment)).elsewhere()
  await halfWay.begin()
  assert.equal((await halfWay.signIn()).go, 'second-factor')
  assert.deepEqual(await browser.startOver(halfWay.at()), ok({ pendingSecondFactor: null }))
})

test('a step at an interaction that is closed at that moment is refused', async () => {
  const deployment = shared
  const { interactions } = deployment.store
  const record: typeof interactions.record = async () => 'closed'
  const { browser } = deployment.node({ store: { ...deployment.store, interactions: { ...interactions, record } } })
  const person = await both(deployment)
  const by = { username: 'alice', password: 'correct-horse' }
  const acts = {
    signIn: () => browser.signIn(person.at(), by),
    startOver: () => browser.startOver(person.at()),
    chooseAccount: () => browser.chooseAccount(person.at(), null),
    switchAccount: () => browser.switchAccount(person.at()),
  }
  for (const [name, act] of Object.entries(acts))
    assert.deepEqual(await act(), err({ reason: 'interaction_gone' }), name)
})

test('a browser that is trusted is spared the second factor on the way to a client, too', async () => {
  const deployment = await open()
  const person = (await withApp(deployment)).elsewhere()
  await person.begin()
  assert.equal((await person.signIn()).go, 'second-factor')
  assert.equal((await person.second({ otp: person.otp() }, true)).go, 'consent')
  deployment.clock += 60_000
  assert.equal((await person.begin(authorizeQuery({ prompt: 'login' }))).go, 'login')
  assert.equal((await person.signIn()).go, 'consent')
})

test('a session that a provider vouched for stays one of that provider when it is strengthened', async () => {
  const deployment = await open()
  const person = (await withApp(deployment)).elsewhere()
  await person.enter()
  assert.equal(await person.further({ otp: person.otp() }, true), 'signed-in')
  deployment.clock += 60_000
  assert.equal(await person.enter(), 'signed-in')
  const upstream = { provider: 'corp', sid: 'there' }
  const { sessions } = deployment.store
  const vouched = { ...deployment.store, sessions: { ...sessions, start: withUpstream(sessions, upstream) } }
  const before = Object.assign(new Enrolling({ ...deployment, authority: deployment.node({ store: vouched }) }), {
    browser: person.browser,
    remembered: person.remembered,
  })
  assert.equal(await before.enter(), 'signed-in')
  person.sessions = before.sessions
  assert.equal((await person.begin(authorizeQuery({ acr_values: two }))).go, 'second-factor')
  assert.equal((await person.second({ otp: person.otp() })).go, 'consent')
  const { session } = await person.account()
  assert.deepEqual(session.upstream, upstream)
})

const withUpstream =
  ({ start }: Ports['store']['sessions'], upstream: object): typeof start =>
  (session, ...more) =>
    start({ ...session, upstream } as never, ...more)

test('terms are accepted by whoever was asked, in the version that is in force, and only where they were asked', async () => {
  const deployment = await open()
  const { browser } = deployment.authority
  const person = await both(deployment)
  const bob = await subjectOf(deployment, 'bob')
  await browser.chooseAccount(person.at(), bob)
  const terms = async (name: string) => (await deployment.store.users.byUsername(root, name))?.terms?.version
  assert.deepEqual(await browser.acceptTerms(person.at(), '2'), ok(null))
  await declare(deployment, { accounts: { terms: { version: '2', url: 'https://as.example/terms' } } })
  const shown = await person.stand()
  assert.ok(shown.go === 'terms' && shown.account.username === 'bob' && shown.terms.version === '2')
  assert.deepEqual(await browser.acceptTerms(person.at(), '1'), ok(null))
  assert.equal((await person.stand()).go, 'terms')
  assert.deepEqual(await browser.acceptTerms(person.at(), '2'), ok(null))
  assert.equal((await person.stand()).go, 'consent')
  assert.deepEqual([await terms('bob'), await terms('alice')], ['2', undefined])
})

test('of several accounts the one that is asked for a new password gets it', async () => {
  const deployment = await open()
  const { authority } = deployment
  const person = await both(deployment)
  await authority.browser.chooseAccount(person.at(), await subjectOf(deployment, 'bob'))
  await deployment.tamper("update users set must_change_password = 1 where username = 'bob'")
  const shown = await person.stand()
  assert.ok(shown.go === 'new-password' && shown.account.username === 'bob')
  assert.deepEqual(await authority.browser.chooseNewPassword(person.at(), 'another-staple'), ok('changed'))
  const enter = (username: string, password: string) => new Enrolling(deployment).enter(username, password)
  assert.deepEqual(
    [await enter('bob', 'another-staple'), await enter('alice', 'correct-horse')],
    ['signed-in', 'signed-in'],
  )
})

test('a space that a keyboard put behind the name is none of it', async () => {
  const enter = (username: string) => new Enrolling(shared).enter(username, 'correct-horse')
  assert.deepEqual(
    [await enter('alice '), await enter(' ALICE\t'), await enter('al ice')],
    ['signed-in', 'signed-in', 'rejected'],
  )
})

test('a mailed link answers for the authorization that was left for it, and needs none', async () => {
  const deployment = await open()
  const { authority, ports, store } = deployment
  const users = [{ username: 'bob', email: 'bob@example.com' }]
  await declare(deployment, { accounts: { sign_in_links: true }, users })
  const person = await both(deployment)
  const subject = await subjectOf(deployment, 'bob')
  const browser = ports.ids.handleOf(person.browser ?? '')
  const madeAt = ports.clock.now()
  const link = async (name: string, returnTo: Secret | null) => {
    const request = { tenant: root, id: name, kind: 'sign_in_link_asked', subject, sealed: Buffer.from('x') }
    const life = { madeAt, expiresAt: (madeAt + 60_000) as Instant }
    await store.mails.queue([{ ...request, ...life }], [])
    const handle = ports.ids.handleOf(name)
    const sealedReturn =
      returnTo === null ? null : ports.vault.seal(Buffer.from(returnTo), returnContext({ tenant: root, handle }))
    const row = { tenant: root, handle, subject, browser, sealedReturn, ...life }
    const mail = { ...request, ...life, id: `${name} mail`, kind: 'sign_in_link' }
    const links = [{ link: row, address: 'bob@example.com', mail }]
    assert.equal(await store.signInLinks.mail({ links, instead: request, events: [] }), 'mailed')
    const used = await authority.browser.signInByLink(name as Secret, person.visitor())
    assert.ok(used.outcome.did === 'signed-in')
    person.keep(used.outcome.cookies)
    return used.returnTo
  }
  assert.equal(await link('gp_one', null), null)
  assert.equal((await person.stand()).go, 'choose', 'nobody asked it to answer here')
  assert.equal(await link('gp_two', person.interaction), person.interaction)
  const shown = await person.stand()
  assert.ok(shown.go === 'consent' && shown.account.username === 'bob', shown.go)
})

/** People may leave for Corp. */
async function withProvider() {
  const deployment = shared
  const corp = { id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'https://idp.example', client_id: 'us' }
  await declare(deployment, { providers: [{ ...corp, client_secret: 'x'.repeat(32), trust_amr: true }] })
  const document = {
    issuer: corp.issuer,
    authorization_endpoint: 'https://idp.example/authorize',
    token_endpoint: 'https://idp.example/token',
    jwks_uri: 'https://idp.example/keys',
  }
  const fetch: (typeof nowhere)['fetch'] = async () => ok({ body: Buffer.from(JSON.stringify(document)) } as never)
  const { browser } = deployment.node({ outbound: { ...nowhere, fetch } })
  const leave = async (person: PersonAtBrowser) => {
    const left = await browser.leaveForProvider(person.at(), { provider: 'corp', loginHint: null })
    assert.ok(left.kind === 'ok' && left.value?.did === 'left', JSON.stringify(left))
    return new URL(left.value.location).searchParams
  }
  return { browser, leave, nobody: () => new PersonAtBrowser(deployment.authority) }
}

test('OIDC Core §3.1.2.1: a provider is told that the person must sign in again, and how strongly, where the client wants it', async () => {
  const { browser, leave, nobody } = await withProvider()
  const sent = async (person: PersonAtBrowser, query: Record<string, string>) => {
    await person.begin(authorizeQuery(query))
    const parameters = await leave(person)
    return [parameters.get('prompt'), parameters.get('acr_values')]
  }
  assert.deepEqual(await sent(nobody(), {}), [null, null])
  assert.deepEqual(await sent(nobody(), { prompt: 'login' }), ['login', null])
  assert.deepEqual(await sent(nobody(), { max_age: '60' }), ['login', null])
  assert.deepEqual(await sent(nobody(), { acr_values: two }), [null, two])
  const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [two] } } })
  assert.deepEqual(await sent(nobody(), { claims, acr_values: 'other' }), [null, two])
  const person = nobody()
  await person.begin()
  await person.signIn('bob', 'battery-staple')
  const left = await browser.leaveForProvider(person.at(), { provider: 'corp', loginHint: null })
  assert.deepEqual(left, ok(null), 'nobody is asked to sign in any more')
  shared.clock += 60_000
  assert.deepEqual(await sent(person, { claims }), ['login', two], 'a session is there that is not strong enough')
})

test('whoever comes back from a provider to an interaction that is over is told so, and once', async () => {
  const { browser, leave, nobody } = await withProvider()
  const person = nobody()
  await person.begin()
  const state = (await leave(person)).get('state') ?? ''
  await person.signIn('bob', 'battery-staple')
  assert.equal((await person.deny()).go, 'answer')
  const back = () =>
    browser.arriveFromProvider({ provider: 'corp', form: formOf(new URLSearchParams({ state })) }, person.visitor())
  assert.deepEqual(await back(), err({ reason: 'interaction_gone' }))
  assert.deepEqual(await back(), ok({ did: 'strayed', provider: { id: 'corp', name: 'Corp', kind: 'oidc' } }))
})
