/** The list of APIs that read requests by their own rules: the admin API, SCIM, and shared signals. */
import type { FastifyInstance } from 'fastify'
import { mountAdminApi, responderByPath } from './admin/mount.ts'
import { mountScim, orScimResponder } from './scim/mount.ts'
import { mountSsf, orSsfResponder } from './ssf/mount.ts'
import { mountSignalReceiver } from './ssf/receive.ts'
import type { HttpContext } from './http/http-context.ts'
import type { Responder, ResponderAt } from './http/responder.ts'

/** The responder for requests that no route matches. */
export const apiResponders = (context: HttpContext, elsewhere: Responder): ResponderAt =>
  orSsfResponder(context, orScimResponder(context, responderByPath(context, elsewhere)))

export function mountApis(app: FastifyInstance, context: HttpContext): void {
  mountAdminApi(app, context)
  mountScim(app, context)
  mountSsf(app, context)
  mountSignalReceiver(app, context)
}
