/** Sends the gateway's own answers, problems and pages, to a request or directly to a socket. */
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { problem, type Problem, type ProblemSlug } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import { type ApiResponse, type Reply, renderResponse, withHeaders } from '@grantor/resource/http'
import { answerWith, lingerAfterAnswer, sendLastAnswer } from '@grantor/resource/node'

export interface AnswerContext {
  readonly origin: string
  readonly method: string
  /** CORS headers. */
  readonly shared: Readonly<Record<string, string>>
}

/** Connections that got their last answer: further bytes there are the rest of a body, and no new request. */
const closing = new WeakSet<Duplex>()

/** The unfinished answers of each connection. There may be several, because clients may pipeline requests. */
const openAnswers = new WeakMap<Duplex, Set<ServerResponse>>()

export function watchAnswer(response: ServerResponse): void {
  const { socket } = response
  if (socket === null) return
  const open = openAnswers.get(socket) ?? new Set()
  openAnswers.set(socket, open.add(response))
  response.on('close', () => open.delete(response))
}

/** Whether an answer written now would end up inside another, or be taken for the answer to another request. */
function isAnswering(socket: Duplex): boolean {
  const [first, second] = openAnswers.get(socket) ?? []
  return second !== undefined || first?.headersSent === true
}

/** Returns the status that was sent. */
export function answerReply(response: ServerResponse, reply: Reply, { origin, method, shared }: AnswerContext): number {
  const answer = withHeaders(renderResponse(reply, method, { origin, requestId: randomUUID() }), shared)
  // An unread body would keep the connection busy, so it is closed after the answer.
  const unread = !response.req.complete && hasBody(response)
  if (unread && response.socket !== null) {
    closing.add(response.socket)
    lingerAfterAnswer(response.socket)
  }
  answerWith(response, unread ? withHeaders(answer, { connection: 'close' }) : answer)
  return answer.status
}

const hasBody = ({ req: { headers } }: ServerResponse): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Answers where there is no response object: before a request could be parsed, and to an upgrade request. */
export function answerSocket(socket: Duplex, refused: Problem, origin: string): number {
  const answer = renderResponse(err(refused), 'GET', { origin, requestId: randomUUID() })
  sendLastAnswer(socket, socketText(answer))
  return answer.status
}

function socketText({ status, headers, body }: ApiResponse): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Bytes that node:http cannot parse never become a request; they are still answered with a problem. */
export function answerSyntaxError(error: NodeJS.ErrnoException, socket: Duplex, origin: string): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  // The last answer is on its way: these bytes are the rest of the answered request.
  if (socket.writableEnded || closing.has(socket)) return
  if (!socket.writable || isAnswering(socket)) return void socket.destroy()
  const [slug, detail] = syntaxProblems[error.code ?? ''] ?? ['invalid-request', 'The request is not HTTP.']
  answerSocket(socket, problem(slug, detail), origin)
}

const syntaxProblems: Readonly<Record<string, readonly [ProblemSlug, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The header fields are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['invalid-request', 'The request did not come in time.'],
}
