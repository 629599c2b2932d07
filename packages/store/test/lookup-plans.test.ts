/** What is asked of one person, browser, grant or group reads what belongs to it, and never all that its tenant has: on SQLite by the statistics that its planner is given. */
import { deepEqual, ok } from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import type { GrantId, Handle, Instant, TenantId } from '@grantor/protocol/types'
import { joined } from '../src/drivers/postgres/batching/lookups.ts'
import { describeTables } from '../src/drivers/sqlite/planner-statistics.ts'
import { migrationsOf, migrationsTable } from '../src/schema/migrations.ts'
import * as apiKeys from '../src/verbs/clients/api-keys.ts'
import * as factors from '../src/verbs/people/factors.ts'
import * as identities from '../src/verbs/people/identities.ts'
import * as interactions from '../src/verbs/people/interactions.ts'
import { dropLinks } from '../src/verbs/people/links/dead-links.ts'
import { affected } from '../src/verbs/people/lost-roles.ts'
import * as sessions from '../src/verbs/people/sessions.ts'
import * as users from '../src/verbs/people/users.ts'
import { SetAsideRows } from '../src/verbs/set-aside.ts'
import * as devices from '../src/verbs/tokens/devices.ts'
import * as ended from '../src/verbs/tokens/ended-grants.ts'
import * as grants from '../src/verbs/tokens/grants.ts'
import * as pushedRequests from '../src/verbs/tokens/pushed-requests.ts'
import { places } from '../src/verbs/tokens/status-lists.ts'
import * as tokens from '../src/verbs/tokens/tokens.ts'
import { release } from '../src/verbs/outgoing/turns.ts'
import { type Statement, type Verb } from '../src/verbs/verb.ts'
import { revocable } from '../suite/samples.ts'
import { scanning } from './support/postgres-plans.ts'

const tenant = 'default' as TenantId
const handle = 'handle' as Handle
const at = 1_000_000_000_000 as Instant
const aside = new SetAsideRows()
const ending = { tenant, subject: 'somebody', at }
const page = { now: at, before: null, limit: 10 }
const keys = { after: '', limit: 10, client: 'client', resource: null } as const

const lookups: Readonly<Record<string, Verb<unknown>>> = {
  'people by address': users.byEmail(aside, tenant, 'a@example.com', 10),
  'a person by name': users.byUsername(aside, tenant, 'somebody'),
  'a person by id': users.byId(aside, tenant, 'somebody'),
  'identities of a person': identities.of(tenant, 'somebody'),
  'passkeys of a person': factors.passkeys(tenant, 'somebody'),
  'links of a person': dropLinks({ tenant, id: 'somebody' }, ['reset', 'address']),
  'people of a browser': sessions.knownIn(tenant, handle),
  'sessions of a provider’s session': sessions.byUpstream(tenant, 'provider', 'sid'),
  'sessions of a person': sessions.livingOf(tenant, 'somebody', page),
  'what ends with a session': ended.endGrantsOfSession('session', ending),
  'open codes of a person': ended.endOpenCodes(ending),
  'grants of a person': ended.endGrantsOf(ending),
  'an opaque token': tokens.opaque(tenant, handle),
  'a device': devices.find(tenant, handle),
  'a device that polls': devices.polled(tenant, handle),
  'an interaction': interactions.find(tenant, handle),
  'a session': sessions.find(tenant, handle),
  'a session by id': sessions.byId(tenant, 'session'),
  'a pushed request': pushedRequests.find(tenant, handle),
  'an API key': apiKeys.byHandle(tenant, handle),
  'a code': grants.code(tenant, handle),
  'a refresh token': grants.refresh(tenant, handle),
  'a grant': grants.find(tenant, 'grant' as GrantId),
  'places of a grant, a session, a person': places(tenant, [
    { dimension: 'grant', key: 'g', issuedUpTo: at },
    { dimension: 'session', key: 's', issuedUpTo: at },
    { dimension: 'subject', key: 'p', issuedUpTo: at },
  ]),
  'keys of a client': apiKeys.list(tenant, keys as unknown as Parameters<typeof apiKeys.list>[1]),
}

/** All that it asks where it finds nothing. */
function* statementsOf(verb: Verb<unknown>): Generator<Statement> {
  for (let step = verb.next(); step.done !== true; step = verb.next([])) if (step.value.do === 'sql') yield step.value
}

function opened(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(migrationsTable)
  for (const { text } of migrationsOf('sqlite')) db.exec(text)
  return db
}

const plansOf = (db: DatabaseSync, { text, values }: Statement): readonly string[] =>
  db
    .prepare(`explain query plan ${text}`)
    .all(...(values as readonly SQLInputValue[]))
    .map(({ detail }) => String(detail))

/** What a statement makes for itself, and reads to its end. */
const ownRows = /^SCAN (?:\d+[- ]|CONSTANT|[a-z]$|here$)/

/** A table from end to end, or all that the tenant has of it. */
const isBroad = (detail: string): boolean =>
  (detail.startsWith('SCAN') && !ownRows.test(detail)) || detail.endsWith('(tenant=?)')

const asked: readonly (readonly [string, Statement])[] = [
  ...Object.entries(lookups).flatMap(([name, verb]) => [...statementsOf(verb)].map((it) => [name, it] as const)),
  // Of nothing it would say that it is there: only its first statement is wanted.
  ['the status of a token', tokens.status(tenant, revocable()).next().value as Statement],
  ['members of a group with grants', affected.members(tenant, 'group', at)],
  ['holders of a role with grants', affected.holders(tenant, 'role', at)],
]

test('no lookup reads all that a tenant has', () => {
  using db = opened()
  describeTables(db)
  const broad = asked.flatMap(([name, statement]) =>
    plansOf(db, statement)
      .filter(isBroad)
      .map((detail) => `${name}: ${detail}`),
  )
  deepEqual(broad, [])
})

test('of what waits for a receiver the next of a key is found by its key, however much waits', () => {
  using db = opened()
  describeTables(db)
  const one = { tenant, receiver: 'r1', orderKey: 'user ada' }
  const read = [...statementsOf(release(one, at))].flatMap((it) => plansOf(db, it)).filter((it) => it.includes('INDEX'))
  ok(read.length > 0)
  deepEqual(
    read.filter((detail) => detail.includes('event_deliveries_state')),
    [],
  )
})

test('and without statistics some would', () => {
  using db = opened()
  const broad = new Set(asked.filter(([, statement]) => plansOf(db, statement).some(isBroad)).map(([name]) => name))
  for (const name of ['people by address', 'identities of a person']) ok(broad.has(name), name)
})

test('on PostgreSQL what is looked up together has an index to go by', async (t) => {
  const marked = asked.flatMap(([, statement]) => (statement.lookup === true ? [statement] : []))
  ok(marked.length > 10)
  const together = marked.map(({ text, values }) => joined(text, [values, values, values]))
  deepEqual(await scanning(t, together), [])
})
