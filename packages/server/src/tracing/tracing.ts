/** The port for tracing (OpenTelemetry): a span for each request and for each of its calls to ports. Off by default. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { HttpReply, HttpRequest } from '../http/exchange.ts'

/** How a request ended. */
export interface AnsweredRequest {
  /** The path of its route under the issuer, never the path as sent. */
  readonly route: string
  readonly status: number
}

type Handler<Q extends HttpRequest, R extends HttpReply, T> = (request: Q, reply: R) => T

export interface Tracing {
  /** Begins a span for every request. */
  listener(next: RequestListener): RequestListener
  /** Makes calls to ports in the handler part of the request's trace. */
  handler<Q extends HttpRequest, R extends HttpReply, T>(handle: Handler<Q, R, T>): Handler<Q, R, T>
  /** The trace id of a request; null where tracing is off. */
  traceOf(request: IncomingMessage): string | null
  /** Records why a request is refused; the reason is one of our own words. */
  refused(request: IncomingMessage, reason: string): void
  answered(request: IncomingMessage, how: AnsweredRequest): void
  /** The same port, with a span for each call made for a request. */
  port<P extends object>(name: string, port: P): P
  /** Calls `watcher` when spans could not be exported. */
  watch(watcher: (failure: string) => void): void
  /** Exports the remaining spans. */
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
