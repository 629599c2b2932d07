/** The addresses from others that the server may call: public https hosts, and those that the operator allows. */
import { hostKind, isOtherProtocolsPort } from './public-host.ts'

/** Hosts of `outbound.allow`, as `host` (any port) or `host:port`. */
export type AllowList = ReadonlySet<string>

/** `443`: where clients need no other; `web`: any port that does not belong to another protocol. */
export type PortRule = '443' | 'web'

/** The port of an https URL. */
export const httpsPort = ({ port }: URL): number => (port === '' ? 443 : Number(port))

export const isAllowed = (url: URL, allow: AllowList): boolean =>
  allow.has(url.hostname) || allow.has(`${url.hostname}:${httpsPort(url)}`)

/** Why the server will not call an https URL, as far as that is known without resolving the name; else null. */
export function outboundProblem(url: URL, ports: PortRule, allow: AllowList): string | null {
  if (url.protocol !== 'https:') return 'must use https'
  if (isAllowed(url, allow)) return null
  if (hostKind(url.hostname) === 'private') return 'must not name a private host (outbound.allow lists exceptions)'
  const port = httpsPort(url)
  if (ports === '443' && port !== 443) return 'must use port 443 (outbound.allow lists exceptions)'
  return isOtherProtocolsPort(port)
    ? 'must not use the port of another protocol (outbound.allow lists exceptions)'
    : null
}

/** An entry of the list in the spelling of URLs, or null where it is not a host. */
export function allowedHost(entry: string): string | null {
  const text = `https://${entry}`
  const url = /[/?#@\\\s]/.test(entry) || !URL.canParse(text) ? null : new URL(text)
  if (url === null) return null
  // The parser drops the default port, but here it restricts the entry to that port.
  return url.port === '' && entry.endsWith(':443') ? `${url.hostname}:443` : url.host
}
