/** Strangers do not lock a person out of a browser that they used before, and nobody sprays a password over a tenant. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Authority, limits, type People, sharedLimiter, type Visitor } from '@grantor/authority'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { bounded, databases, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'
import { Enrolling } from '../support/enrolled-person.ts'

const right = { username: 'alice', password: 'correct-horse' }
const wrong = { ...right, password: 'wrong-password' }
const bob = { username: 'bob', password: 'battery-staple' }

/** Somebody at a browser, from an address of their own unless told. */
class Somebody extends PersonAtBrowser {
  readonly ip: string
  tenant = root

  constructor(authority: Authority, ip: string) {
    super(authority)
    this.ip = ip
  }

  override visitor(): Visitor {
    return { ...super.visitor(), tenant: this.tenant, ip: this.ip }
  }

  async enter(by: { readonly username: string; readonly password: string }): Promise<string> {
    this.keep(this.authority.browser.nameBrowser(this.visitor()))
    const outcome = await this.authority.browser.accountSignIn.byPassword({ ...by, confirming: false }, this.visitor())
    if ('cookies' in outcome) this.keep(outcome.cookies)
    return outcome.did
  }

  async leave(): Promise<void> {
    await this.authority.browser.signOut(this.visitor())
    this.sessions = []
  }
}

let addresses = 0
const somebody = (at: { readonly authority: Authority }, ip = `198.51.100.${++addresses % 250}`): Somebody =>
  new Somebody(at.authority, ip)

/** As many strangers as it takes, each from elsewhere. */
async function lockOut(at: { readonly authority: Authority }, username = 'alice'): Promise<void> {
  const outcomes: string[] = []
  for (let n = 0; n < 12; n++) outcomes.push(await somebody(at).enter({ username, password: `wrong-${n}` }))
  assert.equal(outcomes.at(-1), 'throttled')
}

async function opened(database: (typeof databases)[number] = 'sqlite'): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  return deployment
}

for (const database of databases) {
  test(`${database}: names that only a directory could know are counted each for itself, in whatever spelling`, async () => {
    const deployment = await opened(database)
    await lockOut(deployment, 'Ada Lovelace')
    const enter = (username: string) => somebody(deployment).enter({ username, password: 'wrong' })
    assert.equal(await enter(' ada\u00a0\u200b lovelace '), 'throttled')
    assert.equal(await enter('Grace Hopper'), 'rejected')
    assert.equal(await enter('alice'), 'rejected')
  })

  describe(`${database}: a browser that the person used before`, () => {
    test(
      'is let in while strangers are locked out, after a sign-out too, and has ten wrong ones of its own',
      bounded,
      async () => {
        const deployment = await opened(database)
        const home = somebody(deployment)
        assert.equal(await home.enter(right), 'signed-in')
        await home.leave()
        await lockOut(deployment)
        assert.equal(await somebody(deployment).enter(right), 'throttled', 'a browser nobody knows')
        assert.equal(await home.enter(right), 'signed-in')
        const outcomes: string[] = []
        for (let n = 0; n < 11; n++) outcomes.push(await home.enter(wrong))
        assert.deepEqual(outcomes, [...Array<string>(10).fill('rejected'), 'throttled'])
        assert.equal(await home.enter(right), 'throttled', 'its own allowance is one, too')
      },
    )

    test(
      'is known to one person: it gives nobody else an allowance, and neither does an invented name',
      bounded,
      async () => {
        const deployment = await opened(database)
        const home = somebody(deployment)
        await home.enter(right)
        await lockOut(deployment, 'bob')
        assert.equal(await home.enter(bob), 'throttled')
        await lockOut(deployment)
        const forger = somebody(deployment)
        forger.browser = `gb_${'A'.repeat(43)}` as Secret
        assert.equal(await forger.enter(right), 'throttled')
      },
    )

    test(
      'is unknown after a reset of the password, and after its session was ended from elsewhere',
      bounded,
      async () => {
        const deployment = await opened(database)
        const [home, work, phone] = [somebody(deployment), somebody(deployment), somebody(deployment)]
        for (const one of [home, work, phone]) assert.equal(await one.enter(right), 'signed-in')
        const [account] = await phone.authority.browser.accounts(phone.visitor())
        assert.ok(account)
        const [, other] = (await phone.authority.browser.account.sessions(account, null)).sessions
        assert.ok(other)
        await phone.authority.browser.account.endSession(other.id, account, phone.visitor())
        await lockOut(deployment)
        const outcomes = [await home.enter(right), await work.enter(right)]
        assert.deepEqual(outcomes.toSorted(), ['signed-in', 'throttled'])
        const next = { username: 'alice', password: 'new-pass-word' }
        const set = await deployment.authority.admin.users.resetPassword(operator, root, next)
        assert.equal(set.kind, 'ok')
        assert.equal(await phone.enter({ ...right, password: 'new-pass-word' }), 'throttled')
      },
    )

    test('has its second factor and recovery codes looked at while strangers are locked out', bounded, async () => {
      const deployment = await opened(database)
      const owner = new Enrolling(deployment)
      await owner.enter()
      await owner.addApp()
      deployment.clock += 30_000
      await lockOut(deployment)
      assert.equal(await owner.enter(), 'second-factor-pending')
      assert.equal(await owner.further({ otp: owner.otp() }), 'signed-in')
      assert.equal(await owner.enter(), 'second-factor-pending')
      assert.equal(await owner.further({ recoveryCode: owner.codes[0] ?? '' }), 'signed-in')
    })

    test('and what is counted of it holds at every node, for one tenant', bounded, async () => {
      const deployment = await opened(database)
      const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
      const node = () =>
        deployment.node({ limiter: sharedLimiter({ store: deployment.store, clock: deployment.ports.clock, digest }) })
      const [one, two] = [{ authority: node() }, { authority: node() }]
      const home = somebody(one)
      await home.enter(right)
      const again = Object.assign(somebody(two), { browser: home.browser })
      for (let n = 0; n < 10; n++) assert.equal(await (n % 2 === 0 ? home : again).enter(wrong), 'rejected')
      assert.deepEqual([await home.enter(right), await again.enter(right)], ['throttled', 'throttled'])
      const acme = 'acme' as TenantId
      await deployment.authority.admin.tenants.create(operator, acme, 'Acme')
      await lockOut(one, 'bob')
      const elsewhere = Object.assign(somebody(one), { tenant: acme })
      assert.equal(await elsewhere.enter(bob), 'rejected', 'the same name in another tenant is another account')
    })
  })
}

describe('one password over many accounts', () => {
  const few = { ...limits, loginTenant: { name: 'login-tenant', quota: 20, window: 600 } }

  test('from one address: fifty, and then nothing from there but a browser that is known', bounded, async () => {
    const deployment = await opened()
    const home = somebody(deployment, '192.0.2.77')
    assert.equal(await home.enter(right), 'signed-in')
    const outcomes: string[] = []
    for (let n = 0; n < 51; n++) {
      const ip = n % 2 === 0 ? '2001:db8::1' : `2001:db8::${n}`
      outcomes.push(await somebody(deployment, ip).enter({ username: `user${n}`, password: 'summer-2026' }))
    }
    assert.equal(outcomes.filter((it) => it === 'rejected').length, 50)
    assert.equal(outcomes.at(-1), 'throttled')
    const neighbour = Object.assign(somebody(deployment, '2001:db8::9'), { browser: home.browser })
    assert.equal(await neighbour.enter(right), 'signed-in')
  })

  test(
    'from many addresses: so many for the tenant, then strangers wait their turn and known browsers go on',
    bounded,
    async () => {
      const deployment = await opened()
      const at = { authority: deployment.node({ limits: few }) }
      const home = somebody(at)
      assert.equal(await home.enter(right), 'signed-in')
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, n) => somebody(at).enter({ username: `user${n}`, password: 'summer-2026' })),
      )
      assert.equal(outcomes.filter((it) => it === 'rejected').length, 20)
      assert.equal(outcomes.filter((it) => it === 'throttled').length, 40)
      assert.equal(await somebody(at).enter(bob), 'throttled')
      assert.equal(await home.enter(right), 'signed-in')
      // A turn comes every window / quota, so nobody waits longer than that for the next one.
      deployment.clock += 30_000
      assert.equal(await somebody(at).enter(bob), 'signed-in', 'what succeeds is given back')
      assert.equal(await somebody(at).enter(bob), 'signed-in')
      for (const outcome of ['rejected', 'throttled']) assert.equal(await somebody(at).enter(wrong), outcome)
    },
  )

  test('a locked account costs nobody else: what is not looked at is not counted', bounded, async () => {
    const deployment = await opened()
    const at = {
      authority: deployment.node({ limits: { ...few, loginAddress: { ...limits.loginAddress, quota: 15 } } }),
    }
    const noisy = somebody(at, '192.0.2.50')
    for (let n = 0; n < 40; n++) await noisy.enter(wrong)
    assert.equal(await somebody(at, '192.0.2.50').enter(bob), 'signed-in')
  })
})

test('a password that could not be looked at is not counted as wrong', bounded, async () => {
  const deployment = await opened()
  let away = true
  const people: People = {
    ...deployment.ports.people,
    byPassword: (...by) => (away ? Promise.reject(new Error('busy')) : deployment.ports.people.byPassword(...by)),
  }
  const at = { authority: deployment.node({ people }) }
  for (let n = 0; n < 15; n++) await assert.rejects(somebody(at).enter(right), /busy/)
  away = false
  assert.equal(await somebody(at).enter(right), 'signed-in')
})
