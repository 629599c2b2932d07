/** Mounts the SCIM service in Fastify, under every issuer; it reads its own bodies. */
import { scimPath } from '@grantor/protocol/scim'
import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../http/http-context.ts'
import { createResponder, type Responder, type ResponderAt } from '../http/responder.ts'
import { mountLazily } from '../mount-lazily.ts'
import { isScimPath } from './scim-path.ts'
import { scimResponder } from './scim-responder.ts'

const addresses = [scimPath, `${scimPath}/*`, `/t/:tenant${scimPath}`, `/t/:tenant${scimPath}/*`]

const ownResponder = (context: HttpContext): Responder =>
  scimResponder(createResponder(context, { path: scimPath, cors: false }))

/** The responder for requests that no route matches. */
export function orScimResponder(context: HttpContext, elsewhere: ResponderAt): ResponderAt {
  const own = ownResponder(context)
  return (url) => (isScimPath(url) ? own : elsewhere(url))
}

export const mountScim = (app: FastifyInstance, context: HttpContext): void =>
  mountLazily(app, context, {
    addresses,
    responder: ownResponder(context),
    load: async () => (await import('./scim-requests.ts')).scimService(context),
  })
