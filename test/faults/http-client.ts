/** A client of a started server: keep-alive HTTPS, trusting the server's local CA and nothing else. */
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import type { Server } from '../../interop/server.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HttpRequest {
  readonly form?: Readonly<Record<string, string>>
  readonly json?: object
  readonly basic?: readonly [id: string, secret: string]
  readonly headers?: Readonly<Record<string, string>>
}

export interface HttpClient extends Disposable {
  /** Rejects when the connection breaks before the answer is whole; with NotSent when no byte of the request was sent. */
  send(path: string, question?: HttpRequest): Promise<HttpResponse>
}

/** The connection was refused before the request could be sent. */
export class NotSent extends Error {}

export function httpClientOf({ port, ca }: Server): HttpClient {
  const agent = new Agent({ keepAlive: true, ca: ca ?? '' })
  return {
    send(path, { form, json, basic, headers = {} } = {}) {
      const sent = form === undefined ? null : new URLSearchParams(form).toString()
      const body = json === undefined ? sent : JSON.stringify(json)
      const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
      const asked = request({
        agent,
        path,
        port,
        host: 'localhost',
        // Whatever Host a test puts into the header: the certificate is the server's.
        servername: 'localhost',
        method: body === null ? 'GET' : 'POST',
        headers: {
          ...(body === null ? {} : { 'content-type': type }),
          ...(basic === undefined ? {} : { authorization: basicHeader(basic) }),
          ...headers,
        },
      })
      return new Promise((resolve, reject) => {
        let put = false
        asked.on('socket', (socket) => {
          if (asked.reusedSocket) put = true
          else socket.once('secureConnect', () => (put = true))
        })
        asked.on('error', (cause) => reject(put ? cause : new NotSent(cause.message, { cause })))
        asked.on('response', (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('error', reject)
          response.on('close', () => reject(new Error('the answer was cut off')))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
        })
        asked.end(body ?? undefined)
      })
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

export const basicHeader = (basic: readonly [string, string]): string =>
  `Basic ${Buffer.from(basic.map(encodeURIComponent).join(':')).toString('base64')}`

/** The claims of a JWT of ours; who asks here trusts it already. */
export const claimsOf = (token: string): { readonly jti: string } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
