/**
 * What an access token is still worth: the rights of an administrator end with being one, and those of a role with the
 * role, also in tokens from before.
 */
import { type AccessTokenFacts, type Catalogue, isPersonal, personalScope } from '@grantor/protocol/oauth'
import type { Store } from '@grantor/store'
import type { People } from '../ports/people.ts'

export interface RightsDependencies {
  readonly people: People
  readonly store: Pick<Store, 'grants'>
}

/** Asked at every use, so that it holds on all nodes with the change itself. Few tokens have such scopes; others cost nothing. */
export async function withRightsNow(
  token: AccessTokenFacts,
  catalogue: Catalogue,
  { people, store }: RightsDependencies,
): Promise<AccessTokenFacts> {
  // A client's own token hangs on no grant: its rights are those it is registered for.
  if (token.grantId === null || !isPersonal(token.scope, catalogue)) return token
  const tenant = catalogue.tenant.id
  const grant = await store.grants.find(tenant, token.grantId)
  const person = grant === null ? null : await people.find(tenant, grant.authentication.subject)
  return { ...token, scope: personalScope(token.scope, person, catalogue) }
}
