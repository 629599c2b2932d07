/** A route's responder: reads its requests, writes and counts its answers. One per route, made at the start. */
import { hash } from 'node:crypto'
import { type EndpointRequest, isTenantName } from '@grantor/authority'
import { type QuotaDecision, quotaHeaders } from '@grantor/protocol/http'
import { type Form, parseForm, type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import { writeAnswer, type HttpRequest, headerLines, type HttpReply } from './exchange.ts'
import { defaultTenant } from '../issuer.ts'
import type { RouteMeter } from '../metrics/meters.ts'
import type { HttpContext } from './http-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When the handler began, by the monotonic clock. */
    began: number
    /** The caller, determined once by the ingress guard. */
    remote: Caller
  }
  interface FastifyContextConfig {
    responder?: Responder
  }
}

type Headers = Readonly<Record<string, string>>

export interface Responder {
  /** The route's label in metrics. */
  readonly path: string
  readonly meter: RouteMeter
  readonly log: Logger
  /** The URL of the page about an error code. */
  problemUri(code: string): string
  /** The tenant of the path; not_found for a name no tenant can have. */
  tenant(request: HttpRequest): Result<TenantId, Refusal>
  /** The trace id of OpenTelemetry or, where that is off, of the caller's header (W3C Trace Context). */
  traceId(request: HttpRequest): string | null
  /** The form of a request and the facts about its sender. */
  readRequest(request: HttpRequest): Result<EndpointRequest, Refusal>
  json<R extends HttpReply>(reply: R, body: JsonObject, status?: number): R
  /** A public document that caches may keep for `maxAge` seconds. */
  document<R extends HttpReply>(reply: R, body: JsonObject, maxAge: number): R
  /** Content with an entity tag: 304 without the content for a client that has it already. */
  tagged<R extends HttpReply>(reply: R, content: string | Buffer, headers: Headers & { readonly etag: string }): R
  /** The form of errors for programs. Problem details ('problems') are sent to browsers as well. */
  readonly tells: 'oauth' | 'problems'
  refuse<R extends HttpReply>(reply: R, refusal: Refusal): R
  /** An error of the server: the answer has only the id under which it was logged. */
  fail<R extends HttpReply>(reply: R, id: string): R
  /** Adds the headers of the quotas that the request was charged to, to whatever answer follows. */
  addQuotaHeaders(reply: HttpReply, quota: readonly QuotaDecision[] | undefined): void
  send<R extends HttpReply>(reply: R, status: number, content: string | Buffer | null, headers: Headers): R
}

/** The responder for requests that no route matches. */
export type ResponderAt = (url: string) => Responder

export const jsonType = 'application/json; charset=utf-8'
const noParameters = parseForm('')
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

export interface ResponderOptions {
  /** The path under the issuer, also the label in metrics. */
  readonly path: string
  /** Whether pages of any origin may read the answers (no cookies are ever involved). */
  readonly cors: boolean
}

type ResponderContext = Pick<
  HttpContext,
  'issuer' | 'meters' | 'log' | 'tracing' | 'strictTransport' | 'draining' | 'certificates'
>

/** Fetch §3.3.3: the headers that pages of other origins may read. */
const readableAcrossOrigins: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, DPoP-Nonce',
}

export function createResponder(
  { issuer, meters, log, tracing, strictTransport, draining, certificates }: ResponderContext,
  { path, cors }: ResponderOptions,
): Responder {
  const meter = meters.route(path)
  const always: Headers = {
    'x-content-type-options': 'nosniff',
    ...(strictTransport ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    ...(cors ? readableAcrossOrigins : {}),
  }
  const answer: Headers = {
    ...always,
    'content-type': jsonType,
    // RFC 6749 §5.1: tokens and everything about them stay out of caches; so do errors.
    'cache-control': 'no-store',
  }
  const prepared = headerLines(answer)

  const responder: Responder = {
    path,
    meter,
    log,
    problemUri: (code) => `${issuer.origin()}/problems/${code}`,

    tenant(request) {
      const name = (request.params as { tenant?: string }).tenant
      if (name === undefined) return ok(defaultTenant)
      // The default tenant has one address, the root: two would be two issuers for one thing.
      return isTenantName(name) ? ok(name as TenantId) : err({ reason: 'not_found' })
    },

    traceId({ raw }) {
      const { traceparent: header } = raw.headers
      return tracing.traceOf(raw) ?? (typeof header === 'string' ? traceOf(header) : null)
    },

    readRequest(request) {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return tenant
      const form = (request.body ?? noParameters) as Result<Form, Refusal>
      if (form.kind === 'error') return form
      const { headers, rawHeaders } = request.raw
      const authorization = headers.authorization ?? null
      // Node silently keeps the first of two Authorization headers; which one counts would be a guess.
      if (authorization !== null && comesTwice(rawHeaders, 'authorization'))
        return err({ reason: 'client_auth_ambiguous' })
      const certificate = certificates.of(request.raw)
      if (certificate.kind === 'error') return certificate
      return ok({
        tenant: tenant.value,
        form: form.value,
        authorization,
        ...certificate.value,
        proof: typeof headers['dpop'] === 'string' ? headers['dpop'] : null,
        ip: request.remote.ip,
        traceId: responder.traceId(request),
      })
    },

    json: (reply, body, status = 200) => responder.send(reply, status, JSON.stringify(body), answer),

    document(reply, body, maxAge) {
      const text = JSON.stringify(body)
      const tag = `"${hash('sha256', text, 'base64url')}"`
      return responder.tagged(reply, text, { ...answer, 'cache-control': `public, max-age=${maxAge}`, etag: tag })
    },

    tagged(reply, content, headers) {
      const known = matches(reply.request.headers['if-none-match'], headers.etag)
      return known ? responder.send(reply, 304, null, headers) : responder.send(reply, 200, content, headers)
    },

    refuse(reply, why) {
      const { status, error, error_description, headers } = refusalResponse(why)
      meter.refused(why.reason)
      tracing.refused(reply.request.raw, why.reason)
      const body = { error, error_description, error_uri: responder.problemUri(error) }
      return responder.send(
        reply,
        status,
        JSON.stringify(body),
        headers === undefined ? answer : { ...answer, ...headers },
      )
    },

    tells: 'oauth',

    fail(reply, id) {
      const error = 'server_error'
      const error_description = `Something failed on our side. When you report it, name ${id}.`
      const body = { error, error_description, error_uri: responder.problemUri(error) }
      return responder.send(reply, 500, JSON.stringify(body), answer)
    },

    addQuotaHeaders(reply, quota) {
      if (quota !== undefined) reply.headers(quotaHeaders(quota))
    },

    send(reply, status, content, headers) {
      const { request } = reply
      // A request that never reached a handler has no start time.
      const milliseconds = request.began > 0 ? performance.now() - request.began : 0
      meter.answered(status, milliseconds / 1000)
      tracing.answered(request.raw, { route: path, status })
      // The route and not the address, because a query may hold secrets.
      if (log.isLevelEnabled('debug'))
        log.debug({ route: path, method: request.method, status, ms: milliseconds }, 'answered')
      if (draining()) reply.header('connection', 'close')
      writeAnswer(reply, status, content, headers === answer ? prepared : headerLines({ ...always, ...headers }))
      return reply
    },
  }
  return responder
}

/** RFC 9110 §13.1.2: weak comparison, any of a list, or `*`. */
const matches = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(',').some((listed) => listed.trim() === '*' || listed.trim().replace(/^W\//, '') === tag)

/** W3C Trace Context: an all-zero trace id is no id. */
function traceOf(header: string): string | null {
  const id = traceparent.exec(header)?.[1]
  return id === undefined || /^0+$/.test(id) ? null : id
}

function comesTwice(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) seen++
  }
  return seen > 1
}
