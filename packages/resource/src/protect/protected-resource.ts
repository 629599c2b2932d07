/** A handler of one's own as a protected resource: its metadata, preflights and the guard before it (RFC 9728). */
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
  /** What every request needs. */
  readonly scope: ScopeNeed
  /** Everything that may be asked for, told in the metadata; left out, what every request needs. */
  readonly scopes?: readonly string[]
  /** Types of authorization details that may be asked for; left out, the one that every request needs. */
  readonly detailTypes?: readonly string[]
  /** Where people read about it. */
  readonly documentation?: string
  /** Left out, no page of another origin may call. */
  readonly cors?: CorsPlan
  /** Told to browsers that ask; what the handler does not know is for the handler to refuse. */
  readonly methods?: readonly string[]
  readonly sizes?: Partial<Pick<SizeLimits, 'headers' | 'url'>>
  /** What the handler threw; the client learns the id and nothing else. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Answered already, or for the handler: who calls, and the headers that its answer carries besides. */
export type ReceivedRequest =
  | { readonly kind: 'answered'; readonly response: ApiResponse }
  | { readonly kind: 'admitted'; readonly caller: Caller; readonly headers: Readonly<Record<string, string>> }

export interface ProtectedResource {
  /** Synchronous where the validator is. The body is not touched. */
  receive(request: ApiRequest): ReceivedRequest | Promise<ReceivedRequest>
  /** 401 or 403 for a caller without the scope of one operation (a tool of an MCP server, say); null where it is there. */
  lacking(need: ScopeNeed, caller: Caller): ApiResponse | null
  /** 500 for what the handler threw. */
  internalError(error: unknown): ApiResponse
  /** For adapters: what is open for callers, and how it ends (Protection). */
  readonly open: Protection['open']
  readonly ended: Protection['ended']
  /** For adapters: where the metadata is. */
  readonly metadataPaths: ReadonlySet<string>
  /** For adapters: all that anyone may read, `*` at the end meaning any rest. */
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

  /** What is public: the pages, and what a browser asks before it can send a token. */
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
