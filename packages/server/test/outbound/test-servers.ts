/** A small hostile server on loopback: a TLS server of a private authority, and a name server that changes its mind. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { decode, encode, RECURSION_DESIRED, type Answer } from 'dns-packet'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'
import { openOutbound, type OutboundOptions } from '../../src/outbound/index.ts'

export interface HttpsServer extends AsyncDisposable {
  readonly port: number
  readonly roots: SecureContext
  /** The same in PEM. */
  readonly ca: string
  /** Requests in the order they came, as `METHOD /path`. */
  readonly asked: string[]
  /** Connections that were ever opened. */
  connections(): number
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** A TLS server that behaves by path. */
export async function openHttpsServer(behaviours: Readonly<Record<string, Behaviour>>): Promise<HttpsServer> {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const ca = await issueCertificate({ name: 'CN=Private authority', validity: life, names: null, signer: null })
  const names = ['localhost', '127.0.0.1', 'pinned.grantor.dev']
  const own = await issueCertificate({ name: 'CN=localhost', validity: life, names, signer: ca })
  const asked: string[] = []
  let connections = 0
  const server = createServer({ cert: own.cert, key: own.key }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const behave = behaviours[(request.url ?? '').split('?', 1).join('')]
    response.on('error', () => {})
    if (behave === undefined) response.writeHead(404).end()
    else behave(request, response)
  })
  server.on('connection', () => connections++)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    roots: createSecureContext({ ca: ca.cert }),
    ca: ca.cert,
    asked,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A outbound that trusts the server's authority and may go to its `localhost`. */
export const outboundTo = (server: HttpsServer, parts: Partial<OutboundOptions> = {}) =>
  openOutbound({
    allow: new Set([`localhost:${server.port}`]),
    resolve: () => Promise.resolve([]),
    roots: () => server.roots,
    now: Date.now,
    // A busy machine is not what these tests are about.
    deadline: 60_000,
    ...parts,
  })

export interface NameServer extends AsyncDisposable {
  /** As `dns` takes it. */
  readonly address: string
}

/** `answers` is asked for the addresses of `A name` or `AAAA name`, anew for every question. */
export async function openNameServer(answers: (question: string) => readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions: [question] = [] } = decode(message)
    if (question === undefined) return
    const { type, name } = question
    const found = answers(`${type} ${name}`).map((data) => ({ type, name, ttl: 0, data }) as unknown as Answer)
    socket.send(
      encode({ type: 'response', id, flags: RECURSION_DESIRED, questions: [question], answers: found }),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
