/** Redirect URIs: what may be registered, and what matches (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1). */
import { loopbackHosts } from '../http/loopback.ts'
import { isPrivateUseScheme } from './private-use-scheme.ts'

export type ApplicationType = 'web' | 'native'

export interface RegisteredRedirects {
  readonly redirect_uris: readonly string[]
  readonly application_type?: ApplicationType
}

/** RFC 3986 characters but for `#` (no fragment), `@` before the path is caught below. */
const uri = /^([a-z][a-z0-9+.-]*):([!$&-;=?-Z_a-z~%[\]]+)$/i
const hosts = loopbackHosts.map((host) => host.replaceAll(/[.[\]]/g, '\\$&')).join('|')
const loopback = new RegExp(`^http://(${hosts})(?::([0-9]{1,5}))?([/?].*)?$`)

/** Why a redirect URI may not be registered; null where it may. */
export function redirectUriProblem(text: string, type: ApplicationType): string | null {
  if (text.length > 2048) return 'is too long'
  if (text.includes('#')) return 'must not have a fragment'
  const scheme = uri.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(text)) return 'is not an absolute URI'
  const { username, password, hostname } = new URL(text)
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  if (hostname.includes('*')) return 'must not hold a wildcard; every redirect URI is compared byte for byte'
  if (scheme === 'https') return hostname === '' ? 'has no host' : null
  if (scheme === 'http') return loopback.test(text) ? null : 'must use https, or http with a loopback address'
  if (type !== 'native') return 'must use https (other schemes are for clients with application_type native)'
  return isPrivateUseScheme(scheme) ? null : 'must not use this scheme: no app of your own answers to it'
}

export type RedirectKind = 'https' | 'loopback' | 'private-use'

/** Of a redirect URI that may be registered. */
export const redirectKind = (text: string): RedirectKind =>
  isLoopbackUri(text) ? 'loopback' : /^https:/i.test(text) ? 'https' : 'private-use'

/**
 * The registered URI that a presented one stands for, or null. Byte for byte, without any decoding or folding
 * (RFC 9700 §4.1.3); the one exception is the port of a loopback address for native clients (RFC 8252 §7.3).
 */
export function matchRedirectUri(presented: string, client: RegisteredRedirects): string | null {
  const { redirect_uris: registered, application_type: type = 'web' } = client
  if (registered.includes(presented)) return presented
  if (type !== 'native') return null
  const portless = withoutLoopbackPort(presented)
  return portless === null ? null : (registered.find((it) => withoutLoopbackPort(it) === portless) ?? null)
}

/** Whether it leads back to the person's own device; pages that ask for consent say so. */
export const isLoopbackUri = (text: string): boolean => loopback.test(text)

function withoutLoopbackPort(text: string): string | null {
  const parts = loopback.exec(text)
  if (parts === null || !uri.test(text)) return null
  const [, host = '', port, rest = ''] = parts
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  // The path is compared raw, so userinfo cannot hide: nothing but digits may stand between host and path.
  return `${host}${rest}`
}
