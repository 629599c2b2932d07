/** WWW-Authenticate values: RFC 9110 §11.2, Bearer RFC 6750 §3, protected resource metadata RFC 9728 §5.1, DPoP RFC 9449 §7.1, step-up RFC 9470 §3. */

export interface TokenChallenge {
  readonly realm?: string
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication'
  readonly error_description?: string
  readonly error_uri?: string
  /** The scope that would be sufficient (RFC 6750 §3). */
  readonly scope?: string
  /** The address of the protected resource metadata (RFC 9728 §5.1). */
  readonly resource_metadata?: string
  /** The required strength, and maximum age in seconds, of the person's sign-in (RFC 9470 §3). */
  readonly acr_values?: string
  readonly max_age?: string
}

export interface DpopChallenge extends Omit<TokenChallenge, 'error'> {
  readonly error?: TokenChallenge['error'] | 'invalid_dpop_proof' | 'use_dpop_nonce'
  /** Signature algorithms accepted in a proof, separated by spaces (RFC 9449 §7.1). */
  readonly algs: string
}

export const basicChallenge = (realm: string): string => challenge('Basic', { realm, charset: 'UTF-8' })

/** RFC 6750 §3.1: without any authentication information the answer carries no error code. */
export const bearerChallenge = (it: TokenChallenge): string => challenge('Bearer', { ...it })

export const dpopChallenge = (it: DpopChallenge): string => challenge('DPoP', { ...it })

/** RFC 9110 §11.6.1: a scheme, then its parameters; undefined ones are omitted, all values are quoted. */
export function challenge(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}="${quotable(value)}"`)
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}

/** RFC 9110 §5.6.4 quoted-string; other than printable ASCII becomes `?`, so no value can end the header. */
const quotable = (value: string): string => value.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
