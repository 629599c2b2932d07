/** Tracing by OpenTelemetry's own library, exported in batches by OTLP over HTTP. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Tracing } from './tracing.ts'

interface TracingOptions {
  /** The URL of the collector; `/v1/traces` is appended. */
  readonly endpoint: string
  /** The share of traces that is kept, between 0 and 1. */
  readonly share: number
}

/** Milliseconds by which a collector that does not answer may delay the end of the server. */
const patience = 2_000
/** Milliseconds between two batches. */
const interval = 1_000

export function openTracing({ endpoint, share }: TracingOptions): Tracing {
  let watcher = (_failure: string): void => {}
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: patience })
  const ratio = new TraceIdRatioBasedSampler(share)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'grantor' }),
    // Our share also applies to traces that a caller marks as sampled, because strangers can set that mark.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(exporter, (failure) => watcher(failure)),
        scheduledDelayMillis: interval,
        exportTimeoutMillis: patience,
      }),
    ],
  })
  const tracer = provider.getTracer('grantor')
  const propagator = new W3CTraceContextPropagator()
  const contexts = new WeakMap<IncomingMessage, Context>()
  const current = new AsyncLocalStorage<Context>()
  const spanOf = (request: IncomingMessage): Span | undefined => {
    const context = contexts.get(request)
    return context === undefined ? undefined : trace.getSpan(context)
  }

  return {
    listener: (next) => (request, response) => {
      const { method = '' } = request
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
      const attributes = { 'http.request.method': method }
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      contexts.set(request, trace.setSpan(parent, span))
      response.once('close', () => span.end())
      return next(request, response)
    },

    handler: (handle) => (request, reply) => {
      const context = contexts.get(request.raw)
      return context === undefined ? handle(request, reply) : current.run(context, handle, request, reply)
    },

    traceOf: (request) => spanOf(request)?.spanContext().traceId ?? null,

    refused: (request, reason) => void spanOf(request)?.setAttribute('error.type', reason),

    answered(request, { route, status }) {
      const span = spanOf(request)
      span?.updateName(`${request.method} ${route}`)
      span?.setAttributes({ 'http.route': route, 'http.response.status_code': status })
      // For a server span only 5xx is an error; refusals are normal work.
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    },

    port: (name, port) => tracedPort(port, { name, tracer, current }),

    watch(next) {
      watcher = next
    },

    close: () => provider.shutdown().catch((cause: unknown) => watcher(String(cause))),
  }
}

function watched(exporter: SpanExporter, failed: (failure: string) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED) failed(result.error?.message ?? 'unknown')
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

interface PortTracing {
  readonly name: string
  readonly tracer: Tracer
  readonly current: AsyncLocalStorage<Context>
}

type AnyFunction = (...input: unknown[]) => unknown

/** Wraps every function of a port and of the plain objects in it; other members are unchanged. */
function tracedPort<P extends object>(port: P, tracing: PortTracing): P {
  const members = Object.entries(port).map(([key, member]: [string, unknown]) => {
    const name = `${tracing.name}.${key}`
    if (typeof member === 'function') return [key, tracedCall(member.bind(port) as AnyFunction, { ...tracing, name })]
    return [key, isPlainObject(member) ? tracedPort(member, { ...tracing, name }) : member]
  })
  return Object.fromEntries(members) as P
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Calls outside a request, such as background sweeps, are not traced. */
const tracedCall =
  (call: AnyFunction, { name, tracer, current }: PortTracing): AnyFunction =>
  (...input) => {
    const context = current.getStore()
    if (context === undefined) return call(...input)
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, context)
    const failed = (): void => {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    try {
      const result = call(...input)
      if (result instanceof Promise) result.then(() => span.end(), failed)
      else span.end()
      return result
    } catch (cause) {
      failed()
      throw cause
    }
  }
