/** APIs to be checked by `grantor api check`, and what it printed of them. */
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { folder } from './grantor.ts'

interface Served extends AsyncDisposable {
  readonly url: string
  readonly requests: { readonly method: string; readonly url: string; readonly authorization: string | undefined }[]
}

export async function serve(listener: RequestListener): Promise<Served> {
  const requests: Served['requests'][number][] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, authorization: headers.authorization })
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const things = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'cursor', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 200: {}, 401: {} },
        security: [{ oauth2: [] }],
      },
      post: { requestBody: { content: { 'application/json': { example: { name: 'a' } } } }, responses: { 201: {} } },
    },
    '/things/{id}': { get: { responses: { 200: {} } }, delete: { responses: { 204: {} } } },
  },
}

interface Printed {
  readonly summary: Readonly<Record<'pass' | 'fail' | 'skip', number>>
  readonly requests: number
  readonly checks: readonly Readonly<Record<'name' | 'outcome' | 'remedy' | 'detail', string>>[]
}

export async function check(url: string, ...more: string[]) {
  using here = folder()
  const { code, stdout, stderr } = await here.call(['api', 'check', url, '--json', ...more])
  return { code, stderr, printed: (stdout === '' ? null : JSON.parse(stdout)) as Printed | null }
}
export const outcomes = (printed: Printed | null): Readonly<Record<string, string>> =>
  Object.fromEntries((printed?.checks ?? []).map(({ name, outcome }) => [name, outcome]))

export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
