/** Puts the endpoints of shared signals into Fastify, under every issuer; they read their own bodies. */
import { ssfPath } from '@grantor/protocol/ssf'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpContext } from '../http/http-context.ts'
import { createResponder, type Responder, type ResponderAt } from '../http/responder.ts'
import { isSsfPath } from './ssf-path.ts'
import type { SsfService } from './ssf-requests.ts'
import { ssfResponder } from './ssf-responder.ts'

const ownResponder = (context: HttpContext): Responder =>
  ssfResponder(createResponder(context, { path: ssfPath, cors: false }))

/** Who answers what no route does. */
export function orSsfResponder(context: HttpContext, elsewhere: ResponderAt): ResponderAt {
  const own = ownResponder(context)
  return (url) => (isSsfPath(url) ? own : elsewhere(url))
}

export function mountSsf(app: FastifyInstance, context: HttpContext): void {
  const responder = ownResponder(context)
  // Loaded with the first request: most deployments start without ever getting one.
  let loaded: Promise<SsfService> | null = null
  const load = (): Promise<SsfService> =>
    (loaded ??= import('./ssf-requests.ts').then(({ ssfService }) => ssfService(context)))

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

  for (const url of [`${ssfPath}/*`, `/t/:tenant${ssfPath}/*`]) {
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
