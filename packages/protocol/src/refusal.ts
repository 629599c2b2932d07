/** A refusal is a value. Every reason stands here once, and wire() is the only place a reason becomes status + error. */
import { basicChallenge } from './challenge.ts'

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
  | { readonly reason: 'token_type_unsupported' }
  | { readonly reason: 'token_of_another_client' }
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
