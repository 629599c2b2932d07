/**
 * The current rights of an access token: the scopes of an administrator or of a role are lost when the person loses
 * either, even in tokens issued before.
 */
import { type AccessTokenFacts, type Catalogue, isPersonal, personalScope } from '@grantor/protocol/oauth'
import type { Store } from '@grantor/store'
import type { People } from '../ports/people.ts'

export interface RightsDependencies {
  readonly people: People
  readonly store: Pick<Store, 'grants'>
}

/**
 * Called at every use, so that a change holds on all nodes at once. Few tokens have such scopes; for the others it
 * costs nothing.
 */
export async function withRightsNow(
  token: AccessTokenFacts,
  catalogue: Catalogue,
  { people, store }: RightsDependencies,
): Promise<AccessTokenFacts> {
  // A client's own token has no grant: its rights are those that the client is registered for.
  if (token.grantId === null || !isPersonal(token.scope, catalogue)) return token
  const tenant = catalogue.tenant.id
  const grant = await store.grants.find(tenant, token.grantId)
  const person = grant === null ? null : await people.find(tenant, grant.authentication.subject)
  return { ...token, scope: personalScope(token.scope, person, catalogue) }
}
