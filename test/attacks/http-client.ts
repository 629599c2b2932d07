/** Two ways to send something to a server: requests of any shape through Node's client, and bytes that no client would send. */
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import type { Server } from '../../interop/server.ts'
import { basicHeader } from '../faults/http-client.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HttpRequest {
  readonly method?: string
  /** Pairs, so that a header may come twice. */
  readonly headers?: readonly (readonly [string, string])[]
  readonly basic?: readonly [id: string, secret: string]
  readonly bearer?: string
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly body?: string | Buffer
}

export interface HttpClient extends Disposable {
  readonly port: number
  send(path: string, how?: HttpRequest): Promise<HttpResponse>
  /** Sends exactly these bytes; resolves with the first answer, or null when the connection was closed without one. */
  raw(bytes: string | Buffer): Promise<HttpResponse | null>
  /** An open connection that nobody has spoken on. */
  open(): Promise<TLSSocket>
}

/** An answer that takes longer is no answer: nothing attacked here may wait for anything. */
const patience = 60_000

export function httpClientOf({ port, ca }: Pick<Server, 'port' | 'ca'>): HttpClient {
  const trust = { ca: ca ?? '', servername: 'localhost' }
  const agent = new Agent({ keepAlive: true, maxSockets: 64, ...trust })
  const open = (): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ ...trust, port, host: '127.0.0.1' }, () => resolve(socket)).once('error', reject)
    })
  return {
    port,
    open,
    send(path, how = {}) {
      const { form, body = form === undefined ? undefined : encoded(form) } = how
      const method = how.method ?? (body === undefined ? 'GET' : 'POST')
      return new Promise((resolve, reject) => {
        const asked = request({ agent, path, port, host: '127.0.0.1', method, headers: headersOf(how, body) })
        asked.setTimeout(patience, () => asked.destroy(new Error(`no answer to ${method} ${path.slice(0, 80)}`)))
        asked.on('error', reject)
        asked.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response
            resolve({ status, headers, body: Buffer.concat(chunks).toString('utf8') })
          })
        })
        asked.end(body)
      })
    },
    async raw(bytes) {
      const socket = await open()
      return firstAnswer(socket, bytes).finally(() => socket.destroy())
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

const encoded = (form: NonNullable<HttpRequest['form']>): string => {
  const pairs = Array.isArray(form) ? (form as [string, string][]) : Object.entries(form as Record<string, string>)
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
}

function headersOf({ headers = [], basic, bearer, form }: HttpRequest, body: HttpRequest['body']): string[] {
  return [
    ['host', 'localhost'],
    ...(form === undefined ? [] : [['content-type', 'application/x-www-form-urlencoded']]),
    ...(body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]]),
    ...(basic === undefined ? [] : [['authorization', basicHeader(basic)]]),
    ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`]]),
    ...headers,
  ].flat()
}

function firstAnswer(socket: TLSSocket, bytes: string | Buffer): Promise<HttpResponse | null> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`hangs; so far: ${text.slice(0, 200)}`)), patience)
    const end = (): void => {
      clearTimeout(timer)
      resolve(parsed(text))
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (isWhole(text)) end()
    })
    // A server that has answered may close while we still write.
    socket.on('error', end).on('close', end)
    socket.write(bytes)
  })
}

const isWhole = (text: string): boolean => {
  const answer = parsed(text)
  const length = answer?.headers['content-length']
  return answer !== null && (length === undefined ? text.endsWith('0\r\n\r\n') : answer.body.length >= Number(length))
}

function parsed(text: string): HttpResponse | null {
  const end = text.indexOf('\r\n\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  if (end === -1 || status === undefined) return null
  // Who asked first whether to go on is told so before the answer.
  if (status === '100') return parsed(text.slice(end + 4))
  const lines = text.slice(0, end).split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(status), headers, body: text.slice(end + 4) }
}
