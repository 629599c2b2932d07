/** A consent that is withdrawn while it is answered from: no code of it survives, whichever comes first. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { asking, databases, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

/** The same store, where something happens between the read of the records and whatever is decided on them. */
const afterReading = (store: Store, act: () => Promise<unknown>): Store => ({
  ...store,
  consents: {
    ...store.consents,
    async inForce(...query: Parameters<Store['consents']['inForce']>) {
      const records = await store.consents.inForce(...query)
      await act()
      return records
    },
  },
})

async function withdraw({ authority }: Deployment, person: PersonAtBrowser): Promise<void> {
  const visitor = person.visitor()
  const [account] = await authority.browser.accounts(visitor)
  assert.ok(account !== undefined)
  await authority.browser.account.disconnect('web', account, visitor)
}

async function signedIn(deployment: Deployment): Promise<PersonAtBrowser> {
  const person = new PersonAtBrowser(deployment.authority)
  await person.code()
  return person
}

for (const database of databases) {
  describe(`withdrawn consent on ${database}`, () => {
    for (const prompt of ['none', null]) {
      test(`withdrawn between the look and the code: ${prompt ?? 'no'} prompt asks again, and no code is made`, async () => {
        const deployment = await openDeployment(database)
        await declarePeople(deployment)
        const person = await signedIn(deployment)
        let withdrawals = 0
        const act = async () => {
          if (withdrawals++ === 0) await withdraw(deployment, person)
        }
        const node = deployment.node({ store: afterReading(deployment.store, act) })
        const browser = new PersonAtBrowser(node)
        Object.assign(browser, { browser: person.browser, sessions: person.sessions })
        const shown = await browser.begin(authorizeQuery(prompt === null ? {} : { prompt }))
        if (prompt === null) assert.equal(shown.go, 'consent')
        else assert.equal(answerOf(shown).get('error'), 'consent_required')
        assert.ok(withdrawals > 1)
      })
    }

    test('many at once: a code that came out is worth nothing once the withdrawal is answered', async () => {
      const deployment = await openDeployment(database)
      await declarePeople(deployment)
      const person = await signedIn(deployment)
      const silent = authorizeQuery({ prompt: 'none' })
      for (let round = 0; round < 8; round++) {
        const answers = await Promise.all([
          person.begin(silent),
          person.begin(silent),
          withdraw(deployment, person).then(() => null),
          person.begin(silent),
        ])
        for (const shown of answers) {
          const code = shown === null ? null : answerOf(shown).get('code')
          if (code === null) continue
          const redeemed = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
          assert.deepEqual(redeemed.kind === 'error' && redeemed.error.reason, 'grant_ended')
        }
        const [alice] = await deployment.authority.browser.accounts(person.visitor())
        const page = { now: deployment.clock as Instant, after: null, limit: 10 }
        assert.deepEqual(await deployment.store.grants.clientsOf(root, alice?.person.id ?? '', page), [])
        await person.begin(authorizeQuery({ prompt: 'consent' }))
        await person.allow()
      }
    })
  })
}
