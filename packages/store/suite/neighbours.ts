/** What a verb does to one tenant or one thing it does to no other: the same ids elsewhere, and other ids here, stay. */
import { deepEqual, notDeepEqual, ok } from 'node:assert/strict'
import type { Store } from '../src/contract/store.ts'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { beside, renaming } from './beside.ts'
import { everything } from './database-rows.ts'
import { client } from './samples.ts'
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
  'validators.forget',
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

export function neighbourSuite(open: OpenEngine): void {
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
