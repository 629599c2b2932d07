/** Mounts the admin API in Fastify, under every issuer; it reads requests and writes answers by its own rules. */
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createResponder, type Responder, type ResponderAt } from '../http/responder.ts'
import type { HttpContext } from '../http/http-context.ts'
import { isApiPath } from './api-path.ts'
import type { AdminApi } from './api.ts'
import { problemResponder } from './problem-responder.ts'

/** RFC 9728 §3.1: the well-known part goes between host and path. */
const resourceMetadata = '/.well-known/oauth-protected-resource'

const addresses = [
  '/v1/*',
  '/t/:tenant/v1/*',
  '/openapi.json',
  '/t/:tenant/openapi.json',
  '/docs',
  '/t/:tenant/docs',
  resourceMetadata,
  `${resourceMetadata}/t/:tenant`,
]

/** For refusals at the paths of the API, by the API or before it. */
const apiResponder = (context: HttpContext): Responder =>
  problemResponder(createResponder(context, { path: '/v1', cors: false }), () => context.issuer.origin())

/** The responder for requests that no route matches. */
export function responderByPath(context: HttpContext, elsewhere: Responder): ResponderAt {
  const api = apiResponder(context)
  return (url) => (isApiPath(url) ? api : elsewhere)
}

export function mountAdminApi(app: FastifyInstance, context: HttpContext): void {
  const responder = apiResponder(context)
  // Loaded at the first call, because the toolkit and its schemas are half of all code, and would delay the start.
  let loaded: Promise<AdminApi> | null = null
  const load = (): Promise<AdminApi> => (loaded ??= import('./api.ts').then(({ adminApi }) => adminApi(context)))

  /** Runs in onRequest, before Fastify reads a body, so that the API reads bodies, and only of authorized callers. */
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.began = performance.now()
    const named = responder.tenant(request)
    if (named.kind === 'error') return responder.refuse(reply, named.error)
    const tenant = named.value
    const known = await context.authority.grantor(tenant)
    if (known.kind === 'error') return responder.refuse(reply, known.error)
    const api = await load()
    const { status, headers, body } = await api.serve(tenant, request.raw, request.remote.ip)
    return responder.send(reply, status, body, headers)
  }

  app.addHook('onClose', async () => (await loaded)?.close())

  // So that further methods get 405 and not 404 (RFC 9110 §15.5.6).
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  for (const url of addresses) {
    app.route({
      url,
      method: app.supportedMethods,
      exposeHeadRoute: false,
      config: { responder },
      onRequest: context.tracing.handler(serve),
      handler: (_, reply) => reply,
    })
  }
}
