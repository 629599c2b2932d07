/**
 * People lose the rights of a role at once when they lose it. The next token no longer has the scopes that need the
 * role; earlier tokens are revoked by the feed and for introspection; and a decision that used the role but is not
 * committed yet is made again, because the same commit revises the tenant (see Basis).
 */
import { randomUUIDv7 } from 'node:crypto'
import { scopesByRole } from '@grantor/protocol/oauth'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import { revise, tickOf } from '../directory/clock.ts'
import { roleOf } from '../directory/directory-rows.ts'
import { entryOf } from '../entry.ts'
import { maybeText, text } from '../row.ts'
import { cutPairwise, systemEvent } from '../tokens/ended-grants.ts'
import { all, first, log, sql, type Statement, type Verb } from '../verb.ts'
import { rolesOf } from './held-roles.ts'

interface Taking {
  readonly tenant: TenantId
  readonly at: Instant
}

/** The people who may lose roles and have an active grant. Others have no token to lose. */
export const affected = {
  person: (tenant: TenantId, subject: string, at: Instant): Statement => sql`select subject from grants
    where tenant = ${tenant} and subject = ${subject} and revoked_at is null and expires_at > ${at} limit 1`,
  members: (tenant: TenantId, group: string, at: Instant): Statement => sql`select distinct g.subject
    from group_members m join grants g on g.tenant = m.tenant and g.subject = m.subject
    where m.tenant = ${tenant} and m.group_id = ${group} and g.revoked_at is null and g.expires_at > ${at}`,
  holders: (tenant: TenantId, role: string, at: Instant): Statement => sql`select h.subject
    from (select subject from user_roles where tenant = ${tenant} and role = ${role}
      union select m.subject from group_roles gr
        join group_members m on m.tenant = gr.tenant and m.group_id = gr.group_id
        where gr.tenant = ${tenant} and gr.role = ${role}) h
    where exists (select 1 from grants g where g.tenant = ${tenant} and g.subject = h.subject
      and g.revoked_at is null and g.expires_at > ${at})`,
}

/** Runs a change by which those people may lose roles, and ends what they lost. */
export function* takingAway<T>(of: Taking, whose: readonly Statement[], change: Verb<T>): Verb<T> {
  const guards = yield* rolesAsked(of.tenant)
  if (!guards) return yield* change
  // First, because every change of the directory locks the clock before anything else.
  yield* revise(of.tenant, yield* tickOf(of.tenant))
  return yield* endingWhatIsLost(of, whose, change)
}

/** The same for a change that revises the tenant anyway. */
export function* endingWhatIsLost<T>(of: Taking, whose: readonly Statement[], change: Verb<T>): Verb<T> {
  const subjects = new Set<string>()
  for (const statement of whose) for (const row of yield* all(statement)) subjects.add(text(row, 'subject'))
  const allowed = yield* scopesOfRoles(of.tenant)
  const before = new Map<string, ReadonlySet<string>>()
  for (const subject of subjects) before.set(subject, allowed(yield* rolesOf(of.tenant, subject)))
  const done = yield* change
  if (subjects.size === 0) return done
  const still = yield* scopesOfRoles(of.tenant)
  for (const [subject, held] of before) {
    const left = still(yield* rolesOf(of.tenant, subject))
    const lost = [...held].filter((name) => !left.has(name))
    if (lost.length > 0) yield* cutTokens(of, subject, lost)
  }
  return done
}

function* rolesAsked(tenant: TenantId): Verb<boolean> {
  const row = yield* first(sql`select 1 as asked from resources
    where tenant = ${tenant} and require_roles = 1 limit 1`)
  return row !== null
}

/** Of the scopes that require a role, those that the given roles allow. */
function* scopesOfRoles(tenant: TenantId): Verb<(roles: ReadonlySet<string>) => ReadonlySet<string>> {
  const resources = yield* all(sql`select identifier from resources where tenant = ${tenant} and require_roles = 1`)
  const scopes = yield* all(sql`select name, resource from scopes where tenant = ${tenant} and resource is not null`)
  const roles = yield* all(sql`select * from roles where tenant = ${tenant}`)
  const byRole = scopesByRole({
    resources: resources.map((row) => ({ identifier: text(row, 'identifier'), requireRoles: true })),
    scopes: scopes.map((row) => ({ name: text(row, 'name'), resource: maybeText(row, 'resource') })),
    roles: roles.map(roleOf),
  })
  return (held) => new Set([...byRole].filter(([, by]) => !by.isDisjointFrom(held)).map(([name]) => name))
}

/**
 * Ends all access tokens of the person, of every client: a token obtained by exchange has scopes that its grant does
 * not name. Refresh tokens stay valid, with the remaining scopes.
 */
function* cutTokens({ tenant, at }: Taking, subject: string, lost: readonly string[]): Verb<void> {
  const event = { ...systemEvent({ tenant, subject, at }, 'admin.user_changed'), clientId: null, grantId: null }
  const data = { cutoff: true, lost_scope: lost.slice(0, 50).join(' ') }
  yield* log([entryOf({ ...event, id: randomUUIDv7() as string as EventId, reason: 'role_lost', data })])
  yield* cutPairwise({ tenant, subject, at })
}
