/**
 * A request and its answer as our own code sees them. Fastify's objects implement these, as do those of the fast path,
 * which works without Fastify.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.ts'
import { idleAfter } from './idle.ts'

export interface HttpRequest {
  readonly raw: IncomingMessage
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The values of the path's parameters. */
  readonly params: unknown
  /** The result of the parser of its content type. */
  readonly body: unknown
  readonly remote: Caller
  /** When the handler began, by the monotonic clock; 0 where none did. */
  readonly began: number
}

export interface HttpReply {
  readonly raw: ServerResponse
  readonly request: HttpRequest
  header(name: string, value: string): unknown
  headers(headers: Readonly<Record<string, string>>): unknown
  /** Headers set before the answer itself. */
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>
  /** From here on only our code writes the answer. */
  hijack(): unknown
}

/** Headers as Node takes them: name, value, name, value … Most answers use lines that were built once. */
export type HeaderLines = readonly string[]

export const headerLines = (headers: Readonly<Record<string, string>>): HeaderLines => Object.entries(headers).flat()

const has = (lines: HeaderLines, name: string): boolean => lines.some((word, n) => n % 2 === 0 && word === name)

/** Writes the whole answer at once: one header block, one body, one call to the socket. */
export function writeAnswer(
  out: HttpReply,
  status: number,
  content: string | Buffer | null,
  headers: HeaderLines,
): void {
  const { raw, request } = out
  const lines: (string | string[])[] = []
  const before = out.getHeaders()
  for (const name in before) if (!has(headers, name)) lines.push(name, before[name] as string | string[])
  for (const word of headers) lines.push(word)
  const length = content === null ? 0 : Buffer.byteLength(content)
  const head = request.method === 'HEAD'
  // RFC 9110 §8.6: an answer that never has a body has no Content-Length.
  const tellsLength = content !== null || (!head && status !== 204 && status !== 304)
  if (tellsLength && !has(headers, 'content-length')) lines.push('content-length', String(length))
  // For clients that would otherwise close the connection within seconds; Node sends it only if its own timers are on.
  if (raw.shouldKeepAlive && before['connection'] === undefined) lines.push('keep-alive', `timeout=${idleAfter}`)
  out.hijack()
  raw.writeHead(status, lines as string[])
  if (content === null || head) raw.end()
  // As many bytes as characters means ASCII, for which latin1 is the cheaper encoding.
  else raw.end(content, typeof content === 'string' && length === content.length ? 'latin1' : 'utf8')
}
