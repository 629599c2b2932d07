/** The difference between declared and present people. Passwords are compared by their hash, and never shown. */
import { groupKey } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange, Store, UnreadableRow, UserChange, UserRow } from '@grantor/store'
import type { EventDependencies } from '../../events.ts'
import { checkPassword, hashPassword } from '../../people/password.ts'
import type { Announcement, PlanStep } from './declaration.ts'
import { changedFields } from './difference.ts'
import type { FieldProblem } from '../result.ts'
import type { TenantInput } from './input.ts'
import type { UserInput } from './user-input.ts'

export interface UserDifference {
  readonly steps: readonly PlanStep[]
  readonly problems: readonly FieldProblem[]
  readonly change: Required<Pick<DirectoryChange, 'createUsers' | 'changeUsers'>>
  readonly announcements: readonly Announcement[]
}

export async function userDifference(
  input: TenantInput,
  deps: EventDependencies & { readonly store: Pick<Store, 'users' | 'unreadable'> },
): Promise<UserDifference> {
  const steps: PlanStep[] = []
  const createUsers: Omit<UserRow, 'version'>[] = []
  const changeUsers: UserChange[] = []
  const announcements: Announcement[] = []
  const leaving = new Set<string>()
  for (const declared of input.users ?? []) {
    const held = await deps.store.users.byUsername(input.tenant, declared.username)
    const wanted = stillProven(declared, held)
    const rotates =
      wanted.password !== null && (held === null || !(await checkPassword(held.passwordHash, wanted.password)))
    const present = held ?? inOrder(deps.store.unreadable.user(input.tenant, declared.username))
    const fields =
      held === null
        ? changedFields({}, present === null ? {} : shownInput(wanted))
        : changedFields(shown(held, wanted), { ...shownInput(wanted), ...(rotates ? { password: '(new)' } : {}) })
    if (held !== null && fields.length === 0) continue
    steps.push({
      tenant: input.tenant,
      kind: 'user',
      id: wanted.username,
      act: present === null ? 'create' : 'change',
      fields,
    })
    const passwordHash = rotates && wanted.password !== null ? await hashPassword(wanted.password) : null
    if (present === null) createUsers.push(fresh(input, wanted, { passwordHash, deps }))
    else changeUsers.push(changed(present, wanted, { passwordHash, deps }))
    if (held?.deletionDueAt !== undefined) leaving.add(held.id)
    const endsAccess = present !== null && (rotates || (wanted.disabled && present.disabledAt === null))
    const subject = present?.id ?? createUsers.at(-1)?.id ?? null
    // `cutoff` tells the revocation feed that access was withdrawn.
    announcements.push({
      name: 'admin.user_changed',
      clientId: null,
      subject,
      data: {
        origin: 'declared',
        disabled: wanted.disabled,
        cutoff: endsAccess,
        ...((held?.administrator ?? null) === wanted.administrator ? {} : { administrator: wanted.administrator }),
      },
    })
  }
  const change = { createUsers, changeUsers }
  return { steps, problems: await ownerProblems(input, { ...change, leaving }, deps.store), change, announcements }
}

/** Refuses a change that leaves a tenant without an owner. A tenant that has none may stay so. */
async function ownerProblems(
  { tenant, users }: TenantInput,
  { createUsers, changeUsers, leaving }: UserDifference['change'] & { readonly leaving: ReadonlySet<string> },
  store: Pick<Store, 'users'>,
): Promise<readonly FieldProblem[]> {
  const isOwner = ({ administrator, disabledAt }: Pick<UserChange, 'administrator' | 'disabledAt'>): boolean =>
    administrator === 'owner' && disabledAt === null
  const ending = new Map(changeUsers.filter((it) => !isOwner(it)).map(({ id, username }) => [id, username]))
  // A person who is about to be deleted does not count.
  const named = [...createUsers, ...changeUsers].some((it) => isOwner(it) && !leaving.has(it.id))
  if (ending.size === 0 || named) return []
  const owners = await store.users.owners(tenant, ending.size + 1)
  if (owners.some((id) => !ending.has(id))) return []
  const names = new Set(owners.map((id) => ending.get(id)))
  return (users ?? [])
    .filter(({ username }) => names.has(username))
    .map(({ field, disabled }) => ({
      field: `${field}.${disabled ? 'disabled' : 'administrator'}`,
      problem: 'would leave the tenant without an owner; name another one',
    }))
}

/**
 * An address that a person has verified stays verified, as long as the file names that address without saying
 * otherwise.
 */
function stillProven(wanted: UserInput, held: UserRow | null): UserInput {
  const { email, email_verified: declared } = wanted.claims
  if (declared !== undefined || held?.claims['email_verified'] !== true || held.claims['email'] !== email) return wanted
  return { ...wanted, claims: { ...wanted.claims, email_verified: true } }
}

type Held = Pick<UserRow, 'tenant' | 'id' | 'version' | 'disabledAt'>

/** A person who cannot be read is replaced by the content of the file; the password stays where the file has none. */
const inOrder = (row: UnreadableRow | null): Held | null =>
  row?.version === undefined ? null : { tenant: row.tenant, id: row.id, version: row.version, disabledAt: null }

interface UserToMake {
  readonly passwordHash: string | null
  readonly deps: EventDependencies
}

function fresh(
  { tenant }: TenantInput,
  wanted: UserInput,
  { passwordHash, deps }: UserToMake,
): Omit<UserRow, 'version'> {
  const now = deps.clock.now()
  return {
    tenant,
    id: deps.ids.id(),
    username: wanted.username,
    claims: wanted.claims,
    createdAt: now,
    disabledAt: wanted.disabled ? now : null,
    passwordHash,
    passwordChangedAt: passwordHash === null ? null : now,
    administrator: wanted.administrator,
    mustChangePassword: false,
    ...(wanted.roles === null ? {} : { ownRoles: wanted.roles }),
    ...(wanted.groups === null ? {} : { groups: wanted.groups }),
    ...(wanted.attributes === null ? {} : { attributes: wanted.attributes }),
  }
}

function changed(held: Held, wanted: UserInput, { passwordHash, deps }: UserToMake): UserChange {
  const at = deps.clock.now()
  return {
    tenant: held.tenant,
    id: held.id,
    version: held.version,
    username: wanted.username,
    claims: wanted.claims,
    disabledAt: wanted.disabled ? (held.disabledAt ?? at) : null,
    administrator: wanted.administrator,
    ...(wanted.roles === null ? {} : { roles: wanted.roles }),
    ...(wanted.groups === null ? {} : { groups: wanted.groups }),
    ...(wanted.attributes === null ? {} : { attributes: wanted.attributes }),
    ...(passwordHash === null ? {} : { passwordHash, endSessionsBut: null }),
    ...(wanted.disabled ? { endSessionsBut: null } : {}),
    at,
  }
}

/** Only the fields that the file has are compared. */
const shown = (held: UserRow, { roles, groups, attributes }: UserInput): JsonObject => ({
  username: held.username,
  ...held.claims,
  ...(held.administrator === null ? {} : { administrator: held.administrator }),
  disabled: held.disabledAt !== null,
  ...(roles === null ? {} : { roles: held.ownRoles?.toSorted() ?? [] }),
  ...(groups === null ? {} : { groups: held.groups?.map(groupKey).toSorted() ?? [] }),
  ...(attributes === null ? {} : { attributes: held.attributes ?? {} }),
})

const shownInput = ({ username, claims, administrator, disabled, ...wanted }: UserInput): JsonObject => ({
  username,
  ...claims,
  ...(administrator === null ? {} : { administrator }),
  disabled,
  ...(wanted.roles === null ? {} : { roles: wanted.roles.toSorted() }),
  ...(wanted.groups === null ? {} : { groups: wanted.groups.map(groupKey).toSorted() }),
  ...(wanted.attributes === null ? {} : { attributes: wanted.attributes }),
})

/** The person as a file writes them, always without a password. */
export const declaredUser = (user: UserRow): JsonObject => ({
  username: user.username,
  ...user.claims,
  ...(user.administrator === null ? {} : { administrator: user.administrator }),
  ...(user.ownRoles === undefined ? {} : { roles: [...user.ownRoles] }),
  ...(user.groups === undefined ? {} : { groups: [...user.groups] }),
  ...(user.attributes === undefined ? {} : { attributes: user.attributes }),
  ...(user.disabledAt === null ? {} : { disabled: true }),
})
