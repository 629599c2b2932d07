/** An answer without a framework, as an adapter sends it, and the headers that every answer carries. */
import { type Problem, problemDocument, problemHeaders } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'

type ResponseHeaders = Readonly<Record<string, string>>

export interface ApiResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ResponseHeaders
  readonly body: string | null
}

/** The result of checks and operations: an answer or a refusal, still without the headers that every answer carries. */
export type Reply = Result<ApiResponse, Problem>

export function apiResponse(status: number, headers: ResponseHeaders = {}, body: string | null = null): ApiResponse {
  return { status, headers, body }
}

export function jsonResponse(status: number, value: unknown, headers: ResponseHeaders = {}): ApiResponse {
  return apiResponse(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value))
}

/** `Link` and `Vary` are appended to, all other headers are set. */
export function withHeaders<R extends { readonly headers?: ResponseHeaders }>(answer: R, more: ResponseHeaders): R {
  const headers: Record<string, string> = { ...answer.headers }
  for (const [name, value] of Object.entries(more)) {
    const held = headers[name]
    headers[name] = held !== undefined && (name === 'link' || name === 'vary') ? `${held}, ${value}` : value
  }
  return { ...answer, headers }
}

export function replyWithHeaders(reply: Reply, more: ResponseHeaders): Reply {
  return reply.kind === 'ok' ? ok(withHeaders(reply.value, more)) : err(withHeaders(reply.error, more))
}

export const statusOfReply = (reply: Reply): number => (reply.kind === 'ok' ? reply.value : reply.error).status

export interface ResponseIdentity {
  /** `https://host` of the API; null where it has no pages behind the types of problems. */
  readonly origin: string | null
  readonly requestId: string
}

/** The last step: turns a reply into the answer that is sent. */
export function renderResponse(reply: Reply, method: string, identity: ResponseIdentity): ApiResponse {
  const { status, headers, body } = reply.kind === 'ok' ? reply.value : problemResponse(reply.error, identity)
  const bodiless = status === 204 || status === 304
  return {
    status,
    headers: {
      ...headers,
      'x-request-id': identity.requestId,
      'x-content-type-options': 'nosniff',
      ...(bodiless ? {} : { 'content-length': String(Buffer.byteLength(body ?? '')) }),
    },
    // RFC 9110 §9.3.2: HEAD is GET without the content.
    body: method === 'HEAD' || bodiless ? null : body,
  }
}

function problemResponse(problem: Problem, identity: ResponseIdentity): ApiResponse {
  return apiResponse(problem.status, problemHeaders(problem), JSON.stringify(problemDocument(problem, identity)))
}

/** The default for `onError`. */
export function reportToConsole(error: unknown, requestId: string): void {
  console.error(requestId, error)
}
