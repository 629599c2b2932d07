/** A handler of one's own as a protected resource: its metadata, preflights and the guard before it (RFC 9728). */
import { randomUUID } from 'node:crypto'
import { problem } from '@grantor/protocol/http'
import { type ApiRequest, defaultSizes, type Headers, readHead, type SizeLimits } from '../http/request.ts'
import { answer, type ApiResponse, rendered, reportToConsole, withHeaders } from '../http/response.ts'
import type { Caller } from '../validate/caller.ts'
import { corsHeaders, type CorsPlan, isPreflight, preflight } from './cors.ts'
import { type ProtectOptions, protection } from './protection.ts'
import { metadataPaths, resourceMetadata } from './resource-metadata.ts'
import { type ScopeNeed, scopesOf } from './scope-need.ts'

export interface ProtectedResourceOptions extends ProtectOptions {
  readonly name: string
  readonly issuers: readonly [string, ...string[]]
  /** What every request needs. */
  readonly scope: ScopeNeed
  /** Everything that may be asked for, told in the metadata; left out, what every request needs. */
  readonly scopes?: readonly string[]
  /** Where people read about it. */
  readonly documentation?: string
  /** Left out, no page of another origin may call. */
  readonly cors?: CorsPlan
  /** Told to browsers that ask; what the handler does not know is for the handler to refuse. */
  readonly methods?: readonly string[]
  readonly sizes?: Partial<Pick<SizeLimits, 'headers' | 'url'>>
  /** What the handler threw; the client learns the id and nothing else. */
  readonly onFault?: (error: unknown, requestId: string) => void
}

/** Answered already, or for the handler: who calls, and the headers that its answer carries besides. */
export type Received =
  | { readonly answer: ApiResponse }
  | { readonly caller: Caller; readonly headers: Readonly<Record<string, string>> }

export interface ProtectedResource {
  /** Synchronous where the validator is. The body is not touched. */
  receive(request: ApiRequest): Received | Promise<Received>
  /** 401 or 403 for a caller without the scope of one operation (a tool of an MCP server, say); null where it is there. */
  lacking(need: ScopeNeed, caller: Caller): ApiResponse | null
  /** 500 for what the handler threw. */
  fault(error: unknown): ApiResponse
  /** For adapters: where the metadata is. */
  readonly metadataPaths: ReadonlySet<string>
}

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function protectedResource(options: ProtectedResourceOptions): ProtectedResource {
  const { audience, name, issuers, scope, documentation, cors = { origins: [] }, methods = usual } = options
  const guard = protection({ realm: name, ...options }, scope)
  const { origin } = new URL(audience)
  const paths = metadataPaths(audience)
  const told = { resource: audience, name, issuers, scopes: options.scopes ?? scopesOf(scope) }
  const document = JSON.stringify(resourceMetadata(documentation === undefined ? told : { ...told, documentation }))
  const sizes = { ...defaultSizes, ...options.sizes }
  const onFault = options.onFault ?? reportToConsole
  const allow = methods.join(', ')

  /** What is public: the metadata, and what a browser asks before it can send a token. */
  function open({ method, target }: ApiRequest, headers: Headers) {
    if (isPreflight(method, headers)) return preflight(cors, headers, allow)
    if (!paths.has(target.split('?')[0] ?? '')) return null
    if (method !== 'GET' && method !== 'HEAD') return answer(405, { allow: 'GET, HEAD' })
    return answer(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }, document)
  }

  return {
    metadataPaths: paths,
    lacking: guard.lacking,
    fault(error) {
      const requestId = randomUUID()
      onFault(error, requestId)
      return rendered(problem('internal', 'Something went wrong on our side.'), 'POST', { origin, requestId })
    },
    receive(request) {
      const { method, target, certificateThumbprint } = request
      const identity = () => ({ origin, requestId: randomUUID() })
      const head = readHead(request, sizes)
      if (head.kind === 'error') return { answer: rendered(head.error, method, identity()) }
      const headers = head.value
      const shared = corsHeaders(cors, headers)
      const reply = open(request, headers)
      if (reply !== null) return { answer: withHeaders(rendered(reply, method, identity()), shared) }
      const presented = {
        authorization: headers.lines('authorization'),
        tokenElsewhere: /[?&]access_token=/.test(target),
        request: {
          method,
          url: origin + target,
          ...(certificateThumbprint === undefined ? {} : { certificateThumbprint }),
        },
      }
      const settle = (admission: Awaited<ReturnType<typeof guard.admit>>): Received =>
        admission.kind === 'ok'
          ? { caller: admission.value, headers: shared }
          : { answer: withHeaders(admission.error, shared) }
      const admission = guard.admit(presented, method)
      return admission instanceof Promise ? admission.then(settle) : settle(admission)
    },
  }
}
