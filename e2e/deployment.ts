/** The real command with people and clients to try it with, and the small real clients its answers arrive at. */
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http'
import { createServer as createTls } from 'node:https'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { issueCertificate } from '@grantor/server'
import { type Server, startServer, temporaryFolder } from '../interop/server.ts'

/** What arrived at a client. */
export interface Arrival {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface Callback extends AsyncDisposable {
  readonly origin: string
  readonly arrivals: readonly Arrival[]
}

export interface Deployment extends AsyncDisposable {
  readonly server: Server
  readonly issuer: string
  /** Where it keeps everything. */
  readonly data: string
  /** An https client with its own certificate, and a loopback one without. */
  readonly web: Callback
  readonly native: Callback
  /** A person nobody else in this run is. */
  somebody(): Account
  /** The address of an authorization request. */
  authorizeUrl(more?: Readonly<Record<string, string>>): string
}

export const verifier = 'v'.repeat(43)
export const api = 'https://photos.example'

/** Somebody whom the server knows. */
export interface Account {
  readonly username: string
  readonly password: string
  readonly name: string
}

/** Enough that no two tests meet in one person: what one consented to must not spare another the question. */
const people: readonly Account[] = Array.from({ length: 40 }, (_, i) => ({
  username: `person-${i}`,
  password: `correct-horse-${i}`,
  name: i % 2 === 0 ? 'Alice Doe' : 'Bob Roe',
}))

/** A client's callback: a page that says it arrived; `/hop` leads on to another origin, as some clients do. */
async function openCallback(
  listen: (server: HttpServer) => void,
  server: HttpServer,
  origin: (port: number) => string,
) {
  const arrivals: Arrival[] = []
  server.on('request', (request: IncomingMessage, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://client')
      const body = request.method === 'POST' ? await text(request) : ''
      const parameters = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
      if (url.pathname !== '/favicon.ico') {
        arrivals.push({ method: request.method ?? '', path: url.pathname, parameters })
      }
      if (url.pathname === '/hop') {
        response.writeHead(302, { location: `${url.searchParams.get('state')}` }).end()
        return
      }
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><html lang="en"><title>Client</title><h1>${url.pathname}</h1>`)
    })()
  })
  await new Promise<void>((ready) => {
    server.once('listening', ready)
    listen(server)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: origin(port),
    arrivals,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

export async function deploy(env: Readonly<Record<string, string>> = {}): Promise<Deployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const native = stack.use(
    await openCallback(
      (it) => it.listen(0, '127.0.0.1'),
      createServer(),
      (port) => `http://127.0.0.1:${port}`,
    ),
  )
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const pair = await issueCertificate({ name: 'CN=client.test', validity: life, names: ['client.test'], signer: null })
  const web = stack.use(
    await openCallback(
      (it) => it.listen(0, '127.0.0.1'),
      createTls(pair) as unknown as HttpServer, // The two differ in nothing that is used here.
      (port) => `https://client.test:${port}`,
    ),
  )
  const server = stack.use(
    await startServer({
      data: folder.path,
      seed: folder.write('seed.json', seedFor(web.origin)),
      env: { GRANTOR_LOG: 'warn', ...env },
    }),
  )
  const owned = stack.move()
  const strangers = people.values()
  return {
    server,
    issuer: server.issuer,
    data: folder.path,
    web,
    native,
    somebody() {
      const { value } = strangers.next()
      if (value === undefined) throw new Error('declare more people')
      return value
    },
    authorizeUrl: (more = {}) => `${server.issuer}/authorize?${query(web.origin, more).toString()}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const query = (web: string, more: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams({
    client_id: 'printer',
    response_type: 'code',
    redirect_uri: `${web}/cb`,
    scope: 'openid photos:read',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })

function seedFor(web: string): object {
  const scope = 'openid profile email offline_access photos:read photos:write photos:delete'
  const common = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], scope }
  return {
    resources: [{ identifier: api, name: 'Photos', token_format: 'jwt' }],
    scopes: [
      { name: 'photos:read', description: { en: 'See your photos', de: 'Ihre Fotos sehen' }, resource: api },
      { name: 'photos:write', description: 'Add photos', resource: api, mode: 'optional' },
      { name: 'photos:delete', description: 'Delete photos for good', resource: api, sensitivity: 'high' },
    ],
    users: people.map((it) => ({ ...it, email: `${it.username}@example.com`, email_verified: true })),
    clients: [
      {
        ...common,
        client_id: 'printer',
        client_name: 'Photo Printer',
        client_secret: 'printer-secret-of-32-or-more-characters',
        redirect_uris: [`${web}/cb`, `${web}/hop`],
        policy_uri: 'https://client.test/privacy',
      },
      {
        ...common,
        client_id: 'tool',
        client_name: 'Command line tool',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/cb', 'com.example.tool:/cb'],
      },
      {
        client_id: 'tv',
        client_name: 'Living room TV',
        token_endpoint_auth_method: 'none',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        scope,
      },
    ],
  }
}
