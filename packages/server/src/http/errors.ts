/** Answers requests that no route answers: thrown errors, unknown paths, malformed HTTP. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { HashingBusy } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { sendLastAnswer } from '@grantor/resource/node'
import { StoreUnavailable } from '@grantor/store'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Responder, ResponderAt } from './responder.ts'
import { isApiPath } from '../admin/api-path.ts'
import type { HttpReply } from './exchange.ts'
import { refusePageOrJson, showFailure, wantsPage } from '../interact/page-answer.ts'

/** Fastify's errors that are the caller's fault; any other thrown error is a bug of ours. */
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

export function handleErrors(app: FastifyInstance, responderAt: ResponderAt): void {
  app.setErrorHandler((error: Thrown, request, reply) => {
    answerThrown(error, reply, request.routeOptions.config.responder ?? responderAt(request.url))
  })
  app.setNotFoundHandler((request, reply) => answerBadUrl(reply, responderAt(request.url)))
}

export const answerBadUrl = (reply: FastifyReply, unrouted: Responder): void =>
  void refusePageOrJson({ responder: unrouted, reply }, { reason: 'not_found' })

function answerThrown(error: Thrown, reply: FastifyReply, responder: Responder): void {
  const away = unavailable(error)
  if (away !== null) return void refusePageOrJson({ responder, reply }, away)
  const refusal = refusals[error.code ?? '']
  if (refusal === undefined) return answerBug(error, reply, responder)
  // The rest of the body is not read, so the connection closes.
  reply.header('connection', 'close')
  refusePageOrJson({ responder, reply }, refusal)
}

/** The refusal for a temporary failure; null for any other error. */
function unavailable(error: Error): Refusal | null {
  if (error instanceof StoreUnavailable) return { reason: 'unavailable', retryAfter: 1 }
  return error instanceof HashingBusy ? { reason: 'unavailable', retryAfter: error.retryAfter } : null
}

function answerBug(error: Thrown, reply: FastifyReply, responder: Responder): void {
  const id = logError(error, reply, responder)
  if (wantsPage({ responder, reply })) showFailure({ responder, reply }, id)
  else responder.fail(reply, id)
}

/** The same, always as JSON. */
export function answerErrorAsJson(error: Thrown, reply: HttpReply, responder: Responder): void {
  // An answer that was begun cannot be replaced, only cut off.
  if (reply.raw.headersSent) {
    logError(error, reply, responder)
    reply.raw.destroy()
    return
  }
  const away = unavailable(error)
  if (away !== null) responder.refuse(reply, away)
  else responder.fail(reply, logError(error, reply, responder))
}

function logError({ name, message, code, stack }: Thrown, { request }: HttpReply, responder: Responder): string {
  const id = randomUUID()
  const trace = responder.traceId(request) ?? undefined
  responder.log.error({ id, trace, route: responder.path, error: { name, message, code, stack } }, 'failed')
  return id
}

interface BrokenHttp {
  readonly code?: string
  /** The path, where the request was parsed. */
  readonly path?: string
  /** The bytes being parsed when the error occurred. */
  readonly rawPacket?: unknown
}

interface StatusText {
  readonly status: number
  readonly phrase: string
  readonly detail: string
  readonly code: string
}

const badRequest: StatusText = {
  status: 400,
  phrase: 'Bad Request',
  detail: 'The request is not valid HTTP.',
  code: 'invalid_request',
}
const brokenHttp: Readonly<Record<string, StatusText>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    detail: 'The address and the header fields are too large.',
    code: 'headers_too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    detail: 'The request took too long to arrive.',
    code: 'invalid_request',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    phrase: 'Content Too Large',
    detail: 'The chunk extensions are too large.',
    code: 'payload_too_large',
  },
}

/** Malformed or unsupported requests never reach a route; they are answered on the socket itself. */
export function answerBrokenHttp(error: BrokenHttp, socket: Duplex): void {
  // `_httpMessage` is the answer that Node is writing; ours must not end up in the middle of it.
  const { _httpMessage: current } = socket as Duplex & {
    readonly _httpMessage?: { readonly headersSent: boolean } | null
  }
  if (error.code === 'ECONNRESET' || current?.headersSent === true) return void socket.destroy()
  const text = brokenHttp[error.code ?? ''] ?? badRequest
  const beginning = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1', 0, 512) : ''
  const path = error.path ?? /^[A-Z]{3,16} (\S+)/.exec(beginning)?.[1]
  const [type, body] = answerFor(text, path)
  sendLastAnswer(
    socket,
    `HTTP/1.1 ${text.status} ${text.phrase}\r\nContent-Type: ${type}\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/**
 * An OAuth error for OAuth endpoints, a problem for the API. Where the path is no longer known, the answer is both: a
 * problem may have further members (RFC 9457 §3.2), and `about:blank` means no more than the status (§4.2.1).
 */
function answerFor({ status, phrase, detail, code }: StatusText, path: string | undefined): readonly [string, string] {
  const oauth = { error: 'invalid_request', error_description: detail }
  if (path !== undefined && !isApiPath(path)) return ['application/json', JSON.stringify(oauth)]
  const instance = `urn:uuid:${randomUUID()}`
  const problem = { type: 'about:blank', title: phrase, status, detail, instance, code }
  return ['application/problem+json', JSON.stringify(path === undefined ? { ...problem, ...oauth } : problem)]
}
