/** Passkeys against an authenticator in software: what is accepted, and everything that must not be. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { Authenticator, type Lies, withCertificates, transports } from '../support/authenticator.ts'
import { Enrolling, origin } from '../support/enrolled-person.ts'
import { asking, databases, declare, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { authorizeQuery, codeOf, declarePeople, redemption } from '../support/person.ts'

const acme = 'acme' as TenantId

async function freshHouse(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

/** Somebody with a passkey, signed in with the password that was enough before. */
async function withPasskey(deployment: Deployment, lies: Lies = {}) {
  const owner = new Enrolling(deployment)
  assert.equal(await owner.enter(), 'signed-in')
  const key = await owner.addPasskey(lies)
  const person = owner.elsewhere()
  await person.begin()
  return { owner, key, person }
}

const reasons = async ({ store }: Deployment) => {
  await store.events.position()
  return (await store.events.after(root, 0, 1_000)).filter((it) => it.name === 'login.failed').map((it) => it.reason)
}

describe('passkeys', { concurrency: 2 }, () => {
  test('WebAuthn §7.2: a passkey signs in by itself, without a name, and its acr and amr say so', async () => {
    const deployment = await freshHouse()
    const { key, person, owner } = await withPasskey(deployment)
    assert.equal(owner.codes.length, 10, 'recovery codes come with the first factor')
    const question = await person.question()
    assert.deepEqual(question['allowCredentials'], [])
    assert.equal(await person.byPasskey(key.get(question)), 'signed-in')
    const code = codeOf(await person.allow())
    const answer = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
    assert.ok(answer.kind === 'ok')
    const claims = decodeJwt(answer.value['id_token'] as string)
    assert.deepEqual([claims['acr'], claims['amr']], ['phr', ['pop', 'user', 'mfa']])
    const again = await person.begin(authorizeQuery({ acr_values: 'urn:grantor:acr:2fa', prompt: 'none' }))
    const second = await deployment.authority.token(asking(redemption(codeOf(again)), { as: 'web' }))
    assert.ok(second.kind === 'ok')
    assert.equal(
      decodeJwt(second.value['id_token'] as string)['acr'],
      'urn:grantor:acr:2fa',
      'by the name it was asked for',
    )
  })

  test('a passkey that is synced says so, and completes a password as well', async () => {
    const deployment = await freshHouse()
    const { key, person, owner } = await withPasskey(deployment, { synced: true })
    assert.equal((await person.signIn()).go, 'second-factor')
    const question = await person.question()
    assert.deepEqual(
      (question['allowCredentials'] as readonly JsonObject[]).map((it) => [it['id'], it['transports']]),
      [[key.id, transports]],
    )
    // WebAuthn §7.2 step 19: what can be synced stays so.
    assert.equal((await person.second({ passkey: key.get(question, { synced: false }) })).go, 'second-factor')
    // A key that keeps nothing does not say whose it is.
    assert.equal(
      (await person.second({ passkey: key.get(await person.question(), { userHandle: null }) })).go,
      'consent',
    )
    const { authentication } = await person.account()
    assert.deepEqual([authentication.acr, authentication.amr], ['phr', ['pop', 'user', 'mfa', 'swk']])
    const [held] = (await owner.factors.methods(await person.account())).passkeys
    assert.deepEqual([held?.name, held?.synced, held?.lastUsedAt], ['Phone', true, deployment.clock])
  })

  const lies: readonly (readonly [string, Lies])[] = [
    ['§7.2 step 13: of another origin', { origin: 'https://as.example.evil.example' }],
    ['§7.2 step 13: of another port', { origin: `${origin}:8443` }],
    ['§7.2 step 15: for another site', { rpId: 'evil.example' }],
    ['§7.2 step 15: for the parent of our host', { rpId: 'example' }],
    ['§7.2 step 16: nobody was there', { userPresent: false }],
    ['§7.2 step 17: nobody was verified', { userVerified: false }],
    ['§7.2 step 11: an enrolment for a sign-in', { type: 'webauthn.create' }],
    ['§7.2 step 14: from within a frame', { crossOrigin: true }],
    ['§7.2 step 12: a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['§7.2 step 6: whose handle is another person’s', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['§7.2 step 6: that does not say whose it is, where nobody was named', { userHandle: null }],
    ['§7.2 step 18: that is backed up and cannot be', { backedUpOnly: true }],
    ['§7.2 step 19: that can be synced now, and could not when it was made', { synced: true }],
    ['§7.2 step 21: by another key', { forged: true }],
    ['§7.2 step 5: that nobody enrolled', { id: Buffer.alloc(16, 1).toString('base64url') }],
  ]
  test('WebAuthn §7.2: an assertion that is wrong in one thing signs nobody in', async () => {
    const deployment = await freshHouse()
    const { key, person } = await withPasskey(deployment)
    for (const [title, lie] of lies) {
      assert.equal(await person.byPasskey(key.get(await person.question(), lie)), 'rejected', title)
    }
    assert.equal((await person.stand()).go, 'login')
    assert.equal((await reasons(deployment)).filter((it) => it === 'passkey').length, lies.length)
    assert.equal(await person.byPasskey(key.get(await person.question())), 'signed-in', 'and the honest one does')
  })

  test('what is no answer at all is refused without a word', async () => {
    const deployment = await freshHouse()
    const { key, person } = await withPasskey(deployment)
    const whole = JSON.parse(key.get(await person.question())) as { readonly response: JsonObject }
    const broken = [
      '',
      'null',
      '[]',
      '{}',
      '{"id":1}',
      '{"__proto__":{"id":"x"}}',
      'x'.repeat(20_000),
      JSON.stringify({ ...whole, id: 'x'.repeat(2000) }),
      JSON.stringify({ ...whole, rawId: 'other' }),
      JSON.stringify({ ...whole, type: 'password' }),
      JSON.stringify({ ...whole, response: null }),
      JSON.stringify({ ...whole, response: { clientDataJSON: '!!!' } }),
      JSON.stringify({ ...whole, response: { ...whole.response, signature: {} } }),
      JSON.stringify({ ...whole, response: { ...whole.response, authenticatorData: 'AA' } }),
    ]
    for (const text of broken) assert.equal(await person.byPasskey(text), 'rejected', text.slice(0, 40))
  })

  test('WebAuthn §13.4.3: an answer counts once, in the browser and the interaction it was asked for in', async () => {
    const deployment = await freshHouse()
    const { key, person, owner } = await withPasskey(deployment)
    const [first, second] = [await person.question(), await person.question()]
    const thief = owner.elsewhere()
    await thief.begin()
    assert.equal(await thief.byPasskey(key.get(first)), 'rejected', 'another browser')
    const interaction = person.interaction
    await person.begin()
    assert.equal(await person.byPasskey(key.get(first)), 'rejected', 'another interaction')
    const entered = await deployment.authority.browser.accountSignIn.byPasskey(key.get(second), person.visitor())
    assert.equal(entered.did, 'rejected', 'another page')
    person.interaction = interaction
    const answer = key.get(second)
    assert.equal(await person.byPasskey(answer), 'signed-in', 'none of those used it up')
    assert.equal(await person.byPasskey(answer), 'rejected', 'again')
    assert.equal(await person.byPasskey(key.get(second)), 'rejected', 'another answer to the same challenge')
    deployment.clock += 1000
    await person.begin(authorizeQuery({ prompt: 'login' }))
    const third = await person.question()
    deployment.clock += 600_000
    assert.notEqual(await person.byPasskey(key.get(third)), 'signed-in', 'too late')
  })

  test('a wrong answer uses its challenge up', async () => {
    const deployment = await freshHouse()
    const { key, person } = await withPasskey(deployment)
    const question = await person.question()
    assert.equal(await person.byPasskey(key.get(question, { forged: true })), 'rejected')
    assert.equal(await person.byPasskey(key.get(question)), 'rejected')
  })

  test('a passkey of somebody else does not complete the password of another', async () => {
    const deployment = await freshHouse()
    const { owner } = await withPasskey(deployment)
    const bob = new Enrolling(deployment)
    await bob.enter('bob', 'battery-staple')
    const bobs = await bob.addPasskey()
    const person = owner.elsewhere()
    await person.begin()
    assert.equal((await person.signIn()).go, 'second-factor')
    assert.equal((await person.second({ passkey: bobs.get(await person.question()) })).go, 'second-factor')
    assert.deepEqual(person.sessions, [])
  })

  test('a passkey of another tenant is nobody’s here, though the host is the same', async () => {
    const deployment = await freshHouse()
    const { key, person } = await withPasskey(deployment)
    await declare(deployment, { tenants: [{ id: 'acme', users: [{ username: 'alice', password: 'correct-horse' }] }] })
    const visitor = { ...person.visitor(), tenant: acme }
    const question = await deployment.authority.browser.accountSignIn.passkeyQuestion(visitor)
    assert.ok(question)
    assert.equal(question['rpId'], 'as.example')
    assert.equal(
      (await deployment.authority.browser.accountSignIn.byPasskey(key.get(question), visitor)).did,
      'rejected',
    )
    const here = await deployment.authority.browser.accountSignIn.passkeyQuestion(person.visitor())
    assert.equal(
      (await deployment.authority.browser.accountSignIn.byPasskey(key.get(here ?? {}), visitor)).did,
      'rejected',
    )
  })

  test('WebAuthn §6.1.1: a counter that does not grow betrays a copy', async () => {
    const deployment = await freshHouse()
    const { key, person } = await withPasskey(deployment, { counter: 5 })
    for (const counter of [5, 4, 0]) {
      assert.equal(await person.byPasskey(key.get(await person.question(), { counter })), 'rejected', `${counter}`)
    }
    assert.equal(await person.byPasskey(key.get(await person.question(), { counter: 6 })), 'signed-in')
    deployment.clock += 1000
    await person.begin(authorizeQuery({ prompt: 'login' }))
    assert.equal(await person.byPasskey(key.get(await person.question(), { counter: 6 })), 'rejected')
  })

  test('a disabled person’s passkey, and one that was removed, sign nobody in', async () => {
    const deployment = await freshHouse()
    const { key, person, owner } = await withPasskey(deployment)
    const set = (disabled: boolean) =>
      deployment.authority.admin.users.setDisabled({ kind: 'operator', id: 't' }, root, { username: 'alice', disabled })
    await set(true)
    assert.equal(await person.byPasskey(key.get(await person.question())), 'rejected')
    await set(false)
    assert.equal(await person.byPasskey(key.get(await person.question())), 'signed-in')
    const account = await person.account()
    assert.equal(await owner.factors.remove(account, { passkey: 'of nobody' }, person.visitor()), 'absent')
    assert.equal(await owner.factors.remove(account, { passkey: key.id }, person.visitor()), 'removed')
    const again = owner.elsewhere()
    await again.begin()
    assert.equal(await again.byPasskey(key.get(await again.question())), 'rejected')
    assert.equal((await again.signIn()).go, 'consent', 'the last factor is gone, and the password is enough')
  })

  test('WebAuthn §7.1: an enrolment that is wrong in one thing enrols nothing; certificates are not looked at', async () => {
    const deployment = await freshHouse()
    const owner = new Enrolling(deployment)
    await owner.enter()
    const account = await owner.account()
    const wrong: readonly Lies[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { userPresent: false },
      { type: 'webauthn.get' },
      { crossOrigin: true },
      { challenge: Buffer.alloc(32).toString('base64url') },
      ...['packed', 'tpm', 'apple', 'android-key', 'android-safetynet', 'fido-u2f', 'none', '?'].map((fmt) => ({
        attestation: { fmt, statement: withCertificates },
      })),
    ]
    const add = async (make: (options: JsonObject) => string, name = 'x') => {
      const options = await owner.factors.passkeyQuestion(account, 'Test', owner.visitor())
      return owner.factors.addPasskey(account, { answer: make(options ?? {}), name }, owner.visitor())
    }
    for (const lie of wrong) {
      const outcome = await add((options) => new Authenticator(origin).create(options, lie))
      assert.deepEqual(outcome, { did: 'refused' }, JSON.stringify(lie))
    }
    // The question of another person, answered by this one.
    const bob = new Enrolling(deployment)
    await bob.enter('bob', 'battery-staple')
    const bobs = await bob.factors.passkeyQuestion(await bob.account(), 'Test', bob.visitor())
    assert.deepEqual(await add(() => new Authenticator(origin).create(bobs ?? {})), { did: 'refused' })
    assert.equal((await deployment.store.factors.passkeys(root, account.person.id)).length, 0)
    const key = new Authenticator(origin)
    assert.equal((await add((options) => key.create(options), '  ')).did, 'added')
  })

  test('a credential that is known is not enrolled again, by nobody', async () => {
    const deployment = await freshHouse()
    const { key } = await withPasskey(deployment)
    const bob = new Enrolling(deployment)
    await bob.enter('bob', 'battery-staple')
    const account = await bob.account()
    const options = await bob.factors.passkeyQuestion(account, 'Test', bob.visitor())
    const answer = new Authenticator(origin).create(options ?? {}, { id: key.id })
    assert.deepEqual(await bob.factors.addPasskey(account, { answer, name: 'x' }, bob.visitor()), { did: 'exists' })
  })

  test('whoever looks at the login page too often is no longer asked for a passkey, and signs in without', async () => {
    const deployment = await freshHouse()
    const { person } = await withPasskey(deployment)
    const { browser } = deployment.node({
      limits: { ...deployment.ports.limits, authorize: { name: 'authorize', quota: 3, window: 600 } },
    })
    const posed = () => browser.accountSignIn.passkeyQuestion({ ...person.visitor(), ip: '192.0.2.77' })
    for (let n = 0; n < 3; n++) assert.ok(await posed())
    assert.equal(await posed(), null)
    assert.equal(await person.enter(), 'second-factor-pending')
  })

  test('where the issuer is a bare address there are no passkeys, and no question', async () => {
    const deployment = await freshHouse()
    for (const issuer of ['https://127.0.0.1:8443', 'https://[::1]:8443']) {
      const { browser } = deployment.node({ issuers: { issuerOf: () => issuer } })
      const person = new Enrolling(deployment)
      assert.equal(await browser.accountSignIn.passkeyQuestion(person.visitor()), null)
    }
  })
})

for (const database of databases) {
  test(`${database}: of 50 that show one answer at once one is signed in`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { key, person } = await withPasskey(deployment)
    const answer = key.get(await person.question())
    const { browser } = deployment.node({ limits: { ...deployment.ports.limits, loginAddress: null } })
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => browser.signInWithPasskey(person.at(), answer)))
    assert.equal(outcomes.filter((it) => it.kind === 'ok' && it.value.did === 'signed-in').length, 1)
  })
}
