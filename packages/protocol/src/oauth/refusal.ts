/** A refusal is a value. Every reason stands here once, and wire() is the only place a reason becomes status + error. */
import { basicChallenge, bearerChallenge } from '../http/challenge.ts'

export type Refusal =
  | { readonly reason: 'parameter_missing'; readonly name: string }
  | { readonly reason: 'parameter_repeated'; readonly name: string }
  | { readonly reason: 'parameter_malformed'; readonly name: string }
  | { readonly reason: 'form_malformed' }
  | { readonly reason: 'content_type_unsupported' }
  | { readonly reason: 'body_too_large' }
  | { readonly reason: 'uri_too_long' }
  | { readonly reason: 'tls_required' }
  | { readonly reason: 'method_not_allowed'; readonly allow: string }
  | { readonly reason: 'not_found' }
  | { readonly reason: 'client_unauthenticated'; readonly challenge: boolean }
  | { readonly reason: 'client_auth_ambiguous' }
  | { readonly reason: 'client_auth_malformed' }
  | { readonly reason: 'grant_type_unknown' }
  | { readonly reason: 'grant_type_not_allowed' }
  | { readonly reason: 'public_client_has_no_credentials' }
  | { readonly reason: 'scope_malformed' }
  | { readonly reason: 'scope_unknown' }
  | { readonly reason: 'scope_exceeds_client' }
  | { readonly reason: 'resource_malformed' }
  | { readonly reason: 'resource_unknown' }
  | { readonly reason: 'resource_ambiguous' }
  | { readonly reason: 'resource_not_allowed' }
  | { readonly reason: 'scope_of_another_resource' }
  | { readonly reason: 'resource_outside_grant' }
  | { readonly reason: 'scope_missing' }
  | { readonly reason: 'scope_exceeds_grant' }
  | { readonly reason: 'code_unknown' }
  | { readonly reason: 'code_expired' }
  | { readonly reason: 'code_replayed' }
  | { readonly reason: 'code_of_another_client' }
  | { readonly reason: 'redirect_uri_mismatch' }
  | { readonly reason: 'verifier_missing' }
  | { readonly reason: 'verifier_mismatch' }
  | { readonly reason: 'verifier_unexpected' }
  | { readonly reason: 'refresh_unknown' }
  | { readonly reason: 'refresh_expired' }
  | { readonly reason: 'refresh_replayed' }
  | { readonly reason: 'refresh_of_another_client' }
  | { readonly reason: 'device_code_unknown' }
  | { readonly reason: 'device_code_expired' }
  | { readonly reason: 'device_code_replayed' }
  | { readonly reason: 'device_code_of_another_client' }
  | { readonly reason: 'device_pending' }
  | { readonly reason: 'device_polled_too_fast' }
  | { readonly reason: 'device_denied' }
  | { readonly reason: 'grant_ended' }
  | { readonly reason: 'subject_gone' }
  | { readonly reason: 'client_unknown' }
  | { readonly reason: 'redirect_uri_unregistered' }
  | { readonly reason: 'challenge_missing' }
  | { readonly reason: 'challenge_method_unsupported' }
  | { readonly reason: 'response_type_unsupported' }
  | { readonly reason: 'response_mode_unsupported' }
  | { readonly reason: 'request_object_unsupported' }
  | { readonly reason: 'request_uri_unsupported' }
  | { readonly reason: 'registration_unsupported' }
  | { readonly reason: 'prompt_contradictory' }
  | { readonly reason: 'login_required' }
  | { readonly reason: 'consent_required' }
  | { readonly reason: 'person_mismatch' }
  | { readonly reason: 'post_logout_redirect_uri_unregistered' }
  | { readonly reason: 'account_selection_required' }
  | { readonly reason: 'authentication_requirements_unmet' }
  | { readonly reason: 'access_denied' }
  | { readonly reason: 'token_type_unsupported' }
  | { readonly reason: 'token_of_another_client' }
  | { readonly reason: 'interaction_gone' }
  | { readonly reason: 'form_forged' }
  | { readonly reason: 'interaction_of_another_browser' }
  | { readonly reason: 'metadata_expected' }
  | { readonly reason: 'client_metadata_invalid'; readonly field: string; readonly problem: string }
  | { readonly reason: 'redirect_uri_refused'; readonly field: string; readonly problem: string }
  | { readonly reason: 'software_statement_refused' }
  | { readonly reason: 'registration_closed' }
  | { readonly reason: 'registration_full' }
  | { readonly reason: 'registration_token_invalid' }
  | { readonly reason: 'client_document_unfetched' }
  | { readonly reason: 'client_document_invalid'; readonly field: string; readonly problem: string }
  | { readonly reason: 'limit_reached'; readonly retryAfter: number }
  | { readonly reason: 'tenant_unknown' }
  | { readonly reason: 'unavailable'; readonly retryAfter: number }

export interface Wire {
  readonly status: number
  readonly error: string
  /** RFC 6749 §5.2: ASCII without quotes or backslashes; says nothing about our insides. */
  readonly error_description: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Nothing else of ours has a field called `reason`, so a refusal can travel beside any other result. */
export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'reason' in value

/** RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 8707 §2. Exhaustive by the compiler. */
// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
export function wire(refusal: Refusal): Wire {
  switch (refusal.reason) {
    case 'parameter_missing':
      return invalidRequest(`${parameter(refusal.name)} is missing or empty.`)
    case 'parameter_repeated':
      return invalidRequest(`${parameter(refusal.name)} must not be sent more than once.`)
    case 'parameter_malformed':
      return invalidRequest(`${parameter(refusal.name)} is malformed or too long.`)
    case 'form_malformed':
      return invalidRequest(
        'The parameters are not valid application/x-www-form-urlencoded text, or there are too many.',
      )
    case 'content_type_unsupported':
      return { ...invalidRequest('Send the parameters as application/x-www-form-urlencoded.'), status: 415 }
    case 'body_too_large':
      return { ...invalidRequest('The request body is too large.'), status: 413 }
    case 'uri_too_long':
      return { ...invalidRequest('The address of the request is too long.'), status: 414 }
    case 'tls_required':
      return invalidRequest('This service is used over TLS only.')
    case 'method_not_allowed':
      return {
        ...invalidRequest(`This endpoint answers to ${refusal.allow} only.`),
        status: 405,
        headers: { Allow: refusal.allow },
      }
    case 'not_found':
      return { ...invalidRequest('There is nothing at this address.'), status: 404 }
    case 'tenant_unknown':
      return { ...invalidRequest('There is no issuer at this address.'), status: 404 }
    case 'form_forged':
      return { ...invalidRequest('This form did not come from a page of ours in this browser.'), status: 403 }
    case 'interaction_gone':
      return invalidRequest('This sign-in has ended or taken too long. Begin again from the application.')
    case 'interaction_of_another_browser':
      return invalidRequest('This sign-in was begun in another browser.')
    case 'limit_reached':
      return {
        status: 429,
        error: 'temporarily_unavailable',
        error_description: 'Too many requests. Wait before trying again.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.retryAfter))) },
      }
    case 'metadata_expected':
      return { ...bad('invalid_client_metadata', 'Send the metadata as a JSON object, application/json.'), status: 415 }
    case 'client_metadata_invalid':
    case 'client_document_invalid':
      return bad('invalid_client_metadata', `${member(refusal.field)} ${refusal.problem}.`)
    case 'redirect_uri_refused':
      return bad('invalid_redirect_uri', `${member(refusal.field)} ${refusal.problem}.`)
    case 'software_statement_refused':
      return bad('invalid_software_statement', 'Software statements are not accepted here. Register without one.')
    case 'registration_closed':
      return { ...bad('access_denied', 'Clients cannot register themselves here.'), status: 403 }
    case 'registration_full':
      return {
        status: 503,
        error: 'temporarily_unavailable',
        error_description: 'No more clients can register here at present.',
        headers: { 'Retry-After': '3600' },
      }
    case 'registration_token_invalid':
      return {
        ...bad('invalid_token', 'The token that allows this is missing, unknown, used up or expired.'),
        status: 401,
        headers: { 'WWW-Authenticate': bearerChallenge({ realm: 'registration', error: 'invalid_token' }) },
      }
    case 'client_document_unfetched':
      return invalidRequest('The document that the client_id names could not be fetched.')
    case 'client_unauthenticated':
      return unauthenticated(refusal.challenge)
    case 'client_auth_ambiguous':
      return invalidRequest('Authenticate the client in one way only, with one client_id.')
    case 'client_auth_malformed':
      return invalidRequest('The client credentials are not encoded as HTTP Basic authentication asks for.')
    case 'grant_type_unknown':
      return bad('unsupported_grant_type', 'This grant_type is not supported here.')
    case 'grant_type_not_allowed':
      return bad('unauthorized_client', 'The client is not registered for this grant_type.')
    case 'public_client_has_no_credentials':
      return bad('unauthorized_client', 'A public client cannot use its own credentials as a grant.')
    case 'scope_malformed':
      return bad(
        'invalid_scope',
        'The scope is not a list of scope names separated by single spaces, or it is too long.',
      )
    case 'scope_unknown':
      return bad('invalid_scope', 'A requested scope is not known, or not meant for this kind of request.')
    case 'scope_exceeds_client':
      return bad('invalid_scope', 'The client is not registered for a requested scope.')
    case 'scope_of_another_resource':
      return bad('invalid_scope', 'A requested scope does not belong to the requested resource.')
    case 'resource_malformed':
      return bad('invalid_target', 'The resource must be an absolute URI without a fragment.')
    case 'resource_unknown':
      return bad('invalid_target', 'The requested resource is not known.')
    case 'resource_ambiguous':
      return bad('invalid_target', 'One token serves one resource. Name it with a single resource parameter.')
    case 'resource_not_allowed':
      return bad('invalid_target', 'The client is not registered for any scope of the requested resource.')
    case 'resource_outside_grant':
      return bad('invalid_target', 'The requested resource is not among those that were granted.')
    case 'scope_missing':
      return bad('invalid_scope', 'Name a scope; the client has none that could stand in for it.')
    case 'scope_exceeds_grant':
      return bad('invalid_scope', 'The requested scope exceeds what was granted.')
    // One text for all: whoever guesses codes or tokens learns nothing from the answer.
    case 'code_unknown':
    case 'code_expired':
    case 'code_replayed':
    case 'code_of_another_client':
      return bad('invalid_grant', 'The code is not valid, has expired, or was used before.')
    case 'device_code_unknown':
    case 'device_code_replayed':
    case 'device_code_of_another_client':
      return bad('invalid_grant', 'The device_code is not valid, or was used before.')
    case 'device_code_expired':
      return bad('expired_token', 'The device_code has expired. Begin again with a new one.')
    case 'device_pending':
      return bad('authorization_pending', 'The person has not decided yet. Ask again after the interval.')
    case 'device_polled_too_fast':
      return bad('slow_down', 'Asked too soon. Wait 5 seconds longer from now on.')
    case 'refresh_unknown':
    case 'refresh_expired':
    case 'refresh_replayed':
    case 'refresh_of_another_client':
    case 'grant_ended':
    case 'subject_gone':
      return bad('invalid_grant', 'The grant is not valid, has expired, or was revoked.')
    case 'redirect_uri_mismatch':
      return bad('invalid_grant', 'The redirect_uri is not the one of the authorization request.')
    case 'verifier_missing':
    case 'verifier_mismatch':
    case 'verifier_unexpected':
      return bad('invalid_grant', 'The code_verifier does not answer the code_challenge of the authorization request.')
    case 'client_unknown':
      return invalidRequest('The client is not known here.')
    case 'redirect_uri_unregistered':
      return invalidRequest('The redirect_uri is missing, or not one that the client has registered.')
    case 'challenge_missing':
      return invalidRequest('Send a code_challenge with the method S256 (PKCE).')
    case 'challenge_method_unsupported':
      return invalidRequest('The code_challenge_method must be S256.')
    case 'response_type_unsupported':
      return bad('unsupported_response_type', 'The response_type must be code.')
    case 'response_mode_unsupported':
      return invalidRequest('The response_mode must be query or form_post.')
    case 'request_object_unsupported':
      return bad('request_not_supported', 'Request objects are not supported here.')
    case 'request_uri_unsupported':
      return bad('request_uri_not_supported', 'The parameter request_uri is not supported here.')
    case 'registration_unsupported':
      return bad('registration_not_supported', 'The parameter registration is not supported here.')
    case 'prompt_contradictory':
      return invalidRequest('The prompt is not known, or none stands beside another one.')
    case 'login_required':
      return bad('login_required', 'The person must sign in, which prompt=none does not allow.')
    case 'person_mismatch':
      return bad('login_required', 'Somebody else signed in than the one the request asks for.')
    case 'post_logout_redirect_uri_unregistered':
      return invalidRequest('The post_logout_redirect_uri is not one that the client has registered.')
    case 'consent_required':
      return bad('consent_required', 'The person must be asked for consent, which prompt=none does not allow.')
    case 'account_selection_required':
      return bad('account_selection_required', 'The person must choose an account, which prompt=none does not allow.')
    case 'authentication_requirements_unmet':
      return bad('unmet_authentication_requirements', 'The person could not sign in in the way that was required.')
    case 'access_denied':
    case 'device_denied':
      return bad('access_denied', 'The person did not allow it.')
    case 'token_type_unsupported':
      return bad('unsupported_token_type', 'This kind of token cannot be revoked here.')
    case 'token_of_another_client':
      // RFC 7009 §2.1 has it refused and leaves the code open; RFC 6749 §5.2 has one for "issued to another client".
      return bad('invalid_grant', 'The token was not issued to this client.')
    case 'unavailable':
      return {
        status: 503,
        error: 'temporarily_unavailable',
        error_description: 'The service cannot answer right now. Try again shortly.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.retryAfter))) },
      }
  }
}

const bad = (error: string, error_description: string): Wire => ({ status: 400, error, error_description })
const invalidRequest = (error_description: string): Wire => bad('invalid_request', error_description)

/** One text for every way to fail, so that a wrong secret, an unknown and a disabled client look the same. */
const unauthenticated = (challenge: boolean): Wire => ({
  status: 401,
  error: 'invalid_client',
  error_description: 'Client authentication failed.',
  // RFC 6749 §5.2: a client that tried the Authorization header is answered with the scheme it used.
  ...(challenge ? { headers: { 'WWW-Authenticate': basicChallenge('token endpoint') } } : {}),
})

/** A name is repeated in an answer only if it looks like one of the registry's; foreign input is never reflected. */
const parameter = (name: string): string => (/^[a-z][a-z_]{0,39}$/.test(name) ? `The parameter ${name}` : 'A parameter')

/** The same for a member of the metadata, which may be one of a list; what is wrong with it is said in words of ours. */
const member = (name: string): string =>
  /^[a-z][a-z_]{0,49}(?:\[\d{1,4}\])?$/.test(name) ? `The member ${name}` : 'The metadata'
