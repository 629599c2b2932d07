/** A session that takes the place of another: what is told of the old one, and how long the new one may stand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deployment, openDeployment, root } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser } from '../support/person.ts'

const two = 'urn:grantor:acr:2fa'

async function open(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

async function sessionEvents({ store }: Deployment) {
  await store.events.position()
  const events = await store.events.after(root, 0, 10_000)
  return events
    .filter((it) => it.name.startsWith('session.'))
    .map(({ name, subject, reason, data }) => ({ name, subject, reason, sid: data?.['sid'] }))
}

test('whoever signs in again in the same browser ends the session before, and the log says so', async () => {
  const deployment = await open()
  const person = new Enrolling(deployment)
  await person.enter()
  const first = await person.account()
  deployment.clock += 1000
  await person.enter()
  const second = await person.account()
  const subject = first.person.id
  assert.notEqual(second.session.id, first.session.id)
  assert.deepEqual(await sessionEvents(deployment), [
    { name: 'session.started', subject, reason: null, sid: first.session.id },
    { name: 'session.started', subject, reason: null, sid: second.session.id },
    { name: 'session.ended', subject, reason: 'replaced', sid: first.session.id },
  ])
  assert.equal((await deployment.store.sessions.byId(root, first.session.id))?.endedAt, deployment.clock)
})

test('neither another person in this browser nor the same one in another ends a session', async () => {
  const deployment = await open()
  const person = new Enrolling(deployment)
  await person.enter()
  const { session } = await person.account()
  await person.enter('bob', 'battery-staple')
  await new Enrolling(deployment).enter()
  assert.equal((await sessionEvents(deployment)).filter((it) => it.name === 'session.ended').length, 0)
  assert.equal((await deployment.store.sessions.byId(root, session.id))?.endedAt, null)
  assert.equal((await person.authority.browser.accounts(person.visitor())).length, 2)
})

/** Somebody with an app whose browser is trusted: signed in with one factor, a while ago. */
async function weaklySignedIn(deployment: Deployment) {
  const person = (await withApp(deployment)).elsewhere()
  await person.enter()
  assert.equal(await person.further({ otp: person.otp() }, true), 'signed-in')
  deployment.clock += 60_000
  assert.equal(await person.enter(), 'signed-in')
  return person
}

test('a step-up strengthens the session that is there: it ends when that one would have', async () => {
  const deployment = await open()
  const person = await weaklySignedIn(deployment)
  const before = await person.account()
  deployment.clock += 3_600_000
  assert.equal((await person.begin(authorizeQuery({ acr_values: two }))).go, 'second-factor')
  assert.equal((await person.second({ otp: person.otp() })).go, 'consent')
  const after = await person.account()
  assert.equal(after.authentication.acr, two)
  assert.equal(after.session.expiresAt, before.session.expiresAt)
  assert.equal(after.authentication.at, before.authentication.at, 'nor is it any younger')
  deployment.clock = before.session.expiresAt
  assert.deepEqual(await person.authority.browser.accounts(person.visitor()), [])
})

test('a step-up by a recovery code gives no more time either; a passkey is a sign-in of its own', async () => {
  const deployment = await open()
  const person = await weaklySignedIn(deployment)
  const before = await person.account()
  deployment.clock += 3_600_000
  await person.begin(authorizeQuery({ acr_values: two }))
  await person.second({ recoveryCode: person.codes[0] ?? '' })
  const stepped = await person.account()
  assert.deepEqual([stepped.authentication.acr, stepped.session.expiresAt], [two, before.session.expiresAt])

  const strong = await withPasskey(deployment)
  const held = await strong.person.account()
  deployment.clock += 3_600_000
  await strong.person.begin(authorizeQuery({ claims: '{"id_token":{"acr":{"essential":true,"values":["phr"]}}}' }))
  const shown = await strong.person.second({ passkey: strong.key.get(await strong.person.question()) })
  assert.equal(shown.go, 'consent')
  const renewed = await strong.person.account()
  assert.equal(renewed.session.expiresAt, deployment.clock + deployment.ports.policy.sessionMaxTtl * 1000)
  assert.ok(renewed.session.expiresAt > held.session.expiresAt)
})

async function withPasskey(deployment: Deployment) {
  const person = new Enrolling(deployment)
  await person.enter('bob', 'battery-staple')
  const key = await person.addPasskey()
  return { person, key }
}

test('a session that took the place of another is of the browser: the old secret opens nothing', async () => {
  const deployment = await open()
  const person = new PersonAtBrowser(deployment.authority)
  await person.code()
  const before = person.visitor()
  deployment.clock += 1000
  await person.begin(authorizeQuery({ prompt: 'login' }))
  await person.signIn()
  assert.deepEqual(await deployment.authority.browser.accounts(before), [])
  assert.equal((await deployment.authority.browser.accounts(person.visitor())).length, 1)
})

test('a session that is used is seen to be used, once a minute and no oftener', async () => {
  const deployment = await open()
  const person = new Enrolling(deployment)
  await person.enter()
  const { session } = await person.account()
  const seen = async () => {
    await person.authority.browser.accounts(person.visitor())
    return (await deployment.store.sessions.byId(root, session.id))?.lastSeenAt
  }
  deployment.clock += 60_000
  assert.equal(await seen(), session.lastSeenAt, 'within the minute nothing is written')
  deployment.clock += 1
  assert.equal(await seen(), deployment.clock)
})
