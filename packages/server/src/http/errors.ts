/** What becomes of requests that no route answers: thrown errors, unknown paths, broken HTTP. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Refusal } from '@grantor/protocol/oauth'
import { StoreUnavailable } from '@grantor/store'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Desk, jsonType } from './responder.ts'
import type { Outgoing } from './exchange.ts'
import { refuseInKind, showFailure, wantsPage } from '../interact/page-answer.ts'

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

export function answerErrors(app: FastifyInstance, elsewhere: Desk): void {
  app.setErrorHandler((error: Thrown, request, reply) => {
    answerThrown(error, reply, request.routeOptions.config.desk ?? elsewhere)
  })
  app.setNotFoundHandler((_request, reply) => refuseInKind({ desk: elsewhere, reply }, { reason: 'not_found' }))
}

export const answerBadUrl = (reply: FastifyReply, elsewhere: Desk): void =>
  void refuseInKind({ desk: elsewhere, reply }, { reason: 'not_found' })

function answerThrown(error: Thrown, reply: FastifyReply, desk: Desk): void {
  const refusal = error instanceof StoreUnavailable ? away : refusals[error.code ?? '']
  if (refusal === undefined) return answerBug(error, reply, desk)
  // The rest of a body that we do not want to read goes down with its connection.
  if (refusal !== away) reply.header('connection', 'close')
  refuseInKind({ desk, reply }, refusal)
}

const away: Refusal = { reason: 'unavailable', retryAfter: 1 }

function answerBug(error: Thrown, reply: FastifyReply, desk: Desk): void {
  const id = noted(error, desk)
  if (wantsPage(reply.request)) showFailure({ desk, reply }, id)
  else answerFailure(id, reply, desk)
}

/** The same for whoever never wants a page. */
export function answerPlainly(error: Thrown, reply: Outgoing, desk: Desk): void {
  // Half an answer cannot be taken back, only cut off.
  if (reply.raw.headersSent) {
    noted(error, desk)
    reply.raw.destroy()
    return
  }
  if (error instanceof StoreUnavailable) desk.refuse(reply, away)
  else answerFailure(noted(error, desk), reply, desk)
}

function noted({ name, message, code, stack }: Thrown, desk: Desk): string {
  const id = randomUUID()
  desk.surface.log.error({ id, route: desk.path, error: { name, message, code, stack } }, 'failed')
  return id
}

function answerFailure(id: string, reply: Outgoing, desk: Desk): void {
  const body = {
    error: 'server_error',
    error_description: `Something failed on our side. When you report it, name ${id}.`,
    error_uri: `${desk.surface.issuer.origin()}/problems/server_error`,
  }
  const headers = { 'content-type': jsonType, 'cache-control': 'no-store' }
  desk.send(reply, 500, JSON.stringify(body), headers)
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
