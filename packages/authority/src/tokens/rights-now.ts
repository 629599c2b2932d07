/** What an access token is still worth: the rights of an administrator end with being one, also in tokens from before. */
import { type AccessTokenFacts, hasIssuerScope, personalScope } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { People } from '../ports/people.ts'

export interface RightsDependencies {
  readonly people: People
  readonly store: Pick<Store, 'grants'>
}

/** Asked at every use, so that it holds on all nodes with the change itself. Few tokens have such scopes; others cost nothing. */
export async function withRightsNow(
  token: AccessTokenFacts,
  tenant: TenantId,
  { people, store }: RightsDependencies,
): Promise<AccessTokenFacts> {
  // A client's own token hangs on no grant: its rights are those it is registered for.
  if (token.grantId === null || !hasIssuerScope(token.scope)) return token
  const grant = await store.grants.find(tenant, token.grantId)
  const person = grant === null ? null : await people.find(tenant, grant.authentication.subject)
  return { ...token, scope: personalScope(token.scope, person?.administrator ?? null) }
}
