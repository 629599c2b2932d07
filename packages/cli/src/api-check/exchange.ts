/** Requests to an untrusted API: no redirects, a deadline, and limits on bodies and the number of requests. */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface ExchangeLimits {
  readonly requests: number
  /** Milliseconds for all requests together. */
  readonly time: number
}

export interface OutgoingRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For deleting what was created: sent even when the limits are reached. */
  readonly beyondLimits?: boolean
}

/** `status` 0: no answer, and `failure` says why. */
export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly failure: string | null
}

export interface Exchange {
  send(url: URL, request?: OutgoingRequest): Promise<Answer>
  /** Whether the limit of requests or time is reached. */
  exhausted(): boolean
  readonly sent: () => number
}

const eachTimeout = 10_000
const largestBody = 4 * 1024 * 1024

export const noAnswer = (failure: string): Answer => ({ status: 0, headers: new Map(), body: '', failure })

export function openExchange({ requests, time }: ExchangeLimits, ca: readonly string[]): Exchange {
  const end = performance.now() + time
  let sent = 0
  const exhausted = (): boolean => sent >= requests || performance.now() >= end
  return {
    exhausted,
    sent: () => sent,
    async send(url, request = {}) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return noAnswer(`${url.protocol} is not spoken`)
      const { beyondLimits = false } = request
      if (exhausted() && !beyondLimits) return noAnswer('the limit of requests or time is reached')
      sent += 1
      const left = beyondLimits ? eachTimeout : Math.max(1, Math.ceil(Math.min(eachTimeout, end - performance.now())))
      return once(url, request, { ca, signal: AbortSignal.timeout(left) })
    },
  }
}

interface Connection {
  readonly ca: readonly string[]
  readonly signal: AbortSignal
}

function once(url: URL, { method = 'GET', headers = {}, body }: OutgoingRequest, at: Connection): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve(noAnswer(at.signal.aborted ? 'it did not answer in time' : (error.code ?? error.message)))
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method, headers: { ...headers, ...length }, signal: at.signal, agent: false } as const
    const received = (message: IncomingMessage): void => void read(message).then(resolve, failed)
    try {
      const sent =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, ca: [...at.ca] }, received)
          : requestHttp(url, options, received)
      sent.on('error', failed)
      sent.end(body)
    } catch (error) {
      // Node refuses to send such a header or path.
      failed(error as NodeJS.ErrnoException)
    }
  })
}

/** Stops reading at the size limit. */
async function read(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) {
      message.destroy()
      return { ...noAnswer('the answer is too large'), headers: headersOf(message) }
    }
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks).toString('utf8')
  return { status: message.statusCode ?? 0, headers: headersOf(message), body, failure: null }
}

const headersOf = ({ headers }: IncomingMessage): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
