/** What a session keeps of the browser it began in, for its owner to know it again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeployment } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

test('a session keeps the address and the name of the browser, the name up to 300 characters', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  for (const [userAgent, kept] of [
    ['Firefox/150.0', 'Firefox/150.0'],
    ['x'.repeat(301), 'x'.repeat(300)],
    [null, null],
  ] as const) {
    const person = new PersonAtBrowser(deployment.authority)
    const { visitor } = person
    person.visitor = () => ({ ...visitor.call(person), userAgent })
    await person.begin()
    await person.signIn()
    const [account] = await deployment.authority.browser.accounts(person.visitor())
    assert.deepEqual([account?.session.ip, account?.session.userAgent], ['192.0.2.9', kept])
  }
})
