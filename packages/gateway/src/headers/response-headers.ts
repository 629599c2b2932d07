/** The header section of an answer to the client, made from that of the API behind (RFC 9110 §7.6). */
import { namedByConnection } from './request-headers.ts'

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

const ownToTheConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Adds the gateway's headers to those of the API: each replaces the API's header of that name, but `Vary` is joined.
 */
export function responseHeaders(
  received: HeaderFields,
  more: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const named = namedByConnection(linesOf(received['connection']))
  const sent: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || ownToTheConnection.has(name) || named.has(name)) continue
    sent[name] = typeof value === 'string' ? value : [...value]
  }
  const varied = more['vary'] === undefined ? [] : [...linesOf(sent['vary']), more['vary']]
  return Object.assign(sent, more, varied.length === 0 ? {} : { vary: varied.join(', ') })
}

const linesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value
