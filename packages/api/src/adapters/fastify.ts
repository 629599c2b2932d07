/** The Fastify adapter: an API as a plugin, or as a server of its own. */
import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { isPlainlyFramed, problem, type ProblemSlug } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import { sendResponse } from '@grantor/resource/fastify'
import { renderResponse } from '@grantor/resource/http'
import { readNodeRequest, sendLastAnswer } from '@grantor/resource/node'
import { fastify, type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ResourceServer } from '../serve/resource-server.ts'
import type { BesideOptions } from './own-paths.ts'

export interface FastifyApiOptions extends BesideOptions {
  readonly api: ResourceServer
}

/**
 * `fastify.register(fastifyApi, { api })`. The API answers in onRequest, before Fastify reads a body, so that bodies
 * are read by the rules of the API, and only of callers who may send one.
 */
export const fastifyApi: FastifyPluginAsync<FastifyApiOptions> = async (fastify, { api, everything = false }) => {
  const serve = servedBy(api)
  fastify.addHook('onClose', () => api.close())
  const unreachable = async (): Promise<never> => {
    throw new Error('the API answers before a handler')
  }
  // Otherwise Fastify would answer other methods itself, with 404 in its own form.
  for (const method of METHODS) if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method)
  for (const url of everything ? ['/*'] : api.paths) {
    fastify.route({
      method: fastify.supportedMethods,
      url,
      exposeHeadRoute: false,
      onRequest: serve,
      handler: unreachable,
    })
  }
}

/** More than an API accepts by default, so that the API itself refuses headers that are somewhat too long. */
const maxHeaderSize = 64 * 1024

/** A Fastify server for the API alone: even requests that the HTTP parser refuses are answered with a problem. */
export function fastifyServer(api: ResourceServer, tls?: SecureContextOptions): FastifyInstance {
  const options = {
    requestTimeout: 60_000,
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      void servedBy(api)(request, reply)
    },
    clientErrorHandler: (error: ConnectionError, socket: Socket) => refuseSyntax(error, socket, api.audience),
  }
  const server =
    tls === undefined
      ? fastify({ ...options, http: { maxHeaderSize } })
      : (fastify({
          ...options,
          https: { minVersion: 'TLSv1.2', maxHeaderSize, handshakeTimeout: 10_000, ...tls },
        }) as unknown as FastifyInstance)
  // Without a listener for CONNECT, Node closes the connection without an answer.
  server.server.on('connect', (_request, socket) => refuseSyntax({ code: '' }, socket, api.audience))
  // Runs before all routes, also those that are registered in addition to the API.
  server.addHook('onRequest', async (request, reply) => {
    if (isPlainlyFramed(request.raw)) return undefined
    const refused = err(problem('invalid-request', 'The request could be read in two ways.'))
    const about = { origin: new URL(api.audience).origin, requestId: randomUUID() }
    return sendResponse(reply.header('connection', 'close'), renderResponse(refused, 'GET', about))
  })
  server.setNotFoundHandler({ preValidation: servedBy(api) }, servedBy(api))
  void server.register(fastifyApi, { api, everything: true })
  return server
}

/** An onRequest hook that answers with this API, for servers that choose the API by the request. */
export function servedBy(api: ResourceServer): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => sendResponse(reply, await api.handle(readNodeRequest(request.raw, request.ip)))
}

interface ConnectionError extends Error {
  readonly code: string
}

/** Bytes that node:http cannot parse never become a request; they are still answered with a problem. */
function refuseSyntax({ code }: Pick<ConnectionError, 'code'>, socket: Duplex, audience: string): void {
  if (code === 'ECONNRESET') return void socket.destroy()
  const slug: ProblemSlug = code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'invalid-request'
  const detail = slug === 'invalid-request' ? 'The request is not HTTP.' : 'The header fields are too large.'
  const { status, headers, body } = renderResponse(err(problem(slug, detail)), 'GET', {
    origin: new URL(audience).origin,
    requestId: randomUUID(),
  })
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  const phrase = status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'
  sendLastAnswer(socket, `HTTP/1.1 ${status} ${phrase}\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
