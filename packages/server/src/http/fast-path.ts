/**
 * The fast path: a form posted to an endpoint of clients goes to its handler without Fastify, which would cost as
 * much as a quarter of signing a token. Nearly all such requests look alike. One that differs in anything (another
 * method, type, encoding or address, no length, a person who wants a page, an objection of the ingress guard) goes
 * through Fastify, and that is known before a byte of its body is read. Both ways end in the same handler and the same
 * responder.
 */
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { isTenantName } from '@grantor/authority'
import { parseForm } from '@grantor/protocol/oauth'
import type { Caller } from './caller.ts'
import type { Responder } from './responder.ts'
import type { HttpRequest, HttpReply } from './exchange.ts'
import type { IngressGuard } from './ingress-guard.ts'
import { answerErrorAsJson } from './errors.ts'
import { overloaded } from './overload/admission.ts'
import { bodyLimit, plainFormTypes } from './form-body.ts'

/** A handler that does not need Fastify. */
export type FastHandler = <R extends HttpReply>(request: HttpRequest, reply: R) => Promise<R>

interface FastRoute {
  /** The path under the issuer. */
  readonly path: string
  readonly responder: Responder
  readonly serve: FastHandler
}

interface MatchedRoute {
  readonly route: FastRoute
  readonly params: { readonly tenant?: string }
}

/** A request whose body is complete. */
interface ReceivedRequest {
  readonly route: FastRoute
  readonly body: string
  readonly reply: FastReply
}

export class FastPath {
  readonly #guard: IngressGuard
  readonly #parse: typeof parseForm
  readonly #routes: FastRoute[] = []
  #received: ReceivedRequest[] = []

  constructor(guard: IngressGuard, parse = parseForm) {
    this.#guard = guard
    this.#parse = parse
  }

  add(route: FastRoute): void {
    this.#routes.push(route)
  }

  wrap(throughFastify: RequestListener): RequestListener {
    return (request, response) => {
      const matched = isPlainPost(request) ? this.#match(request.url ?? '') : null
      if (matched === null) return throughFastify(request, response)
      const caller = this.#guard.callerOf(request)
      if (this.#guard.objection(request, caller) !== null) return throughFastify(request, response)
      const { route, params } = matched
      return receive(request, (body) => {
        const reply = new FastReply(request, response, caller, params)
        // Admitted only when its body is complete: a slow sender must not hold a place.
        if (this.#guard.admit(request, response)) this.#enqueue({ route, body, reply })
        else route.responder.refuse(reply, overloaded)
      })
    }
  }

  /**
   * All that arrived in one turn of the event loop is handled together, step by step. The code of a step is then in
   * the processor's cache for everybody but the first, which saves a busy server more than any shortcut within a step.
   */
  #enqueue(received: ReceivedRequest): void {
    const isFirstOfTurn = this.#received.push(received) === 1
    if (isFirstOfTurn) setImmediate(() => this.#handleAll())
  }

  #handleAll(): void {
    const requests = this.#received
    this.#received = []
    for (const request of requests) void this.#handle(request)
  }

  /** Throws nothing, not even from the parser: that would take the other requests of the turn along. */
  async #handle({ route: { responder, serve }, body, reply }: ReceivedRequest): Promise<void> {
    try {
      reply.request.body = this.#parse(body)
      await serve(reply.request, reply)
    } catch (error) {
      answerErrorAsJson(error as Error, reply, responder)
    }
  }

  #match(url: string): MatchedRoute | null {
    const pathStart = url.startsWith('/t/') ? url.indexOf('/', 3) : 0
    // Compared one by one: for a map, the engine would first look up every address anyone sends in its table of
    // strings.
    const route = this.#routes.find(({ path }) => url.length === pathStart + path.length && url.endsWith(path))
    if (route === undefined) return null
    if (pathStart === 0) return { route, params: {} }
    const tenant = url.slice(3, pathStart)
    return isTenantName(tenant) ? { route, params: { tenant } } : null
  }
}

const plainLength = /^\d{1,5}$/

function isPlainPost({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST' || !plainFormTypes.has(headers['content-type'] ?? '')) return false
  const announced = headers['content-length'] ?? ''
  if (!plainLength.test(announced) || Number(announced) > bodyLimit) return false
  return headers['content-encoding'] === undefined && headers.accept?.includes('text/html') !== true
}

/** A sender that goes away in the middle gets no answer; one that is too slow, that of the time limit of the server. */
function receive(request: IncomingMessage, onComplete: (body: string) => void): void {
  let body = ''
  // Latin-1, for the reason given in form-body.ts.
  request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
  request.on('end', () => onComplete(body))
  request.on('error', () => {})
}

class FastRequest implements HttpRequest {
  readonly raw: IncomingMessage
  readonly remote: Caller
  readonly params: unknown
  body: unknown = null
  /** When its body was complete. So its duration includes the wait for the other requests of its turn. */
  readonly began = performance.now()

  constructor(raw: IncomingMessage, remote: Caller, params: unknown) {
    this.raw = raw
    this.remote = remote
    this.params = params
  }

  get method(): string {
    return 'POST'
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }
}

class FastReply implements HttpReply {
  readonly raw: ServerResponse
  readonly request: FastRequest
  readonly #headers: OutgoingHttpHeaders = {}

  constructor(request: IncomingMessage, response: ServerResponse, caller: Caller, params: unknown) {
    this.raw = response
    this.request = new FastRequest(request, caller, params)
  }

  header(name: string, value: string): void {
    this.#headers[name] = value
  }

  headers(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.#headers, headers)
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.#headers
  }

  hijack(): void {}
}
