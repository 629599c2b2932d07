/** The list of reasons a presented token is not accepted. Each has one stable code, one status, one OAuth error word. */
import { proofAlgorithms } from '@grantor/protocol/dpop'
import type { Instant } from '@grantor/protocol/types'

export interface RejectionKind {
  /** The cause: 401 the token, 400 the request, 429 the address, 503 the server. Never one in place of another. */
  readonly status: 400 | 401 | 429 | 503
  /** `error` of the challenge (RFC 6750 §3.1); null where the challenge carries none. */
  readonly error:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
    | null
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
  // An introspected token that is not active: the issuer does not tell whether it is unknown, expired or revoked.
  invalid_token: badToken('The access token is not active'),
  token_revoked: badToken('The access token was revoked'),
  proof_required: badToken('The access token is bound to a key and needs its proof'),
  proof_invalid: { status: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof is not valid' },
  proof_nonce_required: {
    status: 401,
    error: 'use_dpop_nonce',
    description: 'The DPoP proof needs the nonce given here',
  },
  certificate_required: badToken('The access token is bound to a client certificate, and none was presented'),
  certificate_mismatch: badToken('The access token is bound to another client certificate'),
  certificate_expired: badToken('The client certificate that the access token is bound to is not in its time'),
  api_key_not_accepted: badToken('API keys are not accepted here'),
  address_not_allowed: badToken('The API key may not be used from this address'),
  too_many_wrong_keys: {
    status: 429,
    error: null,
    description: 'This address tried too many wrong tokens or API keys',
  },
  insufficient_scope: {
    status: 401,
    error: 'insufficient_scope',
    description: 'The access token lacks the scope of this operation',
  },
  invalid_request: badRequest('The credentials of the request are malformed'),
  header_repeated: badRequest('The request carries more than one access token'),
  client_certificate_unreadable: badRequest('The client certificate that the proxy handed on cannot be read'),
  keys_unavailable: unavailable('The signing keys of the issuer cannot be read'),
  revocation_state_stale: unavailable('The revocation state is too old to accept a token by'),
  proof_state_unavailable: unavailable('Used proofs of possession cannot be looked up'),
  introspection_unavailable: unavailable('The token cannot be introspected'),
} as const satisfies Readonly<Record<string, RejectionKind>>

export type RejectionCode = keyof typeof rejectionKinds
type Codes<S extends number> = {
  [C in RejectionCode]: (typeof rejectionKinds)[C]['status'] extends S ? C : never
}[RejectionCode]

/** What is wrong with a proof, in words that help the client's developer and reveal nothing secret. */
export const proofFaults = {
  malformed: 'it is not a proof as RFC 9449 describes it',
  key: 'its key cannot be used, is private or does not fit its algorithm',
  method: 'htm is not the method of this request',
  address: 'htu is not the address of this request',
  age: 'iat is too far from the time here',
  token: 'ath is not the hash of this access token',
  signature: 'its signature is not of its key',
  key_mismatch: 'the access token is bound to another key',
  replayed: 'it was used before',
  unbound: 'the access token is not bound to a key',
} as const
export type PossessionFault = keyof typeof proofFaults

export type Rejection =
  | { readonly code: Exclude<Codes<401>, Detailed>; readonly status: 401 }
  | {
      readonly code: 'proof_invalid'
      readonly status: 401
      readonly fault: PossessionFault
      /** Algorithms that a proof may be signed with here, where they are restricted. */
      readonly algs?: readonly string[]
    }
  | { readonly code: 'proof_nonce_required'; readonly status: 401; readonly nonce: string }
  | { readonly code: 'token_expired'; readonly status: 401; readonly expiredAt: Instant | null }
  | { readonly code: Codes<400>; readonly status: 400 }
  | { readonly code: Codes<429>; readonly status: 429; /** Seconds. */ readonly retryAfter: number }
  | { readonly code: Codes<503>; readonly status: 503; /** Seconds. */ readonly retryAfter: number }

/** Rejections that carry more than their code. */
type Detailed = 'token_expired' | 'proof_invalid' | 'proof_nonce_required'

/** One frozen value per reason: a refusal on the hot path allocates nothing. */
const plain = new Map<RejectionCode, Rejection>(
  (Object.keys(rejectionKinds) as RejectionCode[]).map((code) => [
    code,
    Object.freeze({ code, status: rejectionKinds[code].status }) as Rejection,
  ]),
)

export function rejection(code: Exclude<Codes<400 | 401>, Detailed>): Rejection {
  return plain.get(code) as Rejection
}

export const expired = (expiredAt: Instant | null): Rejection => ({ code: 'token_expired', status: 401, expiredAt })

export const proofInvalid = (fault: PossessionFault, algs?: readonly string[]): Rejection => ({
  code: 'proof_invalid',
  status: 401,
  fault,
  ...(algs === undefined ? {} : { algs }),
})

/** RFC 9449 §7.1: the algorithms that the next proof may be signed with. */
export const acceptableAlgs = (refused: Rejection): string =>
  ((refused.code === 'proof_invalid' ? refused.algs : undefined) ?? proofAlgorithms).join(' ')

/** `nonce`: the value for the next proof. */
export const nonceWanted = (nonce: string): Rejection => ({ code: 'proof_nonce_required', status: 401, nonce })

export const tooManyWrongTokens = (retryAfter: number): Rejection => ({
  code: 'too_many_wrong_keys',
  status: 429,
  retryAfter,
})

/** A failure of ours or of the network; the token may be fine. `retryAfter` in seconds. */
export function outage(code: Codes<503>, retryAfter = 1): Rejection {
  return { code, status: 503, retryAfter }
}
