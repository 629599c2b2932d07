/** People from elsewhere: they keep their `sub` and their password, and are not brought twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, totpCode, totpStep } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { StoreUnavailable } from '@grantor/store'
import type { ImportedUser } from '../../src/admin/people/create-user.ts'
import { useOtp } from '../../src/factors/codes.ts'
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
      const users = [
        imported('ada', { passwordHash: bcrypt, mustChangePassword: true }),
        imported('bob', { disabled: true, mustChangePassword: true }),
      ]
      const done = await admin.users.importMany(operator, { tenant: root, users, plan: false })
      const created = { kind: 'created', taken: [] }
      assert.deepEqual(done, ok([created, created]))
      const people = localPeople(deployment.store, deployment.ports.clock)
      assert.equal((await people.byPassword(root, 'ada', 'u*u')).person, null)
      assert.equal((await people.byPassword(root, 'Ada', 'U*U')).person?.id, 'elsewhere|ada')
      const row = await deployment.store.users.byId(root, 'elsewhere|ada')
      assert.match(row?.passwordHash ?? '', /^\$argon2id\$/)
      assert.equal(row?.createdAt, 1_600_000_000_000)
      assert.equal(row?.mustChangePassword, true, 'as it was to be there')
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
      const { users: kept } = deployment.store
      const gone = () => Promise.reject(new StoreUnavailable('away'))
      const users = Array.from({ length: 40 }, (_, n) => imported(`person-${n}`))
      for (const fault of [{ taken: gone }, { createMany: gone }]) {
        const node = deployment.node({ store: { ...deployment.store, users: { ...kept, ...fault } } })
        const away = await node.admin.users.importMany(operator, { tenant: root, users, plan: false })
        assert.deepEqual(away, err({ reason: 'unavailable' }))
        assert.equal(await kept.byUsername(root, 'person-0'), null)
      }
    })

    test('an authenticator app goes on for its owner alone, and who somebody is elsewhere is nobody else', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { admin } = deployment.authority
      const name = { provider: 'corp', issuer: 'https://corp.example', upstreamSubject: '1' }
      const secret = Buffer.from('12345678901234567890')
      const users = [
        imported('ada', { totpSecret: secret, identities: [name] }),
        imported('short', { totpSecret: secret.subarray(0, 9) }),
        imported('long', { totpSecret: Buffer.alloc(129) }),
        imported('odd', { identities: [{ ...name, upstreamSubject: '' }] }),
        imported('wide', { attributes: { 'no name': 'x' } }),
      ]
      const done = await admin.users.importMany(operator, { tenant: root, users, plan: false })
      const fields = (done.kind === 'ok' ? done.value : []).map((it) =>
        it.kind === 'invalid' ? it.problems.map(({ field }) => field).join() : it.kind,
      )
      assert.deepEqual(fields, ['created', 'totp', 'totp', 'identities', 'attributes'])
      const held = await deployment.store.factors.totp(root, 'elsewhere|ada')
      assert.notDeepEqual(Buffer.from(held?.sealedSecret ?? []), secret, 'it lies sealed')
      const { clock, vault, ids } = deployment.ports
      const deps = { clock, vault, ids, policy: deployment.ports.policy, store: deployment.store }
      const ada = (await deployment.store.users.byId(root, 'elsewhere|ada')) as Person
      const code = totpCode(secret, totpStep(clock.now()))
      assert.deepEqual(
        [await useOtp(ada, code, deps), await useOtp(ada, code, deps)],
        [true, false],
        'a code is good once',
      )
      const again = await admin.users.importMany(operator, {
        tenant: root,
        users: [imported('bob', { identities: [name] })],
        plan: false,
      })
      assert.deepEqual(again, ok([{ kind: 'created', taken: [name] }]))
      assert.equal((await deployment.store.identities.find(root, name))?.subject, 'elsewhere|ada')
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
