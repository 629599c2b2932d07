/** The features that a deployment offers now: the one description from which every published document is made. */
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
  /** Whether clients can present certificates (RFC 8705). */
  readonly certificates: boolean
  /** The issuer at the address where clients present certificates; null where there is no such address. */
  readonly mtlsIssuer: string | null
  /** Algorithms of client assertions; empty where no method uses any. */
  readonly assertionAlgs: readonly string[]
  /** Algorithms of DPoP proofs, where not all supported ones are accepted. */
  readonly proofAlgs?: readonly string[]
  /** Algorithms of signed introspection responses. */
  readonly introspectionAlgs: readonly string[]
  /** Algorithms of signed CIBA requests; left out, none. */
  readonly backchannelRequestAlgs?: readonly string[]
  readonly scopes: readonly string[]
  /** RFC 9396 §10: types of authorization details; left out, none. */
  readonly detailTypes?: readonly string[]
  /** Null without an authorization endpoint. */
  readonly authorization: AuthorizationCapabilities | null
  /** Whether identity assertion grants of other issuers are redeemed. */
  readonly redeemsIdJags?: boolean
  readonly serviceDocumentation?: string
}

/** What a client can register for, and the rules for its addresses. */
export interface Served extends Pick<Capabilities, 'grantTypes' | 'clientAuthMethods' | 'certificates'> {
  readonly addresses: AddressRules
  /** The profile that the tenant imposes on its clients. */
  readonly profile?: TenantProfile
}

export interface AuthorizationCapabilities {
  readonly responseModes: readonly string[]
  /** Algorithms of request objects and of signed responses. */
  readonly requestObjectAlgs: readonly string[]
  readonly responseAlgs: readonly string[]
  /** Whether every client must push its requests. */
  readonly requirePushed: boolean
  /** RFC 9101 §10.5: whether every client must sign its requests; left out, no. */
  readonly requireSigned?: boolean
  readonly prompts: readonly string[]
  readonly idTokenAlgs: readonly string[]
  readonly userinfoAlgs: readonly string[]
  readonly acrValues: readonly string[]
  readonly claims: readonly string[]
  readonly uiLocales: readonly string[]
  readonly subjectTypes: readonly string[]
}

/** An issuer has no trailing slash, and tenants are paths below it. */
export const endpointUrl = (issuer: string, name: EndpointName): string => `${issuer}${endpointPath[name]}`
