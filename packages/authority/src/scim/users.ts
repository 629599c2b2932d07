/** People, provisioned by SCIM: created, read, changed and deleted, each in one commit with its event. */
import { isDeepStrictEqual } from 'node:util'
import { err, ok } from '@grantor/protocol/result'
import { applyChanges, readPatch, readResource, type ScimUser, userSchema } from '@grantor/protocol/scim'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { mayNameAdministrators } from '../admin/people/naming-administrators.ts'
import { type EventDependencies, newEvent } from '../events.ts'
import { checkPassword, hashPassword, type PasswordPolicy } from '../people/password.ts'
import type { ScimCall, ScimCollection, ScimTarget } from './collection.ts'
import { findPeople } from './find-people.ts'
import { absent, changedMeanwhile, forbidden, type ScimResource, type ScimResult, taken } from './result.ts'
import { scimUsers } from './user-groups.ts'
import { readPerson, scimUser, writableUser } from './user-resource.ts'

export interface ScimUserDependencies extends EventDependencies {
  readonly passwords: PasswordPolicy
  readonly store: Pick<Store, 'groups' | 'users'>
}

/** How often a change without a named version is tried again after losing to another change. */
const attempts = 5

const administratorsElsewhere = forbidden('An administrator is not changed here, only taken away.')
const ownersOnly = forbidden('Only an owner takes an administrator away.')
const lastOwner = forbidden('This is the last owner. Name another before this one is taken away.')

export function openScimUsers(deps: ScimUserDependencies): ScimCollection {
  const { users, groups } = deps.store

  /** The resource as the caller sees it. */
  async function shown({ origin: { tenant }, wants }: ScimCall, row: UserRow): Promise<ScimResult<ScimResource>> {
    const read = await scimUsers([row], { tenant, wanted: wants('groups') }, groups)
    const [user] = read.kind === 'ok' ? read.value : []
    return user === undefined ? (read as Extract<typeof read, { kind: 'error' }>) : ok(user)
  }

  async function groupsTag(row: UserRow): Promise<string | null> {
    const read = await scimUsers([row], { tenant: row.tenant, wanted: true }, groups)
    return read.kind === 'ok' ? (read.value[0]?.elsewhere ?? null) : null
  }

  const event = ({ by, origin }: ScimCall, subject: string, data: JsonObject) =>
    newEvent(deps, origin, 'admin.user_changed', { actor: by, subject, data: { ...data, provisioned: true } })

  /** Reads, decides and commits; again if another change came in between and the request named no version. */
  async function changing<T>(
    tenant: TenantId,
    { id, isMeant }: ScimTarget,
    change: (held: UserRow) => Promise<ScimResult<T>>,
  ): Promise<ScimResult<T>> {
    for (let triesLeft = isMeant === null ? attempts : 1; ; triesLeft--) {
      const held = await users.byId(tenant, id)
      if (held === null) return absent(id)
      if (isMeant !== null && !(await isMeant(held.version, () => groupsTag(held)))) return changedMeanwhile
      const outcome = await change(held)
      if (outcome.kind === 'ok' || outcome.error !== changedMeanwhile.error || triesLeft <= 1) return outcome
    }
  }

  /**
   * A client may remove anybody, including administrators; a person may do to administrators only what the admin API
   * lets them.
   */
  const mayTakeAway = async ({ by }: ScimCall, { tenant, administrator }: UserRow): Promise<boolean> =>
    administrator === null || by.kind !== 'user' || mayNameAdministrators(by, tenant, deps.store)

  async function commit(call: ScimCall, held: UserRow, wanted: ScimUser): Promise<ScimResult<ScimResource>> {
    const { tenant, id, version, administrator } = held
    // Before anything is compared: an answer that differs for the right password would confirm a guess.
    if (administrator !== null && wanted.password !== undefined) return administratorsElsewhere
    const newPassword = await passwordOf(held, wanted)
    const at = deps.clock.now()
    const ends = wanted.disabled && held.disabledAt === null
    const isOther = newPassword !== undefined || differs(held, wanted)
    if (!ends && !isOther) return shown(call, held)
    if (administrator !== null && isOther) return administratorsElsewhere
    if (ends && !(await mayTakeAway(call, held))) return ownersOnly
    const outcome = await users.change({
      tenant,
      id,
      version,
      username: wanted.username,
      claims: wanted.claims,
      provisioned: wanted.provisioned,
      disabledAt: wanted.disabled ? (held.disabledAt ?? at) : null,
      ...(newPassword === undefined ? {} : { passwordHash: newPassword }),
      ...(ends || newPassword !== undefined ? { endSessionsBut: null } : {}),
      at,
      events: [
        event(call, id, {
          disabled: wanted.disabled,
          // Tells the revocation feed that access was withdrawn.
          cutoff: ends || newPassword !== undefined,
          ...(newPassword === undefined ? {} : { password_reset: true }),
          ...(held.username === wanted.username ? {} : { renamed: true }),
        }),
      ],
    })
    if (outcome === 'exists') return taken(`userName ${wanted.username}`)
    if (outcome === 'last-owner') return lastOwner
    if (outcome === 'absent') return absent(id)
    if (outcome !== 'changed') return changedMeanwhile
    const now = await users.byId(tenant, id)
    return now === null ? absent(id) : shown(call, now)
  }

  return {
    async find(call, id) {
      const held = await users.byId(call.origin.tenant, id)
      return held === null ? absent(id) : shown(call, held)
    },

    search: (call, query) => findPeople(call, query, deps.store),

    async create(call, body) {
      const { tenant } = call.origin
      const resource = readResource(body, userSchema)
      if (resource.kind === 'error') return resource
      const read = await readPerson(resource.value, null, deps.passwords)
      if (read.kind === 'error') return read
      const { username, claims, provisioned, disabled, password } = read.value
      const now = deps.clock.now()
      const user: Omit<UserRow, 'version'> = {
        tenant,
        id: deps.ids.id(),
        username,
        claims,
        provisioned,
        createdAt: now,
        disabledAt: disabled ? now : null,
        passwordHash: password === undefined ? null : await hashPassword(password),
        passwordChangedAt: password === undefined ? null : now,
        administrator: null,
        mustChangePassword: false,
      }
      const data = { created: true, ...(disabled ? { disabled } : {}) }
      const made = await users.create(user, [event(call, user.id, data)])
      return made === 'created' ? ok(scimUser({ ...user, version: 1 })) : taken(`userName ${username}`)
    },

    async replace(call, target, body) {
      const resource = readResource(body, userSchema)
      if (resource.kind === 'error') return resource
      return changing(call.origin.tenant, target, async (held) => {
        const read = await readPerson(asActiveAs(held, resource.value), held, deps.passwords)
        return read.kind === 'ok' ? commit(call, held, read.value) : read
      })
    },

    async patch(call, target, body) {
      const changes = readPatch(body, userSchema)
      if (changes.kind === 'error') return changes
      return changing(call.origin.tenant, target, async (held) => {
        const changed = applyChanges(writableUser(held), changes.value, userSchema)
        if (changed.kind === 'error') return err(changed.error)
        const read = await readPerson(asActiveAs(held, changed.value), held, deps.passwords)
        return read.kind === 'ok' ? commit(call, held, read.value) : read
      })
    },

    async remove(call, target) {
      const { tenant } = call.origin
      return changing<null>(tenant, target, async (held) => {
        if (!(await mayTakeAway(call, held))) return ownersOnly
        const { id, version } = held
        const events = [event(call, id, { removed: true, cutoff: true })]
        const { by } = call
        const outcome = await users.remove({ tenant, id, version, by: by.id ?? by.kind, at: deps.clock.now(), events })
        if (outcome === 'removed') return ok(null)
        if (outcome === 'last-owner') return lastOwner
        return outcome === 'absent' ? absent(id) : changedMeanwhile
      })
    },
  }
}

/**
 * RFC 7644 §3.5.1 leaves omitted attributes to the server: a disabled person stays disabled unless the request says
 * otherwise.
 */
const asActiveAs = ({ disabledAt }: UserRow, resource: JsonObject): JsonObject => ({
  ...resource,
  active: resource['active'] ?? disabledAt === null,
})

/** Whether the request changes anything besides disabling the person. */
function differs(held: UserRow, { username, claims, provisioned, disabled }: ScimUser): boolean {
  const enabled = held.disabledAt !== null && !disabled
  return enabled || !isDeepStrictEqual(scimUser(held), scimUser({ ...held, username, claims, provisioned }))
}

/** Undefined if the password is unchanged, so that sending it with every change does not end sessions. */
async function passwordOf({ passwordHash }: UserRow, { password }: ScimUser): Promise<string | undefined> {
  if (password === undefined) return undefined
  if (passwordHash !== null && (await checkPassword(passwordHash, password))) return undefined
  return hashPassword(password)
}
