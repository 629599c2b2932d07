/** The people of the built-in user directory. */
import { type AdministratorKind, emailKey, normaliseUsername } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { UserChange, UserRow, UserSearch } from '../../contract/people/users.ts'
import type { Entry } from '../entry.ts'
import { queueDeliveries } from '../outgoing/deliveries.ts'
import { cutPairwise, endGrantsOf, endGrantsOfSession, endOpenCodes } from '../tokens/ended-grants.ts'
import { asMaybeText, asText, maybeText, number, text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { all, changed, first, log, lookup, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { dropLinks, emailIn } from './links/dead-links.ts'
import { isLastOwner, takesOwnerAway } from './last-owner.ts'
import { forgetBrowsers } from './factors.ts'
import { giveFirst, putUserGroups, putUserRoles } from './held-roles.ts'
import { insertUsers, keyOf, type NewUser, provisionedText, userOf } from './user-rows.ts'

export function* byUsername(aside: SetAsideRows, tenant: TenantId, username: string): Verb<UserRow | null> {
  const key = normaliseUsername(username)
  if (key === null) return null
  const row = yield* first(lookup`select u.*, s.own_roles, s.group_roles, s.group_names
    from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
    where u.tenant = ${tenant} and u.username_key = ${key}`)
  return row && readUser(row, aside)
}

export function* byId(aside: SetAsideRows, tenant: TenantId, id: string): Verb<UserRow | null> {
  const row = yield* first(lookup`select u.*, s.own_roles, s.group_roles, s.group_names
    from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
    where u.tenant = ${tenant} and u.id = ${id}`)
  return row && readUser(row, aside)
}

/** All people with that address; there may be several. */
export function* byEmail(
  aside: SetAsideRows,
  tenant: TenantId,
  email: string,
  limit: number,
): Verb<readonly UserRow[]> {
  const rows = yield* all(sql`select u.*, s.own_roles, s.group_roles, s.group_names
    from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
    where u.tenant = ${tenant} and u.email_key = ${emailKey(email)} order by u.id limit ${limit}`)
  return rows.flatMap((row) => readUser(row, aside) ?? [])
}

/** Greater than every name. */
const last = '\u{10ffff}'

/** In the order of their names, after `after`; as many as requested, even if some cannot be read. */
export function* search(aside: SetAsideRows, tenant: TenantId, it: UserSearch): Verb<readonly UserRow[]> {
  const found: UserRow[] = []
  const to = it.prefix + last
  for (let after = it.after === null ? null : keyOf(it.after); ;) {
    const remaining = it.limit - found.length
    // SQLite uses only one lower bound of an index range: after the first page that must be the last name, so the other
    // bound is written as a filter.
    const rows = yield* all(
      after === null
        ? sql`select u.*, s.own_roles, s.group_roles, s.group_names
          from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
          where u.tenant = ${tenant} and u.username_key >= ${it.prefix} and u.username_key < ${to}
          order by u.username_key limit ${remaining}`
        : sql`select u.*, s.own_roles, s.group_roles, s.group_names
          from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
          where u.tenant = ${tenant} and u.username_key > ${after} and u.username_key < ${to}
          and not (u.username_key < ${it.prefix}) order by u.username_key limit ${remaining}`,
    )
    found.push(...rows.flatMap((row) => readUser(row, aside) ?? []))
    if (rows.length < remaining || found.length >= it.limit) return found
    after = text(rows.at(-1) as Row, 'username_key')
  }
}

export function readUser(row: Row, aside: SetAsideRows): UserRow | null {
  const which = { tenant: text(row, 'tenant') as TenantId, id: text(row, 'id'), version: number(row, 'version') }
  return aside.read({ kind: 'user', ...which, username: text(row, 'username') }, () => userOf(row))
}

/** People whose account deletion is due, the longest overdue first. */
export function* deletionsDue(aside: SetAsideRows, now: Instant, limit: number): Verb<readonly UserRow[]> {
  const rows = yield* all(
    sql`select * from users where deletion_due_at <= ${now} order by deletion_due_at limit ${limit}`,
  )
  return rows.flatMap((row) => readUser(row, aside) ?? [])
}

export function* hasAdministrator(tenant: TenantId, kind: AdministratorKind): Verb<boolean> {
  const row = yield* first(sql`select id from users where tenant = ${tenant} and administrator = ${kind} limit 1`)
  return row !== null
}

export function* administratorNames(tenant: TenantId): Verb<readonly string[]> {
  const rows = yield* all(sql`select username, email_key from users
    where tenant = ${tenant} and administrator is not null order by username`)
  return rows.flatMap((row) => [text(row, 'username'), maybeText(row, 'email_key')]).filter((name) => name !== null)
}

export function* create(it: NewUser, entries: readonly Entry[]): Verb<'created' | 'exists'> {
  if (!(yield* insertUsers([it])).has(it.id)) return 'exists'
  yield* giveFirst(it, { roles: it.ownRoles ?? [], groups: it.groups ?? [] })
  yield* log(entries)
  return 'created'
}

export type UserChanged = 'changed' | 'changed-meanwhile' | 'absent' | 'exists' | 'last-owner'

export function* change(it: UserChange, entries: readonly Entry[]): Verb<UserChanged> {
  const { tenant, id, version } = it
  if (takesOwnerAway(it) && (yield* isLastOwner(tenant, id))) return 'last-owner'
  const held = yield* first(sql`update users set version = version + 1, changed_at = ${it.at}
    where tenant = ${tenant} and id = ${id} and version = ${version} returning email_key`)
  if (held === null) {
    const there = yield* first(sql`select id from users where tenant = ${tenant} and id = ${id}`)
    return there === null ? 'absent' : 'changed-meanwhile'
  }
  if (it.username !== undefined && !(yield* rename(tenant, id, it.username))) {
    yield* undo()
    return 'exists'
  }
  if (it.claims !== undefined) {
    const email = emailIn(it.claims)
    yield* run(sql`update users set claims = ${asText(it.claims)}, email_key = ${email}
      where tenant = ${tenant} and id = ${id}`)
    // A link verifies the address that the person had, so a changed address invalidates it.
    if (email !== maybeText(held, 'email_key')) yield* dropLinks(it, ['reset', 'address'])
  }
  if (it.attributes !== undefined) {
    const attributes = asMaybeText(it.attributes)
    yield* run(sql`update users set attributes = ${attributes} where tenant = ${tenant} and id = ${id}`)
  }
  const gone =
    (it.roles === undefined ? null : yield* putUserRoles(tenant, id, it.roles)) ??
    (it.groups === undefined ? null : yield* putUserGroups(tenant, id, it.groups))
  if (gone !== null) {
    yield* undo()
    return 'changed-meanwhile'
  }
  if (it.passwordHash !== undefined) yield* setPassword(it, it.passwordHash)
  if (it.provisioned !== undefined) {
    yield* run(sql`update users set provisioned = ${provisionedText(it)}, external_id = ${it.provisioned.externalId}
      where tenant = ${tenant} and id = ${id}`)
  }
  if (it.administrator !== undefined) {
    yield* run(sql`update users set administrator = ${it.administrator} where tenant = ${tenant} and id = ${id}`)
  }
  if (it.disabledAt !== undefined) {
    yield* run(sql`update users set disabled_at = ${it.disabledAt} where tenant = ${tenant} and id = ${id}`)
  }
  if (it.terms !== undefined) {
    yield* run(sql`update users set terms_version = ${it.terms.version}, terms_accepted_at = ${it.terms.at}
      where tenant = ${tenant} and id = ${id}`)
  }
  if (it.deletionDueAt !== undefined) {
    yield* run(sql`update users set deletion_due_at = ${it.deletionDueAt} where tenant = ${tenant} and id = ${id}`)
    if (it.deletionDueAt !== null) yield* endGrantsOf({ tenant, subject: id, at: it.at })
  }
  if (it.endSessionsBut !== undefined) {
    yield* endSessions(it, it.endSessionsBut)
    // Where sessions end for security, remembered browsers are no longer trusted either.
    yield* forgetBrowsers(tenant, id)
  }
  yield* log(entries)
  return 'changed'
}

function* setPassword(change: UserChange, hash: string | null): Verb<void> {
  const { tenant, id, at } = change
  yield* run(sql`update users set password_hash = ${hash} where tenant = ${tenant} and id = ${id}`)
  if (change.samePassword === true) return
  // The time also distinguishes successive passwords, so it always increases, whatever the clock reads.
  yield* run(sql`update users set must_change_password = ${change.mustChangePassword === true ? 1 : 0},
      password_changed_at = case when password_changed_at >= ${at} then password_changed_at + 1 else ${at} end
    where tenant = ${tenant} and id = ${id}`)
  yield* dropLinks({ tenant, id }, ['reset'])
}

function* rename(tenant: TenantId, id: string, username: string): Verb<boolean> {
  const key = keyOf(username)
  return yield* changed(sql`update users set username = ${username}, username_key = ${key}
    where tenant = ${tenant} and id = ${id} and not exists (
      select 1 from users o where o.tenant = ${tenant} and o.username_key = ${key} and o.id <> ${id})`)
}

export function* endSessions(
  { tenant, id, at }: { readonly tenant: TenantId; readonly id: string; readonly at: Instant },
  but: string | null,
): Verb<void> {
  // No session has the empty id, so the same statement ends all sessions.
  const ended = yield* all(sql`update sessions set ended_at = ${at}
    where tenant = ${tenant} and subject = ${id} and ended_at is null and id <> ${but ?? ''} returning id`)
  const of = { tenant, subject: id, at }
  for (const row of ended) {
    yield* endGrantsOfSession(text(row, 'id'), of)
    yield* queueDeliveries({ tenant, id: text(row, 'id'), at })
  }
  yield* endOpenCodes(of)
  // Only the browser of the remaining session is still known.
  yield* run(sql`update sessions set browser = id
    where tenant = ${tenant} and subject = ${id} and ended_at is not null`)
  yield* cutPairwise(of)
}
