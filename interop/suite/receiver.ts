/** A client's own server on loopback, with a certificate of its own authority: what it publishes, and what it was sent. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { issueCertificate } from '@grantor/server'

export interface Received {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly form: URLSearchParams
  readonly authorization: string | null
  readonly body: string
}

export interface Receiver extends AsyncDisposable {
  readonly origin: string
  /** The PEM of the authority that vouches for it. */
  readonly ca: string
  readonly received: readonly Received[]
  /** What lies at a path, as JSON. */
  readonly documents: Map<string, unknown>
  /** What it answers from now on; 200 if not said. */
  answer: number
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const life = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) }
  const authority = await issueCertificate({ name: 'CN=Receiver', validity: life, names: null, signer: null })
  const pair = await issueCertificate({ name: 'CN=localhost', validity: life, names: ['localhost'], signer: authority })
  const received: Received[] = []
  const receiver = { answer: 200, documents: new Map<string, unknown>() }
  const server: Server = createServer(pair, (request, response) => {
    void (async () => {
      const body = await text(request)
      const form = new URLSearchParams(body)
      const { method = '', url: path = '', headers } = request
      const { 'content-type': type = '', authorization = null } = headers
      received.push({ method, path, type, form, authorization, body })
      const document = receiver.documents.get(path)
      if (document === undefined) response.writeHead(receiver.answer).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    })()
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  return Object.assign(receiver, {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: authority.cert,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  })
}
