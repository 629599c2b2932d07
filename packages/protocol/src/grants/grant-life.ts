/**
 * How long a grant and its refresh tokens live, and the end of which session ends them (docs/conventions.md,
 * docs/logout.md).
 */
import type { Policy } from '../oauth/policy.ts'
import type { Scope } from '../oauth/scope.ts'
import { type Client, isNativeApp, mayUseGrant } from '../registration/client.ts'
import { profileOf } from '../registration/profiles.ts'
import type { Instant } from '../types.ts'
import type { Grant } from './grant.ts'
import type { RefreshOrder } from './rule.ts'

/**
 * Whether the client may have refresh tokens: it has the refresh grant and, for an OIDC request, offline_access was
 * granted.
 */
export const mayRefresh = (client: Client, scope: Scope): boolean =>
  mayUseGrant(client, 'refresh_token') && (!scope.has('openid') || scope.has('offline_access'))

/**
 * The session whose sign-out ends a grant opened at a redirect URI. A web client keeps access while the person is away
 * only by offline_access. An app on the person's own device outlives the browser in which it was allowed
 * (docs/logout.md).
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

/** The end of a new grant: that of its longest refresh chain, or of the last token that its code can still yield. */
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

/** The refresh token issued with the first tokens of a grant; null where its client may not have one. */
export const firstRefresh = (
  grant: Grant,
  { client, policy, now }: { readonly client: Client; readonly policy: Policy; readonly now: Instant },
  successorOf: RefreshOrder['successorOf'] = null,
): RefreshOrder | null =>
  mayRefresh(client, grant.scope)
    ? { scope: grant.scope, expiresAt: refreshEnd(grant, policy, now, profileOf(client).rotates), successorOf }
    : null

/**
 * A rotated refresh token expires when it is not used for a while, and at the latest with its grant. One that is not
 * rotated (FAPI 2.0 §5.3.2.1) expires with its grant, because nothing would extend it.
 */
export const refreshEnd = (grant: Grant, policy: Policy, now: Instant, rotates = true): Instant =>
  rotates ? (Math.min(now + policy.refreshIdleTtl * 1000, grant.expiresAt) as Instant) : grant.expiresAt
