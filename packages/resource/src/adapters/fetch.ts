/** The Fetch adapter: your handler behind the guard, as a function from Request to Response. */
import { err, ok } from '@grantor/protocol/result'
import type { ApiRequest, RequestBody } from '../http/request.ts'
import type { ProtectedResource } from '../protect/protected-resource.ts'
import { type ProtectOptions, protection } from '../protect/protection.ts'
import { publicPages, type PublicPagesOptions } from '../protect/public-pages.ts'
import type { ScopeNeed } from '../protect/scope-need.ts'
import type { Caller } from '../validate/caller.ts'
import { presentedCredentials, type RequestLines } from '../validate/presented-credentials.ts'
import { answerWhileGood, responseOf } from './open-bodies.ts'

export { responseOf } from './open-bodies.ts'

export interface FetchInfo {
  /** The address of the client, where the platform knows it. */
  readonly ip?: string
  /**
   * The address of the peer of the connection, never one from a header; decides whether `clientCertHeader` is believed.
   */
  readonly peer?: string
  /** base64url SHA-256 of the client certificate's DER, where the platform asked for one (RFC 8705 §3.1). */
  readonly certificateThumbprint?: string
}

export type GuardedHandler = (request: Request, caller: Caller) => Response | Promise<Response>

/** The guard alone: `guardFetch(options, 'invoices:read', (request, caller) => …)`. */
export function guardFetch(
  options: ProtectOptions,
  need: ScopeNeed,
  handler: GuardedHandler,
): (request: Request, info?: FetchInfo) => Promise<Response> {
  const { admit, open, ended } = protection(options, need)
  const { origin } = new URL(options.audience)
  return async (request, info = {}) => {
    const admission = await admit(presentedCredentials(fetchLines(request, info), origin), request.method)
    if (admission.kind === 'error') return responseOf(admission.error)
    const caller = admission.value
    return answerWhileGood({ request, caller, handle: () => handler(request, caller), open, ended })
  }
}

/**
 * `const page = pages(request)`, before the guard: a page that its answers link to, or null for every other address.
 */
export function guardPages(options: PublicPagesOptions): (request: Request) => Response | null {
  const pages = publicPages(options)
  return ({ method, url }) => {
    const page = pages.answer(method, new URL(url).pathname)
    return page === null ? null : responseOf(page)
  }
}

/**
 * Your handler behind a protected resource, which answers metadata requests, preflights and refused requests itself.
 */
export function protectedFetch(
  resource: ProtectedResource,
  handler: GuardedHandler,
): (request: Request, info?: FetchInfo) => Promise<Response> {
  return async (request, info = {}) => {
    const received = await resource.receive(readFetchRequest(request, info))
    if (received.kind === 'answered') return responseOf(received.response)
    const { open, ended } = resource
    const { caller } = received
    const handle = () => handleOr500(resource, async () => handler(request, caller))
    const response = await answerWhileGood({ request, caller, handle, open, ended })
    return responseWithHeaders(response, received.headers)
  }
}

/** A copy with more headers, as a Response of `fetch` is immutable. `Link` and `Vary` are appended, others are set. */
export function responseWithHeaders(response: Response, more: Readonly<Record<string, string>>): Response {
  // The response to a WebSocket handshake holds its socket, which a copy would lack.
  if (response.status === 101) return response
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(more)) {
    if (name === 'link' || name === 'vary') headers.append(name, value)
    else headers.set(name, value)
  }
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

async function handleOr500(resource: ProtectedResource, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    return responseOf(resource.internalError(error))
  }
}

/** A Request as the `ApiRequest` of the core. */
export function readFetchRequest(request: Request, info: FetchInfo): ApiRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: [...request.headers],
    ip: info.ip ?? null,
    body: (limit) => readUpTo(request.body, limit),
    ...connectionOf(info),
  }
}

/**
 * The parts of a request that a guard reads. Repeated lines of a header arrive joined, and are refused as malformed.
 */
export function fetchLines({ method, url, headers }: Request, info: FetchInfo): RequestLines {
  return {
    method,
    target: url.slice(new URL(url).origin.length),
    lines: (name) => [headers.get(name) ?? []].flat(),
    ...connectionOf(info),
  }
}

/** The facts about the connection, which only the platform knows. */
const connectionOf = ({ ip, peer, certificateThumbprint: thumbprint }: FetchInfo) => ({
  address: () => ip ?? null,
  peer,
  certificate: () => (thumbprint === undefined ? null : { thumbprint }),
})

/** Stops at the limit: a larger body is neither kept nor read to its end. */
async function readUpTo(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<RequestBody> {
  if (stream === null) return ok(new Uint8Array())
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of stream) {
      length += chunk.length
      if (length > limit) return err('too_large')
      chunks.push(chunk)
    }
  } catch {
    return err('cut_short')
  }
  return ok(Buffer.concat(chunks))
}
