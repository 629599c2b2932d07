/** Reads people from rows, and inserts new ones. */
import { type AdministratorKind, isAdministratorKind, normaliseUsername } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { UserRow } from '../../contract/people/users.ts'
import { lockSubjects } from '../directory/clock.ts'
import { of100, parts } from '../many.ts'
import { asMaybeText, asText, instant, json, maybeInstant, maybeJson, maybeText, number, text } from '../row.ts'
import { all, type Row, type Value, type Verb } from '../verb.ts'
import { emailIn } from './links/dead-links.ts'
import { membershipsIn } from './held-roles.ts'

export const userOf = (row: Row): UserRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  username: text(row, 'username'),
  claims: json(row, 'claims'),
  createdAt: instant(row, 'created_at'),
  disabledAt: maybeInstant(row, 'disabled_at'),
  administrator: administratorIn(row),
  mustChangePassword: number(row, 'must_change_password') === 1,
  ...termsIn(row),
  ...deletionIn(row),
  passwordHash: maybeText(row, 'password_hash'),
  passwordChangedAt: maybeInstant(row, 'password_changed_at'),
  version: number(row, 'version'),
  ...provisionedIn(row),
  ...changeIn(row),
  ...membershipsIn(row),
  ...attributesIn(row),
})

function termsIn(row: Row): Pick<UserRow, 'terms'> {
  const version = maybeText(row, 'terms_version')
  return version === null ? {} : { terms: { version, at: instant(row, 'terms_accepted_at') } }
}

function deletionIn(row: Row): Pick<UserRow, 'deletionDueAt'> {
  const deletionDueAt = maybeInstant(row, 'deletion_due_at')
  return deletionDueAt === null ? {} : { deletionDueAt }
}

/** The data stored for provisioning (SCIM). */
function provisionedIn(row: Row): Pick<UserRow, 'provisioned'> {
  if (row['provisioned'] == null) return {}
  return { provisioned: { externalId: maybeText(row, 'external_id'), attributes: json(row, 'provisioned') } }
}

export const provisionedText = ({ provisioned }: Pick<UserRow, 'provisioned'>): string | null =>
  provisioned === undefined ? null : asText(provisioned.attributes)

function changeIn(row: Row): Pick<UserRow, 'changedAt'> {
  const changedAt = maybeInstant(row, 'changed_at')
  return changedAt === null ? {} : { changedAt }
}

function attributesIn(row: Row): Pick<UserRow, 'attributes'> {
  const attributes = maybeJson(row, 'attributes')
  return attributes === null ? {} : { attributes }
}

/** An unknown kind, of a later version, counts as none: it may have more rights than this version knows. */
function administratorIn(row: Row): AdministratorKind | null {
  const kind = maybeText(row, 'administrator')
  return isAdministratorKind(kind) ? kind : null
}

export type NewUser = Omit<UserRow, 'version'>

/** Names are validated where they enter; one without a normal form cannot get here. */
export function keyOf(username: string): string {
  const key = normaliseUsername(username)
  if (key === null) throw new Error('not a user name')
  return key
}

/** The columns of a new person. */
const columns: Readonly<Record<string, (it: NewUser) => Value>> = {
  tenant: ({ tenant }) => tenant,
  id: ({ id }) => id,
  username: ({ username }) => username,
  username_key: ({ username }) => keyOf(username),
  claims: ({ claims }) => asText(claims),
  email_key: ({ claims }) => emailIn(claims),
  password_hash: ({ passwordHash }) => passwordHash,
  password_changed_at: ({ passwordChangedAt }) => passwordChangedAt,
  must_change_password: ({ mustChangePassword }) => (mustChangePassword ? 1 : 0),
  administrator: ({ administrator }) => administrator,
  attributes: ({ attributes }) => asMaybeText(attributes ?? null),
  created_at: ({ createdAt }) => createdAt,
  disabled_at: ({ disabledAt }) => disabledAt,
  terms_version: ({ terms }) => terms?.version ?? null,
  terms_accepted_at: ({ terms }) => terms?.at ?? null,
  provisioned: (it) => provisionedText(it),
  external_id: ({ provisioned }) => provisioned?.externalId ?? null,
  version: () => 1,
}
const names = Object.keys(columns)

/** No conflict target: both the id and the username may be taken. */
const inserting = (rows: number): string => {
  const row = (at: number): string => `(${names.map((_, of) => `?${at * names.length + of + 1}`).join(', ')})`
  const values = Array.from({ length: rows }, (_, at) => row(at)).join(', ')
  return `insert into users (${names.join(', ')}) values ${values} on conflict do nothing returning id`
}
const insertOne = inserting(1)
const together = 40
const insertTogether = inserting(together)

const clientsAmong = of100((ids) => `select id from clients where tenant = ?1 and ?2 <> '' and id in (${ids})`)

/** Inserts people of one tenant; returns the ids that were not taken. */
export function* insertUsers(many: readonly NewUser[]): Verb<ReadonlySet<string>> {
  const [{ tenant }] = many as readonly [NewUser]
  // Ids of people and of clients are both used as `sub`, so no id may be both (see insertClient, under the same lock).
  yield* lockSubjects()
  const clients = new Set<string>()
  for (const { size, part } of parts(many.map(({ id }) => id))) {
    const found = yield* all({ do: 'sql', text: clientsAmong[size], values: [tenant, 'all', ...part] })
    for (const row of found) clients.add(text(row, 'id'))
  }
  const fit = many.filter(({ id }) => !clients.has(id))
  const inserted = new Set<string>()
  for (let at = 0; at < fit.length;) {
    const rows = fit.length - at < together ? 1 : together
    const values = fit.slice(at, at + rows).flatMap((it) => names.map((name) => columns[name]?.(it) ?? null))
    const made = yield* all({ do: 'sql', text: rows === 1 ? insertOne : insertTogether, values })
    for (const row of made) inserted.add(text(row, 'id'))
    at += rows
  }
  return inserted
}
