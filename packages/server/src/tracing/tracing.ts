/** What of a request is traced (OpenTelemetry): its span, and one for each thing it asks of a port. Without a setting nothing is. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { HttpReply, HttpRequest } from '../http/exchange.ts'

/** How a request ended. */
export interface AnsweredRequest {
  /** The path of its route under the issuer: what a caller wrote is nobody's to keep. */
  readonly route: string
  readonly status: number
}

type Handler<Q extends HttpRequest, R extends HttpReply, T> = (request: Q, reply: R) => T

export interface Tracing {
  /** Begins the span of every request that comes this way. */
  listener(next: RequestListener): RequestListener
  /** What the handler asks of ports becomes part of its request's trace. */
  handler<Q extends HttpRequest, R extends HttpReply, T>(handle: Handler<Q, R, T>): Handler<Q, R, T>
  /** The trace that a request belongs to; null where none is kept. */
  traceOf(request: IncomingMessage): string | null
  /** Why a request is refused: a word of ours. */
  refused(request: IncomingMessage, reason: string): void
  answered(request: IncomingMessage, how: AnsweredRequest): void
  /** The same port, with a span for each call that is made for a request. */
  port<P extends object>(name: string, port: P): P
  /** Is told when spans could not be handed over. */
  watch(watcher: (failure: string) => void): void
  /** Hands over what is left. */
  close(): Promise<void>
}

export const noTracing: Tracing = {
  listener: (next) => next,
  handler: (handle) => handle,
  traceOf: () => null,
  refused() {},
  answered() {},
  port: (_name, port) => port,
  watch() {},
  async close() {},
}
