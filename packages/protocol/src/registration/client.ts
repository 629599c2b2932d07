/** Questions about a registered client that several rules ask. */
import { noScope, parseScope } from '../oauth/scope.ts'
import type { Client, Scope } from '../words.ts'

/** RFC 6749 §2.1: a client that authenticates by nothing cannot keep a secret. */
export const isPublic = (client: Client): boolean => client.metadata.token_endpoint_auth_method === 'none'

/** Whether it has anything to do with the end of a session: it wants to be told, or people come back to it from there. */
export const hearsOfLogout = ({ metadata }: Client): boolean =>
  metadata.backchannel_logout_uri !== undefined ||
  metadata.frontchannel_logout_uri !== undefined ||
  (metadata.post_logout_redirect_uris ?? []).length > 0

export const mayUseGrant = (client: Client, grantType: string): boolean =>
  client.metadata.grant_types.includes(grantType)

// Clients are immutable and cached by the authority: each registered scope is parsed once.
const scopes = new WeakMap<Client, Scope>()

export function registeredScope(client: Client): Scope {
  const known = scopes.get(client)
  if (known !== undefined) return known
  const scope = parseScope(client.metadata.scope) ?? noScope
  scopes.set(client, scope)
  return scope
}
