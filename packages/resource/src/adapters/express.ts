/** The Express adapter: the guard for single routes, a whole resource as middleware, and its errors as problems. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiRequest } from '../http/request.ts'
import type { ProtectedResource, ReceivedRequest } from '../protect/protected-resource.ts'
import { type Admission, type ProtectOptions, protection } from '../protect/protection.ts'
import { publicPages, type PublicPagesOptions } from '../protect/public-pages.ts'
import type { ScopeNeed } from '../protect/scope-need.ts'
import type { Caller } from '../validate/caller.ts'
import { presentedCredentials } from '../validate/presented-credentials.ts'
import { answerWith } from './node.ts'
import { readNodeRequest, requestLines } from './node-request.ts'
import { trackResponses } from './open-responses.ts'

export { answerWith } from './node.ts'

declare global {
  // Express types take the properties that middleware adds to a request from this interface.
  namespace Express {
    interface Request {
      /** Whose token was accepted; set by a guard, undefined on routes without one. */
      caller?: Caller
    }
  }
}

/** The members of an Express request that this adapter uses, so that it does not depend on the types of Express. */
export interface ExpressRequest extends IncomingMessage {
  /** The whole request target: `url` lacks the prefix that a router is mounted at. */
  readonly originalUrl: string
  readonly ip?: string | undefined
  caller?: Caller
}

export type Next = (error?: unknown) => void
export type ExpressMiddleware = (request: ExpressRequest, response: ServerResponse, next: Next) => void

/** `app.get('/report', guard(options, 'reports:read'), (request, response) => …)`. */
export function guard(options: ProtectOptions, need: ScopeNeed): ExpressMiddleware {
  const protect = protection(options, need)
  const track = trackResponses(protect)
  const { origin } = new URL(options.audience)
  return (request, response, next) => {
    const presented = presentedCredentials(
      { ...requestLines(request, () => request.ip ?? null), target: request.originalUrl },
      origin,
    )
    const settle = (admission: Admission): void => {
      if (admission.kind === 'error') return answerWith(response, admission.error)
      request.caller = admission.value
      track(request, response, admission.value)
      next()
    }
    const admission = protect.admit(presented, request.method ?? 'GET')
    if (admission instanceof Promise) admission.then(settle).then(undefined, next)
    else settle(admission)
  }
}

/**
 * `app.use(guardPages({ audience, name, issuers, scopes }))`, before any guard in `app.use`: the pages its answers link
 * to.
 */
export function guardPages(options: PublicPagesOptions): ExpressMiddleware {
  const pages = publicPages(options)
  return (request, response, next) => {
    const page = pages.answer(request.method ?? 'GET', request.originalUrl)
    if (page === null) next()
    else answerWith(response, page)
  }
}

/**
 * `app.use(expressResource(resource))`, before the routes: answers metadata requests, preflights and refused requests.
 */
export function expressResource(resource: ProtectedResource): ExpressMiddleware {
  const track = trackResponses(resource)
  return (request, response, next) => {
    const settle = (received: ReceivedRequest): void => {
      if (received.kind === 'answered') return answerWith(response, received.response)
      for (const [name, value] of Object.entries(received.headers)) response.setHeader(name, value)
      request.caller = received.caller
      track(request, response, received.caller)
      next()
    }
    const received = resource.receive(readExpressRequest(request))
    if (received instanceof Promise) received.then(settle).then(undefined, next)
    else settle(received)
  }
}

/** `app.use(expressErrors(resource))`, after the routes: what a handler threw becomes a 500 that reveals nothing. */
export function expressErrors(resource: ProtectedResource) {
  return (error: unknown, _request: ExpressRequest, response: ServerResponse, next: Next): void => {
    // A refusal by Express or its middleware (a body that is not JSON) is no server error; a started answer cannot
    // change.
    if (response.headersSent || isRefusal(error)) return next(error)
    answerWith(response, resource.internalError(error))
  }
}

/** An Express request as the `ApiRequest` of the core. */
export const readExpressRequest = (request: ExpressRequest): ApiRequest => ({
  ...readNodeRequest(request, request.ip ?? null),
  target: request.originalUrl,
})

const isRefusal = (error: unknown): boolean => {
  const { status } = Object(error) as { readonly status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}
