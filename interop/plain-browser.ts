/** A browser without pages for plain http on loopback: follows nothing by itself and keeps cookies, for one host. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Not by fetch, which says that a program asks: some software leads only those to sign in who look at a page. */
export class PlainBrowser {
  readonly #cookies = new Map<string, string>()

  async get(url: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const headers = { ...navigation, ...(cookie === '' ? {} : { cookie }), ...more }
    const asking = request(url, { headers }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port')
  return address.port
}
