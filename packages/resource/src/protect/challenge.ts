/** The answers to a token that is not accepted or lacks the scope (RFC 6750 §3, RFC 9728 §5.1). */
import { bearerChallenge, dpopChallenge, problem, type Problem } from '@grantor/protocol/http'
import { isJsonObject, type JsonObject } from '@grantor/protocol/types'
import type { Caller } from '../validate/caller.ts'
import type { BearerToken } from '../validate/presented-credentials.ts'
import {
  acceptableAlgs,
  proofFaults,
  type Rejection,
  rejection,
  type RejectionKind,
  rejectionKinds,
} from '../validate/rejections.ts'
import { type ScopeNeed, scopesOf } from './scope-need.ts'

export interface Challenge {
  readonly realm: string
  /** The URL of the RFC 9728 metadata of this API; null where it is not served. */
  readonly resourceMetadata: string | null
  /** 401 by our conventions (docs/conventions.md); 403 for readers of RFC 6750 §3.1. */
  readonly insufficientScopeStatus: 401 | 403
  /** RFC 6750 §3: the scopes to ask for, told to callers without an accepted token. */
  readonly scope?: readonly string[]
}

/**
 * A rejection of the validator as a problem: 401 blames the token, 400 the request, 429 the address, 503 the server.
 * `scheme`: of the presented token.
 */
export function rejectionProblem(
  refused: Rejection,
  challenge: Challenge,
  scheme: BearerToken['scheme'] = 'bearer',
): Problem {
  const description = descriptionOf(refused)
  if (refused.status === 503) {
    return problem('authorization-state-unavailable', `${description}.`, {
      code: refused.code,
      headers: { 'retry-after': String(refused.retryAfter) },
    })
  }
  if (refused.status === 429) {
    return problem('quota-exceeded', `${description}.`, {
      code: refused.code,
      headers: { 'retry-after': String(refused.retryAfter) },
    })
  }
  const headers = {
    'www-authenticate': challengeText(refused, challenge, { scheme }),
    // RFC 9449 §9: the nonce for the next proof.
    ...(refused.code === 'proof_nonce_required' ? { 'dpop-nonce': refused.nonce } : {}),
  }
  if (refused.status === 400) {
    const errors = [{ header: 'authorization', code: 'invalid', detail: `${description}.` }]
    return problem('invalid-request', `${description}.`, { code: refused.code, headers, errors })
  }
  if (refused.code === 'token_missing') return problem('unauthenticated', `${description}.`, { headers })
  const members: JsonObject =
    refused.code === 'token_expired' && refused.expiredAt !== null
      ? { expired_at: new Date(refused.expiredAt).toISOString() }
      : {}
  return problem('invalid-token', `${description}.`, { code: refused.code, headers, members })
}

/** RFC 9449 §7.1: a token that is bound to a key was presented with the scheme DPoP, so the challenge has it, too. */
export const schemeOf = ({ claims: { cnf } }: Caller): BearerToken['scheme'] =>
  isJsonObject(cnf ?? null) && Object.hasOwn(cnf as JsonObject, 'jkt') ? 'dpop' : 'bearer'

export const insufficientScope: Rejection = rejection('insufficient_scope')

export function scopeProblem(need: ScopeNeed, caller: Caller, challenge: Challenge): Problem {
  const required = scopesOf(need)
  return problem('insufficient-scope', 'The access token lacks the scope of this operation.', {
    status: challenge.insufficientScopeStatus,
    headers: {
      'www-authenticate': challengeText(insufficientScope, challenge, { scheme: schemeOf(caller), scope: required }),
    },
    members: {
      ...(typeof need === 'object' && 'details' in need
        ? { required_authorization_details_type: need.details }
        : { required_scope: required }),
      granted_scope: [...caller.scope].sort(),
    },
  })
}

interface ChallengeChoice {
  readonly scheme?: BearerToken['scheme']
  readonly scope?: readonly string[]
}

function challengeText(
  refused: Rejection,
  challenge: Challenge,
  { scheme = 'bearer', scope = challenge.scope ?? [] }: ChallengeChoice,
): string {
  const { error }: RejectionKind = rejectionKinds[refused.code]
  const attributes = {
    ...(error === null || error === 'insufficient_scope' ? {} : { error_description: descriptionOf(refused) }),
    ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
    ...(challenge.resourceMetadata === null ? {} : { resource_metadata: challenge.resourceMetadata }),
  }
  const { realm } = challenge
  // RFC 9449 §7.1: a client that presents a bound token as a bearer token is told to use DPoP.
  const isAboutProof = error === 'invalid_dpop_proof' || error === 'use_dpop_nonce' || refused.code === 'proof_required'
  if (scheme === 'dpop' || isAboutProof)
    return dpopChallenge({ realm, ...(error === null ? {} : { error }), ...attributes, algs: acceptableAlgs(refused) })
  // RFC 6750 §3: the challenge to a request without credentials has no `error`.
  return bearerChallenge({ realm, ...(error === null ? {} : { error }), ...attributes })
}

function descriptionOf(refused: Rejection): string {
  const { description }: RejectionKind = rejectionKinds[refused.code]
  return refused.code === 'proof_invalid' ? `${description}: ${proofFaults[refused.fault]}` : description
}
