/** What becomes of requests that no route answers: thrown errors, unknown paths, broken HTTP. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { HashingBusy } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { StoreUnavailable } from '@grantor/store'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Responder, jsonType } from './responder.ts'
import type { HttpReply } from './exchange.ts'
import { refusePageOrJson, showFailure, wantsPage } from '../interact/page-answer.ts'

/** Fastify's own errors that are the caller's doing; anything else that is thrown is a bug of ours. */
const refusals: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { reason: 'content_type_unsupported' },
  FST_ERR_CTP_INVALID_TYPE: { reason: 'content_type_unsupported' },
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: { reason: 'content_type_unsupported' },
  FST_ERR_CTP_BODY_TOO_LARGE: { reason: 'body_too_large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { reason: 'form_malformed' },
  FST_ERR_BAD_URL: { reason: 'not_found' },
  ECONNRESET: { reason: 'form_malformed' },
}

type Thrown = Error & { readonly code?: string; readonly statusCode?: number }

export function handleErrors(app: FastifyInstance, unrouted: Responder): void {
  app.setErrorHandler((error: Thrown, request, reply) => {
    answerThrown(error, reply, request.routeOptions.config.responder ?? unrouted)
  })
  app.setNotFoundHandler((_request, reply) => refusePageOrJson({ responder: unrouted, reply }, { reason: 'not_found' }))
}

export const answerBadUrl = (reply: FastifyReply, unrouted: Responder): void =>
  void refusePageOrJson({ responder: unrouted, reply }, { reason: 'not_found' })

function answerThrown(error: Thrown, reply: FastifyReply, responder: Responder): void {
  const away = unavailable(error)
  if (away !== null) return void refusePageOrJson({ responder, reply }, away)
  const refusal = refusals[error.code ?? '']
  if (refusal === undefined) return answerBug(error, reply, responder)
  // The rest of a body that we do not want to read goes down with its connection.
  reply.header('connection', 'close')
  refusePageOrJson({ responder, reply }, refusal)
}

/** What cannot be done now, and can soon. */
function unavailable(error: Error): Refusal | null {
  if (error instanceof StoreUnavailable) return { reason: 'unavailable', retryAfter: 1 }
  return error instanceof HashingBusy ? { reason: 'unavailable', retryAfter: error.retryAfter } : null
}

function answerBug(error: Thrown, reply: FastifyReply, responder: Responder): void {
  const id = logError(error, responder)
  if (wantsPage(reply.request)) showFailure({ responder, reply }, id)
  else answerFailure(id, reply, responder)
}

/** The same for whoever never wants a page. */
export function answerErrorAsJson(error: Thrown, reply: HttpReply, responder: Responder): void {
  // Half an answer cannot be taken back, only cut off.
  if (reply.raw.headersSent) {
    logError(error, responder)
    reply.raw.destroy()
    return
  }
  const away = unavailable(error)
  if (away !== null) responder.refuse(reply, away)
  else answerFailure(logError(error, responder), reply, responder)
}

function logError({ name, message, code, stack }: Thrown, responder: Responder): string {
  const id = randomUUID()
  responder.log.error({ id, route: responder.path, error: { name, message, code, stack } }, 'failed')
  return id
}

function answerFailure(id: string, reply: HttpReply, responder: Responder): void {
  const body = {
    error: 'server_error',
    error_description: `Something failed on our side. When you report it, name ${id}.`,
    error_uri: responder.problemUri('server_error'),
  }
  const headers = { 'content-type': jsonType, 'cache-control': 'no-store' }
  responder.send(reply, 500, JSON.stringify(body), headers)
}

/** Requests that are not HTTP as we speak it never reach a route; they are answered on the bare socket. */
export function answerBrokenHttp(error: { readonly code?: string }, socket: Socket): void {
  // Node keeps the answer that is being written here; ours must not land in the middle of it.
  const { _httpMessage: current } = socket as Socket & {
    readonly _httpMessage?: { readonly headersSent: boolean } | null
  }
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) return void socket.destroy()
  const [status, phrase, description] = brokenHttp[error.code ?? ''] ?? badRequest
  const body = JSON.stringify({ error: 'invalid_request', error_description: description })
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const badRequest = [400, 'Bad Request', 'The request is not valid HTTP.'] as const
const brokenHttp: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The header fields are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'The chunk extensions are too large.'],
}
