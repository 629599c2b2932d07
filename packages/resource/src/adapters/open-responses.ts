/** Ends, refuses or cuts off responses of node:http that are still open when the token of their request ends. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ApiResponse } from '../http/response.ts'
import type { OpenExchange, OpenExchanges } from '../protect/open-exchanges.ts'
import type { Protection } from '../protect/protection.ts'
import type { Caller } from '../validate/caller.ts'
import type { Ending } from '../validate/ending.ts'
import { endsUpgraded, lastAnswerText } from './cut-socket.ts'
import { isEndless } from '../http/endless-types.ts'

type HowToEnd = Pick<Protection, 'open' | 'ended'>

interface Admitted {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly caller: Caller
}

export type TrackResponse = (request: IncomingMessage, response: ServerResponse, caller: Caller) => void

/**
 * Watches a connection, not a request, so that a request that is answered at once costs only three assignments.
 */
class ConnectionExchange implements OpenExchange {
  seenAt = 0
  /**
   * The exchanges of the route that opened the connection: another route may have another stale policy or validator.
   */
  readonly #open: OpenExchanges
  readonly #ended: Protection['ended']
  #caller: Caller | null
  #request: IncomingMessage
  #response: ServerResponse

  constructor(by: HowToEnd & { readonly open: OpenExchanges }, { request, response, caller }: Admitted) {
    this.#open = by.open
    this.#ended = by.ended
    this.#request = request
    this.#response = response
    this.#caller = caller
  }

  get caller(): Caller | null {
    if (this.#caller !== null && isOver(this.#response)) this.#caller = null
    return this.#caller
  }

  /** Takes over the next request. False while the last one is unanswered (pipelining), or if another route had it. */
  take(open: OpenExchanges, { request, response, caller }: Admitted): boolean {
    if (this.#open !== open || !isOver(this.#response)) return false
    this.#request = request
    this.#response = response
    this.#caller = caller
    this.seenAt = 0
    return true
  }

  cut(ending: Ending): void {
    const [request, response, caller] = [this.#request, this.#response, this.#caller]
    if (caller === null) return
    if (isUpgraded(request)) endsUpgraded(request.socket, ending)
    else if (!response.headersSent) this.#refuse(request, response, () => this.#ended(ending, caller))
    else if (isEndless(fieldOf(response, 'content-type'))) endQuietly(response)
    else if (ending === 'revoked' || !hasEnd(response)) response.destroy()
  }

  /**
   * Refuses a long poll. A request that changes something may finish: the client could not tell whether it took effect.
   */
  #refuse(request: IncomingMessage, response: ServerResponse, answer: () => ApiResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') return
    this.#caller = null
    const { socket } = response
    if (socket === null || request.httpVersionMajor > 1) return void response.destroy()
    // Written to the socket, past the response object, because the handler is not told and may still write to that.
    socket.write(lastAnswerText(answer()))
    socket.destroySoon()
  }
}

/** Ends a stream whose handler is not told and may still write: hence the listener for errors. */
function endQuietly(response: ServerResponse): void {
  if (!response.writableEnded) response.on('error', () => {}).end()
}

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.destroyed
/** `upgrade` is set by the parser of node:http where the server has a listener for upgrades. */
const isUpgraded = (request: IncomingMessage): boolean => 'upgrade' in request && request.upgrade === true

/** The length is declared, or the end is written already; any other response may go on for ever, whatever its type. */
const hasEnd = (response: ServerResponse): boolean =>
  response.writableEnded || fieldOf(response, 'content-length') !== ''

/** Headers given only to `writeHead` are not in `getHeader`, only in the header section as it was sent. */
function fieldOf(response: ServerResponse, name: 'content-type' | 'content-length'): string {
  const { _header: section } = response as { readonly _header?: string | null }
  const [, written] = new RegExp(`^${name}:([^\\r\\n]*)`, 'im').exec(section ?? '') ?? []
  return written ?? String(response.getHeader(name) ?? '')
}

const held = Symbol('exchange')
type HeldSocket = Socket & { [held]?: ConnectionExchange }

/** Call for every request that was admitted. */
export function trackResponses({ open, ended }: HowToEnd): TrackResponse {
  if (open === null) return () => {}
  return (request, response, caller) => {
    const socket = request.socket as HeldSocket
    const before = socket[held]
    if (before?.take(open, { request, response, caller }) === true) return
    // The connection closed while the guard waited, so no further `close` event will come.
    if (socket.destroyed || isOver(response)) return
    const fresh = new ConnectionExchange({ open, ended }, { request, response, caller })
    if (before !== undefined || request.httpVersionMajor > 1) return holdUntilClosed(open, fresh, response)
    // Not a connection of node:http, but one that a test injects.
    if (typeof socket.destroySoon !== 'function') return
    socket[held] = fresh
    holdUntilClosed(open, fresh, socket)
  }
}

function holdUntilClosed(open: OpenExchanges, exchange: OpenExchange, of: ServerResponse | Duplex): void {
  open.add(exchange)
  of.once('close', () => open.delete(exchange))
}

/** The same for a connection that was upgraded. */
export function trackUpgraded({ open }: HowToEnd, socket: Duplex, caller: Caller): void {
  if (open === null || socket.destroyed) return
  holdUntilClosed(open, { caller, seenAt: Date.now(), cut: (ending) => endsUpgraded(socket, ending) }, socket)
}
