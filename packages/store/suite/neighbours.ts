/** What a verb does to one tenant or one thing it does to no other: the same ids elsewhere, and other ids here, stay. */
import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '../src/contract/store.ts'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { initialToken, registration } from './clients/registrations.ts'
import { beside, renaming } from './beside.ts'
import { everything } from './database-rows.ts'
import {
  acme,
  at,
  basisNow,
  client,
  event,
  grantId,
  handle,
  issuance,
  jti,
  opaqueToken,
  other,
  refresh,
  revocable,
  statusBlock,
  statusEntry,
} from './samples.ts'
import { type OpenEngine, type StoreUnderTest, storeTest } from './store-test.ts'
import { populated, verbCalls } from './verb-calls.ts'

/** What belongs to the whole deployment: it runs for all tenants. */
const ofDeployment: ReadonlySet<VerbName> = new Set([
  'backchannel.takeNotification',
  'deliveries.takeDue',
  'directory.beginNewEpoch',
  'directory.setBack',
  'eventDeliveries.derive',
  'eventDeliveries.take',
  'mails.derive',
  'mails.takeDue',
  'sweep',
])

const verbNames = (Object.keys(verbs) as VerbName[]).filter((name) => !ofDeployment.has(name))

/** The rows of one tenant. */
async function rowsOf({ engine }: StoreUnderTest, tenant: string) {
  const found = await everything(engine)
  const mine = (row: string) => row.includes(`"tenant":"${tenant}"`) || row.includes(`"id":"${tenant}"`)
  return Object.fromEntries(Object.entries(found).map(([table, rows]) => [table, rows.filter(mine)]))
}

/** The same state beside, with all that this verb needs for its work. */
async function prepared(it: StoreUnderTest, name: VerbName, store: Store): Promise<void> {
  await populated(store)
  await verbCalls[name]({ ...it, store })
}

/** Two tenants for each verb, with the same in both; opening a database for each would take most of the time. */
async function leavesTheOtherAlone(it: StoreUnderTest, name: VerbName, n: number): Promise<void> {
  const [here, there] = [`here-${n}`, `there-${n}`]
  const [inHere, inThere] = [here, there].map((tenant) => (text: string) => (text === 'acme' ? tenant : text))
  if (inHere === undefined || inThere === undefined) throw new Error('two of them')
  const store = beside(it.store, inHere)
  await populated(store)
  await prepared(it, name, beside(it.store, inThere))
  const args = renaming(await verbCalls[name]({ ...it, store }), inHere)
  const [other, all] = [await rowsOf(it, there), await everything(it.engine)]
  await it.engine.run(name, args)
  deepEqual(await rowsOf(it, there), other, `${name} reached into another tenant`)
  notDeepEqual(await everything(it.engine), all, `${name} did nothing`)
}

/** What concerns the tenant as a whole, or what nobody used for long. */
const ofTenant: ReadonlySet<VerbName> = new Set(['directory.removeTenant', 'events.prune', 'registrations.reap'])

/** The ids of the samples, alone or at the end of a handle; and handles that have none. */
const named =
  /(?:^|[ -])(?:ada|web|grace|team|new|gone|one|t|k|s1|g1|g2|k1|i1|d1|d2|d3|b1|m1|m2|m3|m4|r1|c1|p1)$|^(?:browser|code|link|sign-in link|handle of) /
/** Another person, client, session and so on of the same kind. */
const another = (text: string): string => (named.test(text) ? `${text}-two` : text)

const mentionsAnother = (row: string): boolean => row.includes('-two"')

/** The same twice in one tenant, under other ids. */
async function leavesOthersAlone(it: StoreUnderTest, name: VerbName, n: number): Promise<void> {
  const tenant = `within-${n}`
  const within = (text: string): string => (text === 'acme' ? tenant : text)
  const store = beside(it.store, within)
  await populated(store)
  await store.clients.create(client('web-two'), [])
  await prepared(it, name, beside(store, another))
  const args = renaming(await verbCalls[name]({ ...it, store }), within)
  const others = async () =>
    Object.entries(await rowsOf(it, tenant)).map(([table, rows]) => [table, rows.filter(mentionsAnother)] as const)
  const before = await others()
  ok(before.filter(([, rows]) => rows.length > 0).length > 15, 'there are others of most kinds')
  await it.engine.run(name, args)
  deepEqual(await others(), before, `${name} reached what it was not about`)
}

/** Every read that names a tenant, by the ids of the samples; where nothing is, each has nothing to say. */
const reads: Readonly<Record<string, (store: Store, tenant: TenantId) => Promise<unknown>>> = {
  'backchannel.waitingFor': (store, tenant) => store.backchannel.waitingFor(tenant, 'ada', at(1_500)),
  'backchannel.userCodeHash': (store, tenant) => store.backchannel.userCodeHash(tenant, 'ada'),
  'clients.find': (store, tenant) => store.clients.find(tenant, 'web'),
  'clients.list': (store, tenant) => store.clients.list(tenant, { after: null, limit: 10 }),
  'clients.list backwards': (store, tenant) => store.clients.list(tenant, { after: null, limit: 10, descending: true }),
  'consents.inForce': (store, tenant) => store.consents.inForce(tenant, 'ada', 'web', at(2_000)),
  'consents.ofSubject': (store, tenant) => store.consents.ofSubject(tenant, 'ada', 10),
  'devices.find': (store, tenant) => store.devices.find(tenant, handle('device d1')),
  'devices.byUserCode': (store, tenant) => store.devices.byUserCode(tenant, handle('user code d1')),
  'directory.catalogue': (store, tenant) => store.directory.catalogue(tenant),
  'events.after': (store, tenant) => store.events.after(tenant, 0, 10),
  'events.before': (store, tenant) => store.events.before(tenant, 1_000, 10),
  'events.ofSubject': (store, tenant) => store.events.ofSubject(tenant, 'ada', { before: null, limit: 10 }),
  'events.rows': (store, tenant) => store.events.rows(tenant, 0, 10),
  'events.feed': (store, tenant) => store.events.feed({ pos: 0, tenant, limit: 10 }),
  'factors.of': async (store, tenant) => Object.values(await store.factors.of(tenant, 'ada')).filter(Boolean),
  'factors.passkey': (store, tenant) => store.factors.passkey(tenant, 'k1'),
  'factors.passkeys': (store, tenant) => store.factors.passkeys(tenant, 'ada'),
  'factors.totp': (store, tenant) => store.factors.totp(tenant, 'ada'),
  'factors.totps': (store, tenant) => store.factors.totps(tenant, { after: '', limit: 10 }),
  'factors.browser': (store, tenant) => store.factors.browser(tenant, handle('remembered r1')),
  'factors.browsers': (store, tenant) => store.factors.browsers(tenant, 'ada'),
  'grants.code': (store, tenant) => store.grants.code(tenant, handle('code g1')),
  'grants.refresh': (store, tenant) => store.grants.refresh(tenant, handle('refresh r1')),
  'grants.device': (store, tenant) => store.grants.device(tenant, handle('device d1')),
  'grants.find': (store, tenant) => store.grants.find(tenant, grantId('g1')),
  'grants.ofSubject': (store, tenant) => store.grants.ofSubject(tenant, 'ada', { clientId: 'web', limit: 10 }),
  'grants.clientsOf': (store, tenant) => store.grants.clientsOf(tenant, 'ada', { now: at(1), after: null, limit: 10 }),
  'interactions.find': (store, tenant) => store.interactions.find(tenant, handle('interaction i1')),
  'invitations.find': (store, tenant) => store.invitations.find(tenant, handle('invitation grace')),
  'invitations.byId': (store, tenant) => store.invitations.byId(tenant, 'grace'),
  'invitations.waiting': (store, tenant) => store.invitations.waiting(tenant, { now: at(1), before: null, limit: 10 }),
  'keys.list': (store, tenant) => store.keys.list(tenant),
  'signInLinks.find': (store, tenant) => store.signInLinks.find(tenant, handle('sign-in link one')),
  'links.find': (store, tenant) => store.links.find(tenant, handle('link reset')),
  'registrations.access': (store, tenant) => store.registrations.access(tenant, 'own'),
  'registrations.tokens': (store, tenant) => store.registrations.tokens(tenant, { after: null, limit: 10 }),
  'registrations.tokenById': (store, tenant) => store.registrations.tokenById(tenant, 't'),
  'registrations.token': (store, tenant) => store.registrations.token(tenant, handle('initial t'), at(1_500)),
  'sessions.find': (store, tenant) => store.sessions.find(tenant, handle('session s1')),
  'sessions.byId': (store, tenant) => store.sessions.byId(tenant, 's1'),
  'sessions.knownIn': (store, tenant) => store.sessions.knownIn(tenant, handle('browser 1')),
  'sessions.livingOf': (store, tenant) =>
    store.sessions.livingOf(tenant, 'ada', { now: at(1), before: null, limit: 10 }),
  'sessions.parties': (store, tenant) => store.sessions.parties(tenant, 's1'),
  'tokens.opaque': (store, tenant) => store.tokens.opaque(tenant, handle('handle of living')),
  'tokens.status': async (store, tenant) =>
    (await store.tokens.status(tenant, revocable({ jti: jti('dead'), grantId: null }))).revokedAt,
  'tokens.status with a grant': async (store, tenant) =>
    (await store.tokens.status(tenant, revocable({ jti: jti('dead'), grantId: grantId('g1') }))).revokedAt,
  // A grant that is not on record ended before all time.
  'tokens.status of the grant': async (store, tenant) => {
    const { grantRevokedAt } = await store.tokens.status(
      tenant,
      revocable({ jti: jti('living'), grantId: grantId('g1') }),
    )
    return grantRevokedAt === 0 ? null : grantRevokedAt
  },
  'statusLists.lists': (store, tenant) => store.statusLists.lists(tenant, at(0)),
  'statusLists.places': (store, tenant) =>
    store.statusLists.places(tenant, [{ dimension: 'client', key: 'web', issuedUpTo: at(9_000) }]),
  'users.byId': (store, tenant) => store.users.byId(tenant, 'ada'),
  'users.byUsername': (store, tenant) => store.users.byUsername(tenant, 'Name-of-ada'),
  'users.byEmail': (store, tenant) => store.users.byEmail(tenant, 'ada@example.com', 10),
  'users.list': (store, tenant) => store.users.list(tenant, { after: null, limit: 10 }),
}

/** The samples, and what the reads look for besides. */
async function readable(store: Store): Promise<void> {
  await populated(store)
  const basis = await basisNow(store)
  await store.statusLists.lease(statusBlock())
  await store.tokens.issue(issuance(basis, { statusEntry: statusEntry(1) }))
  const spend = { kind: 'code', handle: handle('code g1') } as const
  const more = { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1'), opaque: opaqueToken('living') }
  await store.tokens.issue(issuance(basis, more))
  await store.tokens.revoke({ tenant: acme, jti: jti('dead'), expiresAt: at(601_000), at: at(2_000), events: [] })
  await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(2_000), events: [] })
  await store.registrations.register(registration('own'))
  await store.registrations.addToken(initialToken('t'), [])
  await store.events.append([event('login.failed', { subject: 'ada' })])
  await store.events.position()
}

const isNothing = (answer: unknown) => answer === null || (Array.isArray(answer) && answer.length === 0)

export function neighbourSuite(open: OpenEngine): void {
  storeTest(open, 'no read finds in one tenant what lies under the same ids in another', async ({ store }) => {
    await readable(store)
    for (const [name, read] of Object.entries(reads)) {
      equal(isNothing(await read(store, acme)), false, `${name} finds what is there`)
      equal(isNothing(await read(store, other)), true, `${name} finds what is another tenant's`)
    }
  })

  for (const [noun, names] of Object.entries(Object.groupBy(verbNames, (name) => name.split('.', 1).join()))) {
    storeTest(open, `the verbs of ${noun} leave another tenant with the same ids as it was`, async (it) => {
      for (const [n, name] of (names ?? []).entries()) await leavesTheOtherAlone(it, name, n)
    })
    storeTest(open, `the verbs of ${noun} leave others of the same tenant as they were`, async (it) => {
      const about = (names ?? []).filter((name) => !ofTenant.has(name))
      for (const [n, name] of about.entries()) await leavesOthersAlone(it, name, n)
    })
  }
}
