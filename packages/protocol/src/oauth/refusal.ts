/** Refusals: the table of every reason why a request is refused, with its form on the wire. A refusal is a value. */
import type { ProofFault } from '../dpop/proof.ts'
import { basicChallenge, bearerChallenge } from '../http/challenge.ts'

type Headers = Readonly<Record<string, string>>

/** The wire form of a refusal. `F` are the fields it has besides its reason. */
interface Row<F, E extends string = string> {
  readonly status: number
  readonly error: E
  /** RFC 6749 §5.2: ASCII without quotes or backslashes; reveals nothing internal. */
  readonly text: string | ((fields: F) => string)
  readonly headers: ((fields: F) => Headers | undefined) | undefined
}

const row = <const E extends string, F = unknown>(
  status: number,
  error: E,
  text: Row<F>['text'],
  headers?: (fields: F) => Headers | undefined,
): Row<F, E> => ({ status, error, text, headers })

interface Named {
  readonly name: string
}
interface Misfit {
  readonly field: string
  readonly problem: string
}
interface Wait {
  readonly retryAfter: number
}
/** The limit by its name in `RateLimit-Policy`: `quota` requests in `window` seconds. */
interface ReachedLimit extends Wait {
  readonly limit: { readonly name: string; readonly quota: number; readonly window: number }
}

/** A name is repeated in an answer only if it looks like a registered one; other input is never reflected. */
const parameter = (name: string): string => (/^[a-z][a-z_]{0,39}$/.test(name) ? `The parameter ${name}` : 'A parameter')

/** The same for a member of the metadata, which may be an element of a list; `problem` is one of our own texts. */
const misfit = ({ field, problem }: Misfit): string =>
  `${/^[a-z][a-z_]{0,49}(?:\[\d{1,4}\])?$/.test(field) ? `The member ${field}` : 'The metadata'} ${inAscii(problem)}.`

/** A text with the clause of a profile, in characters that an error_description may contain. */
const inAscii = (problem: string): string => problem.replaceAll('§', 'section ')

/** RFC 9449 §4.3: none of these faults is secret, and they help to fix a client. */
const proofFaults: Readonly<Record<ProofFault, string>> = {
  malformed: 'it is not one JWT of the type dpop+jwt, with the claims and an algorithm of RFC 9449',
  key: 'its jwk is not a public key that fits its algorithm',
  method: 'htm is not the method of this request',
  address: 'htu is not the address of this request',
  age: 'iat is more than a minute away from now',
  token: 'ath is not the hash of the access token',
  signature: 'its signature is wrong',
  nonce: 'its nonce is not one of ours',
}

/** RFC 9110 §10.2.3: whole seconds. */
const retryAfter = (it: Wait): Headers => ({ 'Retry-After': String(Math.max(1, Math.ceil(it.retryAfter))) })

// One text for all faults of a kind, so that guessing codes or tokens reveals nothing.
const codeInvalid = row(400, 'invalid_grant', 'The code is not valid, has expired, or was used before.')
const deviceCodeInvalid = row(400, 'invalid_grant', 'The device_code is not valid, or was used before.')
const authReqIdInvalid = row(400, 'invalid_grant', 'The auth_req_id is not valid, or was used before.')
const grantInvalid = row(400, 'invalid_grant', 'The grant is not valid, has expired, or was revoked.')
const verifierInvalid = row(
  400,
  'invalid_grant',
  'The code_verifier does not answer the code_challenge of the authorization request.',
)
const assertionInvalid = row(
  400,
  'invalid_grant',
  'The assertion is not one that is accepted here, has expired, or was used before.',
)
const denied = row(400, 'access_denied', 'The person did not allow it.')

/**
 * RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 8707 §2: reason, status, error, text, headers. docs/errors.md explains when each
 * is used.
 */
const refusals = {
  parameter_missing: row(400, 'invalid_request', (it: Named) => `${parameter(it.name)} is missing or empty.`),
  parameter_repeated: row(
    400,
    'invalid_request',
    (it: Named) => `${parameter(it.name)} must not be sent more than once.`,
  ),
  parameter_malformed: row(400, 'invalid_request', (it: Named) => `${parameter(it.name)} is malformed or too long.`),
  form_malformed: row(
    400,
    'invalid_request',
    'The parameters are not valid application/x-www-form-urlencoded text, or there are too many.',
  ),
  content_type_unsupported: row(415, 'invalid_request', 'Send the parameters as application/x-www-form-urlencoded.'),
  body_too_large: row(413, 'invalid_request', 'The request body is too large.'),
  uri_too_long: row(414, 'invalid_request', 'The address of the request is too long.'),
  tls_required: row(400, 'invalid_request', 'This service is used over TLS only.'),
  method_not_allowed: row(
    405,
    'invalid_request',
    (it: { readonly allow: string }) => `This endpoint answers to ${it.allow} only.`,
    (it) => ({ Allow: it.allow }),
  ),
  not_found: row(404, 'invalid_request', 'There is nothing at this address.'),
  status_time_unsupported: row(501, 'invalid_request', 'Status lists of the past are not kept.'),
  tenant_unknown: row(404, 'invalid_request', 'There is no issuer at this address.'),

  // One text for every fault, so that a wrong secret, an unknown and a disabled client look the same.
  client_unauthenticated: row(
    401,
    'invalid_client',
    'Client authentication failed.',
    // RFC 6749 §5.2: a client that tried the Authorization header is answered with the scheme it used.
    (it: { readonly challenge: boolean }) =>
      it.challenge ? { 'WWW-Authenticate': basicChallenge('token endpoint') } : undefined,
  ),
  client_auth_ambiguous: row(400, 'invalid_request', 'Authenticate the client in one way only, with one client_id.'),
  client_certificate_unreadable: row(
    400,
    'invalid_request',
    'The client certificate that came with the request cannot be read, or came twice.',
  ),
  client_auth_malformed: row(
    400,
    'invalid_request',
    'The client credentials are not encoded as HTTP Basic authentication asks for.',
  ),
  grant_type_unknown: row(400, 'unsupported_grant_type', 'This grant_type is not supported here.'),
  grant_type_not_allowed: row(400, 'unauthorized_client', 'The client is not registered for this grant_type.'),
  client_unfit: row(
    400,
    'unauthorized_client',
    ({ field, problem }: Misfit) => `The client cannot be used in this tenant: ${field} ${inAscii(problem)}.`,
  ),
  public_client_has_no_credentials: row(
    400,
    'unauthorized_client',
    'A public client cannot use its own credentials as a grant.',
  ),

  scope_malformed: row(
    400,
    'invalid_scope',
    'The scope is not a list of scope names separated by single spaces, or it is too long.',
  ),
  scope_unknown: row(400, 'invalid_scope', 'A requested scope is not known, or not meant for this kind of request.'),
  scope_exceeds_client: row(400, 'invalid_scope', 'The client is not registered for a requested scope.'),
  scope_of_another_resource: row(400, 'invalid_scope', 'A requested scope does not belong to the requested resource.'),
  scope_missing: row(400, 'invalid_scope', 'Name a scope; the client has none that could stand in for it.'),
  scope_exceeds_grant: row(400, 'invalid_scope', 'The requested scope exceeds what was granted.'),
  resource_malformed: row(400, 'invalid_target', 'The resource must be an absolute URI without a fragment.'),
  resource_unknown: row(400, 'invalid_target', 'The requested resource is not known.'),
  resource_ambiguous: row(
    400,
    'invalid_target',
    'One token serves one resource. Name it with a single resource parameter.',
  ),
  resource_not_allowed: row(
    400,
    'invalid_target',
    'The client is not registered for any scope of the requested resource.',
  ),
  resource_outside_grant: row(400, 'invalid_target', 'The requested resource is not among those that were granted.'),
  retry_of_another_scope: row(400, 'invalid_scope', 'A repeated request must ask for the same scope as the first.'),
  retry_of_another_resource: row(
    400,
    'invalid_target',
    'A repeated request must ask for the same resource as the first.',
  ),

  // RFC 9396 §5.
  details_malformed: row(
    400,
    'invalid_authorization_details',
    'The authorization_details are not a JSON array of distinct objects with a type each, or they are too long or too deep.',
  ),
  details_type_unknown: row(
    400,
    'invalid_authorization_details',
    'A type of the authorization_details is not known here.',
  ),
  details_type_not_allowed: row(
    400,
    'invalid_authorization_details',
    'The client is not registered for a type of the authorization_details.',
  ),
  details_misfit: row(
    400,
    'invalid_authorization_details',
    'An authorization detail has a member that its type does not have, lacks one, or has one of another kind.',
  ),
  details_of_another_resource: row(
    400,
    'invalid_authorization_details',
    'An authorization detail does not belong to the requested resource.',
  ),
  details_exceed_grant: row(
    400,
    'invalid_authorization_details',
    'An authorization detail is not one of those that were granted.',
  ),
  retry_of_other_details: row(
    400,
    'invalid_authorization_details',
    'A repeated request must ask for the same authorization_details as the first.',
  ),

  code_unknown: codeInvalid,
  code_expired: codeInvalid,
  code_replayed: codeInvalid,
  code_of_another_client: codeInvalid,
  redirect_uri_mismatch: row(400, 'invalid_grant', 'The redirect_uri is not the one of the authorization request.'),
  verifier_missing: verifierInvalid,
  verifier_mismatch: verifierInvalid,
  verifier_unexpected: verifierInvalid,
  refresh_unknown: grantInvalid,
  refresh_expired: grantInvalid,
  refresh_replayed: grantInvalid,
  refresh_of_another_client: grantInvalid,
  grant_ended: grantInvalid,
  subject_gone: grantInvalid,
  device_code_unknown: deviceCodeInvalid,
  device_code_replayed: deviceCodeInvalid,
  device_code_of_another_client: deviceCodeInvalid,
  device_code_expired: row(400, 'expired_token', 'The device_code has expired. Begin again with a new one.'),
  device_pending: row(400, 'authorization_pending', 'The person has not decided yet. Ask again after the interval.'),
  device_polled_too_fast: row(400, 'slow_down', 'Asked too soon. Wait 5 seconds longer from now on.'),
  device_denied: denied,

  // CIBA §11, §13.
  auth_req_id_unknown: authReqIdInvalid,
  auth_req_id_of_another_client: authReqIdInvalid,
  auth_req_id_used: authReqIdInvalid,
  auth_req_id_expired: row(400, 'expired_token', 'The auth_req_id has expired. Begin again with a new one.'),
  hint_not_single: row(
    400,
    'invalid_request',
    'Say who is meant by exactly one of login_hint, id_token_hint and login_hint_token.',
  ),
  hint_invalid: row(400, 'invalid_request', (it: Named) => `${parameter(it.name)} is not one that is accepted here.`),
  backchannel_request_invalid: row(
    400,
    'invalid_request',
    (it: { readonly problem: string }) => `The signed request ${it.problem}.`,
  ),
  login_hint_token_expired: row(400, 'expired_login_hint_token', 'The login_hint_token has expired.'),
  scope_lacks_openid: row(400, 'invalid_scope', 'The scope must hold openid.'),
  binding_message_invalid: row(
    400,
    'invalid_binding_message',
    'The binding_message must be of at most 100 letters, digits, spaces and signs that can be seen.',
  ),
  user_code_missing: row(400, 'missing_user_code', 'The client asks with a user_code, and this request has none.'),
  user_code_wrong: row(400, 'invalid_user_code', 'The user_code is not right.'),

  // RFC 9449 §5, §8.
  proof_missing: row(400, 'invalid_dpop_proof', 'A DPoP proof is missing, and these tokens are bound to a key.'),
  proof_invalid: row(
    400,
    'invalid_dpop_proof',
    (it: { readonly fault: ProofFault }) => `The DPoP proof is not valid: ${proofFaults[it.fault]}.`,
  ),
  proof_replayed: row(400, 'invalid_dpop_proof', 'The DPoP proof was used before. Make a new one for each request.'),
  proof_of_another_key: row(400, 'invalid_dpop_proof', 'The DPoP proof is not of the key that dpop_jkt names.'),
  proof_nonce_wanted: row(
    400,
    'use_dpop_nonce',
    'Put the nonce of the DPoP-Nonce header into the DPoP proof.',
    (it: { readonly nonce: string }) => ({ 'DPoP-Nonce': it.nonce }),
  ),
  certificate_missing: row(
    400,
    'invalid_request',
    'A client certificate is missing, and these tokens are bound to one.',
  ),
  certificate_expired: row(400, 'invalid_request', 'The client certificate that tokens would be bound to is over.'),
  certificate_not_yet_valid: row(
    400,
    'invalid_request',
    'The client certificate that tokens would be bound to is not valid yet.',
  ),
  grant_of_another_key: row(400, 'invalid_grant', 'The grant is bound to another key or certificate.'),

  client_unknown: row(400, 'invalid_request', 'The client is not known here.'),
  redirect_uri_unregistered: row(
    400,
    'invalid_request',
    'The redirect_uri is missing, or not one that the client has registered.',
  ),
  challenge_missing: row(400, 'invalid_request', 'Send a code_challenge with the method S256 (PKCE).'),
  challenge_method_unsupported: row(400, 'invalid_request', 'The code_challenge_method must be S256.'),
  response_type_unsupported: row(400, 'unsupported_response_type', 'The response_type must be code.'),
  response_mode_unsigned: row(
    400,
    'invalid_request',
    'The client has its answers signed. Ask for the response_mode jwt.',
  ),
  response_mode_unsupported: row(
    400,
    'invalid_request',
    'The response_mode must be query, form_post, jwt, query.jwt or form_post.jwt.',
  ),
  // RFC 9101 §7, RFC 9126 §2.3.
  request_object_invalid: row(
    400,
    'invalid_request_object',
    (it: { readonly problem: string }) => `The request object ${it.problem}.`,
  ),
  request_object_missing: row(400, 'invalid_request', 'The client must send its request as a signed request object.'),
  request_given_twice: row(400, 'invalid_request', 'Send either request or request_uri, not both.'),
  request_uri_unregistered: row(
    400,
    'invalid_request_uri',
    'The request_uri is not one that the client has registered, nor one of a pushed request.',
  ),
  request_uri_unfetched: row(400, 'invalid_request_uri', 'No request object could be fetched from the request_uri.'),
  request_uri_invalid: row(
    400,
    'invalid_request_uri',
    'The request_uri is not known, has expired, or was used before.',
  ),
  request_uri_pushed: row(400, 'invalid_request', 'A pushed request must not hold the parameter request_uri.'),
  push_missing: row(400, 'invalid_request', 'The client must push its authorization request first (PAR).'),
  registration_unsupported: row(400, 'registration_not_supported', 'The parameter registration is not supported here.'),
  request_too_long: row(400, 'invalid_request', 'The parameters of the request are too long together.'),
  prompt_contradictory: row(400, 'invalid_request', 'The prompt is not known, or none stands beside another one.'),
  login_required: row(400, 'login_required', 'The person must sign in, which prompt=none does not allow.'),
  person_mismatch: row(400, 'login_required', 'Somebody else signed in than the one the request asks for.'),
  consent_required: row(
    400,
    'consent_required',
    'The person must be asked for consent, which prompt=none does not allow.',
  ),
  terms_outstanding: row(
    400,
    'interaction_required',
    'The person must agree to the terms of use, which prompt=none does not allow.',
  ),
  account_selection_required: row(
    400,
    'account_selection_required',
    'The person must choose an account, which prompt=none does not allow.',
  ),
  authentication_requirements_unmet: row(
    400,
    'unmet_authentication_requirements',
    'The person could not sign in in the way that was required.',
  ),
  access_denied: denied,
  administrators_only: row(400, 'access_denied', 'The requested scope is for administrators only.'),
  policy_denied: row(400, 'access_denied', 'The policy of the API does not allow this token.'),
  hook_denied: row(400, 'access_denied', 'The API does not allow this token.'),
  policy_unavailable: row(
    503,
    'temporarily_unavailable',
    'The policy of the API cannot be asked at present. Try again shortly; nothing was used up.',
    retryAfter,
  ),
  hook_unavailable: row(
    503,
    'temporarily_unavailable',
    'The API cannot be asked at present whether it allows this token. Try again shortly; nothing was used up.',
    retryAfter,
  ),
  roles_missing: row(400, 'access_denied', 'The person has no role that allows what was asked for.'),
  post_logout_redirect_uri_unregistered: row(
    400,
    'invalid_request',
    'The post_logout_redirect_uri is not one that the client has registered.',
  ),
  form_forged: row(403, 'invalid_request', 'This form did not come from a page of ours in this browser.'),
  interaction_gone: row(
    400,
    'invalid_request',
    'This sign-in has ended or taken too long. Begin again from the application.',
  ),
  provider_return_unknown: row(
    400,
    'invalid_request',
    'This sign-in was begun in another browser, has taken too long, or is finished already.',
  ),
  logout_token_invalid: row(400, 'invalid_request', 'The logout token is not valid, or was used before.'),
  interaction_of_another_browser: row(400, 'invalid_request', 'This sign-in was begun in another browser.'),

  // RFC 7521 §4.1.1: one text for every fault, as for codes; the operator's log names the failed check.
  assertion_invalid: assertionInvalid,
  assertion_used: assertionInvalid,
  issuer_unavailable: row(
    503,
    'temporarily_unavailable',
    'The keys of the issuer of this token cannot be had at present. Try again shortly.',
    retryAfter,
  ),

  // RFC 8693 §2.2.2.
  token_type_not_exchanged: row(
    400,
    'invalid_request',
    (it: Named) => `${parameter(it.name)} names a type of token that is not exchanged here.`,
  ),
  subject_token_invalid: row(400, 'invalid_request', 'The subject_token is not one that is valid here.'),
  actor_token_invalid: row(400, 'invalid_request', 'The actor_token is not an access token that is valid here.'),
  actor_of_another_key: row(
    400,
    'invalid_request',
    'The actor_token is bound to a key that the request does not prove.',
  ),
  actor_not_allowed: row(400, 'invalid_request', 'The one who would act may not act for the subject of this token.'),
  actors_too_many: row(400, 'invalid_request', 'The token was handed on too many times.'),
  exchange_not_allowed: row(400, 'invalid_target', 'The client may not exchange tokens for this audience.'),
  scope_exceeds_exchange: row(
    400,
    'invalid_scope',
    'The requested scope exceeds what may be exchanged for this token.',
  ),

  token_type_unsupported: row(400, 'unsupported_token_type', 'This kind of token cannot be revoked here.'),
  // RFC 7009 §2.1 requires a refusal without naming a code; RFC 6749 §5.2 has one for "issued to another client".
  token_of_another_client: row(400, 'invalid_grant', 'The token was not issued to this client.'),

  metadata_expected: row(415, 'invalid_client_metadata', 'Send the metadata as a JSON object, application/json.'),
  client_metadata_invalid: row(400, 'invalid_client_metadata', misfit),
  redirect_uri_refused: row(400, 'invalid_redirect_uri', misfit),
  software_statement_refused: row(
    400,
    'invalid_software_statement',
    'Software statements are not accepted here. Register without one.',
  ),
  registration_closed: row(403, 'access_denied', 'Clients cannot register themselves here.'),
  registration_full: row(503, 'temporarily_unavailable', 'No more clients can register here at present.', () =>
    retryAfter({ retryAfter: 3600 }),
  ),
  registration_token_invalid: row(
    401,
    'invalid_token',
    'The token that allows this is missing, unknown, used up or expired.',
    () => ({ 'WWW-Authenticate': bearerChallenge({ realm: 'registration', error: 'invalid_token' }) }),
  ),
  client_document_unfetched: row(400, 'invalid_request', 'The document that the client_id names could not be fetched.'),
  client_document_invalid: row(400, 'invalid_client_metadata', misfit),

  limit_reached: row(
    429,
    'temporarily_unavailable',
    ({ limit: { name, quota, window }, retryAfter: wait }: ReachedLimit) =>
      `Too many requests: the limit ${name} (${quota} in ${window} s) is reached. Try again in ${wait} s.`,
    retryAfter,
  ),
  unavailable: row(
    503,
    'temporarily_unavailable',
    'The service cannot answer right now. Try again shortly.',
    retryAfter,
  ),
  overloaded: row(
    503,
    'temporarily_unavailable',
    'More requests came at once than can be served. Try again shortly.',
    retryAfter,
  ),
} as const

type Reason = keyof typeof refusals
type FieldsOf<R extends Reason> = (typeof refusals)[R] extends Row<infer F> ? F : never

/** The reason, with the fields that its row needs. */
export type Refusal = { [R in Reason]: { readonly reason: R } & FieldsOf<R> }[Reason]

/** The `error` of a refusal on the wire; each has a page at /problems/{error}. */
export type RefusalError = (typeof refusals)[Reason]['error']

export const refusalReasons = Object.freeze(Object.keys(refusals)) as readonly Reason[]

export interface RefusalResponse {
  readonly status: number
  readonly error: string
  readonly error_description: string
  readonly headers?: Headers
}

/** The only place where a reason becomes status, error and text. */
export function refusalResponse(refusal: Refusal): RefusalResponse {
  const { status, error, text, headers: headersOf } = refusals[refusal.reason] as Row<Refusal>
  const headers = headersOf?.(refusal)
  const error_description = typeof text === 'string' ? text : text(refusal)
  return { status, error, error_description, ...(headers === undefined ? {} : { headers }) }
}
