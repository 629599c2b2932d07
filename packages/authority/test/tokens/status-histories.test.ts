/**
 * Random histories of all that ends a token: at every moment introspection, /userinfo, a validator that reads the feed
 * and the status lists say the same of every token, it is what must be so, and what was once dead stays dead.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { statusAt, statusReference, type StatusReference, validStatus } from '@grantor/protocol/status-list'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { openFeedLog } from '../../src/feed/feed-log.ts'
import { RevokedPlaces } from '../../src/status-lists/revoked-places.ts'
import {
  asking,
  type Database,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
  secret,
} from '../support/deployment.ts'
import { authorizeQuery, codeOf, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'
import { type DeploymentValidator, validatorLeeway, validatorOf } from '../support/validator-of.ts'

const acme = 'acme' as TenantId
const people = ['alice', 'bob'] as const
const apps = ['web', 'pairwise'] as const
type Name = (typeof people)[number]

const webClient = (id: string): JsonObject => ({
  ...machine(id, 'openid offline_access invoices:read'),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  ...(id === 'pairwise' ? { subject_type: 'pairwise' } : {}),
})
const clientInput = (id: string): JsonObject => (id === 'svc' ? (declaration.clients[0] as JsonObject) : webClient(id))
const listed = { ...declaration, resources: declaration.resources.map((it) => ({ ...it, status_list: true })) }
const tenantInput: JsonObject = { id: acme, name: 'Acme', ...listed }

const act = (...acts: string[]) => fc.constantFrom(...acts)
const step = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: act('own token', 'grant', 'grant', 'refresh', 'refresh') },
    { weight: 3, arbitrary: act('sign out', 'sign in again', 'end session', 'disconnect') },
    {
      weight: 2,
      arbitrary: act('revoke token', 'revoke refresh', 'operator revokes', 'replay code', 'replay refresh'),
    },
    { weight: 3, arbitrary: act('disable client', 'enable client', 'make client anew') },
    {
      weight: 3,
      arbitrary: act('disable person', 'enable person', 'change password', 'reset password', 'declare password'),
    },
    { weight: 2, arbitrary: act('disable tenant', 'enable tenant', 'remove tenant', 'drop key', 'restore', 'sweep') },
    { weight: 3, arbitrary: act('a second', 'half a second', 'five minutes', 'a day') },
  ),
  node: fc.nat({ max: 1 }),
  person: fc.constantFrom(...people),
  app: fc.constantFrom(...apps),
  pick: fc.nat({ max: 99 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Issued {
  readonly token: string
  readonly kid: string
  readonly tenant: TenantId
  readonly client: string
  readonly person: Name | null
  readonly grant: string | null
  readonly session: string | null
  readonly until: number
  readonly status: StatusReference | null
  dead: boolean
  /** Only by the end of its key, which no status list tells. */
  unsigned: boolean
}

interface Granted {
  readonly id: string
  readonly person: Name
  readonly app: string
  readonly session: string
  readonly code: string
  refresh: string
  spent: string | null
  dead: boolean
}

/** What must be so, kept beside what is. */
class World {
  readonly deployment: Deployment
  readonly nodes: readonly Authority[]
  readonly validator: DeploymentValidator
  readonly lists: ReadonlyMap<TenantId, RevokedPlaces>
  readonly browsers: ReadonlyMap<Name, PersonAtBrowser>
  readonly passwords = new Map<Name, string>(people.map((name) => [name, 'correct-horse']))
  readonly disabled = new Set<string>()
  hasTenant = true
  issued: Issued[] = []
  granted: Granted[] = []

  constructor(deployment: Deployment) {
    this.deployment = deployment
    this.nodes = [deployment.authority, deployment.node()]
    this.validator = validatorOf(deployment, [root, acme])
    const reading = { ...deployment.ports, feedLog: openFeedLog(deployment.ports) }
    this.lists = new Map([root, acme].map((tenant) => [tenant, new RevokedPlaces(tenant, reading)]))
    this.browsers = new Map(people.map((name) => [name, new PersonAtBrowser(deployment.authority)]))
  }

  kill(which: (it: Issued) => boolean): void {
    for (const it of this.issued.filter(which)) {
      it.dead = true
      it.unsigned = false
    }
  }

  killGrants(which: (it: Granted) => boolean): void {
    for (const it of this.granted.filter(which)) {
      it.dead = true
      this.kill(({ grant }) => grant === it.id)
    }
  }

  take(it: Step): Promise<unknown> {
    const node = this.nodes[it.node] as Authority
    const { admin } = node
    const tenant = it.pick % 3 === 0 ? acme : root
    switch (it.act) {
      case 'own token':
        return this.ownToken(node, tenant)
      case 'grant':
        return this.grant(node, it)
      case 'refresh':
        return this.refresh(node, this.granted[it.pick % this.granted.length])
      case 'sign out':
      case 'end session':
        return this.endSession(node, it)
      case 'sign in again':
        return this.signInAgain(it)
      case 'disconnect':
        return this.disconnect(node, it)
      case 'revoke token':
      case 'operator revokes':
        return this.revokeToken(node, it)
      case 'revoke refresh':
        return this.revokeRefresh(node, this.granted[it.pick % this.granted.length])
      case 'replay code':
      case 'replay refresh':
        return this.replay(node, it)
      case 'disable client':
      case 'enable client':
      case 'make client anew':
        return this.changeClient(node, it)
      case 'disable person':
      case 'enable person':
        return this.setDisabled(node, it.person, it.act === 'disable person')
      case 'change password':
      case 'reset password':
      case 'declare password':
        return this.newPassword(node, it)
      case 'disable tenant':
      case 'enable tenant':
      case 'remove tenant':
        return this.changeTenant(node, it.act)
      case 'drop key':
        return this.dropKey(node, it.pick)
      case 'restore':
        this.kill(() => true)
        this.killGrants(() => true)
        return admin.deployment.restored(operator, 'a backup')
      case 'sweep':
        return this.deployment.store.sweep(this.deployment.ports.clock.now(), 1000)
      default:
        const moved = { 'a second': 1_000, 'half a second': 500, 'five minutes': 300_000, 'a day': 90_000_000 }
        this.deployment.clock += moved[it.act as keyof typeof moved]
        return Promise.resolve()
    }
  }

  /** `session`: which one the person was signed in by; its end ends the tokens that name one. */
  keep(answer: JsonObject, of: Pick<Issued, 'tenant' | 'person' | 'session'>): void {
    const token = answer['access_token'] as string
    const claims = decodeJwt(token)
    const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : null)
    this.issued.push({
      tenant: of.tenant,
      person: of.person,
      token,
      kid: decodeProtectedHeader(token).kid ?? '',
      client: text('client_id') ?? '',
      grant: text('grant_id'),
      session: text('sid') === null ? null : of.session,
      until: Number(claims.exp) * 1000,
      status: statusReference(claims as JsonObject),
      dead: false,
      unsigned: false,
    })
  }

  async ownToken(node: Authority, tenant: TenantId): Promise<void> {
    const answer = await node.token(asking('grant_type=client_credentials&scope=invoices:read', { tenant }))
    const may = tenant === root ? !this.disabled.has('svc') : this.hasTenant && !this.disabled.has(acme)
    assert.equal(answer.kind === 'ok', may)
    if (answer.kind === 'ok') this.keep(answer.value, { tenant, person: null, session: null })
  }

  /** Signs in where that is needed; null where the person or the client may not. */
  async code({ person, app }: Step, more: Record<string, string> = {}): Promise<string | null> {
    if (this.disabled.has(person) || this.disabled.has(app)) return null
    const at = this.browsers.get(person) as PersonAtBrowser
    const scope = 'openid offline_access invoices:read'
    let shown = await at.begin(authorizeQuery({ client_id: app, scope, ...more }))
    if (shown.go === 'login') shown = await at.signIn(person, this.passwords.get(person))
    if (shown.go === 'consent') shown = await at.allow()
    return codeOf(shown)
  }

  async grant(node: Authority, it: Step): Promise<void> {
    const code = await this.code(it)
    if (code === null) return
    const answer = await node.token(asking(redemption(code), { as: it.app }))
    assert.ok(answer.kind === 'ok', JSON.stringify(answer))
    const at = this.browsers.get(it.person) as PersonAtBrowser
    const session = (await node.browser.accounts(at.visitor()))[0]?.session.id ?? ''
    this.keep(answer.value, { tenant: root, person: it.person, session })
    const { grant } = this.issued.at(-1) as Issued
    const refresh = answer.value['refresh_token'] as string
    this.granted.push({
      id: grant ?? '',
      person: it.person,
      app: it.app,
      session,
      code,
      refresh,
      spent: null,
      dead: false,
    })
  }

  async refresh(node: Authority, it: Granted | undefined): Promise<void> {
    if (it === undefined || this.disabled.has(it.app)) return
    const described = await node.introspect(asking(`token=${it.refresh}`, { as: it.app }))
    const answer = await node.token(asking(refreshing(it.refresh), { as: it.app }))
    const may = !it.dead && !this.disabled.has(it.person)
    assert.equal(answer.kind === 'ok', may, JSON.stringify(answer))
    assert.equal(described.kind === 'ok' && described.value['active'], may, 'introspection of the refresh token')
    if (answer.kind === 'error') return
    it.spent = it.refresh
    it.refresh = answer.value['refresh_token'] as string
    this.keep(answer.value, { ...it, tenant: root })
  }

  async endSession(node: Authority, { act: how, person }: Step): Promise<void> {
    const at = this.browsers.get(person) as PersonAtBrowser
    const [account] = await node.browser.accounts(at.visitor())
    if (account === undefined) return
    const { id } = account.session
    if (how === 'sign out') await node.browser.signOut(at.visitor())
    else await node.browser.account.endSession(id, account, at.visitor())
    this.kill(({ session }) => session === id)
  }

  /** The session that is replaced ends. */
  async signInAgain(it: Step): Promise<void> {
    const at = this.browsers.get(it.person) as PersonAtBrowser
    const before = await at.authority.browser.accounts(at.visitor())
    if ((await this.code(it, { prompt: 'login' })) === null) return
    this.kill(({ session }) => before.some((account) => account.session.id === session))
  }

  async disconnect(node: Authority, { person, app }: Step): Promise<void> {
    const at = this.browsers.get(person) as PersonAtBrowser
    const [account] = await node.browser.accounts(at.visitor())
    if (account === undefined) return
    await node.browser.account.disconnect(app, account, at.visitor())
    this.killGrants((it) => it.person === person && it.app === app)
  }

  async revokeToken(node: Authority, { act: how, pick }: Step): Promise<void> {
    const it = this.issued[pick % this.issued.length]
    if (it === undefined) return
    if (how === 'operator revokes') await node.admin.tokens.revoke(operator, it.tenant, it.token)
    else if (!this.disabled.has(it.client) && (it.tenant === root || this.serves(acme))) {
      const answer = await node.revoke(asking(`token=${it.token}`, { as: it.client, tenant: it.tenant }))
      assert.ok(answer.kind === 'ok')
    } else return
    // Nobody can tell whose token it was that a dropped key had signed: there is nothing to revoke.
    if (!it.unsigned) this.kill((one) => one === it)
  }

  async revokeRefresh(node: Authority, it: Granted | undefined): Promise<void> {
    if (it === undefined || this.disabled.has(it.app)) return
    assert.ok((await node.revoke(asking(`token=${it.refresh}`, { as: it.app }))).kind === 'ok')
    this.killGrants((other) => other === it)
  }

  async replay(node: Authority, { act: what, pick }: Step): Promise<void> {
    const it = this.granted[pick % this.granted.length]
    if (it === undefined || this.disabled.has(it.app)) return
    // Within the retry window a refresh token yields its successor again: past it, two parties hold it.
    if (what === 'replay refresh') this.deployment.clock += 120_000
    const form = what === 'replay code' ? redemption(it.code) : it.spent === null ? null : refreshing(it.spent)
    if (form === null) return
    assert.ok((await node.token(asking(form, { as: it.app }))).kind === 'error')
    this.killGrants((other) => other === it)
  }

  async changeClient(node: Authority, { act: what, app, pick }: Step): Promise<void> {
    const id = pick % 2 === 0 ? app : 'svc'
    if (what === 'make client anew') {
      assert.ok((await node.admin.clients.remove(operator, root, id)).kind === 'ok')
      this.killGrants((it) => it.app === id)
    }
    const disabled = what === 'disable client'
    await declare({ authority: node }, { clients: [{ ...clientInput(id), disabled }] })
    if (what !== 'enable client') this.kill((it) => it.tenant === root && it.client === id)
    if (disabled) this.disabled.add(id)
    else this.disabled.delete(id)
  }

  async setDisabled({ admin }: Authority, username: Name, disabled: boolean): Promise<void> {
    assert.ok((await admin.users.setDisabled(operator, root, { username, disabled })).kind === 'ok')
    if (disabled) this.kill((it) => it.person === username)
    if (disabled) this.disabled.add(username)
    else this.disabled.delete(username)
  }

  async newPassword(node: Authority, { act: how, person: username, pick }: Step): Promise<void> {
    const next = `another-correct-horse-${pick}-${this.issued.length}-${this.deployment.clock}`
    if (how === 'change password') {
      const at = this.browsers.get(username) as PersonAtBrowser
      const [account] = await node.browser.accounts(at.visitor())
      if (account === undefined) return
      const by = { current: String(this.passwords.get(username)), next }
      assert.equal(await node.browser.account.changePassword(account, by, at.visitor()), 'changed')
    } else if (how === 'reset password') {
      assert.ok((await node.admin.users.resetPassword(operator, root, { username, password: next })).kind === 'ok')
    } else {
      await declare(
        { authority: node },
        { users: [{ username, password: next, disabled: this.disabled.has(username) }] },
      )
    }
    this.passwords.set(username, next)
    this.kill((it) => it.person === username)
  }

  serves = (tenant: string): boolean => this.hasTenant && !this.disabled.has(tenant)

  async changeTenant(node: Authority, what: string): Promise<void> {
    const { tenants } = node.admin
    if (what === 'enable tenant') {
      if (!this.hasTenant) await declare({ authority: node }, { tenants: [tenantInput] })
      else await tenants.setDisabled(operator, acme, false)
      this.hasTenant = true
      this.disabled.delete(acme)
      return
    }
    if (!this.hasTenant) return
    assert.ok((await tenants.setDisabled(operator, acme, true)).kind === 'ok')
    this.disabled.add(acme)
    this.kill((it) => it.tenant === acme)
    if (what === 'disable tenant') return
    assert.ok((await tenants.remove(operator, acme)).kind === 'ok')
    this.hasTenant = false
  }

  async dropKey({ admin }: Authority, pick: number): Promise<void> {
    const listed = await admin.keys.list(root)
    const keys = listed.kind === 'ok' ? listed.value.filter(({ state }) => state !== 'dropped') : []
    const kid = keys[pick % keys.length]?.kid
    if (kid === undefined) return
    assert.ok((await admin.keys.drop(operator, root, kid)).kind === 'ok')
    for (const it of this.issued.filter((one) => one.kid === kid && !one.dead)) {
      it.dead = true
      it.unsigned = true
    }
  }

  async check({ node }: Step): Promise<void> {
    await this.validator.catchUp()
    for (const lists of this.lists.values()) await lists.advance()
    this.issued = this.issued.slice(-12)
    this.granted = this.granted.slice(-6)
    const now = this.deployment.clock
    for (const it of this.issued) {
      // Validators forgive other people's clocks; between the two ends they may differ.
      if (now >= it.until && now < it.until + validatorLeeway * 1000) continue
      const valid = !it.dead && now < it.until
      const found = {
        introspection: await this.isActive(this.nodes[node] as Authority, it),
        validator: await this.validator.accepts(it.token),
        userinfo: await this.opensUserinfo(this.nodes[1 - node] as Authority, it),
      }
      const userinfo = it.person !== null && valid
      const { token: _, ...about } = it
      assert.deepEqual(found, { introspection: valid, validator: valid, userinfo }, JSON.stringify(about))
      if (now < it.until && !it.unsigned) assert.equal(this.isListedValid(it), valid, JSON.stringify(about))
    }
  }

  /** A list that is gone says of nothing that it is valid. */
  isListedValid({ tenant, status }: Issued): boolean {
    assert.ok(status)
    const list = this.lists.get(tenant)?.list(status.uri.slice(status.uri.lastIndexOf('/') + 1)) ?? null
    return list !== null && statusAt({ bits: 1, bytes: list.bytes }, status.idx) === validStatus
  }

  async isActive(node: Authority, { token, tenant }: Issued): Promise<boolean> {
    const answer = await node.introspect(asking(`token=${token}`, { as: 'api', secret, tenant }))
    return answer.kind === 'ok' && answer.value['active'] === true
  }

  async opensUserinfo(node: Authority, { token, tenant }: Issued): Promise<boolean> {
    return (await node.userinfo(token, { tenant, ip: null, traceId: null })).kind === 'ok'
  }
}

const runs: readonly (readonly [Database, number])[] = [
  ['sqlite', 15],
  ['postgres', 4],
]
for (const [database, numRuns] of runs) {
  describe(`the status of tokens on ${database}`, () => {
    test('RFC 7662 §2.2: introspection and every validator agree on every token, and nothing that died comes back', async () => {
      assert.equal(root, defaultTenant)
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 36, size: 'max' }), async (steps) => {
          const deployment = await openDeployment(database)
          await declare(deployment, {
            ...listed,
            clients: [...declaration.clients, ...apps.map(webClient)],
            users: people.map((username) => ({ username, password: 'correct-horse' })),
            tenants: [tenantInput],
          })
          const world = new World(deployment)
          for (const it of steps) {
            deployment.clock += 7
            await world.take(it)
            await world.check(it)
          }
          await world.validator.close()
        }),
        // A history is long enough as it is: looking for a shorter one takes minutes.
        { numRuns, endOnFailure: true },
      )
    })
  })
}
