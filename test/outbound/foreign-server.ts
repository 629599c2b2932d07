/** Somebody else's server: TLS under an authority of its own, documents that can be changed, and a list of who asked. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loadCertificate, loadSettings } from '@grantor/server'
import { temporaryFolder } from '../../interop/server.ts'

export interface ForeignServer extends AsyncDisposable {
  readonly port: number
  /** https://localhost:{port} */
  readonly origin: string
  /** By path: what is served, as JSON or, with a type, as it is. */
  readonly documents: Map<string, object | { readonly type: string; readonly bytes: Uint8Array }>
  /** `METHOD /path`, in the order they came. */
  readonly requests: string[]
  /** The bodies of what was posted. */
  readonly posted: string[]
  /** Takes what is posted, and says nothing to it. */
  silent: boolean
  /** Settings that let a server come here. */
  readonly env: Readonly<Record<string, string>>
}

export async function startForeignServer(): Promise<ForeignServer> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const settings = loadSettings({ flags: {}, env: { GRANTOR_DATA: folder.path }, cwd: folder.path })
  if (settings.kind === 'error') throw new Error('the settings of a certificate do not load')
  const { cert, key, caFile } = await loadCertificate(settings.value.settings, 'localhost', Date.now())
  const documents: ForeignServer['documents'] = new Map()
  const requests: string[] = []
  const posted: string[] = []
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.method === 'POST') {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        posted.push(body)
        if (!foreign.silent) response.writeHead(204).end()
      })
      return
    }
    const found = documents.get(request.url ?? '')
    if (found === undefined) response.writeHead(404).end()
    else if ('bytes' in found && 'type' in found)
      response.writeHead(200, { 'content-type': found.type }).end(found.bytes)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const owned = stack.move()
  const foreign: ForeignServer = {
    port,
    origin: `https://localhost:${port}`,
    documents,
    requests,
    posted,
    silent: false,
    env: { GRANTOR_OUTBOUND_ALLOW: `localhost:${port}`, GRANTOR_OUTBOUND_CA: caFile ?? '' },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  return foreign
}
