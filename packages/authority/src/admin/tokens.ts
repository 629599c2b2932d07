/** Tokens that an operator holds: what one is, and its end. */
import { accessTokenClaims, decideRevocation, isTokenActive, tokenShape } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Actor } from '@grantor/protocol/events'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { localOrigin } from '../events.ts'
import { findPresentedToken } from '../tokens/presented-token.ts'
import { commitRevocation, type RevocationDependencies, revocationSubject } from '../tokens/revoke.ts'
import { tokenStatusOf } from '../tokens/status.ts'
import type { AdminError, AdminResult } from './result.ts'

export interface TokenAdmin {
  /** What a token is and whether it lives, for an operator who holds it; never an event. */
  inspect(tenant: TenantId, token: string): Promise<AdminResult<JsonObject>>
  revoke(by: Actor, tenant: TenantId, token: string): Promise<AdminResult<'revoked' | 'already-revoked'>>
}

const nothing = err<AdminError>({ reason: 'absent', what: 'a token of this tenant in that string' })

export function openTokenAdmin(deps: RevocationDependencies): TokenAdmin {
  async function find(tenant: TenantId, token: string) {
    const catalogue = await deps.directory.currentCatalogue(tenant)
    if (catalogue === null) return null
    return { catalogue, found: await findPresentedToken({ token, shape: tokenShape(token) }, catalogue, deps) }
  }

  return {
    async inspect(tenant, token) {
      const it = await find(tenant, token)
      if (it?.found.kind !== 'access') return nothing
      const facts = it.found.token
      const status = await tokenStatusOf(facts, it.catalogue, deps)
      // A disabled tenant takes all its tokens along; the catalogue may be remembered, but never for long.
      const active = it.catalogue.tenant.disabledAt === null && isTokenActive(facts, status, deps.clock.now())
      const state: JsonObject = { active, revoked_at: status.revokedAt ?? status.grantRevokedAt }
      return ok({ ...state, ...accessTokenClaims(facts, { issuer: deps.issuers.issuerOf(tenant), tenant }) })
    },

    async revoke(by, tenant, token) {
      const it = await find(tenant, token)
      if (it === null || it.found.kind === 'unknown' || it.found.kind === 'unsupported') return nothing
      const subject = await revocationSubject(it.found, it.catalogue, deps)
      const decision = decideRevocation({ subject, client: null, now: deps.clock.now() })
      if (decision.do === 'nothing') return ok('already-revoked')
      await commitRevocation(decision, { origin: localOrigin(tenant), actor: by, subject }, deps)
      return ok('revoked')
    },
  }
}
