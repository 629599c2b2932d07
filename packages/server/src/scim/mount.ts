/** Puts the SCIM service into Fastify, under every issuer; it reads its own bodies. */
import { scimPath } from '@grantor/protocol/scim'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpContext } from '../http/http-context.ts'
import { createResponder, type Responder, type ResponderAt } from '../http/responder.ts'
import { isScimPath } from './scim-path.ts'
import { scimResponder } from './scim-responder.ts'
import type { ScimService } from './scim-requests.ts'

const addresses = [scimPath, `${scimPath}/*`, `/t/:tenant${scimPath}`, `/t/:tenant${scimPath}/*`]

const ownResponder = (context: HttpContext): Responder =>
  scimResponder(createResponder(context, { path: scimPath, cors: false }))

/** Who answers what no route does. */
export function orScimResponder(context: HttpContext, elsewhere: ResponderAt): ResponderAt {
  const own = ownResponder(context)
  return (url) => (isScimPath(url) ? own : elsewhere(url))
}

export function mountScim(app: FastifyInstance, context: HttpContext): void {
  const responder = ownResponder(context)
  // Loaded with the first request: most deployments start without ever getting one.
  let loaded: Promise<ScimService> | null = null
  const load = (): Promise<ScimService> =>
    (loaded ??= import('./scim-requests.ts').then(({ scimService }) => scimService(context)))

  /** In onRequest: before Fastify reads a body, so that nobody's is read who may not send one. */
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.began = performance.now()
    const asked = responder.readRequest(request)
    if (asked.kind === 'error') return responder.refuse(reply, asked.error)
    const known = await context.authority.grantor(asked.value.tenant)
    if (known.kind === 'error') return responder.refuse(reply, known.error)
    const serveRequest = await load()
    const { status, headers, body } = await serveRequest(request.raw, asked.value)
    return responder.send(reply, status, request.method === 'HEAD' ? null : body, headers)
  }

  for (const url of addresses) {
    app.route({
      url,
      method: app.supportedMethods,
      exposeHeadRoute: false,
      config: { responder },
      onRequest: serve,
      handler: (_, reply) => reply,
    })
  }
}
