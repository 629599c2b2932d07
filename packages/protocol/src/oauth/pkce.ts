/** Proof Key for Code Exchange: RFC 7636, S256 only (RFC 9700 §2.1.1). */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Client, isPublic } from '../registration/client.ts'
import { profileOf } from '../registration/profiles.ts'
import { err, ok, type Result } from '../result.ts'
import type { Policy } from './policy.ts'
import type { Refusal } from './refusal.ts'
import type { Form } from './form.ts'

/** How many wrong verifiers of the right client a code allows. */
export const verifierTries = 5

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
export const isVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** RFC 7636 §4.3: the challenge of an authorization request, null where there is none. */
export function requestedChallenge(form: Form): Result<string | null, Refusal> {
  const challenge = form.get('code_challenge')
  const method = form.get('code_challenge_method')
  if (challenge === undefined)
    return method === undefined ? ok(null) : err({ reason: 'parameter_missing', name: 'code_challenge' })
  // An omitted method means `plain`, which would let whoever reads the request redeem the code.
  if (method !== 'S256') return err({ reason: 'challenge_method_unsupported' })
  return /^[\w-]{43}$/.test(challenge) ? ok(challenge) : err({ reason: 'parameter_malformed', name: 'code_challenge' })
}

/**
 * Whether PKCE is required: by the deployment or the client; always for public clients, and where a profile requires
 * it.
 */
export const requiresPkce = (client: Client, policy: Pick<Policy, 'pkce'>): boolean =>
  isPublic(client) || profileOf(client).pkce || (client.metadata.pkce ?? policy.pkce) === 'always'

/** RFC 7636 §4.6. */
export function answersChallenge(verifier: string, challenge: string): boolean {
  const computed = Buffer.from(hash('sha256', verifier, 'base64url'))
  const expected = Buffer.from(challenge)
  return expected.length === computed.length && timingSafeEqual(expected, computed)
}
