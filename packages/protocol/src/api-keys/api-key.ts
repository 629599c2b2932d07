/** What an API key is, what it gives, and how it is described (RFC 7662 §2.2). It lets a client act for itself. */
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

/** A key without what opens with it. */
export interface ApiKey {
  readonly tenant: TenantId
  readonly id: string
  /** For people: what it is used for, and where. */
  readonly name: string
  readonly clientId: string
  /** The identifier of the one API that it opens. */
  readonly resource: string
  /** Null is all that the client has at that API, as it has it. */
  readonly scope: Scope | null
  /** Blocks of addresses that it may be used from; none is any. */
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
 * Milliseconds that validators need to hear of a revoked key. After that none of them can hold an answer from before:
 * they keep answers about keys for less than a minute, and may be behind the feed for less than another.
 */
export const keyNewsMatterFor = 300_000

export type KeyFault =
  | 'not_for_this_caller'
  | 'token_revoked'
  | 'token_expired'
  | 'client_disabled'
  | 'client_needs_proof'
  | 'nothing_granted'

/** Who asks about it, and what is known now. */
export interface KeyCircumstances {
  readonly key: ApiKey
  /** Whose key it is; null where that client is gone. */
  readonly owner: Client | null
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly now: Instant
}

/** What a key for the issuer itself can hold: directories cannot ask for tokens. Nothing else of it is opened by a key. */
export const ownKeyScopes: ReadonlySet<string> = new Set(['scim:read', 'scim:write'])

/** Why a key opens nothing; null where it does. */
export function keyFault({ key, owner, catalogue, issuer, now }: KeyCircumstances): KeyFault | null {
  if (key.revokedAt !== null) return 'token_revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'token_expired'
  if (owner === null || owner.disabledAt !== null) return 'client_disabled'
  if (needsProof(owner, catalogue)) return 'client_needs_proof'
  return keyScope(key, owner, { catalogue, issuer }).size === 0 ? 'nothing_granted' : null
}

/** Revoked, or at its end. */
export const keyIsOver = ({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now)

/** RFC 9449 §5.2, RFC 8705 §3.4: whose tokens are always bound to a key has no use for what anybody can carry away. */
export function needsProof(client: Client, { tenant }: Catalogue): boolean {
  const { metadata } = underTenantProfile(client, tenant)
  return metadata.dpop_bound_access_tokens === true || metadata.tls_client_certificate_bound_access_tokens === true
}

/** Never more than the client has now; a scope that left it, the API or the catalogue has left the key, too. */
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
  // What OpenID Connect tells of a person is told of nobody here.
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
      // Who asked checks these: only the API knows where its caller is.
      ...(key.addresses.length === 0 ? {} : { addresses: key.addresses }),
    },
  }
}
