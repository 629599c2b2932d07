/** Tokens that an operator holds: inspecting and revoking one. */
import { accessTokenClaims, decideRevocation, findResource, isTokenActive, tokenShape } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Actor, EventName, SealedEvent } from '@grantor/protocol/events'
import type { Instant, JsonObject, TenantId, TokenId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { localOrigin, newEvent } from '../events.ts'
import { findPresentedToken } from '../tokens/presented-token.ts'
import { commitRevocation, type RevocationDependencies, revocationSubject } from '../tokens/revoke.ts'
import { tokenStatusOf } from '../tokens/status.ts'
import { findAtTime } from './event-search.ts'
import type { AdminError, AdminResult } from './result.ts'

export interface TokenAdmin {
  /** What a token is and whether it is active, for an operator who holds it; never recorded as an event. */
  inspect(tenant: TenantId, token: string): Promise<AdminResult<JsonObject>>
  revoke(by: Actor, tenant: TenantId, token: string): Promise<AdminResult<'revoked' | 'already-revoked'>>
  /**
   * For an operator who has only the `jti`, from an event or a report: the token's event is found by the time in the
   * id.
   */
  revokeById(by: Actor, tenant: TenantId, jti: string): Promise<AdminResult<'revoked' | 'already-revoked'>>
}

export type TokenAdminDependencies = RevocationDependencies & { readonly store: Pick<Store, 'events'> }

const nothing = err<AdminError>({ reason: 'absent', what: 'a token of this tenant in that string' })

export function openTokenAdmin(deps: TokenAdminDependencies): TokenAdmin {
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
      // All tokens of a disabled tenant are inactive; the catalogue may be cached, but never for long.
      const active = it.catalogue.tenant.disabledAt === null && isTokenActive(facts, status, deps.clock.now())
      const state: JsonObject = { active, revoked_at: status.revokedAt ?? status.grantRevokedAt }
      return ok({ ...state, ...accessTokenClaims(facts, { issuer: deps.issuers.issuerOf(tenant), tenant }) })
    },

    async revoke(by, tenant, token) {
      const it = await find(tenant, token)
      if (it === null || it.found.kind === 'unknown' || it.found.kind === 'unsupported') return nothing
      const subject = await revocationSubject(it.found, it.catalogue, deps)
      const decision = decideRevocation({ subject, client: null, now: deps.clock.now() })
      await commitRevocation(decision, { origin: localOrigin(tenant), actor: by, subject }, deps)
      return ok(decision.do === 'nothing' ? 'already-revoked' : 'revoked')
    },

    async revokeById(by, tenant, jti) {
      const matches = (event: SealedEvent) => event.jti === jti && issues.has(event.name)
      const issued = await findAtTime(deps.store.events, tenant, { id: jti, matches })
      const { exp: until, aud, listed } = issued?.data ?? {}
      if (issued === null || typeof until !== 'number' || typeof aud !== 'string')
        return err({ reason: 'absent', what: `token ${jti}` })
      const catalogue = await deps.directory.currentCatalogue(tenant)
      const resource = catalogue && findResource(catalogue, aud)
      // The index in the status list is known only to the token itself, so verifiers that read the list, which outlives
      // the setting, would not learn of this revocation.
      if (listed === true || resource?.statusList === true)
        return err({ reason: 'conflict', what: 'its status list cannot be told' })
      const [at, expiresAt] = [deps.clock.now(), (until * 1000) as Instant]
      if (expiresAt <= at) return ok('already-revoked')
      const { clientId, subject, grantId } = issued
      const about = { actor: by, clientId, subject, grantId, jti: jti as TokenId, data: { until: expiresAt } }
      const events = [newEvent(deps, localOrigin(tenant), 'token.revoked', about)]
      return ok(await deps.store.tokens.revoke({ tenant, jti: jti as TokenId, expiresAt, at, events }))
    },
  }
}

const issues: ReadonlySet<EventName> = new Set<EventName>(['token.issued', 'token.refreshed'])
