/** A bounded HTTPS request with our own trusted authorities, which the global `fetch` does not allow; no redirects. */
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'

export interface HttpsRequest {
  readonly ca: readonly string[]
  readonly signal: AbortSignal
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent in the TLS handshake if the server asks for a client certificate. */
  readonly certificate?: ClientCertificate | null
  /** A longer answer is refused; by default 1 MiB. */
  readonly maxBytes?: number
}

/** Certificate and private key, both PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** Thrown if there is no connection, or no valid HTTP answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly origin: string
  /** The error code of network or TLS; null if there was an answer. */
  readonly code: string | null

  constructor(origin: string, cause: NodeJS.ErrnoException) {
    super(cause.message === '' ? (cause.code ?? 'no answer') : cause.message, { cause })
    this.origin = origin
    this.code = cause.code ?? null
  }
}

/** Rejects with `NoAnswer` if no valid answer comes. */
export const fetchHttps = (url: URL, request: HttpsRequest): Promise<Response> =>
  exchange(url, request).catch((error: unknown) => {
    throw new NoAnswer(url.origin, error as NodeJS.ErrnoException)
  })

const exchange = (
  url: URL,
  { ca, body, certificate, maxBytes = 1024 * 1024, ...options }: HttpsRequest,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ...options, ...certificate, ca: [...ca], agent: false }, (answer) => {
      readBody(answer, maxBytes)
        .then((text) => responseOf(answer, text))
        .then(resolve, reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

function responseOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Response {
  // `Response` allows only these statuses.
  if (status < 200 || status > 599) throw new Error(`its status is ${status}`)
  const given = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Response(text === '' ? null : text, { status, headers: given })
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
