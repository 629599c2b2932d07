/** Forwards one request to the API behind, and its answer back, both as they arrive (RFC 9110 §7.6). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Problem } from '@grantor/protocol/http'
import { isEndless } from '@grantor/resource/http'
import type { Dispatcher } from 'undici'
import { responseHeaders } from '../headers/response-headers.ts'
import type { OpenExchange } from './open-exchanges.ts'
import { faultText, upstreamProblem } from './upstream.ts'

export interface ForwardedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: string
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: Readable | Buffer | null
  /** Further headers of the answer. */
  readonly more: Readonly<Record<string, string>>
  readonly open: OpenExchange
  /** Makes the transform that changes an answer; undefined leaves it unchanged. */
  readonly transform?:
    | ((answer: Pick<Dispatcher.ResponseData, 'headers'> & { readonly status: number }) => AnswerTransform | null)
    | undefined
}

/** Takes the chunks of an answer and returns the bytes to send instead. */
export interface AnswerTransform {
  /**
   * True where nothing is sent before the end, so that a transform that fails there can still be answered with a
   * problem.
   */
  readonly isWhole: boolean
  take(chunk: Buffer): Buffer | null
  end(): Buffer | null
}

export interface ForwardContext {
  readonly upstream: Dispatcher
  readonly bodyLimit: number
  /** Milliseconds without a byte that a stream of events may have. */
  readonly streamIdle: number
  refuse(problem: Problem): void
  /** Tells the operator. */
  notice(text: string): void
}

/** RFC 9110 §6.4, §8.8 and §14.3, RFC 9530: headers about the bytes of a body, which a changed answer must not keep. */
const headersOfTheBytes = [
  'content-length',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-digest',
  'repr-digest',
  'digest',
  'content-md5',
]

/**
 * The returned function cuts the exchange off: an answer that has not begun is replaced by the refusal that it is
 * given. With null, only an answer that has begun is cut.
 */
export function forward(
  exchange: ForwardedExchange,
  context: ForwardContext,
): (refusal: (() => Problem) | null) => void {
  const { request, target, headers, body } = exchange
  const wantsEventStream = request.headers.accept?.includes('text/event-stream') === true
  const options: Dispatcher.DispatchOptions = {
    path: target,
    method: request.method ?? 'GET',
    headers,
    body,
    ...(wantsEventStream ? { bodyTimeout: context.streamIdle } : {}),
  }
  const relay = new AnswerRelay(exchange, context)
  try {
    context.upstream.dispatch(options, relay)
  } catch (error) {
    // undici throws for a header that it does not send; such a header came from the client.
    context.notice(`a request could not be sent on: ${faultText(error)}`)
    context.refuse(upstreamProblem(error, context.bodyLimit))
  }
  return (refusal) => relay.cut(refusal)
}

class AnswerRelay implements Dispatcher.DispatchHandler {
  readonly #exchange: ForwardedExchange
  readonly #context: ForwardContext
  #controller: Dispatcher.DispatchController | null = null
  #transform: AnswerTransform | null = null
  /** Sends the head of an answer whose transform wants to see the whole body first. */
  #sendHead: (() => void) | null = null
  #over = false

  constructor(exchange: ForwardedExchange, context: ForwardContext) {
    this.#exchange = exchange
    this.#context = context
    exchange.response.on('drain', () => this.#controller?.resume())
    exchange.response.on('close', () => this.#clientClosed())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#exchange.response.destroyed) controller.abort(new Error('the client went away'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Dispatcher.ResponseData['headers'],
  ): void {
    // RFC 9110 §15.2: interim answers (1xx) are not sent on.
    if (status < 200) return
    const { response, more, open, transform } = this.#exchange
    try {
      this.#transform = transform?.({ status, headers }) ?? null
    } catch (error) {
      return controller.abort(error as Error)
    }
    const sent = responseHeaders(headers, more)
    if (this.#transform !== null) for (const name of headersOfTheBytes) delete sent[name]
    open.isStream = isEndless(String(headers['content-type'] ?? ''))
    open.hasLength = headers['content-length'] !== undefined
    if (open.isStream) response.socket?.setTimeout(this.#context.streamIdle)
    if (this.#transform?.isWhole === true) {
      this.#sendHead = () => void response.writeHead(status, sent)
      return
    }
    try {
      response.writeHead(status, sent)
      response.flushHeaders()
    } catch (error) {
      controller.abort(error as Error)
    }
  }

  /**
   * A stream is read as it comes, so it may simply end. Any other answer that has begun is broken off, so that nobody
   * takes it for whole.
   */
  cut(refusal: (() => Problem) | null): void {
    const { response, open } = this.#exchange
    if (this.#over || (refusal === null && !response.headersSent)) return
    this.#over = true
    this.#controller?.abort(new Error('the token of this exchange is over'))
    if (refusal !== null && !response.headersSent) this.#context.refuse(refusal())
    else if (open.isStream) response.end()
    else response.destroy()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return
    try {
      const sent = this.#transform === null ? chunk : this.#transform.take(chunk)
      if (sent !== null && !this.#exchange.response.write(sent)) controller.pause()
    } catch (error) {
      controller.abort(error as Error)
    }
  }

  onResponseEnd(): void {
    if (this.#over) return
    try {
      const rest = this.#transform?.end() ?? null
      this.#sendHead?.()
      this.#over = true
      this.#exchange.response.end(rest ?? undefined)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: Error): void {
    const { response, request } = this.#exchange
    const { refuse, notice, bodyLimit } = this.#context
    if (this.#over || response.destroyed) return
    this.#over = true
    notice(`the API behind failed: ${faultText(error)}`)
    request.unpipe()
    // An answer that was begun cannot be replaced, only cut off, so that the client does not take it for complete.
    if (response.headersSent) response.destroy()
    else refuse(upstreamProblem(error, bodyLimit))
  }

  #clientClosed(): void {
    if (this.#over) return
    this.#over = true
    this.#controller?.abort(new Error('the client went away'))
  }
}
