/** The problem types of the resource conventions (RFC 9457 §3.1.1): the meaning of each, and its codes. */

export interface ProblemType {
  readonly status: number
  /** Constant per type; never holds data. */
  readonly title: string
  /** The first is the default; the meaning of a code never changes. */
  readonly codes: readonly [string, ...string[]]
  /** For the page behind `type`: what happened and what a client should do. */
  readonly explanation: string
  /** The URI of a type registered with IANA, which is used as it is (RFC 9457 §4.2). */
  readonly uri?: string
}

const iana = 'https://iana.org/assignments/http-problem-types#'

export const problemTypes = {
  'invalid-request': {
    status: 400,
    title: 'Malformed request',
    codes: [
      'invalid_request',
      'malformed_json',
      'header_repeated',
      'client_certificate_unreadable',
      'length_mismatch',
      'token_malformed',
    ],
    explanation:
      'The request could not be read. `errors` names the header or parameter; correct it before sending again.',
  },
  'validation-error': {
    status: 400,
    title: 'Request does not fit the schema',
    codes: ['validation_error', 'unknown_parameter', 'invalid_parameter'],
    explanation:
      'A field, parameter or header is missing, unknown or out of range. Each entry of `errors` points at one of them.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'Invalid cursor',
    codes: ['invalid_cursor', 'cursor_expired', 'cursor_mismatch'],
    explanation:
      'The cursor is not one of ours, is older than its life, or belongs to another filter, sort order or tenant. Start again without it.',
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'Idempotency-Key required',
    codes: ['idempotency_key_missing'],
    explanation:
      'This operation needs an Idempotency-Key header: a fresh random string per intention, kept for its retries.',
  },
  'idempotency-key-malformed': {
    status: 400,
    title: 'Malformed Idempotency-Key',
    codes: ['idempotency_key_malformed'],
    explanation:
      'An Idempotency-Key has 1 to 255 printable ASCII characters; one with a space, comma, quote or backslash stands in quotes.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    codes: ['token_missing'],
    explanation:
      'Send an access token as `Authorization: Bearer …`. `WWW-Authenticate` says where to find out how to get one.',
  },
  'invalid-token': {
    status: 401,
    title: 'Invalid access token',
    codes: [
      'invalid_token',
      'token_malformed',
      'token_expired',
      'token_not_yet_valid',
      'signature_invalid',
      'unknown_signing_key',
      'issuer_untrusted',
      'audience_mismatch',
      'tenant_mismatch',
      'token_type_invalid',
      'token_revoked',
      'proof_required',
      'proof_invalid',
      'proof_nonce_required',
      'certificate_required',
      'certificate_mismatch',
      'certificate_expired',
      'api_key_not_accepted',
      'address_not_allowed',
    ],
    explanation: 'The access token is not accepted here; `code` says why. Get a new one from the authorization server.',
  },
  'insufficient-scope': {
    status: 401,
    title: 'Insufficient scope',
    codes: ['insufficient_scope'],
    explanation:
      'The token is good but does not carry the scope of this operation. Refreshing it does not help: ask for `required_scope`.',
  },
  'insufficient-user-authentication': {
    status: 401,
    title: 'A fresh, strong sign-in is needed',
    codes: ['insufficient_user_authentication'],
    explanation:
      'The token is good, but its person signed in too long ago, or too weakly, for this operation. Send them through the authorization endpoint with the `acr_values` and `max_age` given here, and try again with the new token.',
  },
  forbidden: {
    status: 403,
    title: 'Not permitted',
    codes: ['forbidden', 'authorization_revoked', 'policy_denied'],
    explanation: 'The caller is known and its scope suffices, but it may not do this to this resource.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    codes: ['not_found', 'route_not_found'],
    explanation: 'There is no such resource, or none that this caller may know of.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    codes: ['method_not_allowed'],
    explanation: 'The resource does not take this method; `Allow` lists those it takes.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    codes: ['not_acceptable'],
    explanation: 'None of the media types in `Accept` is offered. This API speaks application/json.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    codes: ['conflict', 'unreadable', 'last_owner', 'operation_ended', 'operation_running', 'operation_canceled'],
    explanation: 'The request contradicts the present state of the resource. Read it again, then decide.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'A request with this key is running',
    codes: ['idempotency_in_progress', 'outcome_unknown'],
    explanation:
      'An earlier request with the same Idempotency-Key has not finished. Wait `Retry-After`, then repeat it.',
  },
  'version-sunset': {
    status: 410,
    title: 'This version is gone',
    codes: ['version_sunset'],
    explanation:
      'This version of the API has passed its sunset. `Link` with rel="successor-version" names the next one.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    codes: ['precondition_failed'],
    explanation:
      'The resource is not in the state that If-Match or If-None-Match asks for. `ETag` names its present one.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    codes: ['payload_too_large'],
    explanation: 'The body is larger than this API takes.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URL too long',
    codes: ['uri_too_long'],
    explanation: 'The URL is longer than this API takes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    codes: ['unsupported_media_type'],
    explanation:
      'The body has a media type this operation does not read; `Accept-Patch` or `Accept-Post` lists those it does.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency-Key used for another request',
    codes: ['idempotency_key_reused'],
    explanation: 'This key was sent before with a different request. Make a fresh key for each intention.',
  },
  'precondition-required': {
    status: 428,
    title: 'Precondition required',
    codes: ['precondition_required'],
    explanation:
      'Changes to this resource need If-Match with the ETag they are based on, so that none is lost (RFC 6585 §3).',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Request cannot be satisfied as assigned quota has been exceeded',
    codes: ['quota_exceeded', 'too_many_wrong_keys'],
    explanation: 'Too many requests. Wait `Retry-After` seconds, with jitter; `RateLimit` tells what is left.',
    uri: `${iana}quota-exceeded`,
  },
  'headers-too-large': {
    status: 431,
    title: 'Header fields too large',
    codes: ['headers_too_large'],
    explanation: 'The header section is larger than this API takes.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    codes: ['internal'],
    explanation: 'A fault of ours. `instance` identifies the request in our logs.',
  },
  'bad-gateway': {
    status: 502,
    title: 'Bad gateway',
    codes: ['bad_gateway'],
    explanation:
      'The API behind the gateway that answered cannot be reached, or its answer could not be read. Retry later.',
  },
  'temporary-reduced-capacity': {
    status: 503,
    title: 'Request cannot be satisfied due to temporary server capacity constraints',
    codes: ['temporary_reduced_capacity'],
    explanation: 'The service is overloaded or a part of it is away. Retry after `Retry-After` seconds.',
    uri: `${iana}temporary-reduced-capacity`,
  },
  'authorization-state-unavailable': {
    status: 503,
    title: 'Authorization state unavailable',
    codes: [
      'authorization_state_unavailable',
      'keys_unavailable',
      'revocation_state_stale',
      'introspection_unavailable',
      'proof_state_unavailable',
      'policy_unavailable',
    ],
    explanation:
      'The request could not be judged because keys, revocation state, introspection or a policy service are out of reach. It is not the token: retry.',
  },
  'upstream-timeout': {
    status: 504,
    title: 'Upstream timeout',
    codes: ['upstream_timeout', 'operation_timeout'],
    explanation: 'Something this API depends on did not answer in time.',
  },
} as const satisfies Readonly<Record<string, ProblemType>>

export type ProblemSlug = keyof typeof problemTypes

/** The type of a slug or code, for the page at /problems/{name}; null for an unknown name. */
export function problemTypeOf(name: string): { readonly slug: ProblemSlug; readonly type: ProblemType } | null {
  const slugs = Object.keys(problemTypes) as ProblemSlug[]
  const slug =
    slugs.find((slug) => slug === name) ??
    slugs.find((slug) => (problemTypes[slug] as ProblemType).codes[0] === name) ??
    slugs.find((slug) => (problemTypes[slug] as ProblemType).codes.includes(name))
  return slug === undefined ? null : { slug, type: problemTypes[slug] }
}
