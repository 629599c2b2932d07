/**
 * A request and its answer as our own code sees them. Fastify's objects are such; so are the two of the fast path, which
 * does without Fastify.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.ts'
import { idleAfter } from './idle.ts'

export interface HttpRequest {
  readonly raw: IncomingMessage
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** What the path holds in place of its parameters. */
  readonly params: unknown
  /** As the parser of its content type left it. */
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
  /** What was put there before the answer itself. */
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>
  /** From here on nobody but us writes the answer. */
  hijack(): unknown
}

/** Headers as Node takes them: name, value, name, value … Those of most answers are put together once. */
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
  // RFC 9110 §8.6: an answer that has no body by its nature does not say how long it is.
  const tellsLength = content !== null || (!head && status !== 204 && status !== 304)
  if (tellsLength && !has(headers, 'content-length')) lines.push('content-length', String(length))
  // For clients that would otherwise give the connection up within seconds; Node says it only where its own timers run.
  if (raw.shouldKeepAlive && before['connection'] === undefined) lines.push('keep-alive', `timeout=${idleAfter}`)
  out.hijack()
  raw.writeHead(status, lines as string[])
  if (content === null || head) raw.end()
  // As many bytes as characters: nothing needs encoding, and the cheaper way to the socket will do.
  else raw.end(content, typeof content === 'string' && length === content.length ? 'latin1' : 'utf8')
}
