/** How the validator reaches an issuer: bounded in time and size, without redirects, by TLS except on loopback. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isLoopbackHost, parseJsonObject } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { Time } from '../time.ts'

/** The subject of a request independent of its address, which the issuer may change. The issuer may be made up. */
export interface Concern {
  readonly issuer: string
  readonly part: 'metadata' | 'keys' | 'token' | 'introspection' | 'status_lists'
}

export interface OutboundRequest {
  readonly url: string
  /** Faults with a concern end by `over`, as only the reader of an answer knows whether it could be used. */
  readonly concern?: Concern
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

export interface StreamedResponse {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: AsyncIterable<Uint8Array>
  /** Drops the connection with whatever still arrives on it. */
  readonly discard: () => void
}

export interface WholeResponse {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
}

/** The only function that touches the network. Rejects when there is no answer at all. */
export type Transport = (ask: OutboundRequest) => Promise<StreamedResponse>

/** An answer as an observer sees it. */
export interface SeenAnswer {
  readonly status: number
  readonly date: string | null
  /** Seconds that a cache on the way kept it (RFC 9111 §5.1). */
  readonly age: number
  /** `error` of an OAuth error response; null where there is none, or it was not read. */
  readonly error: string | null
  readonly askedAt: Instant
  readonly receivedAt: Instant
}

/** Is told the outcome of every request. */
export interface OutboundObserver {
  answered(ask: OutboundRequest, answer: SeenAnswer): void
  /** `code` as Node names it, or `timeout`, `too_large`, `address`. */
  failed(ask: OutboundRequest, code: string): void
  unusable(what: Concern | string, why: string): void
  over(concern: Concern): void
}

export interface Outbound {
  /** A whole answer, or null when there was none in time, it was too large, or the address is not allowed. */
  fetchWhole(
    ask: OutboundRequest,
    limit: { readonly bytes: number; readonly milliseconds: number },
  ): Promise<WholeResponse | null>
  /** An answer whose body is read as it arrives. `milliseconds` bounds the wait for the response headers. */
  fetchStream(ask: OutboundRequest, milliseconds: number): Promise<StreamedResponse | null>
  /** Tells the observer that the answer for this concern, or from this address, cannot be used. */
  unusable(what: Concern | string, why: string): void
  /** Tells the observer that faults of this concern are over: an answer was usable, or no more requests are made. */
  over(concern: Concern): void
}

export function createOutbound(transport: Transport, time: Time, observer?: OutboundObserver): Outbound {
  const seen = (
    ask: OutboundRequest,
    askedAt: Instant,
    answer: Pick<StreamedResponse, 'status' | 'header'>,
    text = '',
  ) =>
    observer?.answered(ask, {
      status: answer.status,
      date: answer.header('date'),
      age: Number(/^\d{1,9}$/.exec(answer.header('age') ?? '')?.[0] ?? 0),
      error: answer.status < 400 ? null : errorIn(text),
      askedAt,
      receivedAt: time.now(),
    })
  /** Runs `work` with a signal that fires when the caller's does, or when time is up before `work` is done. */
  const within = async <T>(
    ask: OutboundRequest,
    milliseconds: number,
    work: (ask: OutboundRequest) => Promise<T>,
  ): Promise<T | null> => {
    if (!isAllowedAddress(ask.url)) {
      observer?.failed(ask, 'address')
      return null
    }
    const late = new AbortController()
    const cancel = time.after(milliseconds, () => late.abort())
    const signal = ask.signal === undefined ? late.signal : AbortSignal.any([ask.signal, late.signal])
    try {
      return await work({ ...ask, signal })
    } catch (error) {
      // A request that the caller aborted is not a failure.
      if (ask.signal?.aborted !== true) observer?.failed(ask, late.signal.aborted ? 'timeout' : codeOf(error))
      return null
    } finally {
      cancel()
    }
  }
  return {
    unusable: (what, why) => observer?.unusable(what, why),
    over: (concern) => observer?.over(concern),
    fetchStream: (ask, milliseconds) =>
      within(ask, milliseconds, async (ask) => {
        const askedAt = time.now()
        const answer = await transport(ask)
        seen(ask, askedAt, answer)
        return answer
      }),
    fetchWhole: (ask, { bytes, milliseconds }) =>
      within(ask, milliseconds, async (ask) => {
        const askedAt = time.now()
        const answer = await transport(ask)
        const text = await wholeText(answer, bytes)
        if (text === null) observer?.failed(ask, 'too_large')
        else seen(ask, askedAt, answer, text)
        return text === null ? null : { status: answer.status, header: answer.header, text }
      }),
  }
}

/** Node's own client sets `code` on the error, fetch on its cause. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }
  const found = code ?? cause?.code
  return typeof found === 'string' ? found : 'no answer'
}

/** RFC 6749 §5.2: a word of a fixed alphabet; anything else is not repeated. */
function errorIn(text: string): string | null {
  const error = parseJsonObject(text)?.['error']
  return typeof error === 'string' && /^\w{1,64}$/.test(error) ? error : null
}

/** TLS is required except on loopback, which is not a network. */
export function isAllowedAddress(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false
  if (parsed.protocol === 'https:') return true
  return parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname)
}

async function wholeText(answer: StreamedResponse, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    // Leaving the loop ends the body, and with it the connection.
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Node's own client, for private authorities (`ca`) and long streams. It follows no redirect. */
export function nodeTransport(ca?: string | Buffer | readonly (string | Buffer)[]): Transport {
  const secure = new HttpsAgent({
    keepAlive: true,
    maxSockets: 64,
    ...(ca === undefined ? {} : { ca: ca as string | Buffer }),
  })
  const plain = new HttpAgent({ keepAlive: true, maxSockets: 64 })
  const send = (ask: OutboundRequest): Promise<StreamedResponse> =>
    new Promise((resolve, reject) => {
      const https = ask.url.startsWith('https:')
      const length = ask.body === undefined ? {} : { 'content-length': Buffer.byteLength(ask.body) }
      const options = {
        agent: https ? secure : plain,
        method: ask.method ?? 'GET',
        headers: { ...ask.headers, ...length },
      }
      const request = (https ? httpsRequest : httpRequest)(ask.url, options, (response) =>
        resolve(streamedResponse(response)),
      )
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = request.reusedSocket && error.code === 'ECONNRESET' && ask.signal?.aborted !== true
        reject(stale ? new StaleConnection() : error)
      })
      // Not by the option `signal`: it ends the connection with an error that on Node 22 has no listener once the
      // answer
      // has begun.
      const abort = () => void request.destroy()
      ask.signal?.addEventListener('abort', abort)
      request.on('close', () => ask.signal?.removeEventListener('abort', abort))
      if (ask.signal?.aborted === true) abort()
      request.end(ask.body)
    })
  return async (ask) => {
    try {
      return await send(ask)
    } catch (error) {
      if (error instanceof StaleConnection) return send(ask)
      throw error
    }
  }
}

/** The server closed an idle connection just as it was reused, so the request did not arrive and may be repeated. */
class StaleConnection extends Error {}

function streamedResponse(response: IncomingMessage): StreamedResponse {
  const header = (name: string) => {
    const value = response.headers[name]
    return typeof value === 'string' ? value : null
  }
  return { status: response.statusCode ?? 0, header, body: response, discard: () => response.destroy() }
}

export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ url, method = 'GET', headers = {}, body, signal }) => {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body: response.body ?? emptyBody(),
      discard: () => void response.body?.cancel().catch(() => {}),
    }
  }
}

async function* emptyBody(): AsyncIterable<Uint8Array> {}
