/** Sign-ins that are under way while the password is replaced: none of them is there afterwards. */
import type { Instant } from '@grantor/protocol/types'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ports } from '@grantor/authority'
import { databases, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

/** As a reset does: another password, and the end of all that rested on the old one. */
async function replacePassword(deployment: Deployment): Promise<void> {
  deployment.clock += 1
  const user = await deployment.store.users.byUsername(root, 'alice')
  assert.ok(user)
  const { id, version, passwordHash } = user
  const change = { tenant: root, id, version, passwordHash, at: deployment.ports.clock.now(), events: [] }
  assert.equal(await deployment.store.users.change({ ...change, endSessionsBut: null }), 'changed')
}

/** The same person at a node where the password goes at the worst moment. */
function at(deployment: Deployment, more: Partial<Ports>, person = new Enrolling(deployment)): Enrolling {
  const node = deployment.node(more)
  return Object.assign(new Enrolling({ ...deployment, authority: node }), {
    secret: person.secret,
    codes: person.codes,
  })
}

const living = async ({ store }: Deployment) => {
  const user = await store.users.byUsername(root, 'alice')
  return (await store.sessions.livingOf(root, user?.id ?? '', { now: 0 as Instant, before: null, limit: 100 })).length
}

async function stage(database: (typeof databases)[number]): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  return deployment
}

/** The password goes between the proof and what would rest on it. */
const beforeStart = (deployment: Deployment): Partial<Ports> => {
  const { sessions } = deployment.store
  const start: typeof sessions.start = async (...session) => {
    await replacePassword(deployment)
    return sessions.start(...session)
  }
  return { store: { ...deployment.store, sessions: { ...sessions, start } } }
}

for (const database of databases)
  describe(`a password that is replaced meanwhile, on ${database}`, () => {
    test('lets no sign-in by the old one through, whichever factors it has', async () => {
      const deployment = await stage(database)
      assert.equal(await at(deployment, beforeStart(deployment)).enter(), 'rejected')
      const owner = await withApp(deployment)
      const late = at(deployment, beforeStart(deployment), owner)
      assert.equal(await late.enter(), 'second-factor-pending')
      assert.equal(await late.further({ otp: owner.otp() }, true), 'rejected')
      assert.deepEqual([late.sessions, late.remembered, await living(deployment)], [[], [], 0])
    })

    test('leaves nobody half way in who had shown the old one', async () => {
      const deployment = await stage(database)
      const owner = await withApp(deployment)
      const { people } = deployment.ports
      const byPassword: typeof people.byPassword = async (...by) => {
        const proof = await people.byPassword(...by)
        await replacePassword(deployment)
        return proof
      }
      const late = at(deployment, { people: { ...people, byPassword } }, owner)
      assert.equal(await late.enter(), 'second-factor-pending')
      assert.equal(await late.further({ otp: owner.otp() }), 'rejected')
      assert.equal(await living(deployment), 0)
    })

    test('is not followed by trust in the browser that began before it', async () => {
      const deployment = await stage(database)
      const owner = await withApp(deployment)
      const { factors } = deployment.store
      const rememberBrowser: typeof factors.rememberBrowser = async (...browser) => {
        await replacePassword(deployment)
        return factors.rememberBrowser(...browser)
      }
      const late = at(deployment, { store: { ...deployment.store, factors: { ...factors, rememberBrowser } } }, owner)
      await late.enter()
      await late.further({ otp: owner.otp() }, true)
      assert.deepEqual([late.remembered, await living(deployment)], [[], 0])
    })

    test('is not followed by a factor that was being enrolled in a session it ended', async () => {
      const deployment = await stage(database)
      const { factors } = deployment.store
      const addTotp: typeof factors.addTotp = async (...totp) => {
        await replacePassword(deployment)
        return factors.addTotp(...totp)
      }
      const late = at(deployment, { store: { ...deployment.store, factors: { ...factors, addTotp } } })
      assert.equal(await late.enter(), 'signed-in')
      const account = await late.account()
      const offer = late.factors.offerTotp(account)
      late.secret = offer.secret
      const by = { sealed: offer.sealed, otp: late.otp() }
      assert.deepEqual(await late.factors.addTotp(account, by, late.visitor()), { did: 'outrun' })
      assert.deepEqual(await factors.of(root, account.person.id), { otp: false, passkey: false, recoveryCodes: 0 })
    })

    test('of 20 sign-ins at once with a reset no session of the old password stands', async () => {
      const deployment = await stage(database)
      const people = Array.from({ length: 20 }, () => new Enrolling(deployment))
      const [outcomes] = await Promise.all([Promise.all(people.map((it) => it.enter())), replacePassword(deployment)])
      const { passwordChangedAt } = (await deployment.store.users.byUsername(root, 'alice')) ?? {}
      for (const person of people)
        for (const { session } of await deployment.authority.browser.accounts(person.visitor()))
          assert.ok(session.createdAt >= (passwordChangedAt ?? 0), outcomes.join(' '))
    })
  })
