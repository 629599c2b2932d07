/** Redirect URIs: what may be registered, and what matches (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1). */
import { loopbackHosts } from '../http/loopback.ts'
import type { AddressRules } from '../uri/address-rules.ts'
import { isAppScheme } from '../uri/app-scheme.ts'
import { parseUri, queryNames, uriProblem } from '../uri/grammar.ts'
import { isOtherProtocolsPort } from '../uri/public-host.ts'

export type ApplicationType = 'web' | 'native'

export interface RegisteredRedirects {
  readonly redirect_uris: readonly string[]
  readonly application_type?: ApplicationType
}

const hosts = loopbackHosts.map((host) => host.replaceAll(/[.[\]]/g, '\\$&')).join('|')
const loopback = new RegExp(`^http://(${hosts})(?::[0-9]{1,5})?([/?].*)?$`)

/**
 * All parameters that an answer may add (RFC 6749 §4.1.2, §4.2.2, RFC 9207 §2, OIDC Session Management §3, JARM §2.3):
 * a redirect URI that already has one could forge a part of the answer.
 */
const answered: ReadonlySet<string> = new Set(
  [
    'code state iss error error_description error_uri response id_token access_token refresh_token token_type',
    'expires_in scope session_state',
  ].flatMap((line) => line.split(' ')),
)

/** Why a redirect URI may not be registered, nor used if it was registered before; null where it may. */
export function redirectUriProblem(text: string, type: ApplicationType, rules: AddressRules): string | null {
  const parsed = parseUri(text)
  if (parsed.kind === 'error') return parsed.error
  const { scheme, query } = parsed.value
  if (/\*|%2a/i.test(text)) return 'must not hold a wildcard; every redirect URI is compared byte for byte'
  const reserved = queryNames(query).find((name) => answered.has(name))
  if (reserved !== undefined) return `must not hold ${reserved} in its query, which is part of the answer`
  const { port } = new URL(text)
  if (port !== '' && (scheme === 'https' || scheme === 'http') && isOtherProtocolsPort(Number(port)))
    return 'must not use the port of another protocol'
  if (scheme === 'https') return null
  if (scheme === 'http') return isLoopbackUri(text) ? null : 'must use https, or http with a loopback address'
  if (type !== 'native') return 'must use https (other schemes are for clients with application_type native)'
  return isAppScheme(scheme, rules.schemes)
    ? null
    : 'must use a scheme of its own: a domain name in reverse (registration.schemes lists exceptions)'
}

export type RedirectKind = 'https' | 'loopback' | 'private-use'

/** The kind of a redirect URI that may be registered. */
export const redirectKind = (text: string): RedirectKind =>
  isLoopbackUri(text) ? 'loopback' : /^https:/i.test(text) ? 'https' : 'private-use'

/**
 * The registered URI that a presented one matches, or null. Byte for byte, without any decoding or folding (RFC 9700
 * §4.1.3); the one exception is the port of a loopback address for native clients (RFC 8252 §7.3). A registered URI
 * that the current rules refuse matches nothing.
 */
export function matchRedirectUri(presented: string, client: RegisteredRedirects, rules: AddressRules): string | null {
  const { application_type: type = 'web' } = client
  const registered = registeredRedirectUri(presented, client)
  return registered !== null && redirectUriProblem(registered, type, rules) === null ? registered : null
}

/** Likewise, whether or not the current rules allow it. */
export function registeredRedirectUri(presented: string, client: RegisteredRedirects): string | null {
  const { redirect_uris: registered, application_type: type = 'web' } = client
  if (registered.includes(presented)) return presented
  if (type !== 'native') return null
  const portless = withoutLoopbackPort(presented)
  return portless === null ? null : (registered.find((it) => withoutLoopbackPort(it) === portless) ?? null)
}

/** Whether it leads to the person's own device; consent pages say so. */
export const isLoopbackUri = (text: string): boolean => loopback.test(text)

function withoutLoopbackPort(text: string): string | null {
  const parts = loopback.exec(text)
  // uriProblem checks that the port is a valid number.
  if (parts === null || uriProblem(text) !== null) return null
  const [, host = '', rest = ''] = parts
  // The rest is compared raw, and only a port may stand between host and path, so userinfo cannot hide there.
  return `${host}${rest}`
}
