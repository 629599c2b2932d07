/** Codes of authenticator apps, attacked: used twice, guessed at several nodes, and from somebody else’s browser. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { sharedLimiter } from '@grantor/authority'
import { bounded, databases, type Deployment, openDeployment } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Only the count of codes is on: the others would refuse before it. */
async function open(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  const limits = { ...deployment.ports.limits, loginAccount: null, loginAddress: null }
  return Object.assign(deployment, { authority: deployment.node({ limits }) })
}

async function guess(person: Enrolling, times: number): Promise<readonly string[]> {
  const outcomes: string[] = []
  for (let n = 0; n < times; n += 1) outcomes.push(await person.further({ otp: '000000' }))
  return outcomes
}

test('RFC 6238 §5.2: the code that enrolled an app does not sign in as well', bounded, async () => {
  const deployment = await open()
  const owner = new Enrolling(deployment)
  await owner.enter()
  const account = await owner.account()
  const offer = owner.factors.offerTotp(account)
  owner.secret = offer.secret
  const otp = owner.otp()
  assert.equal((await owner.factors.addTotp(account, { sealed: offer.sealed, otp }, owner.visitor())).did, 'added')
  const thief = owner.elsewhere()
  assert.equal(await thief.enter(), 'second-factor-pending')
  assert.equal(await thief.further({ otp }), 'rejected', 'seen over the shoulder, seconds ago')
  deployment.clock += 30_000
  assert.equal(await thief.further({ otp }), 'rejected', 'within the drift that clocks are allowed')
  assert.equal(await thief.further({ otp: thief.otp() }), 'signed-in', 'the next one does')
})

describe('the limit on guessed codes', () => {
  for (const database of databases) {
    test(`${database}: is one for all nodes`, bounded, async () => {
      const deployment = await open(database)
      const { store, ports } = deployment
      const limits = { ...ports.limits, loginAccount: null, loginAddress: null }
      const node = () => deployment.node({ limits, limiter: sharedLimiter({ store, clock: ports.clock, digest }) })
      const owner = await withApp(Object.assign(deployment, { authority: node() }))
      const [one, two] = [node(), node()].map((authority) => {
        const stranger = new Enrolling({ ...deployment, authority })
        stranger.secret = owner.secret
        return stranger
      })
      assert.ok(one !== undefined && two !== undefined)
      await one.enter()
      await two.enter()
      assert.deepEqual(new Set(await guess(one, 20)), new Set(['rejected']))
      const outcomes = await guess(two, 12)
      assert.deepEqual(
        [outcomes.slice(0, 10), outcomes.slice(10)].map((part) => [...new Set(part)]),
        [['rejected'], ['throttled']],
      )
      assert.equal(await one.further({ otp: one.otp() }), 'throttled')
    })
  }

  test(
    'spares a browser in which this very person has shown a second factor, and nobody else in it',
    bounded,
    async () => {
      const deployment = await open()
      const alice = await withApp(deployment)
      const bob = new Enrolling(deployment)
      await bob.enter('bob', 'battery-staple')
      await bob.addApp()
      // Alice has shown both of her factors in this browser, Bob only his password.
      const hers = alice.elsewhere()
      await hers.enter()
      assert.equal(await hers.further({ otp: hers.otp() }), 'signed-in')
      const stranger = bob.elsewhere()
      await stranger.enter('bob', 'battery-staple')
      assert.equal((await guess(stranger, 31)).at(-1), 'throttled')
      await hers.enter('bob', 'battery-staple')
      hers.secret = bob.secret
      assert.equal(await hers.further({ otp: hers.otp() }), 'throttled', 'what Alice has shown says nothing of Bob')
    },
  )

  test('spares no browser that has seen the password alone', bounded, async () => {
    const deployment = await open()
    const owner = new Enrolling(deployment)
    await owner.enter()
    // Before the app there was a session here, by password.
    const before = owner.elsewhere()
    await before.enter()
    await owner.addApp()
    const stranger = owner.elsewhere()
    await stranger.enter()
    assert.equal((await guess(stranger, 31)).at(-1), 'throttled')
    await before.enter()
    assert.equal(await before.further({ otp: owner.otp() }), 'throttled')
  })
})
