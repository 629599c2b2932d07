/** Two first factors at the same instant: the recovery codes that somebody was shown are the ones that work. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authenticator } from '../support/authenticator.ts'
import { Enrolling, origin } from '../support/enrolled-person.ts'
import { databases, openDeployment, root } from '../support/deployment.ts'
import { declarePeople } from '../support/person.ts'

for (const database of databases) {
  test(`${database}: of an app and a passkey set up first at once one stands, and its recovery codes work`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const person = new Enrolling(deployment)
    await person.enter()
    const account = await person.account()
    const offer = person.factors.offerTotp(account)
    person.secret = offer.secret
    const options = await person.factors.passkeyQuestion(account, 'Test', person.visitor())
    assert.ok(options)
    const answer = new Authenticator(origin).create(options)
    const outcomes = await Promise.all([
      person.factors.addTotp(account, { sealed: offer.sealed, otp: person.otp() }, person.visitor()),
      person.factors.addPasskey(account, { answer, name: 'Phone' }, person.visitor()),
    ])
    const shown = outcomes.flatMap((it) => (it.did === 'added' ? (it.codes ?? []) : []))
    assert.equal(shown.length, 10)
    // Whoever came later was too late for the look at what there is, or for the commit.
    assert.ok(
      outcomes.some(({ did }) => did === 'outrun' || did === 'stale'),
      JSON.stringify(outcomes),
    )
    const { otp, passkey } = await deployment.store.factors.of(root, account.person.id)
    assert.notEqual(otp, passkey)
    const elsewhere = person.elsewhere()
    await elsewhere.enter()
    assert.equal(await elsewhere.further({ recoveryCode: shown[0] ?? '' }), 'signed-in')
  })
}
