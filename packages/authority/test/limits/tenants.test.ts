/** Two tenants with the same names and ids: what is used up in one is not used up in the other. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Authority, limits, type Limits, memoryLimiter, sharedLimiter } from '@grantor/authority'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { asking, bounded, declaration, declare, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { managing } from '../support/registration.ts'

const acme = 'acme' as TenantId
const [service, person] = ['svc', 'alice']
const access = 'ga_access' as Secret
const web = { redirect_uris: ['https://app.example/cb'], client_name: 'App', token_endpoint_auth_method: 'none' }

/** The same in both, down to the ids of the person and of a client that registered itself. */
async function openTwins(): Promise<Deployment> {
  const deployment = await openDeployment()
  const objects = { ...declaration, users: [{ username: person, password: 'correct-horse' }] }
  await declare(deployment, { ...objects, tenants: [{ id: acme, name: 'Acme', ...objects, users: [] }] })
  const { store, ports } = deployment
  const held = await store.users.byUsername(root, person)
  assert.ok(held)
  assert.equal(await store.users.create({ ...held, tenant: acme }, []), 'created')
  for (const tenant of [root, acme]) {
    const metadata = { ...web, grant_types: ['authorization_code'], response_types: ['code'], scope: '' } as const
    const at = ports.clock.now()
    const client = { tenant, id: 'own', metadata, origin: 'dynamic', secrets: [], createdAt: at } as const
    const registration = { ...client, registrationAccess: ports.ids.handleOf(access) }
    const made = { client: registration as never, most: 10, token: null, at, events: [] }
    assert.equal(await store.registrations.register(made), 'registered')
  }
  return deployment
}

/** At one of the tenants, from no address that could be counted. */
class Visiting extends Enrolling {
  readonly tenant: TenantId
  constructor(deployment: Deployment, tenant: TenantId) {
    super(deployment)
    this.tenant = tenant
  }
  override visitor() {
    return { ...super.visitor(), tenant: this.tenant, ip: null }
  }
}

const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null])) as unknown as Limits
const few = { quota: 3, window: 3600 }
type LimitName = keyof typeof limits

/** For each limit that is not by address: one act that counts against it, and says whether it was let through. */
const acts: Readonly<
  Partial<Record<LimitName, (deployment: Deployment, tenant: TenantId) => Promise<() => Promise<boolean>>>>
> = {
  async token({ authority }, tenant) {
    const request = asking('grant_type=client_credentials&scope=invoices:read', { as: service, tenant })
    return async () => (await authority.token(request)).kind === 'ok'
  },
  async loginAccount(deployment, tenant) {
    const visiting = new Visiting(deployment, tenant)
    return async () => (await visiting.enter(person, 'wrong')) !== 'throttled'
  },
  async secondFactor(deployment, tenant) {
    const owner = new Visiting(deployment, tenant)
    await owner.enter()
    await owner.addApp()
    const stranger = new Visiting(deployment, tenant)
    assert.equal(await stranger.enter(), 'second-factor-pending')
    return async () => (await stranger.further({ otp: '000000' })) !== 'throttled'
  },
  async device(deployment, tenant) {
    const owner = new Visiting(deployment, tenant)
    await owner.enter()
    // Without its cookie, so that it is the account alone that is counted.
    owner.browser = null
    return async () => (await owner.authority.browser.enterUserCode('BCDF-GHJK', owner.visitor())).did !== 'throttled'
  },
  async deviceTenant(deployment, tenant) {
    const stranger = { ...new Visiting(deployment, tenant).visitor(), browser: null }
    return async () => (await deployment.authority.browser.enterUserCode('BCDF-GHJK', stranger)).did !== 'throttled'
  },
  async registrationUpdates({ authority }, tenant) {
    const request = { ...managing('own', access, { tenant }), body: { ...web, client_id: 'own' } }
    return async () => {
      const answer = await authority.registration.replace(request)
      return answer.kind === 'ok' || answer.error.reason !== 'limit_reached'
    }
  },
}

describe('a limit that one tenant has used up', () => {
  for (const [name, prepare] of Object.entries(acts)) {
    test(`${name}: leaves the tenant beside it all of its own`, bounded, async () => {
      const deployment = await openTwins()
      const policy = { ...limits[name as LimitName], ...few }
      const authority: Authority = deployment.node({
        limits: { ...none, [name]: policy },
        limiter: memoryLimiter(deployment.ports.clock),
      })
      const [here, there] = [
        await prepare({ ...deployment, authority }, acme),
        await prepare({ ...deployment, authority }, root),
      ]
      const outcomes = []
      for (let n = 0; n < 4; n += 1) outcomes.push(await here())
      assert.deepEqual(outcomes, [true, true, true, false])
      for (let n = 0; n < 3; n += 1) assert.equal(await there(), true, 'nobody used up this one')
      assert.equal(await there(), false)
    })
  }
})

/** Whoever guesses or fills our tables does so at every node there is. */
const guessing: readonly LimitName[] = [
  'tokenFailures',
  'loginAccount',
  'loginAddress',
  'secondFactor',
  'registration',
  'registrationUpdates',
  'clientDocuments',
  'resetAccount',
  'resetAddress',
  'signInLinkAddress',
  'device',
  'deviceTenant',
]

test('limits on guessing are counted by all nodes together', bounded, async () => {
  const { store, ports } = await openDeployment()
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
  const node = () => sharedLimiter({ store, clock: ports.clock, digest })
  for (const name of guessing) {
    const policy = { ...limits[name], quota: 2 }
    const [one, two] = [node(), node()]
    const taken = [await one.take(policy, 'k'), await two.take(policy, 'k'), await one.take(policy, 'k')]
    assert.deepEqual(
      taken.map(({ allowed }) => allowed),
      [true, true, false],
      name,
    )
  }
})
