/** Administration of people kept by ourselves. */
import type { Actor } from '@grantor/protocol/events'
import { normaliseUsername, type Person } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { hashPassword, maxPasswordLength } from '../people/password.ts'
import { claimProblem } from './declared/user-input.ts'
import type { AdminError, AdminResult } from './result.ts'

export interface UserAdmin {
  list(
    tenant: TenantId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<AdminResult<readonly Person[]>>
  create(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly password: string; readonly claims: JsonObject },
  ): Promise<AdminResult<Person>>
  /** A disabled person stops at once on every grant. */
  setDisabled(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly disabled: boolean },
  ): Promise<AdminResult<null>>
  /** For whoever lost them: passkeys, app, recovery codes and trusted browsers go, and the password alone signs in. */
  resetFactors(by: Actor, tenant: TenantId, username: string): Promise<AdminResult<null>>
  /** Ends every session of the person. */
  resetPassword(
    by: Actor,
    tenant: TenantId,
    input: { readonly username: string; readonly password: string },
  ): Promise<AdminResult<null>>
}

export interface UserAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'users' | 'factors'>
}

const busy = err<AdminError>({
  reason: 'conflict',
  what: 'the person was changed at the same moment; look before trying again',
})

export function openUserAdmin(deps: UserAdminDependencies): UserAdmin {
  const { store } = deps
  const changed = (by: Actor, tenant: TenantId, subject: string, data: JsonObject) =>
    newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject, data })

  async function find(tenant: TenantId, username: string): Promise<AdminResult<UserRow>> {
    const user = await store.users.byUsername(tenant, username)
    return user === null ? err({ reason: 'absent', what: `user ${username}` }) : ok(user)
  }

  return {
    list: async (tenant, page) => ok((await store.users.list(tenant, page)).map(shown)),

    async create(by, tenant, { username, password, claims }) {
      const problems = Object.entries(claims).flatMap(([field, value]) => {
        const problem = claimProblem(field, value)
        return problem === null ? [] : [{ field, problem }]
      })
      if (normaliseUsername(username) === null) {
        problems.push({ field: 'username', problem: 'must be a name without spaces, control or look-alike characters' })
      }
      if (password.length === 0 || password.length > maxPasswordLength) {
        problems.push({ field: 'password', problem: `must have 1 to ${maxPasswordLength} characters` })
      }
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      const now = deps.clock.now()
      const passwordHash = await hashPassword(password)
      const user = {
        tenant,
        id: deps.ids.id(),
        username,
        claims,
        createdAt: now,
        disabledAt: null,
        passwordHash,
        passwordChangedAt: now,
      }
      const created = await store.users.create(user, [changed(by, tenant, user.id, { created: true })])
      return created === 'exists' ? err({ reason: 'exists', what: `user ${username}` }) : ok(shown(user))
    },

    async setDisabled(by, tenant, { username, disabled }) {
      const held = await find(tenant, username)
      if (held.kind === 'error') return held
      const { id, version } = held.value
      const at = deps.clock.now()
      // `cutoff` tells the revocation feed that access was taken away.
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
      return outcome === 'changed' ? ok(null) : busy
    },

    async resetFactors(by, tenant, username) {
      const held = await find(tenant, username)
      if (held.kind === 'error') return held
      const subject = held.value.id
      const about = { actor: by, subject, data: { factor: 'all' } }
      const events = [newEvent(deps, localOrigin(tenant), 'factor.removed', about)]
      const outcome = await store.factors.remove({ tenant, subject, what: 'everything' }, events)
      return outcome === 'removed' ? ok(null) : err({ reason: 'absent', what: `a second factor of ${username}` })
    },

    async resetPassword(by, tenant, { username, password }) {
      const held = await find(tenant, username)
      if (held.kind === 'error') return held
      const { id, version } = held.value
      // Sessions end with the old password; `cutoff` tells validators, too.
      const events = [changed(by, tenant, id, { password_reset: true, cutoff: true })]
      const passwordHash = await hashPassword(password)
      const outcome = await store.users.change({
        tenant,
        id,
        version,
        passwordHash,
        endSessionsBut: null,
        at: deps.clock.now(),
        events,
      })
      return outcome === 'changed' ? ok(null) : busy
    },
  }
}

/** A person without their password hash. */
const shown = ({ tenant, id, username, claims, createdAt, disabledAt }: Omit<UserRow, 'version'>): Person => ({
  tenant,
  id,
  username,
  claims,
  createdAt,
  disabledAt,
})
