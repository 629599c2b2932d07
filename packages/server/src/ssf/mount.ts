/** Mounts the shared signals endpoints in Fastify, under every issuer; they read their own bodies. */
import { ssfPath } from '@grantor/protocol/ssf'
import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../http/http-context.ts'
import { createResponder, type Responder, type ResponderAt } from '../http/responder.ts'
import { mountLazily } from '../mount-lazily.ts'
import { isSsfPath } from './ssf-path.ts'
import { ssfResponder } from './ssf-responder.ts'

const ownResponder = (context: HttpContext): Responder =>
  ssfResponder(createResponder(context, { path: ssfPath, cors: false }))

/** The responder for requests that no route matches. */
export function orSsfResponder(context: HttpContext, elsewhere: ResponderAt): ResponderAt {
  const own = ownResponder(context)
  return (url) => (isSsfPath(url) ? own : elsewhere(url))
}

export const mountSsf = (app: FastifyInstance, context: HttpContext): void =>
  mountLazily(app, context, {
    addresses: [`${ssfPath}/*`, `/t/:tenant${ssfPath}/*`],
    responder: ownResponder(context),
    load: async () => (await import('./ssf-requests.ts')).ssfService(context),
  })
