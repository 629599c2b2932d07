/** The answer to an authorization request: RFC 6749 §4.1.2, §4.1.2.1, RFC 9207 §2, OAuth 2.0 Form Post Response Mode. */
import { type Refusal, refusalResponse } from '../oauth/refusal.ts'
import type { RedirectTarget } from './redirect-target.ts'

export type AuthorizationOutcome = { readonly code: string } | { readonly refusal: Refusal; readonly errorUri?: string }

/** `redirect`: send the browser there. `form_post`: a page that posts these fields there. */
export type AuthorizationResponse =
  | { readonly mode: 'redirect'; readonly location: string }
  | { readonly mode: 'form_post'; readonly action: string; readonly fields: readonly (readonly [string, string])[] }

export function authorizationResponse(
  to: Pick<RedirectTarget, 'redirectUri' | 'responseMode' | 'state'>,
  issuer: string,
  outcome: AuthorizationOutcome,
): AuthorizationResponse {
  const fields: readonly (readonly [string, string])[] = [
    ...('code' in outcome ? [['code', outcome.code] as const] : errorFields(outcome)),
    // RFC 6749 §4.1.2: exactly the value received.
    ...(to.state === null ? [] : [['state', to.state] as const]),
    // RFC 9207 §2: on errors too.
    ['iss', issuer],
  ]
  return to.responseMode === 'form_post'
    ? { mode: 'form_post', action: to.redirectUri, fields }
    : { mode: 'redirect', location: withQuery(to.redirectUri, fields) }
}

function errorFields({
  refusal,
  errorUri,
}: Extract<AuthorizationOutcome, { refusal: Refusal }>): readonly (readonly [string, string])[] {
  const { error, error_description: description } = refusalResponse(refusal)
  return [
    ['error', error],
    ['error_description', description],
    ...(errorUri === undefined ? [] : [['error_uri', errorUri] as const]),
  ]
}

/** RFC 6749 §3.1.2: a query the redirect URI has is kept, byte for byte. Nothing is parsed, so nothing is rewritten. */
export function withQuery(uri: string, fields: readonly (readonly [string, string])[]): string {
  const added = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}
