/** `fetch` for a server whose certificate a private CA signed: the standard `fetch` cannot be given a CA. */
import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { CustomFetchOptions } from 'openid-client'

export type Fetch = (url: string, options: CustomFetchOptions) => Promise<Response>

export const privateFetch =
  (ca: string | Buffer | undefined): Fetch =>
  async (url, { method, headers, body }) => {
    const { promise: answered, resolve, reject } = Promise.withResolvers<Parameters<typeof buffer>[0] & Head>()
    const asked = request(url, { method, headers, ...(ca === undefined ? {} : { ca }), timeout: 10_000 }, resolve)
    asked.on('error', reject)
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
    // `openid-client` sends only forms and JSON.
    asked.end(typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : undefined)
    const answer = await answered
    const status = answer.statusCode ?? 500
    const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const content = new Uint8Array(await buffer(answer))
    return new Response(status === 204 ? null : content, { status, headers: given })
  }

interface Head {
  readonly statusCode?: number | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}
