/**
 * The status of an access token, defined once: introspection, /userinfo and token exchange use it, and validators reach
 * the same answer by the revocation feed, because both follow the same events.
 *
 * A token is dead when it has expired; when it or its grant was revoked; or when an event ended all tokens of its
 * client, person, session, tenant or the whole deployment up to the second it was issued in. A dead token stays dead:
 * enabling the client or person again revives no token. A token whose client or person no longer exists is dead, too.
 */
import { type AccessTokenFacts, type Catalogue, isTokenActive, type TokenStatus } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'

export interface TokenStatusDependencies {
  readonly directory: Directory
  readonly people: People
  readonly store: Pick<Store, 'tokens' | 'grants'>
}

export async function tokenStatusOf(
  token: AccessTokenFacts,
  catalogue: Catalogue,
  deps: TokenStatusDependencies,
): Promise<TokenStatus> {
  const tenant = catalogue.tenant.id
  const { sid } = token.claims
  const revocable = { ...token, sessionId: typeof sid === 'string' ? sid : null }
  const status = await deps.store.tokens.status(tenant, revocable)
  if (status.revokedAt !== null || status.grantRevokedAt !== null) return status
  const revokedAt =
    sessionEndedAt(token, status) ??
    (await clientLostAt(token, tenant, deps)) ??
    (await personLostAt(token, tenant, deps))
  return revokedAt === null ? status : { ...status, revokedAt }
}

/** Whether the token is neither expired nor revoked in any way. */
export const isActive = async (
  token: AccessTokenFacts,
  catalogue: Catalogue,
  deps: TokenStatusDependencies & { readonly clock: Clock },
): Promise<boolean> => isTokenActive(token, await tokenStatusOf(token, catalogue, deps), deps.clock.now())

/**
 * A token that names a session ends with it. A token refreshed after the session's end names none (entitlement.ts), so
 * no times need to be compared here.
 */
const sessionEndedAt = ({ claims }: AccessTokenFacts, status: TokenStatus): Instant | null =>
  claims['sid'] === undefined ? null : status.sessionEndedAt

/**
 * A token without a grant speaks for a client: the one it was issued to or, if the token was exchanged, its subject.
 */
async function clientLostAt(
  { clientId, grantId, subject, issuedAt }: AccessTokenFacts,
  tenant: TenantId,
  { directory }: TokenStatusDependencies,
): Promise<Instant | null> {
  for (const id of new Set(grantId === null ? [clientId, subject] : [clientId])) {
    const client = await directory.client(tenant, id)
    const lost = client === null ? issuedAt : client.disabledAt
    if (lost !== null) return lost
  }
  return null
}

/** Only tokens that hang on a grant speak for a person. */
async function personLostAt(
  token: AccessTokenFacts,
  tenant: TenantId,
  deps: TokenStatusDependencies,
): Promise<Instant | null> {
  if (token.grantId === null) return null
  const person = (await deps.people.find(tenant, token.subject)) ?? (await pairwisePerson(token, tenant, deps))
  return person === null ? token.issuedAt : person.disabledAt
}

/** The `sub` of a pairwise client's token is no id of a person; the grant of the token has the id. */
async function pairwisePerson(
  { grantId }: AccessTokenFacts,
  tenant: TenantId,
  { store, people }: TokenStatusDependencies,
): Promise<Person | null> {
  const grant = grantId === null ? null : await store.grants.find(tenant, grantId)
  return grant === null || grant.pairwiseSubject === null ? null : people.find(tenant, grant.authentication.subject)
}
