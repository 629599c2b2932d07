/** An answer without a framework: what an adapter takes back, with what every answer carries. */
import { isProblem, type Problem, problemDocument, problemHeaders } from '@grantor/protocol/http'

export interface ApiResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What the checks and operations give back: a refusal, or an answer that still lacks what every answer carries. */
export type Reply = Problem | Answer

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export function answer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
): Answer {
  return { kind: 'answer', status, headers, body }
}

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value))
}

/** Lists (`Link`, `Vary`) grow, everything else is set. */
export function withHeaders<R extends Pick<Reply, 'headers'>>(reply: R, more: Readonly<Record<string, string>>): R {
  const headers: Record<string, string> = { ...reply.headers }
  for (const [name, value] of Object.entries(more)) {
    const held = headers[name]
    headers[name] = held !== undefined && (name === 'link' || name === 'vary') ? `${held}, ${value}` : value
  }
  return { ...reply, headers }
}

export interface Identity {
  /** `https://host` of the API. */
  readonly origin: string
  readonly requestId: string
}

/** The last step: a reply becomes the answer that goes out. */
export function rendered(reply: Reply, method: string, identity: Identity): ApiResponse {
  const refused = isProblem(reply)
  const body = refused ? JSON.stringify(problemDocument(reply, identity)) : reply.body
  const headers: Record<string, string> = {
    ...(refused ? problemHeaders(reply) : reply.headers),
    'x-request-id': identity.requestId,
    'x-content-type-options': 'nosniff',
  }
  const bodiless = reply.status === 204 || reply.status === 304
  if (!bodiless) headers['content-length'] = String(Buffer.byteLength(body ?? ''))
  // RFC 9110 §9.3.2: HEAD is GET without the content.
  return { status: reply.status, headers, body: method === 'HEAD' || bodiless ? null : body }
}

/** Where nobody says who looks after errors. */
export function reportToConsole(error: unknown, requestId: string): void {
  console.error(requestId, error)
}
