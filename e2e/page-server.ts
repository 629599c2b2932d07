/** A small server on loopback for one test: the pages' files are there, the rest is the test's own. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Headers, type Html, assetFolder, assetHeaders, assets } from '@grantor/server/pages'

export interface PageServer {
  readonly port: number
  readonly origin: string
  close(): Promise<void>
}

export async function servePages(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<PageServer> {
  const server = createServer((request, response) => {
    const asset = assets.get((request.url ?? '').replace(`${assetFolder}/`, ''))
    if (asset === undefined) void answer(request, response)
    else response.writeHead(200, assetHeaders(asset.contentType)).end(asset.bytes)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

export const sendPage = (response: ServerResponse, page: Html, headers: Headers): void =>
  void response.writeHead(200, headers).end(page.text)

export const redirectTo = (response: ServerResponse, location: string): void =>
  void response.writeHead(303, { location }).end()
