/** The real command, an MCP server that its tokens open, and a host of documents: all over TLS, with one certificate. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type ClientCredentials, createValidator } from '@grantor/resource'
import { Agent, fetch as undiciFetch } from 'undici'
import { issueCertificate, type CertificateAndKey } from '@grantor/server'
import { notesListener } from './mcp-server.ts'
import { type Server, startServer, temporaryFolder } from './server.ts'

export interface McpDeployment extends AsyncDisposable {
  readonly server: Server
  /** The address of the MCP server, and the audience of its tokens. */
  readonly mcp: string
  /** Of the client that the MCP server reads revocations with. */
  readonly credentials: ClientCredentials
  /** Where the certificate is, as PEM. */
  readonly caFile: string
  /** Puts a client metadata document on the web; returns its address, which is the client's id. */
  publish(name: string, metadata: object): string
  /** The platform's fetch, trusting that certificate and nothing else. */
  readonly fetch: (url: string | URL, init?: object) => Promise<Response>
}

export const bob = { username: 'bob', password: 'correct-horse-battery' }
export const callback = 'http://127.0.0.1:49152/callback'
const api = { clientId: 'notes-api', clientSecret: 'notes-api-secret-of-32-or-more-characters' }

/** What the operator of the MCP server declares, as docs/mcp.md shows it. */
const page = readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8')
const shown = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? ''

/** A client that somebody registered by hand. */
const agent = {
  client_id: 'agent',
  client_name: 'Agent',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'offline_access notes:read notes:write',
}

/** The page's declaration for this address, one more client at its end, and a person. */
const seedFor = (mcp: string): string =>
  `${shown.replaceAll('https://localhost:8450/mcp', mcp)}  - ${JSON.stringify(agent)}\nusers: ${JSON.stringify([bob])}\n`

/** Listens over TLS on a port of its own. */
async function opened(stack: AsyncDisposableStack, tls: CertificateAndKey, answer: RequestListener): Promise<string> {
  const listening = createServer(tls, answer).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  stack.defer(() => listening.close().closeAllConnections())
  return `https://localhost:${(listening.address() as AddressInfo).port}`
}

/** `path` is '' where the MCP server is the whole host. */
export async function deployMcp(path = '/mcp'): Promise<McpDeployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const tls = await issueCertificate({ name: 'CN=localhost', validity: life, names: ['localhost'], signer: null })
  const caFile = folder.write('tls.pem', tls.cert)
  const documents = new Map<string, object>()
  const host = await opened(stack, tls, (request, response) => {
    const document = documents.get(request.url ?? '')
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document))
  })
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const mcp = (await opened(stack, tls, (request, response) => listener(request, response))) + path
  const server = stack.use(
    await startServer({
      data: stack.use(temporaryFolder()).path,
      seed: folder.write('notes.yaml', seedFor(mcp)),
      env: {
        GRANTOR_LOG: 'warn',
        GRANTOR_TLS_CERT: caFile,
        GRANTOR_TLS_KEY: folder.write('tls.key', tls.key),
        GRANTOR_OUTBOUND_ALLOW: 'localhost',
        GRANTOR_OUTBOUND_CA: caFile,
      },
    }),
  )
  const ca = tls.cert
  const { issuer } = server
  // #region start
  const validator = createValidator({ audience: mcp, issuers: [{ issuer, credentials: api }], ca })
  const guarded = notesListener(validator, mcp, issuer)
  // #endregion
  stack.defer(() => validator.close())
  listener = (request, response) => void guarded(request, response)
  await validator.whenReady()
  const dispatcher = stack.adopt(new Agent({ connect: { ca } }), (one) => one.close())
  const owned = stack.move()
  return {
    server,
    mcp,
    credentials: api,
    caFile,
    publish(name, metadata) {
      documents.set(name, { client_id: host + name, ...metadata })
      return host + name
    },
    fetch: (url, init) => undiciFetch(String(url), { ...init, dispatcher }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
