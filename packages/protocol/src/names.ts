/** Strings of the registries (IANA OAuth parameters, JOSE types) and the names that are ours, each written once. */
import type { AuthMethod, ScopeEntry, SigningAlg } from './words.ts'

/** Typed prefixes of secrets, so that a leaked string names itself. */
export const secretPrefix = Object.freeze({
  code: 'gc_',
  refresh: 'gr_',
  access: 'ga_',
  device: 'gd_',
  clientSecret: 'gs_',
  apiKey: 'gk_',
  /** RFC 7592: manages one registration. */
  registrationAccess: 'gm_',
  /** RFC 7591 §3: lets somebody register. */
  initialAccess: 'gt_',
  /** In cookies: a session, the browser it is in, a sign-in on its way, a browser that is trusted. */
  session: 'gl_',
  browser: 'gb_',
  interaction: 'gi_',
  rememberedBrowser: 'gw_',
  /** In mails: a new password, an address confirmed. */
  mailedLink: 'gp_',
})
export type SecretPrefix = (typeof secretPrefix)[keyof typeof secretPrefix]

/** JOSE `typ` values (RFC 9068 §2.1, OIDC Back-Channel Logout §2.4, RFC 9449 §4.2). */
export const jwtType = Object.freeze({ access: 'at+jwt', id: 'JWT', logout: 'logout+jwt', dpop: 'dpop+jwt' })

export const authMethods: readonly AuthMethod[] = Object.freeze([
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
])

export const signingAlgs: readonly SigningAlg[] = Object.freeze([
  'ES256',
  'RS256',
  'PS256',
  'EdDSA',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
])

/** RFC 8628 §3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** What a client may register for; which of them work is a matter of capabilities (documents/metadata.ts). */
export const registrableGrantTypes = Object.freeze([
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceGrant,
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:openid:params:grant-type:ciba',
])

/** OIDC Core §5.4, §11. They speak of a person, belong to no resource, and may accompany the scopes of any. */
export const oidcScopeNames = Object.freeze(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])
export const oidcScopes: ReadonlySet<string> = new Set(oidcScopeNames)

/** The nouns of the admin API (DECISIONS §2). */
export const adminNouns = Object.freeze([
  'clients',
  'scopes',
  'resources',
  'users',
  'consents',
  'grants',
  'sessions',
  'keys',
  'events',
  'tenants',
  'api-keys',
  'operations',
])

const issuerScope = (name: string, description: string, sensitivity: ScopeEntry['sensitivity']): ScopeEntry =>
  Object.freeze({ name, description, resource: null, sensitivity, mode: 'default' })

/** DECISIONS §3: scopes that belong to the issuer itself, in every tenant, without being declared. */
export const builtInScopes: readonly ScopeEntry[] = Object.freeze([
  ...adminNouns.flatMap((noun) => [
    issuerScope(`admin:${noun}:read`, `Read ${noun} of this service`, 'high'),
    issuerScope(`admin:${noun}:write`, `Change ${noun} of this service`, 'high'),
  ]),
  issuerScope('revocations:read', 'Follow the revocation feed', 'normal'),
  issuerScope('events:report', 'Report rejected tokens', 'normal'),
  issuerScope('metrics:read', 'Read metrics', 'normal'),
])

/** What nobody may declare as a scope of their own. */
export const reservedScopes: ReadonlySet<string> = new Set([
  ...oidcScopeNames,
  ...builtInScopes.map((entry) => entry.name),
])

/** The reserved id of the tenant at the root (its tokens carry no tenant claim). */
export const defaultTenant = 'default'
