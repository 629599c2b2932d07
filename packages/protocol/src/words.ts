/** The nouns of the protocol. Types only; no behaviour, no I/O. */
import type { RegistrationPolicy } from './registration/policy.ts'

declare const brand: unique symbol
export type Brand<T, B extends string> = T & { readonly [brand]: B }

/** Milliseconds since the epoch. The seconds of JWT exist only inside documents (tokens/, documents/). */
export type Instant = Brand<number, 'instant'>
export type TenantId = Brand<string, 'tenant'>
export type GrantId = Brand<string, 'grant'>
/** The `jti` of an access token, JWT or opaque. */
export type TokenId = Brand<string, 'token id'>
export type EventId = Brand<string, 'event'>
/** A value that opens something: never logged, never stored; at rest there is only its Handle. */
export type Secret = Brand<string, 'secret'>
/** base64url SHA-256 of a Secret. */
export type Handle = Brand<string, 'handle'>

export type Scope = ReadonlySet<string>

/** A parsed form or query: every parameter at most once, but for the ones that may repeat (DECISIONS §6). */
export interface Form {
  get(name: string): string | undefined
  all(name: string): readonly string[]
}

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export interface Tenant {
  readonly id: TenantId
  readonly name: string
  /** Counts every change to the tenant, its resources, scopes and keys; see Basis in the store's contract. */
  readonly revision: number
  readonly disabledAt: Instant | null
  /** Where it differs from the deployment's policy. */
  readonly registration?: Partial<RegistrationPolicy>
}

/** An API that tokens are issued for (RFC 8707). */
export interface Resource {
  readonly identifier: string
  readonly name: string
  readonly tokenFormat: 'jwt' | 'opaque'
  /** Seconds; null means the policy's. */
  readonly accessTtl: number | null
}

/** A scope of the catalogue. `resource: null` means it belongs to the issuer itself. */
export interface ScopeEntry {
  readonly name: string
  readonly description: string | Readonly<Record<string, string>>
  readonly resource: string | null
  readonly sensitivity: 'low' | 'normal' | 'high'
  readonly mode: 'default' | 'optional'
}

export type AuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none'

/**
 * What a client says of itself, in the names of RFC 7591 and OpenID Connect Registration: one vocabulary for the
 * declaration file, the admin API and dynamic registration.
 */
export interface ClientMetadata {
  readonly client_name?: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: AuthMethod
  /** The one algorithm of its assertions; any that its keys allow where left out. */
  readonly token_endpoint_auth_signing_alg?: string
  readonly scope: string
  readonly application_type?: 'web' | 'native'
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly policy_uri?: string
  readonly tos_uri?: string
  readonly contacts?: readonly string[]
  readonly jwks?: JsonObject
  readonly jwks_uri?: string
  readonly subject_type?: 'public' | 'pairwise'
  readonly sector_identifier_uri?: string
  readonly id_token_signed_response_alg?: string
  readonly userinfo_signed_response_alg?: string
  readonly default_max_age?: number
  readonly require_auth_time?: boolean
  readonly default_acr_values?: readonly string[]
  readonly initiate_login_uri?: string
  readonly post_logout_redirect_uris?: readonly string[]
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required?: boolean
  readonly frontchannel_logout_uri?: string
  readonly frontchannel_logout_session_required?: boolean
  readonly software_id?: string
  readonly software_version?: string
  /** Ours: the resource asked for when a request names none. */
  readonly default_resource?: string
  /** Ours: this client is the resource server of that identifier and may introspect its tokens. */
  readonly resource_server?: string
  /** Ours: PKCE policy of this client; never weaker than its type allows. */
  readonly pkce?: 'always' | 'public_clients'
}

export interface ClientSecret {
  readonly handle: Handle
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

export interface Client {
  readonly tenant: TenantId
  readonly id: string
  readonly metadata: ClientMetadata
  readonly secrets: readonly ClientSecret[]
  /**
   * How it came to be. A `dynamic` one registered itself; a `document` is the copy of a client metadata document, whose
   * address is its id. Only these two are reaped, and only while nobody has used them.
   */
  readonly origin: 'manual' | 'declared' | 'dynamic' | 'document'
  /** Of a document: from when on it must be fetched again before it is believed. */
  readonly freshUntil?: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly disabledAt: Instant | null
  /** Counts its changes; see Basis in the store's contract. */
  readonly version: number
}

/** A key of the ring. Its state (next, current, retiring, retired) is a function of these times and now. */
export interface KeyRecord {
  readonly tenant: TenantId
  readonly kid: string
  readonly alg: SigningAlg
  /** 1 for the first key of this algorithm in this tenant; unique, so that two nodes cannot both add the next one. */
  readonly generation: number
  readonly publishedAt: Instant
  readonly activatesAt: Instant
  /** When its beginning to sign was recorded as an event; see KeyStore.noteActive. */
  readonly notedActiveAt: Instant | null
  readonly droppedAt: Instant | null
  readonly publicJwk: JsonObject
  /** The private key, sealed under the master key. */
  readonly sealedPrivate: Uint8Array
}

export type SigningAlg = 'ES256' | 'RS256' | 'PS256' | 'EdDSA' | 'ML-DSA-44' | 'ML-DSA-65' | 'ML-DSA-87'

/** What an access token says, whatever its format. `subject` is the client itself for client credentials. */
export interface AccessTokenFacts {
  readonly jti: TokenId
  readonly clientId: string
  readonly subject: string
  readonly grantId: GrantId | null
  readonly audience: string
  readonly scope: Scope
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  /** Further claims: auth_time, acr, sid, cnf, act … */
  readonly claims: JsonObject
}

/** What is known against a token: a history, so that a rule can tell unknown from revoked. */
export interface TokenStanding {
  readonly revokedAt: Instant | null
  /** The grant's end, where the token hangs on one. */
  readonly grantRevokedAt: Instant | null
}

/** All that is declared of a tenant but its clients, read in one snapshot. */
export interface Catalogue {
  readonly tenant: Tenant
  readonly resources: readonly Resource[]
  readonly scopes: readonly ScopeEntry[]
}

/** How a person proved who they are, when, and in which session. */
export interface Authentication {
  readonly subject: string
  readonly sessionId: string
  readonly at: Instant
  readonly acr: string
  readonly amr: readonly string[]
}

/** One authorization by one person of one client: codes, refresh tokens and access tokens hang on it. */
export interface Grant {
  readonly id: GrantId
  readonly tenant: TenantId
  readonly clientId: string
  readonly authentication: Authentication
  readonly scope: Scope
  /** Identifiers of the resources it covers; empty means the issuer alone. */
  readonly resources: readonly string[]
  /** The `claims` request parameter (OIDC Core §5.5), as far as it was granted. */
  readonly claims: JsonObject | null
  readonly nonce: string | null
  /** The pairwise `sub` its client knows the person by (OIDC Core §8), fixed for its life; null where it is the person's id. */
  readonly knownAs: string | null
  readonly createdAt: Instant
  /** The end of its longest refresh chain; without one, of the last access token its code can bring (grantEnd). */
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
}

/** What is known of a presented authorization code. */
export interface CodeFacts {
  readonly grant: Grant
  readonly redirectUri: string
  /** Whether the authorization request named it: only then must the token request (RFC 6749 §4.1.3). */
  readonly redirectUriSent: boolean
  /** S256 challenge; null only where the PKCE policy let the client go without. */
  readonly challenge: string | null
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /** Wrong verifiers shown so far by the right client. */
  readonly failures: number
}

/** What is known of a presented refresh token. */
export interface RefreshFacts {
  readonly grant: Grant
  readonly scope: Scope
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /** Whether the one successor was itself used; then a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The successor is an HMAC over this, keyed with the presented token: derived again on retry, never stored. */
  readonly salt: Uint8Array
}

/** What is known of a presented device code (RFC 8628). */
export interface DeviceFacts {
  readonly clientId: string
  readonly expiresAt: Instant
  /** Seconds to be left between two polls. */
  readonly interval: number
  /** The poll before this one, as far as this node knows. */
  readonly polledAt: Instant | null
  readonly deniedAt: Instant | null
  /** Opened by the approval; null until then. */
  readonly grant: Grant | null
  readonly redeemedAt: Instant | null
  /** Whether the refresh token it brought was itself used; then a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The refresh token is an HMAC over this, keyed with the device code: derived again on retry, never stored. */
  readonly salt: Uint8Array
}

/** A person as the user directory knows them. Claims carry the names of OIDC Core §5.1. */
export interface Person {
  readonly tenant: TenantId
  /** The `sub` of this person: never reused, never changed. */
  readonly id: string
  readonly username: string
  readonly claims: JsonObject
  readonly createdAt: Instant
  readonly disabledAt: Instant | null
}
