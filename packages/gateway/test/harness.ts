/** A gateway over real HTTP with an API behind it that does what a test wants, and an issuer inside the process. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { err, ok } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { createValidator, type Freshness } from '@grantor/resource'
import { createTestIssuer, type TestIdentity } from '@grantor/resource/testing'
import {
  type GatewayConfig,
  readGatewayPlan,
  readReferencedFiles,
  type RunningGateway,
  startGateway,
} from '../src/index.ts'

export const audience = 'https://api.example'
export const issuer = 'https://issuer.test'

export const parse = (text: string) => {
  try {
    return ok(JSON.parse(text) as Json)
  } catch {
    return err('is not JSON')
  }
}

export async function configOf(file: Readonly<Record<string, Json>>, folder = '.'): Promise<GatewayConfig> {
  const plan = readGatewayPlan({ issuer, audience, ...file })
  if (plan.kind === 'error') throw new Error(JSON.stringify(plan.error))
  const config = await readReferencedFiles(plan.value, { folder, parse })
  if (config.kind === 'error') throw new Error(JSON.stringify(config.error))
  return config.value
}

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly token?: string
  readonly body?: string
}

export interface Harness extends AsyncDisposable {
  readonly gateway: RunningGateway
  readonly seen: Seen[]
  readonly notices: string[]
  readonly upstream: string
  mint(identity?: TestIdentity): string
  revoke(token: string): void
  /** From now on nothing is heard of revocations. */
  loseFeed(): void
  ask(path: string, asked?: Asked): Promise<Answer>
  /** Bytes to the socket, and everything that comes back until it closes. */
  raw(text: string): Promise<string>
  connect(): Socket
  config(file: Readonly<Record<string, Json>>): Promise<GatewayConfig>
}

type Handler = (request: IncomingMessage, response: ServerResponse, seen: Seen) => void

export interface HarnessOptions {
  readonly file?: Readonly<Record<string, Json>>
  readonly answer?: Handler
  /** Answers before the body is read. */
  readonly early?: RequestListener
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** `file`: tokens are judged as the file says, by the issuer that it names, over the network. */
  readonly trust?: 'inside' | 'file'
}

const echo: Handler = (_request, response, seen) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen))
}

export async function startHarness({
  file = {},
  answer = echo,
  early,
  upgrade,
  trust = 'inside',
}: HarnessOptions = {}): Promise<Harness> {
  const seen: Seen[] = []
  const api = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    const { method = '', url = '', headers, rawHeaders } = incoming
    incoming.on('error', () => {})
    if (early !== undefined) return early(incoming, response)
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() }
      seen.push(one)
      answer(incoming, response, one)
    })
  })
  if (upgrade !== undefined) api.on('upgrade', upgrade)
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const upstream = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const trusted = createTestIssuer({ audience, issuer })
  const { revocation } = trusted.trust
  let freshness: Freshness = 'live'
  const source = typeof revocation === 'object' ? { ...revocation, freshness: () => freshness } : 'none'
  const usual = { upstream, routes: [{ path: '/orders', scopes: ['orders:read'] }] }
  const config = (more: Readonly<Record<string, Json>>) => configOf({ ...usual, ...more })
  const notices: string[] = []
  const first = await config(file)
  const clientCertHeader = first.clientCertHeader === null ? {} : { clientCertHeader: first.clientCertHeader }
  const gateway = await startGateway(first, {
    port: 0,
    notice: (text) => void notices.push(text),
    ...(trust === 'file'
      ? {}
      : {
          validator: createValidator({
            audience,
            issuers: [{ ...trusted.trust, revocation: source }],
            ...clientCertHeader,
            ...(first.serveStaleFor === null ? {} : { serveStaleFor: first.serveStaleFor }),
          }),
        }),
  })
  const open = () => connect(gateway.port, '127.0.0.1')
  return {
    gateway,
    seen,
    notices,
    upstream,
    config,
    mint: (identity = {}) => trusted.mint({ scope: 'orders:read', ...identity }),
    revoke: (token) => trusted.revoke(token),
    loseFeed: () => void (freshness = 'stale'),
    ask: (path, asked) => ask(gateway.port, path, asked),
    connect: open,
    async raw(text) {
      const socket = open()
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
      socket.on('error', () => {})
      socket.write(text, 'latin1')
      await once(socket, 'close')
      return received
    },
    async [Symbol.asyncDispose]() {
      api.closeAllConnections()
      // A test may have closed it.
      await gateway.close().catch(() => {})
      api.close()
    },
  }
}

export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, token, body }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method,
        headers: { ...authorization, ...headers } as Record<string, string>,
        agent: false,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
