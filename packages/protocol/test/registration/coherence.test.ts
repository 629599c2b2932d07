/** Fields of a client that must fit each other: for each rule a client that breaks it, and the one beside it that does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cibaGrant, tokenExchangeGrant } from '../../src/grants/grant-types.ts'
import { incoherence } from '../../src/registration/coherence.ts'
import { client } from '../samples.ts'

type Given = Parameters<typeof client>[0]

const problems = (given: Given): readonly string[] =>
  incoherence(client(given).metadata).map(({ field, problem }) => `${field} ${problem}`)

const none = 'token_endpoint_auth_method'
const withKeys = { jwks_uri: 'https://client.example/jwks' }
const jwks = { keys: [] }
const service = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] } as const
const ciba = { ...service, grant_types: [cibaGrant], backchannel_token_delivery_mode: 'poll' } as const
const names = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const
const signatures = 'needs jwks or jwks_uri, which signatures are checked with'
const notCiba = 'is for the grant of the back channel (CIBA), which the client does not have'

const table: readonly (readonly [given: object, ...problems: string[]])[] = [
  [{}],
  [{ redirect_uris: [] }, 'redirect_uris must hold at least one for the grant type authorization_code'],
  [{ response_types: [] }, 'response_types must hold code exactly when grant_types holds authorization_code'],
  [
    { ...service, response_types: ['code'] },
    'response_types must hold code exactly when grant_types holds authorization_code',
  ],
  [service],
  [{ redirect_uris: ['https://a.example/cb'], frontchannel_logout_uri: 'https://a.example/out' }],
  [{ redirect_uris: ['https://a.example/cb', 'app:/x'], frontchannel_logout_uri: 'https://a.example:443/out' }],
  ...['https://b.example/out', 'https://a.example:8443/out', 'http://127.0.0.1/out'].map(
    (uri) =>
      [
        { redirect_uris: ['https://a.example/cb', 'app:/x'], frontchannel_logout_uri: uri },
        'frontchannel_logout_uri must have the scheme, host and port of one of the redirect_uris',
      ] as const,
  ),
  [
    { ...service, [none]: 'none' },
    'grant_types must not hold client_credentials for a client that cannot authenticate',
  ],
  [{ [none]: 'none' }],
  [{ ...service, grant_types: [tokenExchangeGrant] }],
  [
    { ...service, grant_types: [tokenExchangeGrant], [none]: 'none' },
    'grant_types must not hold the token exchange for a client that cannot authenticate',
  ],
  [
    { exchange: [{}] },
    'exchange says what the grant type of token exchange may be used for, which the client does not have',
  ],
  [{ exchange: [] }],
  [{ ...service, grant_types: [tokenExchangeGrant], exchange: [{}] }],
  [ciba],
  [
    { ...ciba, [none]: 'none' },
    'grant_types must not hold the grant of the back channel (CIBA) for a client that cannot authenticate',
  ],
  [
    { ...ciba, backchannel_token_delivery_mode: undefined },
    'backchannel_token_delivery_mode must be poll or ping for the grant of the back channel (CIBA)',
  ],
  [{ backchannel_token_delivery_mode: 'poll' }, `backchannel_token_delivery_mode ${notCiba}`],
  [{ ...ciba, backchannel_token_delivery_mode: 'ping', backchannel_client_notification_endpoint: 'https://c.example' }],
  [
    { ...ciba, backchannel_token_delivery_mode: 'ping' },
    'backchannel_client_notification_endpoint must be there exactly where backchannel_token_delivery_mode is ping',
  ],
  [
    { ...ciba, backchannel_client_notification_endpoint: 'https://c.example' },
    'backchannel_client_notification_endpoint must be there exactly where backchannel_token_delivery_mode is ping',
  ],
  [
    { backchannel_client_notification_endpoint: 'https://c.example' },
    'backchannel_client_notification_endpoint must be there exactly where backchannel_token_delivery_mode is ping',
    `backchannel_client_notification_endpoint ${notCiba}`,
  ],
  [{ first_party: true }],
  [{ first_party: true, authorization_details_types: [] }],
  [{ ...service, first_party: false }],
  [
    { ...service, first_party: true },
    'first_party is about the page that authorization_code leads to, and the client does not have that grant type',
  ],
  [
    { first_party: true, authorization_details_types: ['payment'] },
    'first_party must not stand beside authorization_details_types, which people are always asked about',
  ],
  [{ backchannel_user_code_parameter: true }, `backchannel_user_code_parameter ${notCiba}`],
  [{ backchannel_user_code_parameter: false }],
  [{ ...ciba, backchannel_user_code_parameter: true }],
  [
    { ...withKeys, backchannel_authentication_request_signing_alg: 'ES256' },
    `backchannel_authentication_request_signing_alg ${notCiba}`,
  ],
  [
    { ...ciba, backchannel_authentication_request_signing_alg: 'ES256' },
    `backchannel_authentication_request_signing_alg ${signatures}`,
  ],
  [{ ...ciba, ...withKeys, backchannel_authentication_request_signing_alg: 'ES256' }],
  [{ ...ciba, jwks, backchannel_authentication_request_signing_alg: 'ES256' }],
  [{ ...withKeys, jwks }, 'jwks must not stand beside jwks_uri'],
  [withKeys],
  [{ jwks }],
  [{ [none]: 'private_key_jwt' }, 'token_endpoint_auth_method needs jwks or jwks_uri for private_key_jwt'],
  [{ [none]: 'private_key_jwt', jwks }],
  [{ [none]: 'private_key_jwt', ...withKeys }],
  [{ require_signed_request_object: true }, `require_signed_request_object ${signatures}`],
  [{ require_signed_request_object: false }],
  [{ require_signed_request_object: true, jwks }],
  [{ require_signed_request_object: true, ...withKeys }],
  [
    { [none]: 'tls_client_auth' },
    `token_endpoint_auth_method needs exactly one of ${names.join(', ')} for tls_client_auth`,
  ],
  [
    { [none]: 'tls_client_auth', [names[0]]: 'CN=a', [names[1]]: 'a.example' },
    `token_endpoint_auth_method needs exactly one of ${names.join(', ')} for tls_client_auth`,
  ],
  ...names.map((name) => [{ [none]: 'tls_client_auth', [name]: 'x' }] as const),
  ...names.map(
    (name) => [{ [name]: 'x' }, `${name} is for the method tls_client_auth, which the client does not have`] as const,
  ),
  [
    { [none]: 'self_signed_tls_client_auth' },
    'token_endpoint_auth_method needs jwks or jwks_uri for self_signed_tls_client_auth',
  ],
  [{ [none]: 'self_signed_tls_client_auth', jwks }],
  [{ [none]: 'self_signed_tls_client_auth', ...withKeys }],
  [{ resource_server: 'https://api.example' }],
  [{ resource_server: 'https://api.example', [none]: 'none' }, 'resource_server is for clients that authenticate'],
  [{ subject_type: 'pairwise' }],
  [
    { subject_type: 'pairwise', redirect_uris: ['https://a.example/cb', 'https://b.example/cb'] },
    'subject_type pairwise needs redirect_uris on one https host, or a sector_identifier_uri',
  ],
  [{ subject_type: 'public', redirect_uris: ['https://a.example/cb', 'https://b.example/cb'] }],
]

for (const [given, ...expected] of table)
  test(`RFC 7591 §2: ${JSON.stringify(given)} ${expected.length === 0 ? 'fits' : 'is refused'}`, () =>
    assert.deepEqual(problems(given), expected))
