/** A bounded request over TLS that believes authorities of our choice, which the global `fetch` cannot be given; no redirects. */
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'

export interface HttpsRequest {
  readonly ca: readonly string[]
  readonly signal: AbortSignal
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Shown in the handshake where one is asked for. */
  readonly certificate?: ClientCertificate | null
  /** Whoever answers with more is not what was asked for; 1 MiB where it is left out. */
  readonly maxBytes?: number
}

/** Both as PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** Nobody is there, or whoever is there does not answer as one does. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly origin: string
  /** As network and TLS have it; null where there was an answer. */
  readonly code: string | null

  constructor(origin: string, cause: NodeJS.ErrnoException) {
    super(cause.message === '' ? (cause.code ?? 'no answer') : cause.message, { cause })
    this.origin = origin
    this.code = cause.code ?? null
  }
}

/** Rejects with NoAnswer. */
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
  // The statuses that a Response can have.
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
