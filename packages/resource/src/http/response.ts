/** The last step: a reply becomes the answer that goes out, with what every answer carries. */
import { isProblem, problemDocument, problemHeaders } from '@grantor/protocol/http'
import type { ApiResponse, Reply } from './request.ts'

export interface Identity {
  /** `https://host` of the API. */
  readonly origin: string
  readonly requestId: string
}

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
