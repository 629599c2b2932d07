/** Fields of a client that must be consistent: RFC 7591 §2, §2.1; OIDC Registration §2. */
import { cibaGrant, tokenExchangeGrant } from '../grants/grant-types.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { FieldProblem } from './field-types.ts'
import { sectorOf } from './sector.ts'

type Rule = readonly [field: keyof ClientMetadata, broken: (it: ClientMetadata) => boolean, problem: string]

const codeFlow = (it: ClientMetadata) => it.grant_types.includes('authorization_code')

/** RFC 8705 §2.1.2: the fields by which tls_client_auth identifies a certificate. */
const certificateNameFields = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const

const certificateNames = (it: ClientMetadata) => certificateNameFields.filter((field) => it[field] !== undefined)

const backchannelFields = [
  'backchannel_token_delivery_mode',
  'backchannel_client_notification_endpoint',
  'backchannel_authentication_request_signing_alg',
  'backchannel_user_code_parameter',
] as const

/** Null where it is not a valid address, which the check of the field itself reports. */
const originOf = (uri: string): string | null => (URL.canParse(uri) ? new URL(uri).origin : null)

const rules: readonly Rule[] = [
  [
    'redirect_uris',
    (it) => codeFlow(it) && it.redirect_uris.length === 0,
    'must hold at least one for the grant type authorization_code',
  ],
  [
    'response_types',
    (it) => codeFlow(it) !== it.response_types.includes('code'),
    'must hold code exactly when grant_types holds authorization_code',
  ],
  [
    'grant_types',
    (it) => it.grant_types.includes('client_credentials') && it.token_endpoint_auth_method === 'none',
    'must not hold client_credentials for a client that cannot authenticate',
  ],
  [
    'grant_types',
    (it) => it.grant_types.includes(tokenExchangeGrant) && it.token_endpoint_auth_method === 'none',
    'must not hold the token exchange for a client that cannot authenticate',
  ],
  [
    'exchange',
    (it) => (it.exchange ?? []).length > 0 && !it.grant_types.includes(tokenExchangeGrant),
    'says what the grant type of token exchange may be used for, which the client does not have',
  ],
  [
    'grant_types',
    (it) => it.grant_types.includes(cibaGrant) && it.token_endpoint_auth_method === 'none',
    'must not hold the grant of the back channel (CIBA) for a client that cannot authenticate',
  ],
  // CIBA §4.
  [
    'backchannel_token_delivery_mode',
    (it) => it.grant_types.includes(cibaGrant) && it.backchannel_token_delivery_mode === undefined,
    'must be poll or ping for the grant of the back channel (CIBA)',
  ],
  [
    'backchannel_client_notification_endpoint',
    (it) =>
      (it.backchannel_token_delivery_mode === 'ping') !== (it.backchannel_client_notification_endpoint !== undefined),
    'must be there exactly where backchannel_token_delivery_mode is ping',
  ],
  ...backchannelFields.map((field): Rule => [
    field,
    (it) => it[field] !== undefined && it[field] !== false && !it.grant_types.includes(cibaGrant),
    'is for the grant of the back channel (CIBA), which the client does not have',
  ]),
  [
    'backchannel_authentication_request_signing_alg',
    (it) =>
      it.backchannel_authentication_request_signing_alg !== undefined &&
      it.jwks === undefined &&
      it.jwks_uri === undefined,
    'needs jwks or jwks_uri, which signatures are checked with',
  ],
  ['jwks', (it) => it.jwks !== undefined && it.jwks_uri !== undefined, 'must not stand beside jwks_uri'],
  [
    'token_endpoint_auth_method',
    (it) => it.token_endpoint_auth_method === 'private_key_jwt' && it.jwks === undefined && it.jwks_uri === undefined,
    'needs jwks or jwks_uri for private_key_jwt',
  ],
  [
    'require_signed_request_object',
    (it) => it.require_signed_request_object === true && it.jwks === undefined && it.jwks_uri === undefined,
    'needs jwks or jwks_uri, which signatures are checked with',
  ],
  [
    'token_endpoint_auth_method',
    (it) => it.token_endpoint_auth_method === 'tls_client_auth' && certificateNames(it).length !== 1,
    `needs exactly one of ${certificateNameFields.join(', ')} for tls_client_auth`,
  ],
  ...certificateNameFields.map((field): Rule => [
    field,
    (it) => it[field] !== undefined && it.token_endpoint_auth_method !== 'tls_client_auth',
    'is for the method tls_client_auth, which the client does not have',
  ]),
  [
    'token_endpoint_auth_method',
    (it) =>
      it.token_endpoint_auth_method === 'self_signed_tls_client_auth' &&
      it.jwks === undefined &&
      it.jwks_uri === undefined,
    'needs jwks or jwks_uri for self_signed_tls_client_auth',
  ],
  // Front-Channel Logout 1.0 §2.
  [
    'frontchannel_logout_uri',
    ({ frontchannel_logout_uri: uri, redirect_uris: others }) =>
      uri !== undefined && !others.some((it) => originOf(it) === originOf(uri)),
    'must have the scheme, host and port of one of the redirect_uris',
  ],
  [
    'resource_server',
    (it) => it.resource_server !== undefined && it.token_endpoint_auth_method === 'none',
    'is for clients that authenticate',
  ],
  [
    'first_party',
    (it) => it.first_party === true && !codeFlow(it),
    'is about the page that authorization_code leads to, and the client does not have that grant type',
  ],
  // RFC 9396 §1: a detail is something that a person must decide on, such as one payment.
  [
    'first_party',
    (it) => it.first_party === true && (it.authorization_details_types ?? []).length > 0,
    'must not stand beside authorization_details_types, which people are always asked about',
  ],
  [
    'subject_type',
    (it) => it.subject_type === 'pairwise' && sectorOf(it) === null,
    'pairwise needs redirect_uris on one https host, or a sector_identifier_uri',
  ],
]

export const incoherence = (metadata: ClientMetadata): readonly FieldProblem[] =>
  rules.filter(([, broken]) => broken(metadata)).map(([field, , problem]) => ({ field, problem }))
