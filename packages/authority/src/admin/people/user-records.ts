/** People by their ids, each with a version: finding, replacing and removing them. */
import type { Actor } from '@grantor/protocol/events'
import {
  type AdministratorKind,
  administratorProblem,
  attributesProblem,
  normaliseUsername,
  type Person,
  roleListProblem,
} from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UserPage, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { shownPerson } from './create-user.ts'
import { claimProblem } from '../declared/user-input.ts'
import { mayNameAdministrators } from './naming-administrators.ts'
import type { AdminError, AdminResult, FieldProblem } from '../result.ts'

export type PersonRecord = Person & { readonly version: number }

export interface PersonSearch {
  /** The exact username, in any spelling; omitted or null for any. */
  readonly username?: string | null
  /** The beginning of a username, in any spelling; '' for all. */
  readonly prefix: string
  /** The exact address; null for any. */
  readonly email: string | null
  readonly after: string | null
  readonly limit: number
}

export interface PersonReplacement {
  readonly id: string
  readonly version: number
  readonly username: string
  readonly claims: JsonObject
  readonly disabled: boolean
  /** The kind of administrator, unvalidated; null: none. */
  readonly administrator: string | null
  /** Replaces the roles given to the person directly; omitted: they stay. */
  readonly roles?: readonly string[]
  /** Null removes all; omitted: they stay. */
  readonly attributes?: JsonObject | null
}

export interface UserRecordAdmin {
  find(tenant: TenantId, id: string): Promise<AdminResult<PersonRecord>>
  /** In the order of their names. */
  search(tenant: TenantId, search: PersonSearch): Promise<AdminResult<readonly PersonRecord[]>>
  /**
   * In the order of their ids: the members of a group, or the people who were given a role directly; optionally only
   * those with a given name or address.
   */
  holding(tenant: TenantId, page: UserPage): Promise<AdminResult<readonly PersonRecord[]>>
  replace(by: Actor, tenant: TenantId, replacement: PersonReplacement): Promise<AdminResult<PersonRecord>>
  /** Removes the person with all credentials, sessions and grants. Their consents stay on record, as withdrawn. */
  remove(by: Actor, tenant: TenantId, which: Pick<PersonRecord, 'id' | 'version'>): Promise<AdminResult<null>>
}

export interface UserRecordDependencies extends EventDependencies {
  readonly store: Pick<Store, 'directory' | 'users' | 'unreadable'>
}

export const ownersOnly: AdminError = { reason: 'forbidden', what: 'only an owner may do this to an administrator' }

export const lastOwner: AdminError = { reason: 'last-owner' }

const conflict: AdminError = { reason: 'conflict', what: 'the person was changed meanwhile; look before trying again' }

const sameRoles = (wanted: readonly string[] | undefined, held: readonly string[] = []): boolean =>
  wanted === undefined || (wanted.length === held.length && wanted.every((role) => held.includes(role)))

const recordOf = ({ version, ...user }: UserRow): PersonRecord => ({ ...shownPerson(user), version })

/** The problems of the fields of a person. */
export function personProblems({
  username,
  claims,
  administrator,
  attributes = null,
}: Pick<PersonReplacement, 'username' | 'claims' | 'administrator' | 'attributes'>): readonly FieldProblem[] {
  const problems = Object.entries(claims).flatMap(([field, value]) => {
    const problem = claimProblem(field, value)
    return problem === null ? [] : [{ field, problem }]
  })
  if (normaliseUsername(username) === null)
    problems.push({ field: 'username', problem: 'must be a name without spaces, control or look-alike characters' })
  const kindProblem = administrator === null ? null : administratorProblem(administrator)
  if (kindProblem !== null) problems.push({ field: 'administrator', problem: kindProblem })
  const unfit = attributes === null ? null : attributesProblem(attributes)
  if (unfit !== null) problems.push({ field: 'attributes', problem: unfit })
  return problems
}

/** The problems of roles to be given: they must exist. */
export async function unknownRoles(
  tenant: TenantId,
  roles: readonly string[],
  { directory }: Pick<Store, 'directory'>,
): Promise<readonly FieldProblem[]> {
  const problem = roleListProblem(roles)
  if (problem !== null) return [{ field: 'roles', problem }]
  if (roles.length === 0) return []
  const declared = new Set((await directory.catalogue(tenant))?.roles?.map(({ name }) => name))
  return roles
    .filter((role) => !declared.has(role))
    .map((role) => ({ field: 'roles', problem: `names ${role}, which is no role here` }))
}

export function openUserRecordAdmin(deps: UserRecordDependencies): UserRecordAdmin {
  const { store } = deps
  const changed = (by: Actor, tenant: TenantId, subject: string, data: JsonObject) =>
    newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject, data })

  async function held(tenant: TenantId, id: string): Promise<AdminResult<UserRow>> {
    const user = await store.users.byId(tenant, id)
    if (user !== null) return ok(user)
    const row = store.unreadable.list().find((it) => it.kind === 'user' && it.tenant === tenant && it.id === id)
    if (row === undefined) return err({ reason: 'absent', what: `user ${id}` })
    return err({ reason: 'unreadable', what: `user ${id} cannot be read: ${row.problem}` })
  }

  return {
    async find(tenant, id) {
      const user = await held(tenant, id)
      return user.kind === 'ok' ? ok(recordOf(user.value)) : user
    },

    async search(tenant, { username = null, prefix, email, after, limit }) {
      const key = prefix === '' ? '' : normaliseUsername(prefix)
      if (key === null) return ok([])
      if (username !== null) {
        const begins = normaliseUsername(username)?.startsWith(key) === true
        return ok(begins ? (await store.users.list(tenant, { username, email, after: null, limit })).map(recordOf) : [])
      }
      if (email === null) return ok((await store.users.search(tenant, { prefix: key, after, limit })).map(recordOf))
      const nameOf = (username: string): string => normaliseUsername(username) ?? ''
      const from = after === null ? '' : nameOf(after)
      const found = (await store.users.byEmail(tenant, email, mostOfOneAddress))
        .filter(({ username }) => nameOf(username).startsWith(key) && nameOf(username) > from)
        .toSorted((a, b) => (nameOf(a.username) < nameOf(b.username) ? -1 : 1))
      return ok(found.slice(0, limit).map(recordOf))
    },

    holding: async (tenant, page) => ok((await store.users.list(tenant, page)).map(recordOf)),

    async replace(by, tenant, { id, version, ...wanted }) {
      const problems = [...personProblems(wanted), ...(await unknownRoles(tenant, wanted.roles ?? [], store))]
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      const found = await held(tenant, id)
      if (found.kind === 'error') return found
      const before = found.value
      const administers = before.administrator !== null || wanted.administrator !== null
      if (administers && !(await mayNameAdministrators(by, tenant, store))) return err(ownersOnly)
      const administrator = wanted.administrator as AdministratorKind | null
      const at = deps.clock.now()
      const ends = wanted.disabled && before.disabledAt === null
      // Unchanged roles are not written again: then nothing is revoked, and nothing needs to be checked.
      const roles = sameRoles(wanted.roles, before.ownRoles) ? undefined : wanted.roles
      const data = {
        disabled: wanted.disabled,
        // Tells the revocation feed that access was withdrawn.
        cutoff: ends,
        ...(before.username === wanted.username ? {} : { renamed: true }),
        ...(administrator === before.administrator ? {} : { administrator }),
        ...(roles === undefined ? {} : { roles: roles.join(' ') }),
      }
      const outcome = await store.users.change({
        tenant,
        id,
        version,
        username: wanted.username,
        claims: wanted.claims,
        administrator,
        ...(roles === undefined ? {} : { roles }),
        ...(wanted.attributes === undefined ? {} : { attributes: wanted.attributes }),
        disabledAt: wanted.disabled ? (before.disabledAt ?? at) : null,
        ...(ends ? { endSessionsBut: null } : {}),
        at,
        events: [changed(by, tenant, id, data)],
      })
      if (outcome === 'exists') return err({ reason: 'exists', what: `user ${wanted.username}` })
      if (outcome !== 'changed') return err(outcome === 'last-owner' ? lastOwner : conflict)
      const now = await held(tenant, id)
      return now.kind === 'ok' ? ok(recordOf(now.value)) : now
    },

    async remove(by, tenant, { id, version }) {
      const found = await held(tenant, id)
      if (found.kind === 'error') return found
      if (found.value.administrator !== null && !(await mayNameAdministrators(by, tenant, store)))
        return err(ownersOnly)
      const events = [changed(by, tenant, id, { removed: true, cutoff: true })]
      const removal = { tenant, id, version, by: by.id ?? by.kind, at: deps.clock.now(), events }
      const outcome = await store.users.remove(removal)
      if (outcome === 'removed') return ok(null)
      return err(outcome === 'last-owner' ? lastOwner : conflict)
    },
  }
}

/** At most so many people who share an address are returned. */
const mostOfOneAddress = 1000
