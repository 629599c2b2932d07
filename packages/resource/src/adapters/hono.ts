/** The Hono adapter: the guard for single routes, a whole resource as middleware, and its errors as problems. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Input, MiddlewareHandler, Next } from 'hono'
import type { ApiRequest } from '../http/request.ts'
import type { ProtectedResource } from '../protect/protected-resource.ts'
import { type Admission, type ProtectOptions, type Protection, protection } from '../protect/protection.ts'
import { publicPages, type PublicPagesOptions } from '../protect/public-pages.ts'
import type { ScopeNeed } from '../protect/scope-need.ts'
import type { Caller } from '../validate/caller.ts'
import { presentedCredentials } from '../validate/presented-credentials.ts'
import { fetchLines, type FetchInfo, readFetchRequest, responseOf, responseWithHeaders } from './fetch.ts'
import { readNodeRequest, requestLines } from './node-request.ts'
import { answerWhileGood } from './open-bodies.ts'
import { trackResponses } from './open-responses.ts'

export { responseOf } from './fetch.ts'

/** For `new Hono<CallerEnv>()`, where a guard is in `app.use`; behind a guard on the route the type is inferred. */
export interface CallerEnv {
  Variables: {
    /** Whose token was accepted. */
    caller: Caller
  }
}

/** Addresses and client certificate as the platform tells them. Left out, they are taken from `@hono/node-server`. */
export type ConnectionInfo = (context: Context) => FetchInfo

/** `app.get('/report', guard(options, 'reports:read'), (c) => c.json(c.get('caller').subject))`. */
export function guard(
  options: ProtectOptions,
  need: ScopeNeed,
  connection?: ConnectionInfo,
): MiddlewareHandler<CallerEnv> {
  const protect = protection(options, need)
  const admitted = honoAdmission(protect, options.audience, connection)
  const track = honoTracking(protect)
  return (context, next) => {
    const settle = (admission: Admission): Promise<Response | void> => {
      if (admission.kind === 'error') return Promise.resolve(responseOf(admission.error))
      context.set('caller', admission.value)
      return track(context, admission.value) ? next() : nextWhileGood(context, next, protect)
    }
    const admission = admitted(context)
    return admission instanceof Promise ? admission.then(settle) : settle(admission)
  }
}

/**
 * `app.get('/report', guardHandler(options, 'reports:read', (c) => c.json(c.get('caller').subject)))`: guard and handler
 * as one. Hono answers a route of one handler synchronously, and a route with middleware by way of promises, which cost
 * more than the check of a cached token.
 */
export function guardHandler<E extends CallerEnv = CallerEnv, P extends string = string, I extends Input = Input>(
  options: ProtectOptions,
  need: ScopeNeed,
  handler: (context: Context<E, P, I>) => Response | Promise<Response>,
  connection?: ConnectionInfo,
): (context: Context<E, P, I>) => Response | Promise<Response> {
  const protect = protection(options, need)
  const admitted = honoAdmission(protect, options.audience, connection)
  const track = honoTracking(protect)
  return (context) => {
    const settle = (admission: Admission): Response | Promise<Response> => {
      if (admission.kind === 'error') return responseOf(admission.error)
      const caller = admission.value
      context.set('caller', caller)
      if (track(context, caller)) return handler(context)
      const { open, ended } = protect
      return answerWhileGood({ request: context.req.raw, caller, handle: () => handler(context), open, ended })
    }
    const admission = admitted(context)
    return admission instanceof Promise ? admission.then(settle) : settle(admission)
  }
}

/** Not async, so that a cached token costs no turn of the event loop. */
function honoAdmission({ admit }: Protection, audience: string, connection: ConnectionInfo | undefined) {
  const { origin } = new URL(audience)
  return (context: Context): Admission | Promise<Admission> => {
    const incoming = connection === undefined ? incomingOf(context) : undefined
    const lines =
      incoming === undefined
        ? fetchLines(context.req.raw, connection?.(context) ?? {})
        : requestLines(incoming, () => incoming.socket.remoteAddress ?? null)
    return admit(presentedCredentials(lines, origin), lines.method)
  }
}

/** Tracks the response of node:http; false where there is none, so that the body has to be watched instead. */
function honoTracking(protect: Pick<Protection, 'open' | 'ended'>) {
  const track = trackResponses(protect)
  return (context: Context, caller: Caller): boolean => {
    const { incoming, outgoing } = bindingsOf(context)
    if (incoming === undefined || outgoing === undefined) return false
    track(incoming, outgoing, caller)
    return true
  }
}

async function nextWhileGood(context: Context<CallerEnv>, next: Next, protect: Pick<Protection, 'open' | 'ended'>) {
  const { open, ended } = protect
  const handle = () => next().then(() => context.res)
  const response = await answerWhileGood({
    request: context.req.raw,
    caller: context.get('caller'),
    handle,
    open,
    ended,
  })
  replaceAnswer(context, response)
}

function replaceAnswer(context: Context<CallerEnv>, response: Response): void {
  // Removed first, because Hono would merge the headers of both responses.
  context.res = undefined
  context.res = response
}

/**
 * `app.use(guardPages({ audience, name, issuers, scopes }))`, before any guard in `app.use`: the pages its answers link
 * to.
 */
export function guardPages(options: PublicPagesOptions): MiddlewareHandler {
  const pages = publicPages(options)
  return async ({ req }, next) => {
    const page = pages.answer(req.method, req.path)
    return page === null ? next() : responseOf(page)
  }
}

/** `app.use(honoResource(resource))`, before the routes: answers metadata requests, preflights and refused requests. */
export function honoResource(resource: ProtectedResource, connection?: ConnectionInfo): MiddlewareHandler<CallerEnv> {
  const track = honoTracking(resource)
  return async (context, next) => {
    const received = await resource.receive(readHonoRequest(context, connection))
    if (received.kind === 'answered') return responseOf(received.response)
    context.set('caller', received.caller)
    await (track(context, received.caller) ? next() : nextWhileGood(context, next, resource))
    if (Object.keys(received.headers).length > 0)
      replaceAnswer(context, responseWithHeaders(context.res, received.headers))
    return undefined
  }
}

/** `app.onError(honoErrors(resource))`: what a handler threw becomes a 500 that reveals nothing. */
export function honoErrors(resource: ProtectedResource) {
  return (error: Error): Response =>
    // An HTTPException is an answer that the handler chose.
    'getResponse' in error ? (error.getResponse as () => Response)() : responseOf(resource.internalError(error))
}

/** A Hono request as the `ApiRequest` of the core. */
export function readHonoRequest(context: Context, connection?: ConnectionInfo): ApiRequest {
  const incoming = connection === undefined ? incomingOf(context) : undefined
  const request = readFetchRequest(context.req.raw, connection?.(context) ?? {})
  if (incoming === undefined) return request
  // The body is read through the Request, because other middleware may have read it there already.
  return { ...readNodeRequest(incoming, incoming.socket.remoteAddress ?? null), body: request.body }
}

/** `@hono/node-server` gives the message of node:http, with every line of a header; elsewhere there is none. */
const incomingOf = (context: Context): IncomingMessage | undefined => bindingsOf(context).incoming

interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

const bindingsOf = ({ env }: Context): NodeBindings => (env as NodeBindings | undefined) ?? {}
