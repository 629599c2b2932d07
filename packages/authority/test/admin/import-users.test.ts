/** People from elsewhere: they keep their `sub` and their password, and are not brought twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { StoreUnavailable } from '@grantor/store'
import type { ImportedUser } from '../../src/admin/people/create-user.ts'
import { localPeople } from '../../src/people/local.ts'
import { databases, declare, openDeployment, operator, root } from '../support/deployment.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

const imported = (username: string, more: Partial<ImportedUser> = {}): ImportedUser => ({
  id: `elsewhere|${username}`,
  username,
  claims: { email: `${username}@example.com`, email_verified: true },
  passwordHash: null,
  disabled: false,
  createdAt: 1_600_000_000_000 as Instant,
  ...more,
})

for (const database of databases) {
  describe(`people from elsewhere on ${database}`, () => {
    test('they sign in by the password they had, whose hash is made anew then; the sub stays', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { admin } = deployment.authority
      const users = [imported('ada', { passwordHash: bcrypt }), imported('bob', { disabled: true })]
      const done = await admin.users.importMany(operator, { tenant: root, users, plan: false })
      assert.deepEqual(done, ok([{ kind: 'created' }, { kind: 'created' }]))
      const people = localPeople(deployment.store, deployment.ports.clock)
      assert.equal((await people.byPassword(root, 'ada', 'u*u')).person, null)
      assert.equal((await people.byPassword(root, 'Ada', 'U*U')).person?.id, 'elsewhere|ada')
      const row = await deployment.store.users.byId(root, 'elsewhere|ada')
      assert.match(row?.passwordHash ?? '', /^\$argon2id\$/)
      assert.equal(row?.createdAt, 1_600_000_000_000)
      assert.equal((await people.byPassword(root, 'ada', 'U*U')).person?.id, 'elsewhere|ada')
      assert.notEqual((await deployment.store.users.byId(root, 'elsewhere|bob'))?.disabledAt, null)
    })

    test('a plan changes nothing; a second time everybody is here; what is wrong with one holds up nobody', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { users: admin } = deployment.authority.admin
      const users = [
        imported('ada'),
        imported('eve', { id: 'svc' }),
        imported('no name'),
        imported('mallory', { passwordHash: 'plain text' }),
        imported('trudy', { id: 'with space' }),
        imported('cyd', { id: null }),
        imported('ADA', { id: 'another' }),
      ]
      const kinds = async (plan: boolean) => {
        const imported = await admin.importMany(operator, { tenant: root, users, plan })
        return imported.kind === 'ok' ? imported.value.map(({ kind }) => kind) : imported.error
      }
      const invalid = ['invalid', 'invalid', 'invalid']
      assert.deepEqual(await kinds(true), ['created', 'created', ...invalid, 'created', 'created'])
      assert.equal(await deployment.store.users.byUsername(root, 'ada'), null)
      // `svc` is a client: nobody becomes its namesake. The last one has the name of the first.
      assert.deepEqual(await kinds(false), ['created', 'taken', ...invalid, 'created', 'taken'])
      assert.deepEqual(await kinds(false), ['present', 'taken', ...invalid, 'present', 'taken'])
    })

    test('a database that goes away in the middle is said to be away, and leaves nobody half made', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      let most = 0
      let now = 0
      const { users: kept } = deployment.store
      const byUsername: typeof kept.byUsername = async (tenant, username) => {
        most = Math.max(most, ++now)
        if (username === 'person-39') throw new StoreUnavailable('away')
        const found = await kept.byUsername(tenant, username)
        now--
        return found
      }
      const node = deployment.node({ store: { ...deployment.store, users: { ...kept, byUsername } } })
      const users = Array.from({ length: 40 }, (_, n) => imported(`person-${n}`))
      const away = await node.admin.users.importMany(operator, { tenant: root, users, plan: false })
      assert.deepEqual(away, err({ reason: 'unavailable' }))
      assert.equal(await kept.byUsername(root, 'person-0'), null)
      // Fewer at once than there are connections to a database.
      assert.ok(most < 10, `${most} at once`)
    })

    test('the same file imported by several at once makes everybody once', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const users = Array.from({ length: 40 }, (_, n) => imported(`person-${n}`))
      const nodes = [deployment.authority, deployment.node(), deployment.authority]
      const runs = await Promise.all(
        nodes.map(({ admin }) => admin.users.importMany(operator, { tenant: root, users, plan: false })),
      )
      for (const [at] of users.entries())
        assert.equal(runs.filter((run) => run.kind === 'ok' && run.value[at]?.kind === 'created').length, 1)
    })
  })
}
