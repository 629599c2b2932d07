/** All that can be held against a token, in one answer: itself, its grant, its client, its person, its session, a restore. */
import type { AccessTokenFacts, Catalogue, TokenStatus } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { GrantId, Instant, TenantId } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'

export async function tokenStatusOf(token: AccessTokenFacts, catalogue: Catalogue, hands: Hands): Promise<TokenStatus> {
  const tenant = catalogue.tenant.id
  const status = await hands.store.tokens.status(tenant, token)
  if (status.revokedAt !== null || status.grantRevokedAt !== null) return status
  const cut =
    (await clientCut(token, catalogue, hands)) ??
    (await personCut(token, catalogue, hands)) ??
    (await restoreCut(token, hands))
  return cut === null ? status : { ...status, revokedAt: cut }
}

/** A client that is gone or switched off takes its tokens along; one made anew under the same id does not inherit them. */
async function clientCut(token: AccessTokenFacts, catalogue: Catalogue, hands: Hands): Promise<Instant | null> {
  const { directory } = hands
  const owner: Client | null =
    directory.cachedClient(catalogue.tenant.id, token.clientId) ??
    (await directory.currentClient(catalogue.tenant.id, token.clientId))
  if (owner === null) return token.issuedAt
  if (owner.disabledAt !== null) return owner.disabledAt
  return wholeSecond(owner.createdAt) > token.issuedAt ? owner.createdAt : null
}

/** Only tokens that hang on a grant speak for a person. */
async function personCut(token: AccessTokenFacts, catalogue: Catalogue, hands: Hands): Promise<Instant | null> {
  if (token.grantId === null) return null
  const tenant = catalogue.tenant.id
  const person =
    (await hands.people.find(tenant, token.subject)) ?? (await pairwisePerson(token.grantId, tenant, hands))
  if (person === null) return token.issuedAt
  if (person.disabledAt !== null) return person.disabledAt
  const { sid } = token.claims
  const session = typeof sid === 'string' ? await hands.store.sessions.byId(tenant, sid) : null
  // What was issued after the session ended, by a refresh token that outlives it, is not of the session any more.
  return session !== null && session.endedAt !== null && session.endedAt >= token.issuedAt ? session.endedAt : null
}

/** A token of a pairwise client names nobody we know; its grant does. */
async function pairwisePerson(grantId: GrantId, tenant: TenantId, { store, people }: Hands): Promise<Person | null> {
  const grant = await store.grants.find(tenant, grantId)
  return grant === null || grant.pairwiseSubject === null ? null : people.find(tenant, grant.authentication.subject)
}

/** A restored database has forgotten what was revoked since its backup: nothing from before may live. */
async function restoreCut(token: AccessTokenFacts, hands: Hands): Promise<Instant | null> {
  const began = await hands.store.epochBeganAt()
  return began !== null && wholeSecond(began) >= token.issuedAt ? began : null
}

const wholeSecond = (at: Instant): number => Math.floor(at / 1000) * 1000
