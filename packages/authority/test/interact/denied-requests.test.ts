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
