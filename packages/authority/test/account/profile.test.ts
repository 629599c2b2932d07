/** What a person says of themselves, changed in several windows at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, openDeployment } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

for (const database of databases)
  test(`windows that change different fields at once keep what each of them changed (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const person = new PersonAtBrowser(deployment.authority)
    await person.begin()
    await person.signIn()
    const visitor = person.visitor()
    const { browser } = deployment.authority
    const account = (await browser.accounts(visitor)).at(-1) ?? assert.fail()
    const changes = [{ given_name: 'Ada' }, { locale: 'de' }, { zoneinfo: 'Europe/Berlin' }]
    const outcomes = await Promise.all(changes.map((it) => browser.account.changeProfile(account, it, visitor)))
    assert.deepEqual(outcomes, ['saved', 'saved', 'saved'])
    const { person: changed } = (await browser.accounts(visitor)).at(-1) ?? assert.fail()
    assert.deepEqual(changed.claims, {
      name: 'Alice Doe',
      email: 'alice@example.com',
      email_verified: true,
      given_name: 'Ada',
      locale: 'de',
      zoneinfo: 'Europe/Berlin',
    })
  })
