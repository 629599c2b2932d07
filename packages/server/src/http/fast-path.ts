/**
 * The hatch: a form posted to an endpoint of clients, in the plain shape that nearly all of them are, goes to its
 * handler without Fastify, which would cost as much as a quarter of signing a token. What differs in anything (another
 * method, type, encoding or address, no length, a person who wants a page, a request that the door objects to) takes
 * the usual way, before a byte of its body is read; both ways end in the same handler and the same desk.
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
import type { Desk } from './responder.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { Door } from './ingress-guard.ts'
import { answerPlainly } from './errors.ts'
import { bodyLimit, plainFormTypes } from './form-body.ts'

/** A handler that needs nothing of Fastify. */
export type Serve = <R extends Outgoing>(request: Incoming, reply: R) => Promise<R>

interface Lane {
  /** Under the issuer. */
  readonly path: string
  readonly desk: Desk
  readonly serve: Serve
}

interface Place {
  readonly lane: Lane
  readonly params: { readonly tenant?: string }
}

/** A whole request. */
interface Arrived {
  readonly lane: Lane
  readonly body: string
  readonly reply: HatchReply
}

export class Hatch {
  readonly #door: Door
  readonly #lanes: Lane[] = []
  #arrived: Arrived[] = []

  constructor(door: Door) {
    this.#door = door
  }

  open(lane: Lane): void {
    this.#lanes.push(lane)
  }

  before(usual: RequestListener): RequestListener {
    return (request, response) => {
      const place = isPlainPost(request) ? this.#place(request.url ?? '') : null
      if (place === null) return usual(request, response)
      const caller = this.#door.callerOf(request)
      if (this.#door.objection(request, caller) !== null) return usual(request, response)
      const { lane, params } = place
      return receive(request, (body) =>
        this.#gather({ lane, body, reply: new HatchReply(request, response, caller, params) }),
      )
    }
  }

  /**
   * All that arrived in one turn of the event loop is handled together, step by step. The code of a step is then in
   * the processor's cache for everybody but the first, which saves a busy server more than any shortcut within a step.
   */
  #gather(one: Arrived): void {
    if (this.#arrived.push(one) > 1) return
    setImmediate(() => {
      const all = this.#arrived
      this.#arrived = []
      all.forEach(handOver)
    })
  }

  #place(url: string): Place | null {
    const from = url.startsWith('/t/') ? url.indexOf('/', 3) : 0
    // Compared one by one: a map would first look up every address anyone sends in the table of all strings.
    const lane = this.#lanes.find(({ path }) => url.length === from + path.length && url.endsWith(path))
    if (lane === undefined) return null
    if (from === 0) return { lane, params: {} }
    const tenant = url.slice(3, from)
    return isTenantName(tenant) ? { lane, params: { tenant } } : null
  }
}

const length = /^\d{1,5}$/

function isPlainPost({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST' || !plainFormTypes.has(headers['content-type'] ?? '')) return false
  const announced = headers['content-length'] ?? ''
  if (!length.test(announced) || Number(announced) > bodyLimit) return false
  return headers['content-encoding'] === undefined && headers.accept?.includes('text/html') !== true
}

/** A sender that goes away in the middle is answered by nobody; one that dawdles, by the server's own time limit. */
function receive(request: IncomingMessage, whole: (body: string) => void): void {
  let body = ''
  // Latin-1, for the reason told in form.ts.
  request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
  request.on('end', () => whole(body))
  request.on('error', () => {})
}

function handOver({ lane: { desk, serve }, body, reply }: Arrived): void {
  reply.request.body = parseForm(body)
  serve(reply.request, reply).catch((error: Error) => answerPlainly(error, reply, desk))
}

class HatchRequest implements Incoming {
  readonly raw: IncomingMessage
  readonly caller: Caller
  readonly params: unknown
  body: unknown = null
  /** When it was whole: the wait for its company is part of what it took. */
  readonly began = performance.now()

  constructor(raw: IncomingMessage, caller: Caller, params: unknown) {
    this.raw = raw
    this.caller = caller
    this.params = params
  }

  get method(): string {
    return 'POST'
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }
}

class HatchReply implements Outgoing {
  readonly raw: ServerResponse
  readonly request: HatchRequest
  readonly #headers: OutgoingHttpHeaders = {}

  constructor(request: IncomingMessage, response: ServerResponse, caller: Caller, params: unknown) {
    this.raw = response
    this.request = new HatchRequest(request, caller, params)
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
