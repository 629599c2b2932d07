/** How long a grant and its refresh tokens live, and which session's end takes them along (docs/conventions.md, docs/logout.md). */
import type { Policy } from '../oauth/policy.ts'
import type { Scope } from '../oauth/scope.ts'
import { type Client, isNativeApp, mayUseGrant } from '../registration/client.ts'
import type { Instant } from '../types.ts'
import type { Grant } from './grant.ts'

/** The client has the refresh grant and, for an OIDC request, offline_access was granted. */
export const mayRefresh = (client: Client, scope: Scope): boolean =>
  mayUseGrant(client, 'refresh_token') && (!scope.has('openid') || scope.has('offline_access'))

/**
 * The session whose sign-out ends a grant opened at a redirect URI: what a web client may do while nobody is there is
 * offline_access. An app of the person's own device outlives the browser it was allowed in (docs/logout.md).
 */
export const sessionThatEnds = (it: {
  client: Client
  redirectUri: string
  scope: Scope
  session: string
}): string | null => (it.scope.has('offline_access') || isNativeApp(it.client, it.redirectUri) ? null : it.session)

/** The end of a new grant: of its longest refresh chain, or of the last token its code can still bring. */
export const grantEnd = (it: {
  client: Client
  scope: Scope
  policy: Policy
  now: Instant
  accessTtl: number
}): Instant => {
  const { policy, scope } = it
  const tokenTtl = scope.has('openid') ? Math.max(it.accessTtl, policy.idTokenTtl) : it.accessTtl
  const life = mayRefresh(it.client, scope) ? policy.refreshMaxTtl : policy.codeTtl + tokenTtl
  return (it.now + life * 1000) as Instant
}

/** A refresh token lives while it is used, and never beyond its grant; one that is never replaced, as long as that. */
export const refreshEnd = (grant: Grant, policy: Policy, now: Instant, rotates = true): Instant =>
  rotates ? (Math.min(now + policy.refreshIdleTtl * 1000, grant.expiresAt) as Instant) : grant.expiresAt
