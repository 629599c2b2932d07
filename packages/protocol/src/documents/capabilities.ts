/** What a deployment really offers now: the one description that every published document is made from. */
import type { TenantProfile } from '../registration/tenant-profile.ts'
import type { AddressRules } from '../uri/address-rules.ts'

/** Paths under the issuer (docs/conventions.md), so that routes and documents cannot disagree. */
export const endpointPath = Object.freeze({
  authorization: '/authorize',
  token: '/token',
  revocation: '/revoke',
  introspection: '/introspect',
  jwks: '/jwks',
  userinfo: '/userinfo',
  deviceAuthorization: '/device_authorization',
  pushedAuthorization: '/par',
  backchannelAuthentication: '/backchannel_authentication',
  registration: '/register',
  endSession: '/logout',
  revocationStream: '/revocations/stream',
  revocationChanges: '/revocations/changes',
  revocationSnapshot: '/revocations/snapshot',
  eventReports: '/v1/events/reports',
  adminApi: '/v1',
  scim: '/scim/v2',
  sharedSignals: '/ssf',
  statusLists: '/status-lists',
  apiDescription: '/openapi.json',
})
export type EndpointName = keyof typeof endpointPath

export interface Capabilities {
  readonly endpoints: ReadonlySet<EndpointName>
  readonly grantTypes: readonly string[]
  /** Whether a client_id may be the address of a client metadata document. */
  readonly metadataDocuments: boolean
  readonly clientAuthMethods: readonly string[]
  /** Whether clients can show certificates (RFC 8705). */
  readonly certificates: boolean
  /** The issuer as it is called where they are asked for them; null where no other address does. */
  readonly mtlsIssuer: string | null
  /** Of client assertions; none where no method has any. */
  readonly assertionAlgs: readonly string[]
  /** Of DPoP proofs, where not all that can be checked are taken. */
  readonly proofAlgs?: readonly string[]
  /** Of signed introspection answers. */
  readonly introspectionAlgs: readonly string[]
  /** Of signed requests by the back channel; none where left out. */
  readonly backchannelRequestAlgs?: readonly string[]
  readonly scopes: readonly string[]
  /** RFC 9396 §10: types of authorization details; none where left out. */
  readonly detailTypes?: readonly string[]
  /** Null until there is an authorization endpoint. */
  readonly authorization: AuthorizationCapabilities | null
  /** Whether identity assertion grants of others are redeemed. */
  readonly redeemsIdJags?: boolean
  readonly serviceDocumentation?: string
}

/** What a client can register for, because something here serves it, and what it may name as its addresses. */
export interface Served extends Pick<Capabilities, 'grantTypes' | 'clientAuthMethods' | 'certificates'> {
  readonly addresses: AddressRules
  /** What the tenant holds its clients to. */
  readonly profile?: TenantProfile
}

export interface AuthorizationCapabilities {
  readonly responseModes: readonly string[]
  /** Of request objects and of signed responses. */
  readonly requestObjectAlgs: readonly string[]
  readonly responseAlgs: readonly string[]
  /** Whether every client must push. */
  readonly requirePushed: boolean
  /** RFC 9101 §10.5: whether every client must sign its requests; left out, some need not. */
  readonly requireSigned?: boolean
  readonly prompts: readonly string[]
  readonly idTokenAlgs: readonly string[]
  readonly userinfoAlgs: readonly string[]
  readonly acrValues: readonly string[]
  readonly claims: readonly string[]
  readonly uiLocales: readonly string[]
  readonly subjectTypes: readonly string[]
}

/** An issuer has no trailing slash, and tenants are paths of it. */
export const endpointUrl = (issuer: string, name: EndpointName): string => `${issuer}${endpointPath[name]}`
