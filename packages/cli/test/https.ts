/** A request to a started server, trusting nothing but its local CA; and a server of the tests under the certificate of one. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface HttpsAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface HttpsRequest {
  readonly folder: { readonly path: string }
  readonly form?: Readonly<Record<string, string>>
  readonly basic?: readonly [id: string, secret: string]
  readonly bearer?: string
}

export function requestJson(url: string, { folder, form, basic, bearer }: HttpsRequest): Promise<HttpsAnswer> {
  const ca = readFileSync(join(folder.path, 'data', 'tls', 'ca.pem'))
  const body = form === undefined ? null : new URLSearchParams(form).toString()
  const headers = {
    ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, method: body === null ? 'GET' : 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text === '' ? {} : (JSON.parse(text) as HttpsAnswer['body']),
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

interface Served extends AsyncDisposable {
  readonly url: string
}

/** In a folder where a server was started once. */
export async function serveHttps(folder: { readonly path: string }, listener: RequestListener): Promise<Served> {
  const [cert, key] = ['server.pem', 'server.key'].map((name) => readFileSync(join(folder.path, 'data', 'tls', name)))
  const server = createServer({ cert, key }, listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
