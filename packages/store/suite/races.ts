/** Many at once for one thing: exactly one gets it. */
import { deepEqual, equal } from 'node:assert/strict'
import {
  acme,
  at,
  change,
  client,
  event,
  grantId,
  handle,
  interaction,
  issuance,
  jti,
  key,
  opening,
  refresh,
  tenantWithClient,
  user,
} from './samples.ts'
import { logged, type OpenEngine, storeTest } from './store-test.ts'

/** Runs `racer` that often at once, and counts what they were answered. */
export async function race<T extends string>(
  racers: number,
  racer: (n: number) => Promise<T>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const answer of await Promise.all(Array.from({ length: racers }, (_, n) => racer(n)))) {
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

export function raceSuite(open: OpenEngine): void {
  storeTest(open, 'of 50 changes planned on one revision one is applied', async ({ store }) => {
    const { revision } = await tenantWithClient(store)
    const plan = (n: number) => change({ expected: revision, name: `name ${n}` })
    deepEqual(await race(50, (n) => store.directory.apply([plan(n)])), { applied: 1, 'changed-meanwhile': 49 })
    equal((await logged(store, acme)).length, 2)
  })

  storeTest(open, 'of 50 that create one tenant or one client one succeeds', async ({ store }) => {
    deepEqual(await race(50, () => store.directory.apply([change()])), { applied: 1, 'changed-meanwhile': 49 })
    const registered = () => store.clients.create(client('web'), [event('client.registered')])
    deepEqual(await race(50, registered), { created: 1, exists: 49 })
    equal((await logged(store, acme)).length, 2)
  })

  storeTest(open, 'of 50 rotations planned on one version one happens', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const rotation = (n: number) => ({
      tenant: acme,
      id: 'web',
      version: basis.client?.version ?? 0,
      secret: { handle: handle(`new ${n}`), createdAt: at(1), expiresAt: null },
      othersExpireAt: at(9),
      at: at(1),
      events: [event('client.secret_rotated')],
    })
    deepEqual(await race(50, (n) => store.clients.rotateSecret(rotation(n))), { rotated: 1, 'changed-meanwhile': 49 })
    equal((await store.clients.find(acme, 'web'))?.secrets.length, 2)
    equal((await logged(store, acme)).length, 2)
  })

  storeTest(open, 'of 50 nodes that add the next key one does', async ({ store }) => {
    await store.directory.apply([change()])
    deepEqual(await race(50, () => store.keys.add(key(1), [event('key.published')])), { added: 1, exists: 49 })
    equal((await store.keys.list(acme)).length, 1)
    equal((await logged(store, acme)).length, 2)
  })

  storeTest(open, 'of 50 revocations of one token or one grant one counts', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const token = { tenant: acme, jti: jti('j'), expiresAt: at(9_000), at: at(2), events: [event('token.revoked')] }
    deepEqual(await race(50, () => store.tokens.revoke(token)), { revoked: 1, 'already-revoked': 49 })
    const grant = { tenant: acme, id: grantId('g1'), at: at(2), events: [event('grant.revoked')] }
    deepEqual(await race(50, () => store.grants.revoke(grant)), { revoked: 1, 'already-revoked': 49 })
    deepEqual((await logged(store, acme)).slice(-2), ['token.revoked', 'grant.revoked'])
  })

  storeTest(open, 'of 50 answers to one interaction one opens a grant', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const answer = (n: number) => opening(basis, `g${n}`, { interaction: interaction('i1') })
    deepEqual(await race(50, (n) => store.grants.open(answer(n))), { opened: 1, 'already-closed': 49 })
    equal((await store.grants.ofSubject(acme, 'ada', { clientId: 'web', limit: 100 })).length, 1)
  })

  storeTest(open, 'of 50 people who want one username one gets it', async ({ store }) => {
    await store.directory.apply([change()])
    const create = (n: number) => store.users.create(user(`u${n}`, { username: n % 2 ? 'ADA' : 'ada' }), [])
    deepEqual(await race(50, create), { created: 1, exists: 49 })
    for (const id of ['a', 'b', 'c', 'd']) await store.users.create(user(id), [])
    const ids = ['a', 'b', 'c', 'd']
    const rename = (n: number) =>
      store.users.change({ tenant: acme, id: ids[n] ?? '', version: 1, username: 'Wanted', at: at(1), events: [] })
    deepEqual(await race(4, rename), { changed: 1, exists: 3 })
  })

  storeTest(open, 'of 200 redemptions of one code one is answered with tokens', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const spend = { kind: 'code', handle: handle('code g1') } as const
    const redeem = (n: number) =>
      store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend, successor: refresh(`r${n}`, 'g1') }))
    deepEqual(await race(200, redeem), { committed: 1, 'already-spent': 199 })
    equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, 1)
  })

  storeTest(
    open,
    'of 200 uses of one refresh token one rotates it, and its successor is unspent',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.grants.open(opening(basis, 'g1'))
      const code = { kind: 'code', handle: handle('code g1') } as const
      const grant = { grantId: grantId('g1') }
      await store.tokens.issue(issuance(basis, { ...grant, spend: code, successor: refresh('r', 'g1') }))
      const spend = { kind: 'refresh', handle: handle('refresh r') } as const
      const use = () => store.tokens.issue(issuance(basis, { ...grant, spend, successor: refresh('next', 'g1') }))
      deepEqual(await race(200, use), { committed: 1, 'already-spent': 199 })
      const facts = await store.grants.refresh(acme, handle('refresh r'))
      deepEqual([facts?.spentAt, facts?.successorSpentAt], [2_000, null])
      equal((await store.grants.refresh(acme, handle('refresh next')))?.spentAt, null)
    },
  )

  storeTest(
    open,
    'of retries and uses of the successor at once, no retry is honoured after the use',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.grants.open(opening(basis, 'g1'))
      const grant = { grantId: grantId('g1') }
      const issue = (more: object) => store.tokens.issue(issuance(basis, { ...grant, ...more }))
      await issue({ spend: { kind: 'code', handle: handle('code g1') }, successor: refresh('r1', 'g1') })
      await issue({ spend: { kind: 'refresh', handle: handle('refresh r1') }, successor: refresh('r2', 'g1') })
      const retry = { kind: 'retry', handle: handle('refresh r1'), successor: handle('refresh r2') } as const
      const use = { kind: 'refresh', handle: handle('refresh r2') } as const
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          n % 2 === 0
            ? issue({ spend: retry, events: [event('token.refreshed', { reason: 'retry' })] })
            : issue({
                spend: use,
                successor: refresh(`r3 ${n}`, 'g1'),
                events: [event('token.refreshed', { reason: 'use' })],
              }),
        ),
      )
      equal(answers.filter((answer, n) => n % 2 === 1 && answer === 'committed').length, 1)
      await store.events.position()
      const reasons = (await store.events.after(acme, 0, 1_000)).map((it) => it.reason).filter((it) => it !== null)
      equal(reasons.filter((it) => it === 'use').length, 1)
      equal(await issue({ spend: retry }), 'already-spent')
    },
  )

  storeTest(open, 'a grant revoked beside its refreshes issues nothing afterwards', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const issue = () => store.tokens.issue(issuance(basis, { grantId: grantId('g1') }))
    const revocation = { tenant: acme, id: grantId('g1'), at: at(3_000), events: [event('grant.revoked')] }
    const answers = await Promise.all([
      ...Array.from({ length: 25 }, issue),
      store.grants.revoke(revocation),
      ...Array.from({ length: 25 }, issue),
    ])
    const committed = answers.filter((answer) => answer === 'committed').length
    equal(answers.filter((answer) => answer === 'grant-dead').length, 50 - committed)
    equal((await logged(store, acme)).filter((name) => name === 'token.issued').length, committed)
    equal(await issue(), 'grant-dead')
  })

  storeTest(
    open,
    'many tokens of one grant at once are each spent; those after its revocation stay as they were',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.grants.open(opening(basis, 'g1'))
      const grant = { grantId: grantId('g1') }
      const issue = (more: object) => store.tokens.issue(issuance(basis, { ...grant, ...more }))
      for (let n = 0; n < 60; n += 1) await issue({ successor: refresh(`r${n}`, 'g1') })
      const use = (n: number) =>
        issue({ spend: { kind: 'refresh', handle: handle(`refresh r${n}`) }, successor: refresh(`next ${n}`, 'g1') })
      deepEqual(await race(20, use), { committed: 20 })

      const revocation = { tenant: acme, id: grantId('g1'), at: at(3_000), events: [event('grant.revoked')] }
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => use(20 + n)),
        store.grants.revoke(revocation).then(() => null),
        ...Array.from({ length: 20 }, (_, n) => use(40 + n)),
      ])
      for (const [n, answer] of answers.filter((it) => it !== null).entries()) {
        const spent = (await store.grants.refresh(acme, handle(`refresh r${20 + n}`)))?.spentAt !== null
        const succeeded = (await store.grants.refresh(acme, handle(`refresh next ${20 + n}`))) !== null
        deepEqual(
          [answer, spent, succeeded],
          answer === 'committed' ? ['committed', true, true] : ['grant-dead', false, false],
        )
      }
    },
  )
}
