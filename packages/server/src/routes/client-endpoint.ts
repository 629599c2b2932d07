/** Endpoints that clients post a form to: read the form, call the authority, add quota headers, answer. */
import type { EndpointRequest, EndpointResult } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import type { HttpRequest } from '../http/exchange.ts'
import type { FastHandler } from '../http/fast-path.ts'
import type { Route, RouteContext } from './route.ts'

interface ClientEndpoint extends Pick<Route, 'path' | 'cors'> {
  /** Null is answered with an empty 200, a text is sent as `textType`. */
  ask(
    context: RouteContext,
    asked: EndpointRequest,
    request: HttpRequest,
  ): Promise<EndpointResult<JsonObject | string | null>>
  readonly textType?: string
  /** The status of a JSON answer; left out, 200. */
  readonly status?: 200 | 201
  /** Called on success. */
  done?(context: RouteContext, asked: EndpointRequest): void
}

const unkept = { 'cache-control': 'no-store' }

export function clientEndpoint(endpoint: ClientEndpoint): Route {
  const { path, cors, ask, done, textType = 'text/plain', status = 200 } = endpoint
  const serve = (context: RouteContext): FastHandler => {
    const { responder } = context
    return async (request, reply) => {
      const read = responder.readRequest(request)
      if (read.kind === 'error') return responder.refuse(reply, read.error)
      const asked = read.value
      const answer = await ask(context, asked, request)
      responder.addQuotaHeaders(reply, answer.quota)
      if (answer.dpopNonce !== undefined) reply.header('dpop-nonce', answer.dpopNonce)
      if (answer.kind === 'error') return responder.refuse(reply, answer.error)
      done?.(context, asked)
      const { value } = answer
      if (value === null) return responder.send(reply, 200, null, unkept)
      return typeof value === 'string'
        ? responder.send(reply, 200, value, { ...unkept, 'content-type': textType })
        : responder.json(reply, value, status)
    }
  }
  return { path, methods: ['POST'], cors, at: 'every issuer', handler: serve, fastHandler: serve }
}
