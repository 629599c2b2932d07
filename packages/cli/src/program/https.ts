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
}

/** Both as PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** Rejects with an error that has a code when nobody answers properly. */
export const fetchHttps = (url: URL, { ca, body, certificate, ...options }: HttpsRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ...options, ...certificate, ca: [...ca], agent: false }, (answer) => {
      const headers = Object.entries(answer.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      readBody(answer).then(
        (text) => resolve(new Response(text === '' ? null : text, { status: answer.statusCode ?? 0, headers })),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

const maxBytes = 1024 * 1024

/** Whoever answers with more is not what was asked for. */
async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
