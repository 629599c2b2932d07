/** Only looking: what a person is asked now, without answering anybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Secret } from '@grantor/protocol/types'
import { openDeployment } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

test('the question of an interaction is there to its browser until it is answered, and looking answers nobody', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const alice = new PersonAtBrowser(deployment.authority)
  await alice.begin()
  const { currentQuestion } = deployment.authority.browser
  const asked = async (visitor = alice.visitor(), id = alice.interaction) => (await currentQuestion(id, visitor))?.go
  assert.equal(await asked(), 'login')
  await alice.signIn()
  assert.equal(await asked(), 'consent')
  assert.equal(await asked({ ...alice.visitor(), browser: 'gb_other' as Secret }), undefined)
  assert.equal(await asked(alice.visitor(), 'gi_unknown' as Secret), undefined)
  const { browser } = deployment.authority
  await browser.answerConsent(alice.at(), { allow: true, ticked: new Set() })
  assert.equal(await asked(), undefined, 'nothing is left to ask')
  assert.equal((await alice.stand()).go, 'answer', 'and it was not answered by looking')
})

test('a question that was denied is no question any more', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const alice = new PersonAtBrowser(deployment.authority)
  await alice.begin()
  await alice.signIn()
  await deployment.authority.browser.answerConsent(alice.at(), { allow: false, ticked: new Set() })
  assert.equal(await deployment.authority.browser.currentQuestion(alice.interaction, alice.visitor()), null)
})

test('an address that is given up while somebody is on the way gets nothing more, not even a refusal', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const alice = new PersonAtBrowser(deployment.authority)
  await alice.begin()
  await declarePeople(deployment, { redirect_uris: ['https://client.example/another'] })
  const shown = await alice.stand()
  assert.ok(shown.go === 'error', JSON.stringify(shown))
  assert.equal(shown.refusal.reason, 'redirect_uri_unregistered')
})
