/** Administration of initial access tokens (RFC 7591 §3). A token is shown once, in the answer to the act that made it. */
import type { Actor } from '@grantor/protocol/events'
import { secretPrefix } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { newEvent, localOrigin } from '../events.ts'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'

export function registrationTokenAdmin(hands: Hands): Admin['registrationTokens'] {
  const { registrations } = hands.store
  const changed = (by: Actor, tenant: TenantId, data: JsonObject) =>
    newEvent(hands, localOrigin(tenant), 'admin.registration_token_changed', { actor: by, data })

  return {
    async create(by, tenant, { uses, expiresIn }) {
      if (uses !== null && !(Number.isSafeInteger(uses) && uses > 0)) {
        return err({
          reason: 'invalid',
          problems: [{ field: 'uses', problem: 'must be a whole number, 1 or more' }],
        })
      }
      const token = hands.ids.secret(secretPrefix.initialAccess)
      const now = hands.clock.now()
      const expiresAt = expiresIn === null ? null : ((now + expiresIn * 1000) as Instant)
      const made = { tenant, id: hands.ids.id(), createdAt: now, expiresAt, usesLeft: uses }
      const added = await registrations.addToken({ ...made, handle: hands.ids.handleOf(token) }, [
        changed(by, tenant, { id: made.id, created: true, uses, expires_at: expiresAt }),
      ])
      return added === 'added' ? ok({ ...made, token }) : err({ reason: 'absent', what: `tenant ${tenant}` })
    },

    list: async (tenant) => ok(await registrations.tokens(tenant)),

    async revoke(by, tenant, id) {
      const revoked = await registrations.revokeToken(tenant, id, [changed(by, tenant, { id, revoked: true })])
      return revoked === 'revoked' ? ok(null) : err({ reason: 'absent', what: `registration token ${id}` })
    },
  }
}
