/** An authorization server of a few lines, over real HTTP on loopback, whose every misbehaviour is at the test's command. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  acknowledgementPath,
  encodeFeedFrame,
  encodeFeedPage,
  encodeFeedSnapshot,
  type FeedFrame,
  feedFrameText,
  type FeedMessage,
  parseFeedCursor,
} from '@grantor/protocol/feed'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Time } from '../src/time.ts'
import { jws, type SigningKey } from './tokens.ts'

export class FakeAuthority {
  readonly #time: Time
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly streams = new Set<ServerResponse>()
  readonly requests: string[] = []
  readonly reports: JsonObject[] = []
  readonly opaque = new Map<string, JsonObject>()
  /** The scopes that were asked for, and what was acknowledged. */
  readonly scopes: (string | null)[] = []
  readonly acknowledged: URLSearchParams[] = []
  keys: SigningKey[]
  /** A key per tenant; a tenant that is not here does not exist. */
  readonly tenants = new Map<string, SigningKey>()
  epoch = 'e1'
  log: { readonly pos: number; readonly message: FeedMessage }[] = []
  head = 0
  /** Positions at or below are no longer in the log. */
  forgotten = 0
  /** While true, open connections stay and nothing is sent on them. */
  silent = false
  /** Paths that answer with a status of failure. */
  readonly broken = new Set<string>()
  snapshotOverride: string | null = null
  issuer = ''

  private constructor(time: Time, keys: SigningKey[]) {
    this.#time = time
    this.keys = keys
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(time: Time, ...keys: SigningKey[]): Promise<FakeAuthority> {
    const authority = new FakeAuthority(time, keys)
    await authority.listen(0)
    return authority
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    this.issuer = `http://127.0.0.1:${this.port}`
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** As by kill -9: every connection breaks. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  count(path: string): number {
    return this.requests.filter((seen) => seen === path).length
  }

  /** Writes to the log; live streams hear it unless the server is silent. */
  publish(message: FeedMessage): void {
    const after = this.head
    this.head += 1
    this.log.push({ pos: this.head, message })
    this.#broadcast({ kind: 'event', epoch: this.epoch, pos: this.head, after, message })
  }

  revoke(jti: string, tenant: string | null = null): void {
    const at = this.#time.now()
    this.publish({ kind: 'revoke', tenant, jti, at, until: (at + 600_000) as Instant })
  }

  heartbeat(asOf: number = this.#time.now()): void {
    this.#broadcast(this.#heartbeatFrame(asOf))
  }

  send(text: string): void {
    for (const stream of this.streams) stream.write(text)
  }

  cutStreams(): void {
    for (const stream of this.streams) stream.destroy()
  }

  #broadcast(frame: FeedFrame): void {
    if (!this.silent) this.send(feedFrameText(encodeFeedFrame(frame)))
  }

  #heartbeatFrame(asOf: number): FeedFrame {
    return { kind: 'hb', epoch: this.epoch, pos: this.head, after: this.head, asOf: asOf as Instant }
  }

  /** What a reader at `cursor` gets first: hello, what it missed, a heartbeat; or hello and reset. */
  #replay(cursor: string): FeedFrame[] {
    const { epoch, head } = this
    const asOf = this.#time.now()
    const hello = { kind: 'hello', epoch, head, asOf, heartbeat: 5000, retention: 3600 } as const
    const from = parseFeedCursor(cursor)
    if (from === null || from.epoch !== epoch) return [hello, { kind: 'reset', reason: 'epoch' }]
    if (from.pos < this.forgotten) return [hello, { kind: 'reset', reason: 'retention' }]
    let after = from.pos
    const events = this.log
      .filter(({ pos }) => pos > from.pos)
      .map(({ pos, message }) => {
        const frame = { kind: 'event', epoch, pos, after, message } as const
        after = pos
        return frame
      })
    return [hello, ...events, { kind: 'hb', epoch, pos: head, after, asOf }]
  }

  snapshotClaims(): JsonObject {
    const now = this.#time.now()
    const messages = this.log.map(({ message }) => message).filter((message) => message.kind !== 'key')
    return encodeFeedSnapshot({
      issuer: this.issuer,
      issuedAt: now,
      epoch: this.epoch,
      pos: this.head,
      asOf: now,
      messages,
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    const body = await textOf(request)
    this.requests.push(url.pathname)
    if (this.broken.has(url.pathname)) return void response.writeHead(500).end()
    const [, tenant, path = url.pathname] = /^\/t\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const issuer = tenant === undefined ? this.issuer : `${this.issuer}/t/${tenant}`
    const keys = tenant === undefined ? this.keys : [this.tenants.get(tenant)].filter((key) => key !== undefined)
    if (keys.length === 0) return void response.writeHead(404).end()
    const json = (value: JsonObject) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const feed = () => request.headers.authorization === 'Bearer feed-token' || (response.writeHead(401).end(), false)
    switch (path) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          jwks_uri: `${issuer}/jwks`,
          token_endpoint: `${issuer}/token`,
          introspection_endpoint: `${issuer}/introspect`,
        })
      case '/jwks':
        return json({ keys: keys.map(({ jwk }) => jwk) })
      case '/token':
        this.scopes.push(new URLSearchParams(body).get('scope'))
        return json({ access_token: 'feed-token', token_type: 'Bearer', expires_in: 600 })
      case '/introspect':
        return json(this.opaque.get(new URLSearchParams(body).get('token') ?? '') ?? { active: false })
      case '/v1/events/reports':
        this.reports.push(JSON.parse(body) as JsonObject)
        return void response.writeHead(202).end()
      case '/revocations/snapshot': {
        const [key] = this.keys
        if (!feed() || key === undefined) return
        const jwt = jws(key, { typ: 'revsnap+jwt', alg: key.alg, kid: key.kid }, this.snapshotClaims())
        return void response.writeHead(200).end(this.snapshotOverride ?? jwt)
      }
      case acknowledgementPath:
        this.acknowledged.push(url.searchParams)
        return void response.writeHead(204).end()
      case '/revocations/changes':
        return feed() ? json(encodeFeedPage({ frames: this.#replay(url.searchParams.get('after') ?? '') })) : undefined
      case '/revocations/stream':
        return feed() ? this.#stream(request, response) : undefined
      default:
        response.writeHead(404).end()
    }
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (this.silent) return
    const frames = this.#replay(String(request.headers['last-event-id']))
    response.write(frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join(''))
    if (frames.some(({ kind }) => kind === 'reset')) return void response.end()
    this.streams.add(response)
    response.on('close', () => this.streams.delete(response))
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
