/** Retention: old events go behind a checkpoint that still verifies, and nobody can make the service drop young ones. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { verifyLog } from '../../src/admin/verify-log.ts'
import { dropOldEvents } from '../../src/background/retention.ts'
import { databases, declare, type Deployment, openDeployment, root, tokenFrom } from '../support/deployment.ts'

const policy = { ...defaultPolicy, eventRetention: 86_400 }
const day = 86_400_000

async function drop(deployment: Deployment): Promise<void> {
  await dropOldEvents({ ...deployment.ports, policy })
}

/** Old events, and two days later young ones; returns the sequence number of the last old one. */
async function aged(deployment: Deployment): Promise<number> {
  await declare(deployment)
  for (let n = 0; n < 4; n++) await tokenFrom(deployment.authority, 'scope=invoices:read')
  await deployment.store.events.position()
  const last = (await deployment.store.events.head(root))?.seq ?? 0
  deployment.clock += 2 * day
  for (let n = 0; n < 3; n++) await tokenFrom(deployment.authority, 'scope=invoices:read')
  await deployment.store.events.position()
  return last
}

const kinds = async (deployment: Deployment) =>
  (await verifyLog(deployment.store, root, null)).damage.map(({ kind, seq }) => `${kind} ${seq}`)

for (const database of databases) {
  describe(`retention on ${database}`, () => {
    test('old events go, the rest verifies from the checkpoint on, again and again', async () => {
      const deployment = await openDeployment(database)
      const old = await aged(deployment)
      await drop(deployment)
      const report = await verifyLog(deployment.store, root, null)
      assert.deepEqual([report.damage, report.from], [[], old + 1])
      const { hash } = (await deployment.store.events.checkpoint(root)) ?? assert.fail()
      const noted = async (of: string) =>
        (await verifyLog(deployment.store, root, { seq: old, hash: of })).damage.map(({ kind }) => kind)
      assert.deepEqual(await noted(Buffer.from(hash).toString('hex')), [])
      assert.deepEqual(await noted('0'.repeat(64)), ['rewritten'], 'the head of another history')
      await drop(deployment)
      deployment.clock += 2 * day
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      await deployment.store.events.position()
      await drop(deployment)
      const later = await verifyLog(deployment.store, root, null)
      assert.deepEqual([later.damage, later.events], [[], 1])
      assert.ok(later.from > report.from)
    })

    test('a whole log that is old leaves its head, and goes on from there', async () => {
      const deployment = await openDeployment(database)
      await aged(deployment)
      deployment.clock += 2 * day
      await drop(deployment)
      assert.equal((await deployment.store.events.after(root, 0, 100)).length, 0)
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      await deployment.store.events.position()
      const report = await verifyLog(deployment.store, root, null)
      assert.deepEqual([report.damage, report.events], [[], 1])
    })

    test('a forged checkpoint is found, and nothing is dropped behind it', async () => {
      const deployment = await openDeployment(database)
      const old = await aged(deployment)
      await drop(deployment)
      await deployment.tamper(`update checkpoints set seq = seq + 1`)
      await deployment.tamper(`delete from events where seq = ${old + 1}`)
      assert.ok((await kinds(deployment)).some((it) => it.startsWith('checkpoint_broken')))
      deployment.clock += 2 * day
      await drop(deployment)
      assert.ok((await deployment.store.events.after(root, 0, 100)).length > 0)
    })

    test('a seal does not pass for a checkpoint', async () => {
      const deployment = await openDeployment(database)
      await aged(deployment)
      await drop(deployment)
      await deployment.tamper(`update checkpoints set
        seq = (select max(seq) from events where tenant = 'default'),
        hash = (select hash from events where tenant = 'default' order by seq desc limit 1),
        signature = (select mac from events where tenant = 'default' order by seq desc limit 1)`)
      await deployment.tamper('delete from events')
      assert.ok((await kinds(deployment)).some((it) => it.startsWith('checkpoint_broken')))
    })

    test('young events made to look old are not dropped, and an edited one is kept as evidence', async () => {
      const deployment = await openDeployment(database)
      const old = await aged(deployment)
      await deployment.tamper('update events set at = 0')
      await drop(deployment)
      assert.equal((await deployment.store.events.checkpoint(root))?.seq, old)
      assert.ok((await deployment.store.events.after(root, 0, 100)).length >= 3)

      const second = await openDeployment(database)
      await aged(second)
      await second.tamper(`update events set body = body || ' ' where seq = 3`)
      await drop(second)
      assert.ok((await kinds(second)).includes('edited 3'))
    })
  })
}

/** The same store, with some of its verbs replaced. */
const instead = (deployment: Deployment, verbs: object) =>
  dropOldEvents({
    ...deployment.ports,
    policy,
    store: { events: { ...deployment.store.events, ...verbs } },
  })

test('every tenant is looked at, page by page, and where the oldest event is young that look is all', async () => {
  const names = ['a', 'b', 'c']
  const looks: unknown[] = []
  const events = {
    tenants: async ({ after }: { readonly after: string | null }) =>
      names.filter((name) => after === null || name > after).slice(0, 2),
    prunable: async (...look: readonly unknown[]) => (looks.push(look), null),
    oldestPart: async () => null,
    keepPartsAhead: async () => {},
  }
  await dropOldEvents({ clock: { now: () => 3 * day }, policy, store: { events } } as never)
  assert.deepEqual(
    looks,
    names.map((name) => [name, 2 * day, 1]),
  )
})

test('an event that is as old as events are kept stays, and what is a millisecond older goes', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  await deployment.store.events.position()
  const old = (await deployment.store.events.head(root))?.seq ?? 0
  deployment.clock += 1
  await tokenFrom(deployment.authority, 'scope=invoices:read')
  await deployment.store.events.position()
  deployment.clock += day
  await drop(deployment)
  assert.equal((await deployment.store.events.checkpoint(root))?.seq, old)
  assert.ok((await deployment.store.events.after(root, 0, 100)).length > 0)
})

test('a long log goes part by part until all that is old is gone; whoever is overtaken leaves the rest to the other', async () => {
  const deployment = await openDeployment()
  const old = await aged(deployment)
  const { rows } = deployment.store.events
  let pruned = 0
  await instead(deployment, {
    prune: async () => {
      pruned += 1
      if (pruned > 1) throw new Error('again, though somebody else is at it')
      return 'stale'
    },
  })
  assert.equal(pruned, 1)
  assert.equal(await deployment.store.events.checkpoint(root), null)
  // So few that it takes several goes; what was declared in one commit has one seal and is one go.
  const few = old - 2
  await instead(deployment, {
    rows: (tenant: typeof root, after: number) => rows(tenant, after, few),
  })
  assert.equal((await deployment.store.events.checkpoint(root))?.seq, old)
})

test('a part is dropped once a checkpoint covers it, and one that cannot be dropped now is left', async () => {
  const dropped = async (seq: number, goes: boolean) => {
    const done: unknown[] = []
    const parts = [{ heads: [{ tenant: root, seq }] }, { heads: [] }]
    const events = {
      tenants: async () => [],
      // Without one, what is covered ends at 0.
      checkpoint: async () => null,
      oldestPart: async () => parts[0] ?? null,
      dropPart: async (part: unknown) => {
        done.push(part)
        if (done.length > 2) throw new Error('again and again')
        return goes && parts.shift() !== undefined
      },
      keepPartsAhead: async () => void done.push('ahead'),
    }
    await dropOldEvents({ clock: { now: () => 3 * day }, policy, store: { events } } as never)
    return done.length
  }
  assert.deepEqual([await dropped(0, true), await dropped(0, false), await dropped(1, true)], [3, 2, 1])
})

describe('retention of a log in parts', () => {
  const inParts = async (): Promise<Deployment> => {
    const deployment = await openDeployment('postgres', { leastLogPart: 10 })
    await declare(deployment)
    await tokens(deployment, 10)
    await drop(deployment)
    return deployment
  }
  const tokens = async (deployment: Deployment, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await tokenFrom(deployment.authority, 'scope=invoices:read')
    await deployment.store.events.position()
  }
  /** As many as there are in the database, dropped or not by what the log says. */
  const rows = async ({ store }: Deployment): Promise<number> => (await store.events.after(root, 0, 10_000)).length

  test('a part goes whole when all of it is old, the rest row by row, and what is left verifies', async () => {
    const deployment = await inParts()
    const position = await deployment.store.events.position()
    // Where the first part begins: far enough ahead of where the log was.
    const first = (Math.floor(position / 10) + 2) * 10
    await tokens(deployment, first + 5 - position)
    const written = await rows(deployment)
    deployment.clock += 2 * day
    await tokens(deployment, 1)
    await drop(deployment)
    const report = await verifyLog(deployment.store, root, null)
    assert.deepEqual([report.damage, report.from, report.events], [[], written + 1, 1])
    assert.equal(await rows(deployment), 7, 'of the part that is in use none is gone')
    await tokens(deployment, 40)
    deployment.clock += 2 * day
    await tokens(deployment, 1)
    await drop(deployment)
    const later = await verifyLog(deployment.store, root, null)
    assert.deepEqual([later.damage, later.events, await deployment.store.events.lost()], [[], 1, 0])
    assert.equal(await rows(deployment), 38, 'the part is gone, and the next is in use')
  })

  test('a part stays while a checkpoint in the database is not one of ours', async () => {
    const deployment = await inParts()
    await tokens(deployment, 60)
    deployment.clock += 2 * day
    const written = await rows(deployment)
    await deployment.tamper(`insert into checkpoints (tenant, seq, hash, at, signature)
      values ('default', ${written}, ''::bytea, 0, ''::bytea)`)
    await drop(deployment)
    assert.equal(await rows(deployment), written)
  })
})
