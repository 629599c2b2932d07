/** Mounts a service that reads its own bodies in Fastify, under every issuer: SCIM and shared signals. */
import type { IncomingMessage } from 'node:http'
import type { EndpointRequest } from '@grantor/authority'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { untilAcknowledgeable } from './http/acknowledgement.ts'
import type { HttpContext } from './http/http-context.ts'
import type { Responder } from './http/responder.ts'

interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The milliseconds that a long poll waited for news, which do not count as time that the answer took. */
  readonly waited?: number
}

type Service = (raw: IncomingMessage, asked: EndpointRequest) => Promise<ServiceAnswer>

interface MountedService {
  readonly addresses: readonly string[]
  readonly responder: Responder
  /** Called once, at the first request, because most deployments never get one. */
  load(): Promise<Service>
}

export function mountLazily(
  app: FastifyInstance,
  { authority, store }: HttpContext,
  { addresses, responder, load }: MountedService,
): void {
  let loaded: Promise<Service> | null = null

  /** Runs in onRequest, before Fastify reads a body, so that only bodies of authorized callers are read. */
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.began = performance.now()
    const asked = responder.readRequest(request)
    if (asked.kind === 'error') return responder.refuse(reply, asked.error)
    const known = await authority.grantor(asked.value.tenant)
    if (known.kind === 'error') return responder.refuse(reply, known.error)
    const serveRequest = await (loaded ??= load())
    const answer = await serveRequest(request.raw, asked.value)
    await untilAcknowledgeable(request.method, answer, store)
    const { status, headers, body, waited = 0 } = answer
    request.began += waited
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
