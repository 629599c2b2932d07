/** All that can be held against a token, in one answer: itself, its grant, its client, its person, its session, a restore. */
import { type AccessTokenFacts, type Catalogue, isTokenActive, type TokenStatus } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { GrantId, Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'

export interface TokenStatusDependencies {
  readonly directory: Directory
  readonly people: People
  readonly store: Pick<Store, 'tokens' | 'grants' | 'epochBeganAt'>
}

export async function tokenStatusOf(
  token: AccessTokenFacts,
  catalogue: Catalogue,
  deps: TokenStatusDependencies,
): Promise<TokenStatus> {
  const tenant = catalogue.tenant.id
  const status = await deps.store.tokens.status(tenant, token)
  if (status.revokedAt !== null || status.grantRevokedAt !== null) return status
  const cut =
    sessionCut(token, status) ??
    (await clientCut(token, tenant, deps)) ??
    (await personCut(token, tenant, deps)) ??
    (await restoreCut(token, deps))
  return cut === null ? status : { ...status, revokedAt: cut }
}

/** Whether the token is neither expired nor cut off by anything. */
export const isActive = async (
  token: AccessTokenFacts,
  catalogue: Catalogue,
  deps: TokenStatusDependencies & { readonly clock: Clock },
): Promise<boolean> => isTokenActive(token, await tokenStatusOf(token, catalogue, deps), deps.clock.now())

/** What is issued after the end, by a refresh token that outlives it, names no session any more: no clock is compared. */
const sessionCut = ({ claims }: AccessTokenFacts, { sessionEndedAt }: TokenStatus): Instant | null =>
  claims['sid'] === undefined ? null : sessionEndedAt

/** A client that is gone or switched off takes its tokens along; one made anew under the same id does not inherit them. */
async function clientCut(
  token: AccessTokenFacts,
  tenant: TenantId,
  { directory }: TokenStatusDependencies,
): Promise<Instant | null> {
  const owner = await directory.client(tenant, token.clientId)
  if (owner === null) return token.issuedAt
  if (owner.disabledAt !== null) return owner.disabledAt
  return wholeSecond(owner.createdAt) > token.issuedAt ? owner.createdAt : null
}

/** Only tokens that hang on a grant speak for a person. */
async function personCut(
  token: AccessTokenFacts,
  tenant: TenantId,
  deps: TokenStatusDependencies,
): Promise<Instant | null> {
  if (token.grantId === null) return null
  const person = (await deps.people.find(tenant, token.subject)) ?? (await pairwisePerson(token.grantId, tenant, deps))
  if (person === null) return token.issuedAt
  return person.disabledAt
}

/** A token of a pairwise client names nobody we know; its grant does. */
async function pairwisePerson(
  grantId: GrantId,
  tenant: TenantId,
  { store, people }: TokenStatusDependencies,
): Promise<Person | null> {
  const grant = await store.grants.find(tenant, grantId)
  return grant === null || grant.pairwiseSubject === null ? null : people.find(tenant, grant.authentication.subject)
}

/** A restored database has forgotten what was revoked since its backup: nothing from before may live. */
async function restoreCut(token: AccessTokenFacts, { store }: TokenStatusDependencies): Promise<Instant | null> {
  const began = await store.epochBeganAt()
  return began !== null && wholeSecond(began) >= token.issuedAt ? began : null
}

const wholeSecond = (at: Instant): number => Math.floor(at / 1000) * 1000
