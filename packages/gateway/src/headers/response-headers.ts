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

/** `more` replaces what the API said under the same name; what the answer varies by is added to what the API said. */
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
