/** How long a grant and its refresh tokens live, and which session's end takes them along (docs/conventions.md, docs/logout.md). */
import type { Policy } from '../oauth/policy.ts'
import type { Scope } from '../oauth/scope.ts'
import { type Client, isNativeApp, mayUseGrant } from '../registration/client.ts'
import { profileOf } from '../registration/profiles.ts'
import type { Instant } from '../types.ts'
import type { Grant } from './grant.ts'
import type { RefreshOrder } from './rule.ts'

/** The client has the refresh grant and, for an OIDC request, offline_access was granted. */
export const mayRefresh = (client: Client, scope: Scope): boolean =>
  mayUseGrant(client, 'refresh_token') && (!scope.has('openid') || scope.has('offline_access'))

/**
 * The session whose sign-out ends a grant opened at a redirect URI: what a web client may do while nobody is there is
 * offline_access. An app of the person's own device outlives the browser it was allowed in (docs/logout.md).
 */
export const sessionThatEnds = ({
  client,
  redirectUri,
  scope,
  session,
}: {
  client: Client
  redirectUri: string
  scope: Scope
  session: string
}): string | null => (scope.has('offline_access') || isNativeApp(client, redirectUri) ? null : session)

/** The end of a new grant: of its longest refresh chain, or of the last token its code can still bring. */
export const grantEnd = ({
  client,
  scope,
  policy,
  now,
  accessTtl,
}: {
  client: Client
  scope: Scope
  policy: Policy
  now: Instant
  accessTtl: number
}): Instant => {
  const tokenTtl = scope.has('openid') ? Math.max(accessTtl, policy.idTokenTtl) : accessTtl
  const life = mayRefresh(client, scope) ? policy.refreshMaxTtl : policy.codeTtl + tokenTtl
  return (now + life * 1000) as Instant
}

/** The refresh token that goes out with the first tokens of a grant; null where its client may not have one. */
export const firstRefresh = (
  grant: Grant,
  { client, policy, now }: { readonly client: Client; readonly policy: Policy; readonly now: Instant },
  successorOf: RefreshOrder['successorOf'] = null,
): RefreshOrder | null =>
  mayRefresh(client, grant.scope)
    ? { scope: grant.scope, expiresAt: refreshEnd(grant, policy, now, profileOf(client).rotates), successorOf }
    : null

/**
 * A refresh token that is rotated ends when nobody used it for a while, and never after its grant. One that is not
 * rotated (FAPI 2.0 §5.3.2.1) ends with its grant, because nothing would prolong it.
 */
export const refreshEnd = (grant: Grant, policy: Policy, now: Instant, rotates = true): Instant =>
  rotates ? (Math.min(now + policy.refreshIdleTtl * 1000, grant.expiresAt) as Instant) : grant.expiresAt
