/** The ingress guard refuses requests before their bodies are read: too long URLs, plain HTTP, and unknown paths. */
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
 * The paths served where clients are asked for certificates: those that clients call, and no pages. A page there would
 * have another origin, and browsers would ask people for certificates that they do not have.
 */
const servedWithCertificates = new RegExp(
  `^(?:/t/[^/?]+)?(?:${clientEndpoints.map((name) => endpointPath[name]).join('|')}|/metrics|/v1/.*|${scimPath}/.*|${ssfPath}/.*|/\\.well-known/.*)(?:\\?|$)`,
)

export const createIngressGuard = ({ encrypted, proxies, certificates, settings, log }: HttpContext): IngressGuard => ({
  ...openAdmission(settings.requestsInFlight, log),
  callerOf: callerResolver(encrypted, proxies),
  objection({ url = '', socket }, { secure }) {
    // The API checks the sizes of its requests itself.
    if (url.length > longestUrl && !isApiPath(url)) return { reason: 'uri_too_long' }
    if (certificates.isAsked(socket) && !servedWithCertificates.test(url)) return notFound
    // A token sent over plain HTTP is compromised already; refusing it makes the mistake visible.
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
    // The body is not read, so the connection closes.
    if (request.method !== 'GET' && request.method !== 'HEAD') reply.header('connection', 'close')
    refusePageOrJson({ responder: responderAt(request.url), reply }, refusal)
  })
  // Admitted only when the body is complete, so that a slow sender does not occupy a place.
  app.addHook('preHandler', (request, reply, next) => {
    if (readsItsOwnBody(request.url) || guard.admit(request.raw, reply.raw)) return next()
    refusePageOrJson({ responder: responderAt(request.url), reply }, overloaded)
  })
}
