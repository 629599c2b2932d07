import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Refusal, refusalResponse } from '../../src/oauth/refusal.ts'

const one: { [R in Refusal['reason']]: Extract<Refusal, { reason: R }> } = {
  token_type_not_exchanged: { reason: 'token_type_not_exchanged', name: 'subject_token_type' },
  auth_req_id_unknown: { reason: 'auth_req_id_unknown' },
  auth_req_id_of_another_client: { reason: 'auth_req_id_of_another_client' },
  auth_req_id_used: { reason: 'auth_req_id_used' },
  auth_req_id_expired: { reason: 'auth_req_id_expired' },
  hint_not_single: { reason: 'hint_not_single' },
  login_hint_token_expired: { reason: 'login_hint_token_expired' },
  scope_lacks_openid: { reason: 'scope_lacks_openid' },
  binding_message_invalid: { reason: 'binding_message_invalid' },
  user_code_missing: { reason: 'user_code_missing' },
  user_code_wrong: { reason: 'user_code_wrong' },
  backchannel_request_invalid: { reason: 'backchannel_request_invalid', problem: 'was used before' },
  hint_invalid: { reason: 'hint_invalid', name: 'id_token_hint' },
  assertion_invalid: { reason: 'assertion_invalid' },
  assertion_used: { reason: 'assertion_used' },
  issuer_unavailable: { reason: 'issuer_unavailable', retryAfter: 5 },
  subject_token_invalid: { reason: 'subject_token_invalid' },
  actor_token_invalid: { reason: 'actor_token_invalid' },
  actor_not_allowed: { reason: 'actor_not_allowed' },
  actor_of_another_key: { reason: 'actor_of_another_key' },
  actors_too_many: { reason: 'actors_too_many' },
  exchange_not_allowed: { reason: 'exchange_not_allowed' },
  scope_exceeds_exchange: { reason: 'scope_exceeds_exchange' },
  parameter_missing: { reason: 'parameter_missing', name: 'token' },
  parameter_repeated: { reason: 'parameter_repeated', name: 'scope' },
  parameter_malformed: { reason: 'parameter_malformed', name: 'scope' },
  form_malformed: { reason: 'form_malformed' },
  content_type_unsupported: { reason: 'content_type_unsupported' },
  body_too_large: { reason: 'body_too_large' },
  uri_too_long: { reason: 'uri_too_long' },
  tls_required: { reason: 'tls_required' },
  method_not_allowed: { reason: 'method_not_allowed', allow: 'POST' },
  not_found: { reason: 'not_found' },
  status_time_unsupported: { reason: 'status_time_unsupported' },
  tenant_unknown: { reason: 'tenant_unknown' },
  client_unauthenticated: { reason: 'client_unauthenticated', challenge: true },
  client_auth_ambiguous: { reason: 'client_auth_ambiguous' },
  client_certificate_unreadable: { reason: 'client_certificate_unreadable' },
  client_auth_malformed: { reason: 'client_auth_malformed' },
  grant_type_unknown: { reason: 'grant_type_unknown' },
  grant_type_not_allowed: { reason: 'grant_type_not_allowed' },
  client_unfit: { reason: 'client_unfit', field: 'jwks', problem: 'must be there (FAPI 2.0 §5.3.2.1)' },
  public_client_has_no_credentials: { reason: 'public_client_has_no_credentials' },
  scope_malformed: { reason: 'scope_malformed' },
  scope_unknown: { reason: 'scope_unknown' },
  scope_exceeds_client: { reason: 'scope_exceeds_client' },
  scope_of_another_resource: { reason: 'scope_of_another_resource' },
  resource_malformed: { reason: 'resource_malformed' },
  resource_unknown: { reason: 'resource_unknown' },
  resource_ambiguous: { reason: 'resource_ambiguous' },
  resource_not_allowed: { reason: 'resource_not_allowed' },
  resource_outside_grant: { reason: 'resource_outside_grant' },
  retry_of_another_scope: { reason: 'retry_of_another_scope' },
  retry_of_another_resource: { reason: 'retry_of_another_resource' },
  scope_missing: { reason: 'scope_missing' },
  scope_exceeds_grant: { reason: 'scope_exceeds_grant' },
  proof_missing: { reason: 'proof_missing' },
  proof_invalid: { reason: 'proof_invalid', fault: 'address' },
  proof_replayed: { reason: 'proof_replayed' },
  proof_of_another_key: { reason: 'proof_of_another_key' },
  proof_nonce_wanted: { reason: 'proof_nonce_wanted', nonce: 'n' },
  certificate_missing: { reason: 'certificate_missing' },
  certificate_expired: { reason: 'certificate_expired' },
  certificate_not_yet_valid: { reason: 'certificate_not_yet_valid' },
  grant_of_another_key: { reason: 'grant_of_another_key' },
  details_malformed: { reason: 'details_malformed' },
  details_type_unknown: { reason: 'details_type_unknown' },
  details_type_not_allowed: { reason: 'details_type_not_allowed' },
  details_misfit: { reason: 'details_misfit' },
  details_of_another_resource: { reason: 'details_of_another_resource' },
  details_exceed_grant: { reason: 'details_exceed_grant' },
  retry_of_other_details: { reason: 'retry_of_other_details' },
  response_mode_unsigned: { reason: 'response_mode_unsigned' },
  code_unknown: { reason: 'code_unknown' },
  code_expired: { reason: 'code_expired' },
  code_replayed: { reason: 'code_replayed' },
  code_of_another_client: { reason: 'code_of_another_client' },
  redirect_uri_mismatch: { reason: 'redirect_uri_mismatch' },
  verifier_missing: { reason: 'verifier_missing' },
  verifier_mismatch: { reason: 'verifier_mismatch' },
  verifier_unexpected: { reason: 'verifier_unexpected' },
  device_code_unknown: { reason: 'device_code_unknown' },
  device_code_expired: { reason: 'device_code_expired' },
  device_code_replayed: { reason: 'device_code_replayed' },
  device_code_of_another_client: { reason: 'device_code_of_another_client' },
  device_pending: { reason: 'device_pending' },
  device_polled_too_fast: { reason: 'device_polled_too_fast' },
  device_denied: { reason: 'device_denied' },
  refresh_unknown: { reason: 'refresh_unknown' },
  refresh_expired: { reason: 'refresh_expired' },
  refresh_replayed: { reason: 'refresh_replayed' },
  refresh_of_another_client: { reason: 'refresh_of_another_client' },
  grant_ended: { reason: 'grant_ended' },
  subject_gone: { reason: 'subject_gone' },
  client_unknown: { reason: 'client_unknown' },
  redirect_uri_unregistered: { reason: 'redirect_uri_unregistered' },
  challenge_missing: { reason: 'challenge_missing' },
  challenge_method_unsupported: { reason: 'challenge_method_unsupported' },
  response_type_unsupported: { reason: 'response_type_unsupported' },
  response_mode_unsupported: { reason: 'response_mode_unsupported' },
  request_object_invalid: { reason: 'request_object_invalid', problem: 'is not a signed JWT' },
  request_object_missing: { reason: 'request_object_missing' },
  request_given_twice: { reason: 'request_given_twice' },
  request_uri_unregistered: { reason: 'request_uri_unregistered' },
  request_uri_unfetched: { reason: 'request_uri_unfetched' },
  request_uri_invalid: { reason: 'request_uri_invalid' },
  request_uri_pushed: { reason: 'request_uri_pushed' },
  push_missing: { reason: 'push_missing' },
  registration_unsupported: { reason: 'registration_unsupported' },
  metadata_expected: { reason: 'metadata_expected' },
  client_metadata_invalid: { reason: 'client_metadata_invalid', field: 'scope', problem: 'must be a text' },
  redirect_uri_refused: { reason: 'redirect_uri_refused', field: 'redirect_uris[1]', problem: 'is too long' },
  software_statement_refused: { reason: 'software_statement_refused' },
  registration_closed: { reason: 'registration_closed' },
  registration_full: { reason: 'registration_full' },
  registration_token_invalid: { reason: 'registration_token_invalid' },
  client_document_unfetched: { reason: 'client_document_unfetched' },
  client_document_invalid: { reason: 'client_document_invalid', field: 'client_id', problem: 'must be the address' },
  request_too_long: { reason: 'request_too_long' },
  prompt_contradictory: { reason: 'prompt_contradictory' },
  login_required: { reason: 'login_required' },
  person_mismatch: { reason: 'person_mismatch' },
  post_logout_redirect_uri_unregistered: { reason: 'post_logout_redirect_uri_unregistered' },
  consent_required: { reason: 'consent_required' },
  terms_outstanding: { reason: 'terms_outstanding' },
  account_selection_required: { reason: 'account_selection_required' },
  authentication_requirements_unmet: { reason: 'authentication_requirements_unmet' },
  access_denied: { reason: 'access_denied' },
  administrators_only: { reason: 'administrators_only' },
  policy_denied: { reason: 'policy_denied' },
  hook_denied: { reason: 'hook_denied' },
  policy_unavailable: { reason: 'policy_unavailable', retryAfter: 2 },
  hook_unavailable: { reason: 'hook_unavailable', retryAfter: 2 },
  roles_missing: { reason: 'roles_missing' },
  token_type_unsupported: { reason: 'token_type_unsupported' },
  token_of_another_client: { reason: 'token_of_another_client' },
  form_forged: { reason: 'form_forged' },
  interaction_gone: { reason: 'interaction_gone' },
  interaction_of_another_browser: { reason: 'interaction_of_another_browser' },
  limit_reached: {
    reason: 'limit_reached',
    limit: { name: 'registration', quota: 20, window: 3600 },
    retryAfter: 2,
  },
  provider_return_unknown: { reason: 'provider_return_unknown' },
  logout_token_invalid: { reason: 'logout_token_invalid' },
  unavailable: { reason: 'unavailable', retryAfter: 2 },
  overloaded: { reason: 'overloaded', retryAfter: 1 },
}

test('RFC 6749 §5.2: every description is printable ASCII without quotes or backslashes', () => {
  for (const refusal of Object.values(one)) {
    assert.match(refusalResponse(refusal).error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, refusal.reason)
    assert.match(refusalResponse(refusal).error, /^[a-z_]+$/, refusal.reason)
  }
})

test('a refusal never answers 200: every status is an error', () => {
  for (const refusal of Object.values(one)) assert.ok(refusalResponse(refusal).status >= 400, refusal.reason)
})

/** Every reason by its error; in the order of the RFCs that name them. */
const errors: Readonly<Record<string, string>> = {
  invalid_request: [
    'token_type_not_exchanged hint_not_single backchannel_request_invalid hint_invalid subject_token_invalid',
    'actor_token_invalid actor_of_another_key actor_not_allowed actors_too_many parameter_missing parameter_repeated',
    'parameter_malformed form_malformed content_type_unsupported body_too_large uri_too_long tls_required',
    'method_not_allowed not_found status_time_unsupported tenant_unknown client_auth_ambiguous',
    'client_certificate_unreadable client_auth_malformed certificate_missing certificate_expired',
    'certificate_not_yet_valid response_mode_unsigned client_unknown redirect_uri_unregistered',
    'challenge_missing challenge_method_unsupported response_mode_unsupported request_object_missing',
    'request_given_twice request_uri_pushed push_missing client_document_unfetched request_too_long',
    'prompt_contradictory post_logout_redirect_uri_unregistered form_forged interaction_gone',
    'interaction_of_another_browser',
    'provider_return_unknown logout_token_invalid',
  ].join(' '),
  invalid_grant: [
    'auth_req_id_unknown auth_req_id_of_another_client auth_req_id_used assertion_invalid assertion_used',
    'grant_of_another_key code_unknown code_expired code_replayed code_of_another_client redirect_uri_mismatch',
    'verifier_missing verifier_mismatch verifier_unexpected device_code_unknown device_code_replayed',
    'device_code_of_another_client refresh_unknown refresh_expired refresh_replayed refresh_of_another_client',
    'grant_ended subject_gone token_of_another_client',
  ].join(' '),
  expired_token: 'auth_req_id_expired device_code_expired',
  expired_login_hint_token: 'login_hint_token_expired',
  invalid_scope: [
    'scope_lacks_openid scope_exceeds_exchange scope_malformed scope_unknown scope_exceeds_client',
    'scope_of_another_resource retry_of_another_scope scope_missing scope_exceeds_grant',
  ].join(' '),
  invalid_binding_message: 'binding_message_invalid',
  missing_user_code: 'user_code_missing',
  invalid_user_code: 'user_code_wrong',
  temporarily_unavailable:
    'policy_unavailable hook_unavailable issuer_unavailable registration_full limit_reached unavailable overloaded',
  invalid_target: [
    'exchange_not_allowed resource_malformed resource_unknown resource_ambiguous resource_not_allowed',
    'resource_outside_grant retry_of_another_resource',
  ].join(' '),
  invalid_client: 'client_unauthenticated',
  unsupported_grant_type: 'grant_type_unknown',
  unauthorized_client: 'grant_type_not_allowed client_unfit public_client_has_no_credentials',
  invalid_dpop_proof: 'proof_missing proof_invalid proof_replayed proof_of_another_key',
  use_dpop_nonce: 'proof_nonce_wanted',
  invalid_authorization_details: [
    'details_malformed details_type_unknown details_type_not_allowed details_misfit',
    'details_of_another_resource details_exceed_grant retry_of_other_details',
  ].join(' '),
  authorization_pending: 'device_pending',
  slow_down: 'device_polled_too_fast',
  access_denied:
    'device_denied registration_closed access_denied administrators_only policy_denied hook_denied roles_missing',
  unsupported_response_type: 'response_type_unsupported',
  invalid_request_object: 'request_object_invalid',
  invalid_request_uri: 'request_uri_unregistered request_uri_unfetched request_uri_invalid',
  registration_not_supported: 'registration_unsupported',
  invalid_client_metadata: 'metadata_expected client_metadata_invalid client_document_invalid',
  invalid_redirect_uri: 'redirect_uri_refused',
  invalid_software_statement: 'software_statement_refused',
  invalid_token: 'registration_token_invalid',
  login_required: 'login_required person_mismatch',
  consent_required: 'consent_required',
  interaction_required: 'terms_outstanding',
  account_selection_required: 'account_selection_required',
  unmet_authentication_requirements: 'authentication_requirements_unmet',
  unsupported_token_type: 'token_type_unsupported',
}
/** All others are 400. */
const statuses: Partial<Record<Refusal['reason'], number>> = {
  client_unauthenticated: 401,
  registration_token_invalid: 401,
  registration_closed: 403,
  form_forged: 403,
  not_found: 404,
  tenant_unknown: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  uri_too_long: 414,
  content_type_unsupported: 415,
  metadata_expected: 415,
  limit_reached: 429,
  status_time_unsupported: 501,
  policy_unavailable: 503,
  hook_unavailable: 503,
  issuer_unavailable: 503,
  registration_full: 503,
  unavailable: 503,
  overloaded: 503,
}
for (const [error, reasons] of Object.entries(errors))
  test(`what is answered ${error}, and by which status`, () => {
    for (const reason of reasons.split(' ')) {
      const answer = refusalResponse(one[reason as Refusal['reason']])
      assert.deepEqual([answer.error, answer.status], [error, statuses[reason as Refusal['reason']] ?? 400], reason)
    }
  })
test('every reason has its error in this list', () => {
  const listed = Object.values(errors).flatMap((reasons) => reasons.split(' '))
  assert.deepEqual(listed.toSorted(), Object.keys(one).toSorted())
})

test('what a refusal is told of stands in its text', () => {
  const text = (refusal: Refusal) => refusalResponse(refusal).error_description
  assert.equal(text(one.hint_invalid), 'The parameter id_token_hint is not one that is accepted here.')
  assert.equal(
    text(one.token_type_not_exchanged),
    'The parameter subject_token_type names a type of token that is not exchanged here.',
  )
  assert.equal(text(one.parameter_missing), 'The parameter token is missing or empty.')
  assert.equal(text(one.parameter_malformed), 'The parameter scope is malformed or too long.')
  assert.equal(text(one.client_metadata_invalid), 'The member scope must be a text.')
  assert.equal(text(one.redirect_uri_refused), 'The member redirect_uris[1] is too long.')
  assert.equal(text({ ...one.redirect_uri_refused, field: 'Redirect URIs' }), 'The metadata is too long.')
  assert.equal(
    text(one.client_unfit),
    'The client cannot be used in this tenant: jwks must be there (FAPI 2.0 section 5.3.2.1).',
  )
  assert.equal(text(one.backchannel_request_invalid), 'The signed request was used before.')
  assert.match(text(one.request_object_invalid), /is not a signed JWT\./)
  assert.match(text(one.method_not_allowed), /answers to POST only/)
  assert.equal(
    text(one.limit_reached),
    'Too many requests: the limit registration (20 in 3600 s) is reached. Try again in 2 s.',
  )
  const faults = ['malformed', 'key', 'method', 'address', 'age', 'token', 'signature', 'nonce'] as const
  assert.equal(new Set(faults.map((fault) => text({ reason: 'proof_invalid', fault }))).size, faults.length)
})

test('RFC 6749 §5.2: WWW-Authenticate names Basic only when the client used the Authorization header', () => {
  assert.equal(
    refusalResponse({ reason: 'client_unauthenticated', challenge: true }).headers?.['WWW-Authenticate'],
    'Basic realm="token endpoint", charset="UTF-8"',
  )
  assert.equal(refusalResponse({ reason: 'client_unauthenticated', challenge: false }).headers, undefined)
})

test('RFC 9110 §15.5.6: 405 carries Allow; RFC 9110 §10.2.3: 503 carries whole seconds in Retry-After', () => {
  assert.deepEqual(refusalResponse({ reason: 'method_not_allowed', allow: 'GET, POST' }).headers, {
    Allow: 'GET, POST',
  })
  assert.deepEqual(refusalResponse({ reason: 'unavailable', retryAfter: 1.2 }).headers, { 'Retry-After': '2' })
  assert.deepEqual(refusalResponse({ reason: 'unavailable', retryAfter: 0 }).headers, { 'Retry-After': '1' })
})

test('RFC 6750 §3: who may not register is challenged for a token; a full house asks to come again in an hour', () => {
  assert.deepEqual(refusalResponse(one.registration_token_invalid).headers, {
    'WWW-Authenticate': 'Bearer realm="registration", error="invalid_token"',
  })
  assert.deepEqual(refusalResponse(one.registration_full).headers, { 'Retry-After': '3600' })
})

test('a parameter name out of the request is reflected only if it looks like a registered one', () => {
  assert.match(refusalResponse(one.parameter_repeated).error_description, /^The parameter scope /)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const text = refusalResponse({ reason: 'parameter_repeated', name }).error_description
      assert.match(text, /^(A parameter|The parameter [a-z][a-z_]{0,39}) must not be sent more than once\.$/)
    }),
  )
})

test('RFC 6749 §5.2: a guessed, foreign, spent or expired code or token is answered in the same words', () => {
  const texts = (...reasons: (keyof typeof one)[]) =>
    new Set(reasons.map((it) => JSON.stringify(refusalResponse(one[it]))))
  assert.equal(texts('code_unknown', 'code_expired', 'code_replayed', 'code_of_another_client').size, 1)
  assert.equal(texts('device_code_unknown', 'device_code_replayed', 'device_code_of_another_client').size, 1)
  assert.equal(texts('refresh_unknown', 'refresh_expired', 'refresh_replayed', 'refresh_of_another_client').size, 1)
})
