/** The list of reasons a presented token is not accepted. Each has one stable code, one status, one OAuth error word. */
import type { Instant } from '@grantor/protocol/types'

export interface RejectionKind {
  /** 401: the token. 400: the request. 503: us. Never one in place of another. */
  readonly status: 400 | 401 | 503
  /** `error` of the challenge (RFC 6750 §3.1); null where the challenge carries none. */
  readonly error: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | null
  /** `error_description`: ASCII without quotes or backslashes, constant, nothing of the token. */
  readonly description: string
}

const badToken = (description: string) => ({ status: 401, error: 'invalid_token', description }) as const
const badRequest = (description: string) => ({ status: 400, error: 'invalid_request', description }) as const
const unavailable = (description: string) => ({ status: 503, error: null, description }) as const

export const rejectionKinds = {
  // RFC 6750 §3: a request without credentials is challenged without an error.
  token_missing: { status: 401, error: null, description: 'Send an access token in the Authorization header' },
  token_malformed: badToken('The access token is malformed'),
  token_expired: badToken('The access token expired'),
  token_not_yet_valid: badToken('The access token is not valid yet'),
  signature_invalid: badToken('The signature of the access token is not valid'),
  unknown_signing_key: badToken('The access token is signed with an unknown key'),
  issuer_untrusted: badToken('The issuer of the access token is not trusted here'),
  audience_mismatch: badToken('The access token is meant for another audience'),
  tenant_mismatch: badToken('The access token belongs to another tenant'),
  token_type_invalid: badToken('The token is not an access token'),
  // An introspected token that is not active: unknown, expired or revoked, the issuer does not tell which.
  invalid_token: badToken('The access token is not active'),
  token_revoked: badToken('The access token was revoked'),
  proof_required: badToken('The access token is bound to a key and needs its proof'),
  proof_invalid: badToken('The proof of possession is not valid'),
  insufficient_scope: {
    status: 401,
    error: 'insufficient_scope',
    description: 'The access token lacks the scope of this operation',
  },
  invalid_request: badRequest('The credentials of the request are malformed'),
  header_repeated: badRequest('The request carries more than one access token'),
  keys_unavailable: unavailable('The signing keys of the issuer cannot be read'),
  revocation_state_stale: unavailable('The revocation state is too old to accept a token by'),
  introspection_unavailable: unavailable('The token cannot be introspected'),
} as const satisfies Readonly<Record<string, RejectionKind>>

export type RejectionCode = keyof typeof rejectionKinds
type Codes<S extends number> = {
  [C in RejectionCode]: (typeof rejectionKinds)[C]['status'] extends S ? C : never
}[RejectionCode]

export type Rejection =
  | { readonly code: Exclude<Codes<401>, 'token_expired'>; readonly status: 401 }
  | { readonly code: 'token_expired'; readonly status: 401; readonly expiredAt: Instant | null }
  | { readonly code: Codes<400>; readonly status: 400 }
  | { readonly code: Codes<503>; readonly status: 503; /** Seconds. */ readonly retryAfter: number }

/** One frozen value per reason: a refusal on the hot path allocates nothing. */
const plain = new Map<RejectionCode, Rejection>(
  (Object.keys(rejectionKinds) as RejectionCode[]).map((code) => [
    code,
    Object.freeze({ code, status: rejectionKinds[code].status }) as Rejection,
  ]),
)

export function rejection(code: Exclude<Codes<400 | 401>, 'token_expired'>): Rejection {
  return plain.get(code) as Rejection
}

export const expired = (expiredAt: Instant | null): Rejection => ({ code: 'token_expired', status: 401, expiredAt })

/** Our fault or a network's; the token may be fine. `retryAfter` in seconds. */
export function outage(code: Codes<503>, retryAfter = 1): Rejection {
  return { code, status: 503, retryAfter }
}
