/** Administration of the people whom the server itself stores. */
import type { Actor } from '@grantor/protocol/events'
import { type AdministratorKind, administratorProblem, type Person } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { localOrigin, newEvent } from '../../events.ts'
import { hashPassword, passwordProblem, passwordProblemText, type PasswordPolicy } from '../../people/password.ts'
import { createUser, shownPerson } from './create-user.ts'
import { type ImportOutcome, importUsers, type UserImport } from './import-users.ts'
import { type InvitationAdmin, type InvitationAdminDependencies, openInvitationAdmin } from './invitations.ts'
import { mailReset, type MailResetDependencies } from './mail-reset.ts'
import { mayNameAdministrators } from './naming-administrators.ts'
import type { AdminError, AdminResult } from '../result.ts'
import { openSignInMethodAdmin, type SignInMethodAdmin } from './sign-in-methods.ts'
import {
  lastOwner,
  openUserRecordAdmin,
  ownersOnly,
  personProblems,
  unknownRoles,
  type UserRecordAdmin,
} from './user-records.ts'

export interface UserAdmin extends UserRecordAdmin, SignInMethodAdmin, InvitationAdmin {
  list(
    tenant: TenantId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<AdminResult<readonly Person[]>>
  create(
    by: Actor,
    tenant: TenantId,
    input: {
      readonly username: string
      /** Null: none, until the person chooses one by a mailed link. */
      readonly password: string | null
      readonly claims: JsonObject
      /** The kind of administrator, unvalidated. */
      readonly administrator?: string | null
      /** Whether the password is temporary, to be replaced at the first sign-in. */
      readonly mustChangePassword?: boolean
      /** Whether the account is created disabled. */
      readonly disabled?: boolean
      /** Roles given to the person directly. */
      readonly roles?: readonly string[]
      readonly attributes?: JsonObject | null
    },
  ): Promise<AdminResult<Person>>
  /** Imports people in one commit; returns an outcome for each. */
  importMany(by: Actor, input: UserImport): Promise<AdminResult<readonly ImportOutcome[]>>
  /** Null removes the rights of an administrator; what was issued to them as an administrator stops working at once. */
  setAdministrator(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly administrator: string | null },
  ): Promise<AdminResult<null>>
  /** All grants of a disabled person stop working at once. */
  setDisabled(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly disabled: boolean },
  ): Promise<AdminResult<null>>
  /**
   * For a person who lost their factors: removes passkeys, app, recovery codes and trusted browsers, so that the
   * password alone signs in.
   */
  resetFactors(by: Actor, tenant: TenantId, username: string): Promise<AdminResult<null>>
  /** Ends every session of the person. */
  resetPassword(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly password: string; readonly mustChange?: boolean },
  ): Promise<AdminResult<null>>
  /** Mails a link by which the person chooses a password; nothing ends before they do. */
  mailReset(by: Actor, tenant: TenantId, username: string): Promise<AdminResult<null>>
}

export type UserAdminDependencies = MailResetDependencies &
  InvitationAdminDependencies & {
    readonly passwords: PasswordPolicy
    readonly store: Pick<Store, 'directory' | 'users' | 'identities' | 'factors' | 'unreadable' | 'mails'>
  }

const busy = err<AdminError>({
  reason: 'conflict',
  what: 'the person was changed at the same moment; look before trying again',
})

const settled = (outcome: Awaited<ReturnType<Store['users']['change']>>): AdminResult<null> => {
  if (outcome === 'changed') return ok(null)
  return outcome === 'last-owner' ? err(lastOwner) : busy
}

export function openUserAdmin(deps: UserAdminDependencies): UserAdmin {
  const { store } = deps
  const changed = (by: Actor, tenant: TenantId, subject: string, data: JsonObject) =>
    newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject, data })

  /** For acts by which a caller could become an administrator, or lock one out. */
  async function findFor(by: Actor, tenant: TenantId, username: string): Promise<AdminResult<UserRow>> {
    const held = await find(tenant, username)
    if (held.kind === 'error' || held.value.administrator === null) return held
    return (await mayNameAdministrators(by, tenant, store)) ? held : err(ownersOnly)
  }

  async function find(tenant: TenantId, username: string): Promise<AdminResult<UserRow>> {
    const user = await store.users.byUsername(tenant, username)
    return user === null ? err(missing(tenant, username) ?? { reason: 'absent', what: `user ${username}` }) : ok(user)
  }

  /** The error for a person who was just looked up in vain. */
  function missing(tenant: TenantId, username: string): AdminError | null {
    const row = store.unreadable.user(tenant, username)
    return row && { reason: 'unreadable', what: `user ${username} cannot be read: ${row.problem}` }
  }

  return {
    ...openUserRecordAdmin(deps),
    ...openSignInMethodAdmin(deps),
    ...openInvitationAdmin(deps),

    list: async (tenant, page) =>
      ok((await store.users.list(tenant, page)).map(({ version: _version, ...user }) => shownPerson(user))),

    async create(by, tenant, { username, password, claims, administrator = null, roles = [], ...more }) {
      const { mustChangePassword = false, disabled = false, attributes = null } = more
      const problems = [
        ...personProblems({ username, claims, administrator, attributes }),
        ...(await unknownRoles(tenant, roles, store)),
      ]
      const weak = password === null ? null : await passwordProblem(password, username, deps.passwords)
      if (weak !== null) problems.push({ field: 'password', problem: passwordProblemText(weak, deps.passwords) })
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      if (administrator !== null && !(await mayNameAdministrators(by, tenant, store))) return err(ownersOnly)
      const kind = administrator as AdministratorKind | null
      const held = {
        ...(roles.length === 0 ? {} : { ownRoles: roles }),
        ...(attributes === null ? {} : { attributes }),
      }
      const input = { username, password, claims, administrator: kind, mustChangePassword, disabled, ...held }
      const created = await createUser(by, tenant, input, deps)
      if (created !== null) return ok(created)
      await store.users.byUsername(tenant, username)
      return err(missing(tenant, username) ?? { reason: 'exists', what: `user ${username}` })
    },

    importMany: (by, input) => importUsers(by, input, deps),

    async setAdministrator(by, tenant, { username, administrator }) {
      const problem = administrator === null ? null : administratorProblem(administrator)
      if (problem !== null) return err({ reason: 'invalid', problems: [{ field: 'administrator', problem }] })
      if (!(await mayNameAdministrators(by, tenant, store))) return err(ownersOnly)
      const held = await find(tenant, username)
      if (held.kind === 'error') return held
      const { id, version } = held.value
      const events = [changed(by, tenant, id, { administrator })]
      const kind = administrator as AdministratorKind | null
      const change = { tenant, id, version, administrator: kind, at: deps.clock.now(), events }
      return settled(await store.users.change(change))
    },

    async setDisabled(by, tenant, { username, disabled }) {
      const held = await findFor(by, tenant, username)
      if (held.kind === 'error') return held
      const { id, version } = held.value
      const at = deps.clock.now()
      // `cutoff` tells the revocation feed that access was withdrawn.
      const events = [changed(by, tenant, id, { disabled, cutoff: disabled })]
      const sessions = disabled ? { endSessionsBut: null } : {}
      const outcome = await store.users.change({
        tenant,
        id,
        version,
        disabledAt: disabled ? at : null,
        ...sessions,
        at,
        events,
      })
      return settled(outcome)
    },

    async mailReset(by, tenant, username) {
      const held = await findFor(by, tenant, username)
      return held.kind === 'ok' ? mailReset(by, held.value, deps) : held
    },

    async resetFactors(by, tenant, username) {
      const held = await findFor(by, tenant, username)
      if (held.kind === 'error') return held
      const subject = held.value.id
      const about = { actor: by, subject, data: { factor: 'all' } }
      const events = [newEvent(deps, localOrigin(tenant), 'factor.removed', about)]
      const outcome = await store.factors.remove({ tenant, subject, what: 'everything' }, events)
      return outcome === 'removed' ? ok(null) : err({ reason: 'absent', what: `a second factor of ${username}` })
    },

    async resetPassword(by, tenant, { username, password, mustChange = false }) {
      const held = await findFor(by, tenant, username)
      if (held.kind === 'error') return held
      const { id, version } = held.value
      const weak = await passwordProblem(password, held.value.username, deps.passwords)
      if (weak !== null)
        return err({
          reason: 'invalid',
          problems: [{ field: 'password', problem: passwordProblemText(weak, deps.passwords) }],
        })
      // Before the event, which is dated when it is made: hashing may wait, and tokens could be issued meanwhile.
      const passwordHash = await hashPassword(password)
      // Sessions end with the old password; `cutoff` tells validators, too.
      const events = [changed(by, tenant, id, { password_reset: true, cutoff: true })]
      const outcome = await store.users.change({
        tenant,
        id,
        version,
        passwordHash,
        ...(mustChange ? { mustChangePassword: true as const } : {}),
        endSessionsBut: null,
        at: deps.clock.now(),
        events,
      })
      return outcome === 'changed' ? ok(null) : busy
    },
  }
}
