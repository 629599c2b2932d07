/** Makes your handler a protected resource (RFC 9728): serves its metadata, answers preflights and guards it. */
import { randomUUID } from 'node:crypto'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import {
  type ApiRequest,
  defaultSizes,
  type RequestHeaders,
  readRequestHead,
  type SizeLimits,
} from '../http/request.ts'
import { type ApiResponse, renderResponse, type Reply, reportToConsole, withHeaders } from '../http/response.ts'
import type { Caller } from '../validate/caller.ts'
import { presentedCredentials } from '../validate/presented-credentials.ts'
import { checkedCors, corsHeaders, type CorsPlan, isPreflight, preflight } from './cors.ts'
import { type Admission, type ProtectOptions, type Protection, protection } from './protection.ts'
import { publicPages } from './public-pages.ts'
import { type ScopeNeed, scopesOf } from './scope-need.ts'

export interface ProtectedResourceOptions extends Omit<ProtectOptions, 'pages'> {
  readonly name: string
  readonly issuers: readonly [string, ...string[]]
  /** The scope that every request needs. */
  readonly scope: ScopeNeed
  /** All scopes that clients may ask for, published in the metadata; left out, the one that every request needs. */
  readonly scopes?: readonly string[]
  /** Types of authorization details that clients may ask for; left out, the one that every request needs. */
  readonly detailTypes?: readonly string[]
  /** URL of the documentation for people. */
  readonly documentation?: string
  /** Left out, no page of another origin may call. */
  readonly cors?: CorsPlan
  /** Methods named in answers to preflights; the handler itself refuses those that it does not support. */
  readonly methods?: readonly string[]
  readonly sizes?: Partial<Pick<SizeLimits, 'headers' | 'url'>>
  /** Called with what the handler threw; the client learns only the id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Answered already, or admitted to the handler: with the caller, and the headers to add to the handler's answer. */
export type ReceivedRequest =
  | { readonly kind: 'answered'; readonly response: ApiResponse }
  | { readonly kind: 'admitted'; readonly caller: Caller; readonly headers: Readonly<Record<string, string>> }

export interface ProtectedResource {
  /** Synchronous where the validator is. The body is not touched. */
  receive(request: ApiRequest): ReceivedRequest | Promise<ReceivedRequest>
  /**
   * 401 or 403 for a caller without the scope of one operation (a tool of an MCP server, say); null if the caller has
   * it.
   */
  lacking(need: ScopeNeed, caller: Caller): ApiResponse | null
  /** 500 for what the handler threw. */
  internalError(error: unknown): ApiResponse
  /** For adapters: the open exchanges, and the answer that ends a waiting one (see Protection). */
  readonly open: Protection['open']
  readonly ended: Protection['ended']
  /** For adapters: the paths of the metadata. */
  readonly metadataPaths: ReadonlySet<string>
  /** For adapters: all public paths; a `*` at the end stands for any suffix. */
  readonly publicPaths: readonly string[]
}

const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function protectedResource(options: ProtectedResourceOptions): ProtectedResource {
  const { audience, name, issuers, scope, documentation, methods = usualMethods } = options
  const cors = checkedCors(options.cors ?? { origins: [] })
  const guard = protection({ realm: name, ...options }, scope)
  const { origin } = new URL(audience)
  const needed = typeof scope === 'object' && 'details' in scope ? [scope.details] : []
  const detailTypes = options.detailTypes ?? needed
  const facts = { audience, name, issuers, scopes: options.scopes ?? scopesOf(scope), detailTypes }
  const pages = publicPages(documentation === undefined ? facts : { ...facts, documentation })
  const sizes = { ...defaultSizes, ...options.sizes }
  const onError = options.onError ?? reportToConsole
  const allow = methods.join(', ')

  /** The answer to a request that needs no token: for a public page or a preflight. */
  const publicAnswer = ({ method, target }: ApiRequest, headers: RequestHeaders): Reply | null =>
    isPreflight(method, headers) ? ok(preflight(cors, headers, allow)) : pages.reply(method, target)

  return {
    metadataPaths: pages.metadataPaths,
    publicPaths: pages.paths,
    lacking: guard.lacking,
    open: guard.open,
    ended: guard.ended,
    internalError(error) {
      const requestId = randomUUID()
      onError(error, requestId)
      const failure = problem('internal', 'Something went wrong on our side.')
      return renderResponse(err(failure), 'POST', { origin, requestId })
    },
    receive(request) {
      const { method, target, ip, peer, certificate } = request
      const identity = () => ({ origin, requestId: randomUUID() })
      const head = readRequestHead(request, sizes)
      if (head.kind === 'error') return { kind: 'answered', response: renderResponse(head, method, identity()) }
      const headers = head.value
      const shared = corsHeaders(cors, headers)
      const answered = (response: ApiResponse): ReceivedRequest => ({
        kind: 'answered',
        response: withHeaders(response, shared),
      })
      const reply = publicAnswer(request, headers)
      if (reply !== null) return answered(renderResponse(reply, method, identity()))
      const presented = presentedCredentials(
        { method, target, lines: headers.lines, address: () => ip, peer, certificate },
        origin,
      )
      const settle = (admission: Admission): ReceivedRequest =>
        admission.kind === 'ok'
          ? { kind: 'admitted', caller: admission.value, headers: shared }
          : answered(admission.error)
      const admission = guard.admit(presented, method)
      return admission instanceof Promise ? admission.then(settle) : settle(admission)
    },
  }
}
