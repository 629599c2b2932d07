/** What ends with the session, the password, the client and the address that it came from, and what outlives them. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Grant } from '@grantor/protocol/grants'
import type { Basis } from '../../src/contract/directory/basis.ts'
import type { Store } from '../../src/contract/store.ts'
import {
  acme,
  at,
  authentication,
  basisNow,
  change,
  client,
  code,
  consent,
  event,
  grant,
  grantId,
  handle,
  issuance,
  jti,
  opening,
  other,
  refresh,
  revocable,
  session,
  tenantWithClient,
  user,
} from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'

/** Ada, signed in here in s1 and elsewhere in s2. */
async function signedIn(store: Store): Promise<Basis> {
  const basis = await tenantWithClient(store)
  await store.users.create(user('ada'), [])
  await store.sessions.start(session('s1'), null, [])
  await store.sessions.start(session('s2', { handle: handle('session s2') }), null, [])
  return basis
}

type Opened = Partial<Grant> & { readonly redirectUri?: string }

const opened = (store: Store, basis: Basis, id: string, { redirectUri, ...more }: Opened = {}) =>
  store.grants.open(
    opening(basis, id, {
      grant: grant(id, more),
      consent: consent(id),
      events: [],
      ...(redirectUri === undefined ? {} : { code: code(id, { redirectUri }) }),
    }),
  )

const redeem = (store: Store, basis: Basis, id: string, moment = 2_000) =>
  store.tokens.issue(
    issuance(basis, {
      at: at(moment),
      grantId: grantId(id),
      spend: { kind: 'code', handle: handle(`code ${id}`) },
      successor: refresh(`r ${id}`, id),
      events: [],
    }),
  )

async function redeemed(store: Store, basis: Basis, id: string, more: Partial<Grant> = {}): Promise<void> {
  await opened(store, basis, id, more)
  equal(await redeem(store, basis, id), 'committed')
}

async function livingGrants(store: Store): Promise<readonly string[]> {
  const clients = await store.grants.clientsOf(acme, 'ada', { now: at(1), after: null, limit: 100 })
  return (await Promise.all(clients.map((clientId) => store.grants.ofSubject(acme, 'ada', { clientId, limit: 100 }))))
    .flat()
    .map((it) => it.id)
    .toSorted()
}

/** What the log says died, for validators: grants by their id, sessions by a sid. */
async function named(store: Store): Promise<readonly (readonly unknown[])[]> {
  await store.events.position()
  return (await store.events.after(acme, 0, 10_000))
    .filter(({ name }) => name === 'grant.revoked' || name === 'token.revoked')
    .map((it) => [it.name, it.grantId ?? it.data?.['sid'], it.reason, it.subject])
}

const inSession = (id: string): Partial<Grant> => ({
  authentication: authentication('ada', id),
  endsWithSession: id,
})

export function endedGrantSuite(open: OpenEngine): void {
  storeTest(open, 'sign-out ends what ends with the session and its open codes, and names each', async ({ store }) => {
    const basis = await signedIn(store)
    await redeemed(store, basis, 'web', inSession('s1'))
    await redeemed(store, basis, 'offline')
    await opened(store, basis, 'open code')
    await redeemed(store, basis, 'elsewhere', inSession('s2'))
    await opened(store, basis, 'open elsewhere', inSession('s2'))
    equal(await store.sessions.end(acme, 's1', at(4_000), [event('session.ended')]), 'ended')
    deepEqual(await livingGrants(store), ['elsewhere', 'offline', 'open elsewhere'])
    deepEqual(await named(store), [
      ['grant.revoked', 'open code', 'session_ended', 'ada'],
      ['grant.revoked', 'web', 'session_ended', 'ada'],
    ])
    equal(await redeem(store, basis, 'open code', 5_000), 'grant-dead')
    const status = (id: string) => store.tokens.status(acme, revocable({ jti: jti('j'), grantId: grantId(id) }))
    deepEqual(await status('offline'), { revokedAt: null, grantRevokedAt: null, sessionEndedAt: 4_000 })
    deepEqual(await status('elsewhere'), { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null })
    equal((await store.grants.refresh(acme, handle('refresh r offline')))?.grant.sessionEndedAt, 4_000)
    equal((await store.grants.find(acme, grantId('elsewhere')))?.sessionEndedAt, null)
  })

  storeTest(open, 'a renewed session hands on what ends with it, but no open code', async ({ store }) => {
    const basis = await signedIn(store)
    await redeemed(store, basis, 'web', inSession('s1'))
    await opened(store, basis, 'open code', inSession('s1'))
    await store.sessions.start(session('s3', { handle: handle('session s3'), createdAt: at(3_000) }), 's1', [])
    deepEqual(await livingGrants(store), ['web'])
    await store.sessions.end(acme, 's2', at(4_000), [])
    deepEqual(await livingGrants(store), ['web'])
    await store.sessions.end(acme, 's3', at(5_000), [])
    deepEqual(await livingGrants(store), [])
  })

  storeTest(open, 'OIDC Core §8: the end of a session names each sid that it is known by, once', async ({ store }) => {
    const basis = await signedIn(store)
    for (const [id, pairwiseSid] of Object.entries({ a1: 'sid a', a2: 'sid a', b: 'sid b', plain: null })) {
      await redeemed(store, basis, id, { pairwiseSid })
    }
    await redeemed(store, basis, 'other', { ...inSession('s2'), pairwiseSid: 'sid of s2' })
    // None of these is what the session is known by: of another person, over, and of another tenant.
    await opened(store, basis, 'eve', { authentication: authentication('eve', 's1'), pairwiseSid: 'sid of eve' })
    await opened(store, basis, 'over', { expiresAt: at(4_000), pairwiseSid: 'sid that is over' })
    const there = await tenantWithClient(store, other)
    const elsewhere = grant('elsewhere', { tenant: other, pairwiseSid: 'sid elsewhere' })
    await store.grants.open(opening(there, 'elsewhere', { grant: elsewhere, consent: null, events: [] }))
    equal((await store.grants.find(acme, grantId('a1')))?.pairwiseSid, 'sid a')
    await store.sessions.end(acme, 's1', at(4_000), [])
    deepEqual(await named(store), [
      ['token.revoked', 'sid a', 'session_ended', 'ada'],
      ['token.revoked', 'sid b', 'session_ended', 'ada'],
    ])
    await store.users.change({ tenant: acme, id: 'ada', version: 1, endSessionsBut: null, at: at(5_000), events: [] })
    ok((await named(store)).some(([, name]) => name === 'sid of s2'))
  })

  storeTest(open, 'a new password ends every open code, also of the session that is kept', async ({ store }) => {
    const basis = await signedIn(store)
    await opened(store, basis, 'here', inSession('s1'))
    await opened(store, basis, 'there', inSession('s2'))
    await redeemed(store, basis, 'kept', inSession('s1'))
    await redeemed(store, basis, 'ended', inSession('s2'))
    const by = { tenant: acme, id: 'ada', version: 1, passwordHash: 'new', endSessionsBut: 's1', at: at(5_000) }
    equal(await store.users.change({ ...by, events: [] }), 'changed')
    deepEqual(await livingGrants(store), ['kept'])
    equal((await named(store)).length, 3)
  })

  storeTest(
    open,
    'no code ends because one of the same name elsewhere, or of another client, goes somewhere else',
    async ({ store }) => {
      const basis = await signedIn(store)
      await store.clients.create(client('app'), [])
      const there = await tenantWithClient(store, other)
      const gone = { redirectUri: 'https://gone.example/cb' }
      await opened(store, basis, 'g1')
      const elsewhere = { grant: grant('g1', { tenant: other }), code: code('g1', gone), consent: null, events: [] }
      await store.grants.open(opening(there, 'g1', elsewhere))
      const app = await basisNow(store, acme, 'app')
      const ofApp = { grant: grant('g2', { clientId: 'app' }), code: code('g2', gone), consent: null, events: [] }
      await store.grants.open(opening(app, 'g2', ofApp))
      const { metadata } = client('web')
      const version = (await basisNow(store)).client?.version ?? 0
      const by = {
        tenant: acme,
        id: 'web',
        version,
        metadata,
        secrets: null,
        disabledAt: null,
        at: at(3_000),
        events: [],
      }
      equal(await store.clients.replace(by), 'replaced')
      deepEqual(await livingGrants(store), ['g1', 'g2'])
    },
  )

  storeTest(open, 'codes end with their redirect URI and with their client, and stay ended', async ({ store }) => {
    await signedIn(store)
    const { metadata } = client('web')
    const two = { ...metadata, redirect_uris: ['https://client.example/cb', 'http://127.0.0.1/cb'] }
    const native = { ...two, application_type: 'native' as const }
    const replaced = async (next: typeof metadata, disabledAt: number | null = null) => {
      const version = (await basisNow(store)).client?.version ?? 0
      const by = { tenant: acme, id: 'web', version, metadata: next, secrets: null, at: at(3_000), events: [] }
      equal(await store.clients.replace({ ...by, disabledAt: disabledAt === null ? null : at(disabledAt) }), 'replaced')
      return basisNow(store)
    }
    let basis = await replaced(native)
    await opened(store, basis, 'https')
    await opened(store, basis, 'loopback', { redirectUri: 'http://127.0.0.1:4711/cb' })
    await redeemed(store, basis, 'redeemed')
    await replaced(native)
    deepEqual(await livingGrants(store), ['https', 'loopback', 'redeemed'])
    await replaced({ ...native, redirect_uris: ['http://127.0.0.1/cb'] })
    deepEqual(await livingGrants(store), ['loopback', 'redeemed'])
    basis = await replaced(native)
    equal(await redeem(store, basis, 'https', 4_000), 'grant-dead')
    await replaced(native, 3_000)
    deepEqual(await livingGrants(store), ['redeemed'])
    // A declared file says the same by another verb.
    basis = await replaced(native)
    await opened(store, basis, 'declared')
    const { revision, client: held } = basis
    const put = { id: 'web', metadata: { ...metadata, redirect_uris: ['https://new.example/cb'] }, secrets: null }
    const plan = { expected: revision, replaceClients: [{ ...put, version: held?.version ?? 0, disabledAt: null }] }
    equal(await store.directory.apply([change({ ...plan, at: at(4_000) })]), 'applied')
    deepEqual(await livingGrants(store), ['redeemed'])
  })

  for (const ends of [true, false]) {
    const title = `sign-out against the redemption of a code of a grant that ${ends ? 'ends with' : 'outlives'} the session`
    storeTest(open, `${title}: refused, or dead`, async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.users.create(user('ada'), [])
      for (let round = 0; round < 25; round++) {
        const [id, sid] = [`g${round}`, `s ${round}`]
        await store.sessions.start(session(sid, { handle: handle(sid) }), null, [])
        await opened(store, basis, id, { ...inSession(sid), endsWithSession: ends ? sid : null })
        // The end is told an earlier time than the redemption: who comes first is for the database to say.
        const ending = () => store.sessions.end(acme, sid, at(3_000), [event('session.ended')])
        const redeeming = () => redeem(store, basis, id, 9_000)
        const answers = await Promise.all(round % 2 === 0 ? [ending(), redeeming()] : [redeeming(), ending()])
        ok(answers.includes('ended'))
        const status = await store.tokens.status(acme, revocable({ jti: jti('j'), grantId: grantId(id) }))
        // What carries the sid is dead by the session, in any case.
        equal(status.sessionEndedAt, 3_000)
        if (ends || answers.includes('grant-dead')) ok(status.grantRevokedAt !== null, `${round}: ${answers.join()}`)
      }
    })
  }

  storeTest(open, 'sign-out against the opening of grants leaves no open code alive', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.users.create(user('ada'), [])
    const outcomes = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const sid = `s ${round}`
      await store.sessions.start(session(sid, { handle: handle(sid) }), null, [])
      const openings = Array.from({ length: 6 }, (_, n) =>
        opened(store, basis, `g${round}-${n}`, { authentication: authentication('ada', sid) }),
      )
      const ending = store.sessions.end(acme, sid, at(3_000), [])
      const late = opened(store, basis, `late${round}`, { authentication: authentication('ada', sid) })
      for (const outcome of await Promise.all([...openings, late])) outcomes.add(outcome)
      equal(await ending, 'ended')
      deepEqual(await livingGrants(store), [])
    }
    ok([...outcomes].every((it) => it === 'opened' || it === 'stale'))
  })
}
