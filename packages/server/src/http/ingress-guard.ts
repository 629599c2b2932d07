/** The ingress guard: what is turned away before a body is read: over-long addresses, plain HTTP, and addresses of nothing. */
import type { IncomingMessage } from 'node:http'
import { type EndpointName, endpointPath } from '@grantor/protocol/documents'
import type { Refusal } from '@grantor/protocol/oauth'
import { scimPath } from '@grantor/protocol/scim'
import { ssfPath } from '@grantor/protocol/ssf'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerResolver } from './caller.ts'
import { isApiPath } from '../admin/api-path.ts'
import type { ResponderAt } from './responder.ts'
import { refusePageOrJson } from '../interact/page-answer.ts'
import type { HttpContext } from './http-context.ts'
import { type Admission, openAdmission, overloaded, readsItsOwnBody } from './overload/admission.ts'

const notFound: Refusal = { reason: 'not_found' }
const longestUrl = 8 * 1024

const clientEndpoints: readonly EndpointName[] = [
  'token',
  'revocation',
  'introspection',
  'jwks',
  'userinfo',
  'deviceAuthorization',
  'pushedAuthorization',
  'backchannelAuthentication',
  'registration',
  'revocationStream',
  'revocationChanges',
  'revocationSnapshot',
  'apiDescription',
]

export interface IngressGuard extends Admission {
  callerOf(request: IncomingMessage): Caller
  objection(request: IncomingMessage, caller: Caller): Refusal | null
}

/**
 * What is served where clients are asked for certificates: what clients themselves call, and nothing that a browser shows.
 * A page there would be a page of another origin, and ask people for certificates that they do not have.
 */
const servedWithCertificates = new RegExp(
  `^(?:/t/[^/?]+)?(?:${clientEndpoints.map((name) => endpointPath[name]).join('|')}|/metrics|/v1/.*|${scimPath}/.*|${ssfPath}/.*|/\\.well-known/.*)(?:\\?|$)`,
)

export const createIngressGuard = ({ encrypted, proxies, certificates, settings, log }: HttpContext): IngressGuard => ({
  ...openAdmission(settings.requestsInFlight, log),
  callerOf: callerResolver(encrypted, proxies),
  objection({ url = '', socket }, { secure }) {
    // The API looks at the sizes of its requests itself.
    if (url.length > longestUrl && !isApiPath(url)) return { reason: 'uri_too_long' }
    if (certificates.isAsked(socket) && !servedWithCertificates.test(url)) return notFound
    // A token that crossed a network in the clear is burnt already; refusing it makes the mistake visible.
    return encrypted || secure ? null : { reason: 'tls_required' }
  },
})

export function addIngressGuard(app: FastifyInstance, guard: IngressGuard, responderAt: ResponderAt): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.remote = guard.callerOf(request.raw)
    const refusal =
      guard.objection(request.raw, request.remote) ??
      (request.is404 ? notFound : null) ??
      (readsItsOwnBody(request.url) && !guard.admit(request.raw, reply.raw) ? overloaded : null)
    if (refusal === null) return next()
    // What would follow is not read.
    if (request.method !== 'GET' && request.method !== 'HEAD') reply.header('connection', 'close')
    refusePageOrJson({ responder: responderAt(request.url), reply }, refusal)
  })
  // When it is whole: who dawdles with a body takes nobody's place.
  app.addHook('preHandler', (request, reply, next) => {
    if (readsItsOwnBody(request.url) || guard.admit(request.raw, reply.raw)) return next()
    refusePageOrJson({ responder: responderAt(request.url), reply }, overloaded)
  })
}
