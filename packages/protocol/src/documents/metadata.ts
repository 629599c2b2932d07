/** Server metadata: RFC 8414 §2 and OIDC Discovery §3, one document for both, with registered names only. */
import { proofAlgorithms } from '../dpop/proof.ts'
import { cibaGrant, tokenExchangeGrant } from '../grants/grant-types.ts'
import { tokenTypes } from '../exchange/token-types.ts'
import { deliveryModes, responseTypes } from '../registration/client-fields.ts'
import type { Json, JsonObject } from '../types.ts'
import { type AuthorizationCapabilities, type Capabilities, type EndpointName, endpointUrl } from './capabilities.ts'

/** The registered name of each endpoint; our own without one are described at /.well-known/grantor. */
const registered: readonly (readonly [EndpointName, string])[] = [
  ['authorization', 'authorization_endpoint'],
  ['token', 'token_endpoint'],
  ['revocation', 'revocation_endpoint'],
  ['introspection', 'introspection_endpoint'],
  ['jwks', 'jwks_uri'],
  ['userinfo', 'userinfo_endpoint'],
  ['deviceAuthorization', 'device_authorization_endpoint'],
  ['pushedAuthorization', 'pushed_authorization_request_endpoint'],
  ['backchannelAuthentication', 'backchannel_authentication_endpoint'],
  ['registration', 'registration_endpoint'],
  ['endSession', 'end_session_endpoint'],
  // draft-ietf-oauth-status-list §9.2.
  ['statusLists', 'status_list_aggregation_endpoint'],
]

export function serverMetadata(issuer: string, can: Capabilities): JsonObject {
  const has = (name: EndpointName) => can.endpoints.has(name)
  // RFC 7662 §2.1, RFC 7009 §2.1: a client that cannot authenticate cannot introspect, but may revoke its own tokens.
  const confidential = can.clientAuthMethods.filter((method) => method !== 'none')
  return defined({
    issuer,
    ...Object.fromEntries(registered.filter(([it]) => has(it)).map(([it, name]) => [name, endpointUrl(issuer, it)])),
    scopes_supported: [...can.scopes],
    grant_types_supported: can.grantTypes.filter((type) => begins(type, can)),
    // RFC 8414 §2 requires it, even without an authorization endpoint.
    response_types_supported: can.authorization === null ? [] : [...responseTypes],
    token_endpoint_auth_methods_supported: [...can.clientAuthMethods],
    revocation_endpoint_auth_methods_supported: has('revocation') ? [...can.clientAuthMethods] : undefined,
    introspection_endpoint_auth_methods_supported: has('introspection') ? confidential : undefined,
    // RFC 9701 §7.
    introspection_signing_alg_values_supported: has('introspection') ? [...can.introspectionAlgs] : undefined,
    // RFC 9396 §10.
    authorization_details_types_supported: can.detailTypes === undefined ? undefined : [...can.detailTypes],
    ...assertionAlgs(can),
    // RFC 9449 §5.1.
    dpop_signing_alg_values_supported: [...(can.proofAlgs ?? proofAlgorithms)],
    ...(has('backchannelAuthentication') ? backchannelMetadata(can) : {}),
    ...(has('endSession') ? logoutMetadata : {}),
    tls_client_certificate_bound_access_tokens: can.certificates ? true : undefined,
    mtls_endpoint_aliases: can.mtlsIssuer === null ? undefined : aliases(can.mtlsIssuer, can),
    // draft-ietf-oauth-client-id-metadata-document §5.
    client_id_metadata_document_supported: can.metadataDocuments ? true : undefined,
    // §7.1 of the same draft as below.
    identity_chaining_requested_token_types_supported: can.grantTypes.includes(tokenExchangeGrant)
      ? [tokenTypes.idJag]
      : undefined,
    // draft-ietf-oauth-identity-assertion-authz-grant §7.2: states that such grants are supported, not from which
    // issuers.
    authorization_grant_profiles_supported: can.redeemsIdJags === true ? [idJagProfile] : undefined,
    service_documentation: can.serviceDocumentation,
    ...(can.authorization === null ? {} : authorizationMetadata(can.authorization)),
  })
}

const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'
/**
 * RFC 8705 §5: the endpoints that clients call directly. A browser is sent to the authorization endpoint, and has no
 * certificate.
 */
const aliased: ReadonlySet<EndpointName> = new Set([
  'token',
  'revocation',
  'introspection',
  'userinfo',
  'deviceAuthorization',
  'pushedAuthorization',
  'backchannelAuthentication',
])

const aliases = (issuer: string, { endpoints }: Capabilities): JsonObject =>
  Object.fromEntries(
    registered
      .filter(([it]) => aliased.has(it) && endpoints.has(it))
      .map(([it, name]) => [name, endpointUrl(issuer, it)]),
  )

/** RFC 8414 §2: required for every endpoint that accepts assertions. */
function assertionAlgs({ assertionAlgs: algs, endpoints }: Capabilities): Readonly<Record<string, Json>> {
  if (algs.length === 0) return {}
  const at = (['token', 'revocation', 'introspection'] as const).filter((name) => endpoints.has(name))
  return Object.fromEntries(at.map((name) => [`${name}_endpoint_auth_signing_alg_values_supported`, [...algs]]))
}

/** CIBA §4. Tokens are fetched, never pushed. */
const backchannelMetadata = ({ backchannelRequestAlgs = [] }: Capabilities): Readonly<Record<string, Json>> => ({
  backchannel_token_delivery_modes_supported: [...deliveryModes],
  backchannel_authentication_request_signing_alg_values_supported: [...backchannelRequestAlgs],
  backchannel_user_code_parameter_supported: true,
})

/** Back-Channel Logout 1.0 §2.1, Front-Channel Logout 1.0 §3: every client may have either, and always gets the sid. */
const logoutMetadata = {
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
} as const

/** A grant type that no endpoint here can start is not offered, even if the token endpoint has its rule. */
function begins(grantType: string, { endpoints }: Capabilities): boolean {
  const byPerson = endpoints.has('authorization')
  const byDevice = endpoints.has('deviceAuthorization')
  if (grantType === 'authorization_code') return byPerson
  if (grantType === 'urn:ietf:params:oauth:grant-type:device_code') return byDevice
  const byBackchannel = endpoints.has('backchannelAuthentication')
  if (grantType === cibaGrant) return byBackchannel
  return grantType !== 'refresh_token' || byPerson || byDevice || byBackchannel
}

const authorizationMetadata = (it: AuthorizationCapabilities): Readonly<Record<string, Json | undefined>> => ({
  response_modes_supported: [...it.responseModes],
  // RFC 7636 and OAuth 2.1: `plain` is not offered.
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  subject_types_supported: [...it.subjectTypes],
  id_token_signing_alg_values_supported: [...it.idTokenAlgs],
  userinfo_signing_alg_values_supported: it.userinfoAlgs.length === 0 ? undefined : [...it.userinfoAlgs],
  prompt_values_supported: [...it.prompts],
  acr_values_supported: [...it.acrValues],
  claim_types_supported: ['normal'],
  claims_supported: [...it.claims],
  claims_parameter_supported: true,
  ui_locales_supported: [...it.uiLocales],
  // Both are always included, since the default of the second is true (OIDC Discovery §3).
  request_parameter_supported: true,
  request_uri_parameter_supported: true,
  require_request_uri_registration: true,
  request_object_signing_alg_values_supported: [...it.requestObjectAlgs],
  authorization_signing_alg_values_supported: [...it.responseAlgs],
  require_pushed_authorization_requests: it.requirePushed,
  require_signed_request_object: it.requireSigned,
})

const defined = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined))
