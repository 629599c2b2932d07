/** The target of a URL, if requests to it are allowed. The WHATWG parser has normalized odd spellings of addresses. */
import { type AllowList, hostKind, httpsPort, isAllowed, outboundProblem, type PortRule } from '@grantor/protocol/uri'

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

const maxUrl = 2_048

/** Null for a URL that is not https, has a user or a fragment, or does not lead to a public host. */
export function targetOf(text: string, allow: AllowList, ports: PortRule = 'web'): Target | null {
  const url = text.length <= maxUrl ? URL.parse(text) : null
  if (url === null || /[\s\\]/.test(text) || outboundProblem(url, ports, allow) !== null) return null
  if (text.includes('#') || /^[^/]*\/\/[^/?]*@/.test(text)) return null
  const allowed = isAllowed(url, allow)
  if (!allowed && hostKind(url.hostname) !== 'public') return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: httpsPort(url), path: `${url.pathname}${url.search}`, authority: url.host, allowed }
}
