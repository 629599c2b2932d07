/** Administration of people kept by ourselves. */
import type { Actor } from '@grantor/protocol/events'
import { normaliseUsername, type Person } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { UserRow } from '@grantor/store'
import { newEvent, localOrigin } from '../events.ts'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'
import { hashPassword, maxPasswordLength } from '../people/password.ts'
import { claimProblem } from './declared/user-input.ts'
import type { AdminError, AdminResult } from './result.ts'

const busy = err<AdminError>({
  reason: 'conflict',
  what: 'the person was changed at the same moment; look before trying again',
})

export function userAdmin(hands: Hands): Admin['users'] {
  const { store } = hands
  const changed = (by: Actor, tenant: TenantId, subject: string, data: JsonObject) =>
    newEvent(hands, localOrigin(tenant), 'admin.user_changed', { actor: by, subject, data })

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
      const now = hands.clock.now()
      const passwordHash = await hashPassword(password)
      const user = {
        tenant,
        id: hands.ids.id(),
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
      const at = hands.clock.now()
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
      const events = [newEvent(hands, localOrigin(tenant), 'factor.removed', about)]
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
        at: hands.clock.now(),
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
