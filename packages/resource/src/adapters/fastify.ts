/** The Fastify adapter: the guard for single routes, and a whole resource as a plugin. */
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiResponse } from '../http/response.ts'
import type { ProtectedResource } from '../protect/protected-resource.ts'
import { type Admission, type ProtectOptions, protection } from '../protect/protection.ts'
import { publicPages, type PublicPagesOptions } from '../protect/public-pages.ts'
import type { ScopeNeed } from '../protect/scope-need.ts'
import type { Caller } from '../validate/caller.ts'
import { presentedCredentials } from '../validate/presented-credentials.ts'
import { readNodeRequest, requestLines } from './node-request.ts'
import { trackResponses } from './open-responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was accepted; set by a guard, null on routes without one. */
    caller: Caller | null
  }
}

/** `onRequest: guard(options, 'invoices:read')`; call `fastify.decorateRequest('caller', null)` once. */
export function guard(options: ProtectOptions, need: ScopeNeed) {
  const protect = protection(options, need)
  const track = trackResponses(protect)
  const { origin } = new URL(options.audience)
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const presented = presentedCredentials(
      requestLines(request.raw, () => request.ip),
      origin,
    )
    const settle = (admission: Admission): void => {
      if (admission.kind === 'error') return void sendResponse(reply, admission.error)
      request.caller = admission.value
      track(request.raw, reply.raw, admission.value)
      done()
    }
    const admission = protect.admit(presented, request.method)
    if (admission instanceof Promise) admission.then(settle, done)
    else settle(admission)
  }
}

/**
 * `fastify.register(guardPages, { audience, name, issuers, scopes })`, outside any guard: the pages its answers link
 * to.
 */
export const guardPages: FastifyPluginAsync<PublicPagesOptions> = async (fastify, options) => {
  const pages = publicPages(options)
  for (const url of pages.paths)
    fastify.all(url, { exposeHeadRoute: false }, (request, reply) => {
      const page = pages.answer(request.method, request.raw.url ?? url)
      return page === null ? reply.callNotFound() : sendResponse(reply, page)
    })
}

export interface FastifyResourceOptions {
  readonly resource: ProtectedResource
  /** The routes behind the guard, as `(app) => app.post('/mcp', …)`; they find the caller in `request.caller`. */
  routes(app: FastifyInstance): void
}

/**
 * `fastify.register(fastifyResource, { resource, routes })`; decorates `request.caller` unless that is done already.
 */
export const fastifyResource: FastifyPluginAsync<FastifyResourceOptions> = async (fastify, { resource, routes }) => {
  const unreachable = async (): Promise<never> => {
    throw new Error('the resource answers before a handler')
  }
  const track = trackResponses(resource)
  if (!fastify.hasRequestDecorator('caller')) fastify.decorateRequest('caller', null)
  fastify.setErrorHandler((error: FastifyError, _request, reply) =>
    // A refusal by Fastify itself (a body that is not JSON) is not an error of the server.
    isRefusal(error) ? reply.send(error) : sendResponse(reply, resource.internalError(error)),
  )
  fastify.addHook('onRequest', async (request, reply) => {
    const received = await resource.receive(readNodeRequest(request.raw, request.ip))
    if (received.kind === 'answered') return sendResponse(reply, received.response)
    for (const [name, value] of Object.entries(received.headers)) reply.raw.setHeader(name, value)
    request.caller = received.caller
    track(request.raw, reply.raw, received.caller)
    return undefined
  })
  for (const url of resource.publicPaths) {
    // An API in the same application may already serve the same problem pages.
    if (!fastify.hasRoute({ method: 'GET', url }))
      fastify.route({ method: fastify.supportedMethods, url, exposeHeadRoute: false, handler: unreachable })
  }
  const asked = new Set<string>()
  // A browser may send a preflight to every path that has a route.
  fastify.addHook('onRoute', ({ routePath: url }) => {
    if (asked.has(url)) return
    asked.add(url)
    fastify.route({ method: 'OPTIONS', url, handler: unreachable })
  })
  routes(fastify)
}

const isRefusal = ({ statusCode = 500 }: FastifyError): boolean => statusCode >= 400 && statusCode < 500

/** Sends an answer of the toolkit, such as that of `lacking`. */
export function sendResponse(reply: FastifyReply, { status, headers, body }: ApiResponse): FastifyReply {
  // As bytes, because Fastify adds a charset to text of a JSON type, which RFC 8259 does not define.
  return reply
    .code(status)
    .headers(headers)
    .send(body === null ? undefined : Buffer.from(body))
}
