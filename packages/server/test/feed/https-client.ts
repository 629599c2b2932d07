/** HTTPS to a listening deployment, trusting its local CA alone: whole answers, and bodies that are read as they come. */
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Json } from '@grantor/protocol/types'

export interface CallOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: Json
  /** Sent as it is. */
  readonly body?: string
}

export interface CallAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  json(): Record<string, unknown>
}

export interface HttpsClient {
  ask(path: string, question?: CallOptions): Promise<CallAnswer>
  /** The answer as soon as its head is here; destroy it when done. */
  open(path: string, question?: CallOptions): Promise<IncomingMessage>
  close(): void
}

export function httpsClient(origin: string, ca: string): HttpsClient {
  const agent = new Agent({ ca, keepAlive: true })
  const open: HttpsClient['open'] = async (path, { method, headers = {}, form, json, body } = {}) => {
    const content =
      body ??
      (form === undefined ? null : new URLSearchParams(form).toString()) ??
      (json === undefined ? null : JSON.stringify(json))
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const asked = request(new URL(path, origin), {
      agent,
      method: method ?? (content === null ? 'GET' : 'POST'),
      headers: {
        ...(content === null ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(content)) }),
        ...headers,
      },
    })
    asked.end(content ?? undefined)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return response
  }
  return {
    open,
    async ask(path, question) {
      const response = await open(path, question)
      const body = await text(response)
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body,
        json: () => JSON.parse(body) as Record<string, unknown>,
      }
    },
    close: () => agent.destroy(),
  }
}
