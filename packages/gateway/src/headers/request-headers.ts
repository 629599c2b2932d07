/** The header section of a request to the API behind (RFC 9110 §7.6). */
import type { IncomingMessage } from 'node:http'

/** RFC 9110 §7.6.1, and headers that a proxy sets for its own connection. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'host',
])

/**
 * Headers with facts that only a proxy knows, or that make a server use another method or path than the one that was
 * checked.
 */
const spokenForByProxies = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-request-id',
  'client-cert',
  'client-cert-chain',
  'x-original-url',
  'x-original-uri',
  'x-original-method',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
])

/**
 * CGI and its successors map `-` to `_`, some also any other character: so such a name could pass for another header.
 */
const plainName = /^[a-z0-9-]+$/

/** Takes the name in lower case. */
export const isDropped = (name: string): boolean =>
  name.startsWith('grantor-') ||
  name.startsWith('x-forwarded-') ||
  !plainName.test(name) ||
  spokenForByProxies.has(name) ||
  hopByHop.has(name)

/**
 * RFC 9110 §7.6.1: headers that `Connection` names are not forwarded; except Content-Length, which marks a body's end.
 */
export function namedByConnection(lines: readonly string[]): ReadonlySet<string> {
  const names = lines.flatMap((line) => line.split(',')).map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => name !== 'content-length'))
}

/** RFC 9110 §7.6.2: how often an OPTIONS request may still be forwarded; null where it does not say. */
export function forwardsLeft({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): number | null {
  const text = method === 'OPTIONS' ? String(headers['max-forwards'] ?? '') : ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

export interface ForwardedRequest {
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[]
  readonly more: readonly (readonly [name: string, value: string])[]
  /** Names in lower case, dropped in addition to those that always are. */
  readonly without: ReadonlySet<string>
}

/** Names and values in turn. The gateway's own headers come last, after those that imitate them were dropped. */
export function requestHeaders({ rawHeaders, more, without }: ForwardedRequest): string[] {
  const connection: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'connection') connection.push(rawHeaders[at + 1] ?? '')
  }
  const named = namedByConnection(connection)
  const sent: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (isDropped(lower) || named.has(lower) || without.has(lower)) continue
    sent.push(name, rawHeaders[at + 1] ?? '')
  }
  for (const [name, value] of more) sent.push(name, value)
  return sent
}
