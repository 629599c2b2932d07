/**
 * Administration of initial access tokens (RFC 7591 §3). A token is shown once, in the answer to the act that created
 * it.
 */
import type { Actor } from '@grantor/protocol/events'
import { secretPrefix } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import type { RegistrationToken, Store, TokenPage } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { Ids } from '../ports/environment.ts'
import type { AdminResult } from './result.ts'

export interface RegistrationTokenAdmin {
  /** `uses: null` is unlimited, `expiresIn: null` never expires; the token itself is returned only here. */
  create(
    by: Actor,
    tenant: TenantId,
    input: { readonly uses: number | null; readonly expiresIn: number | null },
  ): Promise<AdminResult<RegistrationToken & { readonly token: Secret }>>
  list(tenant: TenantId, page: TokenPage): Promise<AdminResult<readonly RegistrationToken[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<RegistrationToken>>
  revoke(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface RegistrationTokenAdminDependencies extends EventDependencies {
  readonly ids: Ids
  readonly store: Pick<Store, 'registrations'>
}

/** Ten years, as for an API key: in seconds. */
const longestLife = 10 * 366 * 86_400

export function openRegistrationTokenAdmin(deps: RegistrationTokenAdminDependencies): RegistrationTokenAdmin {
  const { registrations } = deps.store
  const changed = (by: Actor, tenant: TenantId, data: JsonObject) =>
    newEvent(deps, localOrigin(tenant), 'admin.registration_token_changed', { actor: by, data })

  return {
    async create(by, tenant, { uses, expiresIn }) {
      if (uses !== null && !(Number.isSafeInteger(uses) && uses > 0)) {
        return err({
          reason: 'invalid',
          problems: [{ field: 'uses', problem: 'must be a whole number, 1 or more' }],
        })
      }
      if (expiresIn !== null && !(Number.isSafeInteger(expiresIn) && expiresIn > 0 && expiresIn <= longestLife)) {
        return err({
          reason: 'invalid',
          problems: [{ field: 'expires_at', problem: 'must lie ahead, and within ten years' }],
        })
      }
      const token = deps.ids.secret(secretPrefix.initialAccess)
      const now = deps.clock.now()
      const expiresAt = expiresIn === null ? null : ((now + expiresIn * 1000) as Instant)
      const made = { tenant, id: deps.ids.id(), createdAt: now, expiresAt, usesLeft: uses }
      const added = await registrations.addToken({ ...made, handle: deps.ids.handleOf(token) }, [
        changed(by, tenant, { id: made.id, created: true, uses, expires_at: expiresAt }),
      ])
      return added === 'added' ? ok({ ...made, token }) : err({ reason: 'absent', what: `tenant ${tenant}` })
    },

    list: async (tenant, page) => ok(await registrations.tokens(tenant, page)),

    async find(tenant, id) {
      const token = await registrations.tokenById(tenant, id)
      return token === null ? err({ reason: 'absent', what: `registration token ${id}` }) : ok(token)
    },

    async revoke(by, tenant, id) {
      const revoked = await registrations.revokeToken(tenant, id, [changed(by, tenant, { id, revoked: true })])
      return revoked === 'revoked' ? ok(null) : err({ reason: 'absent', what: `registration token ${id}` })
    },
  }
}
