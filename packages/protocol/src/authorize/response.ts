/** The answer to an authorization request: RFC 6749 §4.1.2, §4.1.2.1, RFC 9207 §2, Form Post Response Mode, JARM §2. */
import { type Refusal, refusalResponse } from '../oauth/refusal.ts'
import type { Instant, JsonObject } from '../types.ts'
import type { RedirectTarget } from './redirect-target.ts'
import { byForm, isSigned } from './response-mode.ts'

export type AuthorizationOutcome = { readonly code: string } | { readonly refusal: Refusal; readonly errorUri?: string }

/** `redirect`: send the browser there. `form_post`: a page that posts these fields there. */
export type AuthorizationResponse =
  | { readonly mode: 'redirect'; readonly location: string }
  | { readonly mode: 'form_post'; readonly action: string; readonly fields: readonly (readonly [string, string])[] }

type ResponseFields = readonly (readonly [string, string])[]

/** `sign` makes the one parameter of the signed modes, which are impossible without it. */
export function authorizationResponse(
  to: Pick<RedirectTarget, 'redirectUri' | 'responseMode' | 'state'>,
  issuer: string,
  outcome: AuthorizationOutcome,
  sign: ((fields: ResponseFields) => string) | null = null,
): AuthorizationResponse {
  const plain: ResponseFields = [
    ...('code' in outcome ? [['code', outcome.code] as const] : errorFields(outcome)),
    // RFC 6749 §4.1.2: exactly the value received.
    ...(to.state === null ? [] : [['state', to.state] as const]),
    // RFC 9207 §2: on errors, too.
    ['iss', issuer],
  ]
  if (isSigned(to.responseMode) && sign === null) throw new Error('nobody to sign the answer')
  const fields: ResponseFields = sign === null || !isSigned(to.responseMode) ? plain : [['response', sign(plain)]]
  return byForm(to.responseMode)
    ? { mode: 'form_post', action: to.redirectUri, fields }
    : { mode: 'redirect', location: withQuery(to.redirectUri, fields) }
}

/** Seconds. JARM §2.1 recommends ten minutes at most; the code in it lives even shorter. */
const signedResponseLife = 300

/** JARM §2.1: the parameters with audience and expiry. The issuer is already one of the parameters. */
export const signedResponseClaims = (
  fields: ResponseFields,
  { clientId, now }: { readonly clientId: string; readonly now: Instant },
): JsonObject => ({
  ...Object.fromEntries(fields),
  aud: clientId,
  exp: Math.floor(now / 1000) + signedResponseLife,
})

function errorFields({ refusal, errorUri }: Extract<AuthorizationOutcome, { refusal: Refusal }>): ResponseFields {
  const { error, error_description: description } = refusalResponse(refusal)
  return [
    ['error', error],
    ['error_description', description],
    ...(errorUri === undefined ? [] : [['error_uri', errorUri] as const]),
  ]
}

/**
 * RFC 6749 §3.1.2: an existing query of the redirect URI is kept, byte for byte. Nothing is parsed, so nothing is
 * rewritten.
 */
export function withQuery(uri: string, fields: ResponseFields): string {
  const added = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}
