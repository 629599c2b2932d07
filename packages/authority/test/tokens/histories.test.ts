/**
 * Random histories of tenants, rotations, drops, restores and crashes, on two nodes: at every moment exactly the valid
 * tokens are accepted, by both, and at the end every log verifies.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import type { TenantId } from '@grantor/protocol/types'
import fc from 'fast-check'
import { decodeProtectedHeader } from 'jose'
import { verifyLog } from '../../src/admin/verify-log.ts'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { beginUpkeep } from '../../src/background/upkeep.ts'
import {
  asking,
  type Database,
  declaration,
  declare,
  type Deployment,
  openDeployment,
  operator,
} from '../support/deployment.ts'

const names = ['one', 'two', 'three'] as const
const act = (...acts: string[]) => fc.constantFrom(...acts)
const step = fc.record({
  act: fc.oneof(
    { weight: 5, arbitrary: act('issue') },
    { weight: 2, arbitrary: act('revoke', 'rotate', 'rotate now', 'drop') },
    { weight: 2, arbitrary: act('create', 'disable', 'enable', 'remove') },
    { weight: 2, arbitrary: act('a second', 'five minutes', 'a day') },
    { weight: 1, arbitrary: act('crash', 'restore', 'upkeep') },
  ),
  tenant: fc.nat({ max: names.length - 1 }),
  node: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 99 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Issued {
  readonly token: string
  readonly kid: string
  readonly tenant: TenantId
  readonly until: number
  dead: boolean
}

/** What must be so, kept beside what is. */
class World {
  readonly deployment: Deployment
  readonly nodes: [Authority, Authority]
  readonly tenants = new Map<TenantId, 'enabled' | 'disabled'>()
  issued: Issued[] = []

  constructor(deployment: Deployment) {
    this.deployment = deployment
    this.nodes = [deployment.node(), deployment.node()]
  }

  isValid = (it: Issued): boolean =>
    !it.dead && this.tenants.get(it.tenant) === 'enabled' && this.deployment.clock < it.until

  kill(which: (it: Issued) => boolean): void {
    for (const it of this.issued) if (which(it)) it.dead = true
  }

  async take({ act: what, tenant: at, node, pick }: Step): Promise<void> {
    const tenant = names[at] as TenantId
    const authority = this.nodes[node] as Authority
    const { admin } = authority
    switch (what) {
      case 'create':
        if (!this.tenants.has(tenant)) {
          await declare({ authority }, { tenants: [{ id: tenant, name: tenant, ...declaration }] })
          this.tenants.set(tenant, 'enabled')
        }
        return
      case 'disable':
      case 'enable':
        assert.equal(
          (await admin.tenants.setDisabled(operator, tenant, what === 'disable')).kind === 'ok',
          this.tenants.has(tenant),
        )
        if (this.tenants.has(tenant)) this.tenants.set(tenant, what === 'disable' ? 'disabled' : 'enabled')
        // Enabled again, it issues new ones; the old ones stay dead, as validators have been told.
        if (what === 'disable') this.kill((it) => it.tenant === tenant)
        return
      case 'remove':
        const removed = await admin.tenants.remove(operator, tenant)
        assert.equal(removed.kind === 'ok', this.tenants.get(tenant) === 'disabled')
        if (this.tenants.get(tenant) === 'disabled') {
          this.tenants.delete(tenant)
          this.kill((it) => it.tenant === tenant)
        }
        return
      case 'issue':
        return this.issue(authority, tenant)
      case 'revoke':
        return this.revoke(authority, pick)
      case 'rotate':
      case 'rotate now':
        await admin.keys.rotate(operator, tenant, { now: what === 'rotate now' })
        return
      case 'drop':
        return this.drop(authority, tenant, pick)
      case 'crash':
        this.nodes[node] = this.deployment.node()
        return
      case 'restore':
        assert.ok((await admin.deployment.restored(operator, 'a backup')).kind === 'ok')
        this.kill(() => true)
        // Tokens say when they were issued in whole seconds; one of the same second counts as from before.
        this.deployment.clock += 2_000
        return
      case 'upkeep':
        return this.upkeep()
      default:
        this.deployment.clock += { 'a second': 1_000, 'five minutes': 300_000, 'a day': 90_000_000 }[what] ?? 0
    }
  }

  async issue(authority: Authority, tenant: TenantId): Promise<void> {
    const answer = await authority.token(asking('grant_type=client_credentials&scope=invoices:read', { tenant }))
    assert.equal(answer.kind === 'ok', this.tenants.get(tenant) === 'enabled')
    if (answer.kind === 'error') return
    const token = answer.value['access_token'] as string
    const until = (Math.floor(this.deployment.clock / 1000) + Number(answer.value['expires_in'])) * 1000
    this.issued.push({ token, kid: String(decodeProtectedHeader(token).kid), tenant, until, dead: false })
  }

  async revoke(authority: Authority, pick: number): Promise<void> {
    const it = this.issued[pick % this.issued.length]
    if (it === undefined) return
    const answer = await authority.revoke(asking(`token=${it.token}`, { tenant: it.tenant }))
    assert.equal(answer.kind === 'ok', this.tenants.get(it.tenant) === 'enabled')
    if (answer.kind === 'ok') it.dead = true
  }

  async drop({ admin }: Authority, tenant: TenantId, pick: number): Promise<void> {
    const listed = await admin.keys.list(tenant)
    const keys = listed.kind === 'ok' ? listed.value.filter(({ state }) => state !== 'dropped') : []
    const kid = keys[pick % keys.length]?.kid
    if (kid === undefined) return
    assert.ok((await admin.keys.drop(operator, tenant, kid)).kind === 'ok')
    this.kill((it) => it.kid === kid)
  }

  async upkeep(): Promise<void> {
    const directory = openDirectory(this.deployment.store)
    const keyring = openKeyring(this.deployment.ports)
    for (const tenant of this.tenants.keys()) {
      const catalogue = await directory.catalogue(tenant)
      if (catalogue !== null && catalogue.tenant.disabledAt === null) await keyring.published(catalogue)
    }
    const upkeep = beginUpkeep({ ...this.deployment.ports, directory, keyring })
    await upkeep.keys()
    await upkeep.prune()
    await upkeep.close()
    directory.close()
  }

  async check(): Promise<void> {
    this.issued = this.issued.slice(-12)
    for (const it of this.issued) {
      for (const node of this.nodes) {
        const answer = await node.introspect(asking(`token=${it.token}`, { tenant: it.tenant }))
        assert.equal(answer.kind === 'ok' && answer.value['active'] === true, this.isValid(it), JSON.stringify(it))
      }
    }
  }
}

const runs: readonly (readonly [Database, number])[] = [
  ['sqlite', 12],
  ['postgres', 6],
]
for (const [database, numRuns] of runs) {
  describe(`random histories on ${database}`, () => {
    test('only valid tokens are accepted at every moment, and every log verifies at the end', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
          const world = new World(await openDeployment(database))
          for (const name of names.slice(0, 2)) {
            await world.take({ act: 'create', tenant: names.indexOf(name), node: 0, pick: 0 })
          }
          for (const it of steps) {
            await world.take(it)
            await world.check()
          }
          const { store } = world.deployment
          await store.events.position()
          for (const tenant of await store.events.tenants({ after: null, limit: 10 })) {
            const report = await verifyLog(store, tenant, null)
            assert.deepEqual(report.damage, [])
          }
        }),
        { numRuns },
      )
    })
  })
}
