/** Makes an account: whoever may have one made was asked before. */
import type { Actor } from '@grantor/protocol/events'
import type { AdministratorKind, Person } from '@grantor/protocol/people'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UpstreamName, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { hashPassword } from '../../people/password.ts'

export interface NewUser {
  readonly username: string
  /** Null: none, until they choose one by a mailed link. */
  readonly password: string | null
  readonly claims: JsonObject
  readonly administrator: AdministratorKind | null
  readonly mustChangePassword: boolean
  readonly disabled?: boolean
  /** Given to them themselves. */
  readonly ownRoles?: readonly string[]
  readonly attributes?: JsonObject
}

/** Somebody who has an account elsewhere, and keeps it: the same `sub`, the same password. */
export interface ImportedUser {
  /** Null: a new one is made. */
  readonly id: string | null
  readonly username: string
  readonly claims: JsonObject
  /** As it was kept there (hash-schemes.ts); null: none, until they choose one by a mailed link. */
  readonly passwordHash: string | null
  readonly disabled: boolean
  /** They were to choose another password there. */
  readonly mustChangePassword?: boolean
  readonly createdAt: Instant | null
  /** Given to them themselves; one that is not here is given to nobody. */
  readonly roles?: readonly string[]
  /** By their names; one that is not here has no members. */
  readonly groups?: readonly string[]
  readonly attributes?: JsonObject
  /** Of an authenticator app that makes codes as ours do (RFC 6238). */
  readonly totpSecret?: Uint8Array
  /** Who they are at other providers. */
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
