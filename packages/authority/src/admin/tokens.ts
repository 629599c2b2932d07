/** Tokens in the hands of an operator: what one is, and its end. */
import { accessTokenClaims, decideRevocation, isTokenActive, tokenShape } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { localOrigin } from '../events.ts'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'
import { findPresentedToken } from '../tokens/presented-token.ts'
import { commitRevocation, revocationSubject } from '../tokens/revoke.ts'
import { tokenStatusOf } from '../tokens/status.ts'
import type { AdminError } from './result.ts'

const nothing = err<AdminError>({ reason: 'absent', what: 'a token of this tenant in that string' })

export function tokenAdmin(hands: Hands): Admin['tokens'] {
  async function find(tenant: TenantId, token: string) {
    const catalogue = await hands.directory.currentCatalogue(tenant)
    if (catalogue === null) return null
    return { catalogue, found: await findPresentedToken({ token, shape: tokenShape(token) }, catalogue, hands) }
  }

  return {
    async inspect(tenant, token) {
      const it = await find(tenant, token)
      if (it?.found.kind !== 'access') return nothing
      const facts = it.found.token
      const status = await tokenStatusOf(facts, it.catalogue, hands)
      // A disabled tenant takes all its tokens along; the catalogue may be remembered, but never for long.
      const active = it.catalogue.tenant.disabledAt === null && isTokenActive(facts, status, hands.clock.now())
      const state: JsonObject = { active, revoked_at: status.revokedAt ?? status.grantRevokedAt }
      return ok({ ...state, ...accessTokenClaims(facts, { issuer: hands.issuers.issuerOf(tenant), tenant }) })
    },

    async revoke(by, tenant, token) {
      const it = await find(tenant, token)
      if (it === null || it.found.kind === 'unknown' || it.found.kind === 'unsupported') return nothing
      const subject = await revocationSubject(it.found, it.catalogue, hands)
      const decision = decideRevocation({ subject, client: null, now: hands.clock.now() })
      if (decision.do === 'nothing') return ok('already-revoked')
      await commitRevocation(decision, { origin: localOrigin(tenant), actor: by, subject }, hands)
      return ok('revoked')
    },
  }
}
