/** Creates an account. The caller has checked the actor's rights. */
import type { Actor } from '@grantor/protocol/events'
import type { AdministratorKind, Person } from '@grantor/protocol/people'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UpstreamName, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { hashPassword } from '../../people/password.ts'

export interface NewUser {
  readonly username: string
  /** Null: none, until the person chooses one by a mailed link. */
  readonly password: string | null
  readonly claims: JsonObject
  readonly administrator: AdministratorKind | null
  readonly mustChangePassword: boolean
  readonly disabled?: boolean
  /** Roles given to the person directly. */
  readonly ownRoles?: readonly string[]
  readonly attributes?: JsonObject
}

/** A person who has an account elsewhere, and keeps its `sub` and password. */
export interface ImportedUser {
  /** Null: a new id is generated. */
  readonly id: string | null
  readonly username: string
  readonly claims: JsonObject
  /** In the format of the other system (hash-schemes.ts); null: none, until the person chooses one by a mailed link. */
  readonly passwordHash: string | null
  readonly disabled: boolean
  /** Whether the other system required a new password. */
  readonly mustChangePassword?: boolean
  readonly createdAt: Instant | null
  /** Roles given to the person directly; unknown ones are ignored. */
  readonly roles?: readonly string[]
  /** Names of groups; unknown ones are ignored. */
  readonly groups?: readonly string[]
  readonly attributes?: JsonObject
  /** The secret of an authenticator app with the same parameters as ours (RFC 6238). */
  readonly totpSecret?: Uint8Array
  /** The person's identities at other providers. */
  readonly identities?: readonly UpstreamName[]
}

/** Null where the name is taken. */
export async function createUser(
  by: Actor,
  tenant: TenantId,
  { password, disabled = false, ...input }: NewUser,
  deps: EventDependencies & { readonly store: Pick<Store, 'users'> },
): Promise<Person | null> {
  const now = deps.clock.now()
  const user: Omit<UserRow, 'version'> = {
    tenant,
    id: deps.ids.id(),
    ...input,
    createdAt: now,
    disabledAt: disabled ? now : null,
    passwordHash: password === null ? null : await hashPassword(password),
    passwordChangedAt: password === null ? null : now,
  }
  const { administrator } = input
  const data = {
    created: true,
    ...(disabled ? { disabled } : {}),
    ...(administrator === null ? {} : { administrator }),
    ...(input.ownRoles === undefined ? {} : { roles: input.ownRoles.join(' ') }),
  }
  const event = newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject: user.id, data })
  return (await deps.store.users.create(user, [event])) === 'created' ? shownPerson(user) : null
}

/** A person without their password hash. */
export const shownPerson = ({
  passwordHash: _hash,
  passwordChangedAt: _at,
  ...person
}: Omit<UserRow, 'version'>): Person => person
