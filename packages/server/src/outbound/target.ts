/** Where a URL leads, if we may go there at all. The WHATWG parser has already undone every odd spelling of an address. */
import { isIP } from 'node:net'
import { isPublic } from './special-addresses.ts'

export interface Target {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** With the query; for the request line only, never for a log. */
  readonly path: string
  /** The Host header. */
  readonly authority: string
  /** Whether the operator named it: its addresses may be private. */
  readonly allowed: boolean
}

/** Hosts of `outbound.allow`, as `host` (any port) or `host:port`. */
export type AllowList = ReadonlySet<string>

const maxUrl = 2_048

/** RFC 6761, RFC 6762, RFC 8375, ICANN's .internal: names that never mean a host of the public network. */
const localNames = ['localhost', 'local', 'internal', 'home.arpa', 'test', 'invalid', 'example', 'onion', 'alt']

/** Null for what is not an https URL, names a user or a fragment, or leads to a place that is not public. */
export function targetOf(text: string, allow: AllowList): Target | null {
  const url = text.length <= maxUrl ? URL.parse(text) : null
  if (url === null || url.protocol !== 'https:' || /[\s\\]/.test(text)) return null
  if (text.includes('#') || /^[^/]*\/\/[^/?]*@/.test(text)) return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? 443 : Number(url.port)
  const allowed = allow.has(url.hostname) || allow.has(`${url.hostname}:${port}`)
  if (!allowed && !(isIP(host) === 0 ? isPublicName(host) : isPublic(host))) return null
  return { host, port, path: `${url.pathname}${url.search}`, authority: url.host, allowed }
}

/** A name with a dot inside it; a last dot would make one host two names, and no document of ours needs one. */
function isPublicName(host: string): boolean {
  if (!/^[^.]+(\.[^.]+)+$/.test(host) || host.length > 253) return false
  return !localNames.some((name) => host.endsWith(`.${name}`))
}

/** An entry of the list as URLs spell it, or null where it is no host. */
export function allowedHost(entry: string): string | null {
  const url = /[/?#@\\\s]/.test(entry) ? null : URL.parse(`https://${entry}`)
  if (url === null) return null
  // The parser drops the default port, which somebody wrote for a reason.
  return url.port === '' && entry.endsWith(':443') ? `${url.hostname}:443` : url.host
}
