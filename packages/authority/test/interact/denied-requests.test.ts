/** A no to a request by the back channel: it is the person's own who was asked, and it is told to the client. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askByBackchannel, declareBanks, PersonAtAccount, pollRequest } from '../support/backchannel-client.ts'
import { openDeployment } from '../support/deployment.ts'

test('CIBA §11: who says no has denied it, sees that, and the client hears of it', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { authority } = deployment
  const alice = await PersonAtAccount.signedIn(authority)
  const { id } = await askByBackchannel(authority)
  const shown = await alice.answer(false)
  assert.ok(shown?.go === 'device', JSON.stringify(shown))
  assert.deepEqual([shown.outcome, shown.backchannel], ['denied', true])
  assert.deepEqual(await pollRequest(authority, id), { error: 'device_denied' })
})

test('somebody else who signs in neither allows nor denies what another person is asked', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { authority } = deployment
  const alice = await PersonAtAccount.signedIn(authority)
  const { id } = await askByBackchannel(authority)
  const [waiting = assert.fail('nothing waits')] = await alice.waiting()
  const by = { reference: waiting.reference, allow: true, ticked: new Set<string>() }
  const opened = await authority.browser.account.requests.answer(by, await alice.account(), alice.visitor())
  assert.ok(opened)
  alice.keep(opened.cookies)
  alice.interaction = opened.interaction
  // The browser is left to somebody else before the answer is given.
  const own = alice.sessions
  alice.sessions = []
  const shown = await alice.signIn('bob', 'battery-staple')
  assert.ok(shown.go === 'error', JSON.stringify(shown))
  assert.equal(shown.refusal.reason, 'person_mismatch')
  assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
  alice.sessions = own
  assert.equal((await alice.waiting()).length, 1, 'it waits for whom it asks')
})
