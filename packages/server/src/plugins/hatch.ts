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
import { parseForm } from '@grantor/protocol'
import type { Caller } from '../caller.ts'
import type { Desk } from '../desk.ts'
import type { Incoming, Outgoing } from '../exchange.ts'
import type { Door } from './door.ts'
import { answerPlainly } from './errors.ts'
import { bodyLimit, plainFormTypes } from './form.ts'

/** A handler that needs nothing of Fastify. */
export type Serve = <R extends Outgoing>(request: Incoming, reply: R) => Promise<R>

interface Lane {
  readonly desk: Desk
  readonly serve: Serve
}

interface Place {
  readonly lane: Lane
  readonly params: { readonly tenant?: string }
}

export class Hatch {
  readonly #door: Door
  readonly #lanes = new Map<string, Lane>()

  constructor(door: Door) {
    this.#door = door
  }

  open(path: string, lane: Lane): void {
    this.#lanes.set(path, lane)
  }

  before(usual: RequestListener): RequestListener {
    return (request, response) => {
      const place = isPlainPost(request) ? this.#place(request.url ?? '') : null
      if (place === null) return usual(request, response)
      const caller = this.#door.callerOf(request)
      if (this.#door.objection(request, caller) !== null) return usual(request, response)
      return receive(
        request,
        (body) => void handOver(place, body, new HatchReply(request, response, caller, place.params)),
      )
    }
  }

  #place(url: string): Place | null {
    const atRoot = this.#lanes.get(url)
    if (atRoot !== undefined) return { lane: atRoot, params: {} }
    if (!url.startsWith('/t/')) return null
    const end = url.indexOf('/', 3)
    const tenant = url.slice(3, end)
    const lane = end === -1 ? undefined : this.#lanes.get(url.slice(end))
    return lane === undefined || !isTenantName(tenant) ? null : { lane, params: { tenant } }
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

async function handOver({ lane: { desk, serve } }: Place, body: string, reply: HatchReply): Promise<void> {
  reply.request.begin(parseForm(body))
  try {
    await serve(reply.request, reply)
  } catch (error) {
    answerPlainly(error as Error, reply, desk)
  }
}

class HatchRequest implements Incoming {
  readonly raw: IncomingMessage
  readonly caller: Caller
  readonly params: unknown
  body: unknown = null
  began = 0

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

  begin(body: unknown): void {
    this.body = body
    this.began = performance.now()
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
