/** The Fastify adapter: an API as a plugin, a server made for it, and the guard alone for routes of one's own. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { problem, type ProblemSlug } from '@grantor/protocol/http'
import { fastify, type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ScopeNeed } from '../protect/challenge.ts'
import type { ApiResponse } from '../http/request.ts'
import { type ProtectOptions, protection } from '../protect/protection.ts'
import type { ProtectedResource } from '../protect/protected-resource.ts'
import { rendered } from '../http/response.ts'
import type { ResourceServer } from '../../../api/src/serve/resource-server.ts'
import type { Caller } from '../validate/validator.ts'
import { fromNode, headerLinesOf } from './node-request.ts'

export { fromNode } from './node-request.ts'

export interface FastifyApiOptions {
  readonly api: ResourceServer
  /** Everything belongs to the API, also what is not there (404 as a problem). Otherwise only its own paths do. */
  readonly everything?: boolean
}

/**
 * Register with `fastify.register(fastifyApi, { api })`. The API answers in onRequest: before Fastify reads a body, so
 * that bodies are read by the rules of the API, and not at all for who may not send one.
 */
export const fastifyApi: FastifyPluginAsync<FastifyApiOptions> = async (fastify, { api, everything = false }) => {
  const serve = servedBy(api)
  const unreachable = async (): Promise<never> => {
    throw new Error('the API answers before a handler')
  }
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

/** A Fastify that holds nothing but the API: also what the parser of HTTP refuses is answered with a problem. */
export function fastifyServer(
  api: ResourceServer,
  tls?: { readonly key: string | Buffer; readonly cert: string | Buffer },
): FastifyInstance {
  const options = {
    requestTimeout: 60_000,
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      void servedBy(api)(request, reply)
    },
    clientErrorHandler: (error: ConnectionError, socket: Socket) => refuseSyntax(error, socket, api.audience),
  }
  const server =
    tls === undefined
      ? fastify(options)
      : (fastify({ ...options, https: { ...tls, minVersion: 'TLSv1.2' } }) as unknown as FastifyInstance)
  server.setNotFoundHandler({ preValidation: servedBy(api) }, servedBy(api))
  void server.register(fastifyApi, { api, everything: true })
  return server
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was accepted; set by a guard, null on routes without one. */
    access: Caller | null
  }
}

/** `onRequest: guard(options, 'invoices:read')`; call `fastify.decorateRequest('access', null)` once. */
export function guard(options: ProtectOptions, need: ScopeNeed) {
  const { admit } = protection(options, need)
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const authorization = headerLinesOf(request.raw, 'authorization')
    const presented = { authorization, request: { method: request.method, url: request.url } }
    const settle = (admission: Awaited<ReturnType<typeof admit>>): void => {
      if ('refused' in admission) send(reply, admission.refused)
      else {
        request.access = admission.caller
        done()
      }
    }
    const admission = admit(presented, request.method)
    if (admission instanceof Promise) admission.then(settle, done)
    else settle(admission)
  }
}

export interface FastifyResourceOptions {
  readonly resource: ProtectedResource
  /** The routes behind it, as `(app) => app.post('/mcp', …)`; they find the caller in `request.access`. */
  routes(app: FastifyInstance): void
}

/** Register with `fastify.register(fastifyResource, { resource, routes })`; decorate requests with `access` first. */
export const fastifyResource: FastifyPluginAsync<FastifyResourceOptions> = async (fastify, { resource, routes }) => {
  const unreachable = async (): Promise<never> => {
    throw new Error('the resource answers before a handler')
  }
  fastify.addHook('onRequest', async (request, reply) => {
    const received = await resource.receive(fromNode(request.raw, request.ip))
    if ('answer' in received) return send(reply, received.answer)
    for (const [name, value] of Object.entries(received.headers)) reply.raw.setHeader(name, value)
    request.access = received.caller
    return undefined
  })
  for (const url of resource.metadataPaths) {
    fastify.route({ method: fastify.supportedMethods, url, exposeHeadRoute: false, handler: unreachable })
  }
  const asked = new Set<string>()
  // Preflights are asked of every path that has a route.
  fastify.addHook('onRoute', ({ routePath: url }) => {
    if (asked.has(url)) return
    asked.add(url)
    fastify.route({ method: 'OPTIONS', url, handler: unreachable })
  })
  routes(fastify)
}

/** An onRequest hook that answers with this API: for those who choose the API by the request. */
export function servedBy(api: ResourceServer): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => send(reply, await api.handle(fromNode(request.raw, request.ip)))
}

function send(reply: FastifyReply, { status, headers, body }: ApiResponse): FastifyReply {
  // As bytes: to text of a JSON type Fastify would add a charset, which RFC 8259 does not define.
  return reply
    .code(status)
    .headers(headers)
    .send(body === null ? undefined : Buffer.from(body))
}

interface ConnectionError extends Error {
  readonly code: string
}

/** What node:http could not parse never becomes a request; the client is still told in the same form. */
function refuseSyntax({ code }: ConnectionError, socket: Socket, audience: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const slug: ProblemSlug = code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'invalid-request'
  const detail = slug === 'invalid-request' ? 'The request is not HTTP.' : 'The header fields are too large.'
  const { status, headers, body } = rendered(problem(slug, detail), 'GET', {
    origin: new URL(audience).origin,
    requestId: randomUUID(),
  })
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`,
  )
}
