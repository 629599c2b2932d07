/** API keys, their scope, and their description (RFC 7662 §2.2). A key gives a client access of its own. */
import type { Actor } from '../events/event.ts'
import { seconds, type TokenIssuer } from '../oauth/access-token.ts'
import { scopeFor } from '../oauth/audience.ts'
import { findResource } from '../oauth/catalogue.ts'
import { inactive, mayIntrospectToken } from '../oauth/introspection.ts'
import { formatScope, noScope, type Scope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import { underTenantProfile } from '../registration/profiles.ts'
import { defaultTenant, type Instant, type JsonObject, type TenantId } from '../types.ts'

/** A key without its secret. */
export interface ApiKey {
  readonly tenant: TenantId
  readonly id: string
  /** A name for people: what the key is used for, and where. */
  readonly name: string
  readonly clientId: string
  /** The identifier of the one API that it opens. */
  readonly resource: string
  /** Null is everything that the client may have at that API, as it changes. */
  readonly scope: Scope | null
  /** Address blocks from which it may be used; empty is any. */
  readonly addresses: readonly string[]
  readonly createdAt: Instant
  readonly createdBy: Actor
  readonly expiresAt: Instant | null
  /** To the minute. */
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

/** `token_type` of an introspected key. */
export const apiKeyTokenType = 'api_key'
/** Milliseconds between two notes of a key's use. */
export const useNotedEvery = 60_000
/**
 * Milliseconds for which the feed must report a revoked key. After that no validator can have an older answer: they
 * cache answers about keys for less than a minute, and may be behind the feed for less than another.
 */
export const keyNewsMatterFor = 300_000

export type KeyFault =
  | 'not_for_this_caller'
  | 'token_revoked'
  | 'token_expired'
  | 'client_disabled'
  | 'client_needs_proof'
  | 'nothing_granted'

/** The key with its present circumstances. */
export interface KeyCircumstances {
  readonly key: ApiKey
  /** The client of the key; null where that client is gone. */
  readonly owner: Client | null
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly now: Instant
}

/**
 * The scopes that a key for the issuer itself can have: SCIM directories cannot request tokens. Keys open nothing else
 * of the issuer.
 */
export const ownKeyScopes: ReadonlySet<string> = new Set(['scim:read', 'scim:write'])

/** Why a key is not valid; null where it is. */
export function keyFault({ key, owner, catalogue, issuer, now }: KeyCircumstances): KeyFault | null {
  if (key.revokedAt !== null) return 'token_revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'token_expired'
  if (owner === null || owner.disabledAt !== null) return 'client_disabled'
  if (needsProof(owner, catalogue)) return 'client_needs_proof'
  return keyScope(key, owner, { catalogue, issuer }).size === 0 ? 'nothing_granted' : null
}

/** Revoked or expired. */
export const keyIsOver = ({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now)

/**
 * RFC 9449 §5.2, RFC 8705 §3.4: a client whose tokens are always bound to a key must not use an API key, which anybody
 * who copies it can use.
 */
export function needsProof(client: Client, { tenant }: Catalogue): boolean {
  const { metadata } = underTenantProfile(client, tenant)
  return metadata.dpop_bound_access_tokens === true || metadata.tls_client_certificate_bound_access_tokens === true
}

/**
 * Never more than the client has now; a scope that the client, the API or the catalogue lost is lost for the key, too.
 */
export function keyScope(
  key: Pick<ApiKey, 'resource' | 'scope'>,
  owner: Client,
  { catalogue, issuer }: Pick<KeyCircumstances, 'catalogue' | 'issuer'>,
): Scope {
  if (key.resource === issuer) {
    const provisions = registeredScope(owner).intersection(ownKeyScopes)
    return key.scope === null ? provisions : provisions.intersection(key.scope)
  }
  const resource = findResource(catalogue, key.resource)
  if (resource === null) return noScope
  const has = scopeFor({ resource }, registeredScope(owner), catalogue)
  // A key speaks for no person, so the scopes of OpenID Connect do not apply.
  const own = new Set([...has].filter((name) => !oidcScopes.has(name)))
  return key.scope === null ? own : own.intersection(key.scope)
}

export function introspectKey(
  asked: Omit<KeyCircumstances, 'issuer'> & { readonly client: Client; readonly from: TokenIssuer },
): {
  readonly described: JsonObject
  readonly fault: KeyFault | null
} {
  const { key, owner, client, from } = asked
  const it = { ...asked, issuer: from.issuer }
  const audience = key.resource
  if (!mayIntrospectToken(client, { clientId: key.clientId, audience }))
    return { described: inactive, fault: 'not_for_this_caller' }
  const fault = keyFault(it)
  if (fault !== null || owner === null) return { described: inactive, fault }
  return {
    fault: null,
    described: {
      active: true,
      token_type: apiKeyTokenType,
      iss: from.issuer,
      sub: key.clientId,
      aud: audience,
      client_id: key.clientId,
      scope: formatScope(keyScope(key, owner, it)),
      iat: seconds(key.createdAt),
      ...(key.expiresAt === null ? {} : { exp: seconds(key.expiresAt) }),
      jti: key.id,
      ...(from.tenant === defaultTenant ? {} : { tenant: from.tenant }),
      // The caller checks these: only the API knows the address of its client.
      ...(key.addresses.length === 0 ? {} : { addresses: key.addresses }),
    },
  }
}
