/**
 * The table of client metadata: RFC 7591 §2, OIDC Registration §2, the logout specifications, and some fields of our
 * own.
 */
import { signingAlgs } from '../jose/algorithms.ts'
import { knownAlgorithms } from '../jose/verification-key.ts'
import type { JsonObject } from '../types.ts'
import { type ClaimMapping, claimMappingsProblem, claimMappingsSchema } from '../claims/claim-mapping.ts'
import { exchangeRules } from './exchange-policy.ts'
import {
  certificateFlag,
  certificateName,
  colour,
  displayName,
  type FieldType,
  flag,
  httpsOnly,
  identifier,
  listOf,
  oneOf,
  outboundUrl,
  pageUrl,
  publicKeySet,
  requestObjectUrl,
  scopeNames,
  servedAuthMethod,
  servedGrantType,
  subjectName,
  text,
  wholeSeconds,
} from './field-types.ts'

/**
 * Who may set a field: an operator by the admin API, the command line or a declared file; the client by registration or
 * by its document.
 */
type Setter = 'operator' | 'registration' | 'document'

interface ClientField<T> {
  readonly type: FieldType<T>
  readonly setBy: readonly Setter[]
  /** For a list, the description of one entry. */
  readonly description: string
}

const anyone: readonly Setter[] = ['operator', 'registration', 'document']
const operator: readonly Setter[] = ['operator']

const claimMappings: FieldType<readonly ClaimMapping[]> = {
  check: (value) => claimMappingsProblem(value, 'client'),
  schema: claimMappingsSchema('client'),
}

/** The implicit flow is not offered, nor are hybrid ones (OAuth 2.1 §10.1). */
export const responseTypes = ['code'] as const
/** CIBA §5: clients fetch tokens, and may be notified when to; tokens are never sent (push). */
export const deliveryModes = ['poll', 'ping'] as const
export const subjectTypes = ['public', 'pairwise'] as const

/** Every field of a client, in the order in which documents show them. A new one is one more row. */
export const clientFields = {
  client_name: { type: displayName, setBy: anyone, description: 'what people see' },
  redirect_uris: { type: listOf(text()), setBy: anyone, description: 'where codes are delivered, letter by letter' },
  grant_types: {
    type: listOf(servedGrantType),
    setBy: anyone,
    description: 'a grant it may use, e.g. client_credentials',
  },
  response_types: { type: listOf(oneOf(responseTypes)), setBy: anyone, description: 'code, for authorization_code' },
  token_endpoint_auth_method: {
    type: servedAuthMethod,
    setBy: anyone,
    description: 'client_secret_basic (default), client_secret_post, none …',
  },
  token_endpoint_auth_signing_alg: {
    type: oneOf(knownAlgorithms),
    setBy: anyone,
    description: 'the one algorithm of its assertions; any that its keys allow where left out',
  },
  tls_client_auth_subject_dn: {
    type: subjectName,
    setBy: anyone,
    description: 'the subject of its certificate (RFC 4514), for tls_client_auth; or one of the four names below',
  },
  tls_client_auth_san_dns: {
    type: certificateName('dns'),
    setBy: anyone,
    description: 'a host name in its certificate, for tls_client_auth',
  },
  tls_client_auth_san_uri: {
    type: certificateName('uri'),
    setBy: anyone,
    description: 'a URI in its certificate, for tls_client_auth',
  },
  tls_client_auth_san_ip: {
    type: certificateName('ip'),
    setBy: anyone,
    description: 'an IP address in its certificate, for tls_client_auth',
  },
  tls_client_auth_san_email: {
    type: certificateName('email'),
    setBy: anyone,
    description: 'a mail address in its certificate, for tls_client_auth',
  },
  scope: { type: scopeNames, setBy: anyone, description: 'the scopes it may ask for, separated by spaces' },
  application_type: { type: oneOf(['web', 'native']), setBy: anyone, description: 'web (default) or native' },
  client_uri: { type: pageUrl(), setBy: anyone, description: 'its home page' },
  logo_uri: { type: outboundUrl('web'), setBy: anyone, description: 'its logo, which people see' },
  policy_uri: { type: pageUrl(), setBy: anyone, description: 'what it does with the data of people' },
  tos_uri: { type: pageUrl(), setBy: anyone, description: 'its terms of service' },
  contacts: { type: listOf(text(320)), setBy: anyone, description: 'who is responsible for it, e.g. a mail address' },
  jwks: { type: publicKeySet, setBy: anyone, description: 'its public keys' },
  jwks_uri: { type: outboundUrl('web'), setBy: anyone, description: 'where its public keys are' },
  subject_type: { type: oneOf(subjectTypes), setBy: anyone, description: 'public (default) or pairwise' },
  sector_identifier_uri: {
    type: outboundUrl('web'),
    setBy: anyone,
    description: 'the sector that shares its pairwise subjects',
  },
  id_token_signed_response_alg: {
    type: oneOf(signingAlgs),
    setBy: anyone,
    description: 'the algorithm of its ID tokens',
  },
  id_token_scope_claims: {
    type: flag,
    setBy: anyone,
    description: 'the claims of its scopes are in its ID tokens too, not at userinfo alone',
  },
  userinfo_signed_response_alg: {
    type: oneOf(signingAlgs),
    setBy: anyone,
    description: 'the algorithm of its userinfo; plain JSON where left out',
  },
  introspection_signed_response_alg: {
    type: oneOf(signingAlgs),
    setBy: anyone,
    description: 'the algorithm of its signed introspection answers; RS256 where left out',
  },
  authorization_signed_response_alg: {
    type: oneOf(signingAlgs),
    setBy: anyone,
    description: 'the algorithm of its signed authorization responses; RS256 where left out',
  },
  require_pushed_authorization_requests: {
    type: flag,
    setBy: anyone,
    description: 'it pushes its authorization requests, and sends none by the browser',
  },
  request_object_signing_alg: {
    type: oneOf(knownAlgorithms),
    setBy: anyone,
    description: 'the one algorithm of its request objects; any that its keys allow where left out',
  },
  require_signed_request_object: {
    type: flag,
    setBy: anyone,
    description: 'its authorization requests are signed, and others refused',
  },
  request_uris: {
    type: listOf(requestObjectUrl),
    setBy: anyone,
    description: 'where its request objects are fetched from',
  },
  default_max_age: {
    type: wholeSeconds,
    setBy: anyone,
    description: 'seconds since the last sign-in, where a request names none',
  },
  require_auth_time: { type: flag, setBy: anyone, description: 'auth_time is in its ID tokens; it always is' },
  default_acr_values: {
    type: listOf(text(256)),
    setBy: anyone,
    description: 'how people sign in, where a request does not say',
  },
  initiate_login_uri: {
    type: httpsOnly(pageUrl('iss', 'login_hint', 'target_link_uri')),
    setBy: anyone,
    description: 'where a sign-in that others begin starts',
  },
  post_logout_redirect_uris: {
    type: listOf(text()),
    setBy: anyone,
    description: 'where people come back to after signing out',
  },
  backchannel_logout_uri: {
    type: outboundUrl('443'),
    setBy: anyone,
    description: 'told of the end of a session by us',
  },
  backchannel_logout_session_required: { type: flag, setBy: anyone, description: 'with the sid; it always is' },
  frontchannel_logout_uri: {
    type: pageUrl('iss', 'sid'),
    setBy: anyone,
    description: 'told of the end of a session by the browser',
  },
  frontchannel_logout_session_required: { type: flag, setBy: anyone, description: 'with iss and sid; they always are' },
  backchannel_token_delivery_mode: {
    type: oneOf(deliveryModes),
    setBy: anyone,
    description: 'poll, or ping where it is told: how it learns what came of a request by the back channel (CIBA)',
  },
  backchannel_client_notification_endpoint: {
    type: outboundUrl('443'),
    setBy: anyone,
    description: 'told that a request by the back channel was decided, in ping mode',
  },
  backchannel_authentication_request_signing_alg: {
    type: oneOf(knownAlgorithms),
    setBy: anyone,
    description: 'the algorithm of its signed requests by the back channel; where it is set, others are refused',
  },
  backchannel_user_code_parameter: {
    type: flag,
    setBy: anyone,
    description: 'its requests by the back channel carry the user code of the person',
  },
  dpop_bound_access_tokens: {
    type: flag,
    setBy: anyone,
    description: 'its access tokens are always bound to a key by DPoP',
  },
  tls_client_certificate_bound_access_tokens: {
    type: certificateFlag,
    setBy: anyone,
    description: 'its access tokens are good only with the certificate that it asked for them with',
  },
  software_id: { type: text(256), setBy: anyone, description: 'the software it is an installation of' },
  software_version: { type: text(256), setBy: anyone, description: 'the version of that software' },
  default_resource: {
    type: identifier,
    setBy: operator,
    description: 'the API its tokens are for when it names none',
  },
  resource_server: {
    type: identifier,
    setBy: operator,
    description: 'it is the API of this identifier and may introspect its tokens',
  },
  exchange: {
    type: exchangeRules,
    setBy: operator,
    description: 'what it may exchange tokens for: an audience, the most scopes there, delegate or impersonate',
  },
  authorization_details_types: {
    type: listOf(text(200)),
    setBy: operator,
    description: 'a type of authorization details that it may ask for (RFC 9396)',
  },
  claim_mappings: {
    type: claimMappings,
    setBy: operator,
    description: 'what its ID tokens and userinfo say besides: a claim, where from, for which scope, in which of both',
  },
  profile: {
    type: oneOf(['fapi2-security', 'fapi2-message-signing', 'fapi-ciba']),
    setBy: operator,
    description: 'fapi2-security, fapi2-message-signing or fapi-ciba: fills in and demands all that the profile does',
  },
  first_party: {
    type: flag,
    setBy: operator,
    description: 'it belongs to whoever runs the service: people are not asked whether it may have what it asks for',
  },
  accent: {
    type: colour,
    setBy: operator,
    description: 'the colour of buttons and links where people sign in to it and consent, e.g. #0f766e',
  },
  background: { type: colour, setBy: operator, description: 'the colour behind those pages, e.g. #fff7ed' },
  pkce: {
    type: oneOf(['always', 'public_clients']),
    setBy: operator,
    description: 'whether it may go without PKCE; never weaker than its type allows',
  },
} as const satisfies Readonly<Record<string, ClientField<unknown>>>

export type ClientFieldName = keyof typeof clientFields
type ValueOf<F extends ClientFieldName> = NonNullable<(typeof clientFields)[F]['type']['value']>

/** RFC 7591 §2: fields with a default value. */
type Defaulted = 'redirect_uris' | 'grant_types' | 'response_types' | 'token_endpoint_auth_method' | 'scope'

type Fields = { readonly [F in Defaulted]: ValueOf<F> } & {
  readonly [F in Exclude<ClientFieldName, Defaulted>]?: ValueOf<F>
}

/** The metadata of a client, in the same vocabulary for declared files, the admin API and registration. */
export interface ClientMetadata extends Fields {}

export const clientFieldNames = Object.keys(clientFields) as readonly ClientFieldName[]

/** The schema of a field, as an API describes it. */
export function clientFieldSchema(name: ClientFieldName): JsonObject {
  const { type, description: words } = clientFields[name]
  const description = words.charAt(0).toUpperCase() + words.slice(1)
  const { schema } = type
  return 'items' in schema
    ? { ...schema, items: { ...(schema['items'] as JsonObject), description } }
    : { ...schema, description }
}

/** Registered fields that this server does not support yet: a file with one of them gets a message that says so. */
export const unservedFields: ReadonlySet<string> = new Set([
  'id_token_encrypted_response_alg',
  'software_statement',
  'userinfo_encrypted_response_alg',
])
