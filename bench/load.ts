/**
 * The load generator: keep-alive sockets, requests made beforehand, and as little parsing as possible to count every
 * answer. It must cost a fraction of what the servers cost, or it would measure itself.
 */
import { connect, type Socket } from 'node:net'
import { endsChunked, joinChunks } from './chunked.ts'

/** The requests to send on open connections. */
export interface LoadPlan {
  /** Returns the bytes of the next request. Called once per request. */
  request(): Buffer
  /** Called with each answer; without it, bodies are not parsed. */
  answered?(status: number, body: string): void
  /** The status of a success; by default any 2xx. */
  readonly success?: number
  /** Ends after so many milliseconds, or after so many requests, whichever comes first. */
  readonly milliseconds?: number
  readonly requests?: number
  /**
   * Requests per second, sent on schedule whether or not earlier ones are answered. Without it, as fast as answered.
   */
  readonly rate?: number
}

export interface Load extends LoadPlan {
  readonly port: number
  readonly connections: number
  /** Called when all connections are open, before the first request. */
  opened?(): void
}

export interface LoadResult {
  readonly requests: number
  /** Unsuccessful answers, and connections that broke. */
  readonly failures: number
  readonly seconds: number
  /** Latencies in milliseconds, ascending. */
  readonly latencies: Float64Array
}

export async function applyLoad(load: Load): Promise<LoadResult> {
  const httpSockets = await openHttpSockets(load.port, load.connections)
  load.opened?.()
  try {
    return await sendRequests(httpSockets, load)
  } finally {
    closeHttpSockets(httpSockets)
  }
}

export const openHttpSockets = (port: number, connections: number): Promise<readonly HttpSocket[]> =>
  Promise.all(Array.from({ length: connections }, () => openHttpSocket(port)))

export function closeHttpSockets(httpSockets: readonly HttpSocket[]): void {
  for (const httpSocket of httpSockets) httpSocket.close()
}

export async function sendRequests(httpSockets: readonly HttpSocket[], plan: LoadPlan): Promise<LoadResult> {
  const { milliseconds = Infinity, requests = Infinity } = plan
  const latencies: number[] = []
  let failures = 0
  let begun = 0
  const start = performance.now()
  const deadline = start + milliseconds
  const goesOn = (): boolean => begun < requests && performance.now() < deadline

  const one = async (httpSocket: HttpSocket, since: number): Promise<void> => {
    begun += 1
    const { status, body } = await httpSocket.send(plan.request(), plan.answered !== undefined)
    latencies.push(performance.now() - since)
    if (plan.success === undefined ? status < 200 || status > 299 : status !== plan.success) failures += 1
    plan.answered?.(status, body)
  }
  const closedLoop = async (httpSocket: HttpSocket): Promise<void> => {
    while (goesOn()) await one(httpSocket, performance.now())
  }
  await (plan.rate === undefined
    ? Promise.all(httpSockets.map(closedLoop))
    : scheduled({ rate: plan.rate, httpSockets, start, goesOn, begun: () => begun, one }))
  const seconds = (performance.now() - start) / 1000
  return { requests: latencies.length, failures, seconds, latencies: Float64Array.from(latencies).sort() }
}

interface Schedule {
  readonly rate: number
  readonly httpSockets: readonly HttpSocket[]
  readonly start: number
  goesOn(): boolean
  begun(): number
  one(httpSocket: HttpSocket, since: number): Promise<void>
}

/** Latency counts from the scheduled time of a request, so that a server that stalls cannot delay its measurement. */
async function scheduled({ rate, httpSockets, start, goesOn, begun, one }: Schedule): Promise<void> {
  const free = [...httpSockets]
  const underWay = new Set<Promise<void>>()
  while (goesOn()) {
    const due = ((performance.now() - start) / 1000) * rate
    // A stall makes more requests due than are left.
    while (goesOn() && begun() < due && free.length > 0) {
      const httpSocket = free.pop() as HttpSocket
      const asked = one(httpSocket, start + (begun() / rate) * 1000).then(() => void free.push(httpSocket))
      underWay.add(asked)
      void asked.then(() => underWay.delete(asked))
    }
    await new Promise((tick) => setTimeout(tick, 1))
  }
  await Promise.all(underWay)
}

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export interface HttpSocket {
  send(request: Buffer, wantsBody: boolean): Promise<HttpAnswer>
  close(): void
}

/** A connection with one request at a time. */
function openHttpSocket(port: number): Promise<HttpSocket> {
  let waiting: { readonly resolve: (answer: HttpAnswer) => void; readonly wantsBody: boolean } | null = null
  let chunks: Buffer[] = []
  let received = 0
  let expected = Infinity
  let headLength = 0
  let chunked = false

  const finish = (answer: HttpAnswer): void => {
    const { resolve } = waiting ?? { resolve: () => {} }
    waiting = null
    chunks = []
    received = 0
    expected = Infinity
    resolve(answer)
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    received += chunk.length
    if (expected === Infinity) {
      const head = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      headLength = head.indexOf('\r\n\r\n') + 4
      if (headLength === 3) return
      const text = head.toString('latin1', 0, headLength)
      expected = headLength + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
      chunked = /\r\ntransfer-encoding: *chunked/i.test(text)
    }
    if (received < expected) return
    const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    if (chunked && !endsChunked(whole)) return
    // 'HTTP/1.1 200 …'
    const status = Number(whole.toString('latin1', 9, 12))
    const body = (): string => (chunked ? joinChunks(whole, headLength) : whole.toString('utf8', headLength, expected))
    finish({ status, body: waiting?.wantsBody === true ? body() : '' })
  }
  return new Promise((opened, failed) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('data', take)
    socket.once('error', failed)
    socket.on('error', () => finish({ status: 0, body: '' }))
    socket.on('close', () => finish({ status: 0, body: '' }))
    socket.once('connect', () =>
      opened({
        send: (request, wantsBody) =>
          new Promise((resolve) => {
            waiting = { resolve, wantsBody }
            if (socket.destroyed) finish({ status: 0, body: '' })
            else socket.write(request)
          }),
        close: () => socket.destroy(),
      }),
    )
  })
}

export interface FormRequest {
  readonly path: string
  readonly basic: readonly [id: string, secret: string]
  readonly form: Readonly<Record<string, string>>
}

const forwarded = 'Host: localhost\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.1\r\n'

export const getRequest = (path: string, bearer: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\n${forwarded}Authorization: Bearer ${bearer}\r\n\r\n`)

/** The same bytes for every contestant: all get the proxy's header about TLS, even if only one of them needs it. */
export function formRequest({ path, basic, form }: FormRequest): Buffer {
  const body = new URLSearchParams(form).toString()
  const credentials = Buffer.from(basic.map(encodeURIComponent).join(':')).toString('base64')
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${forwarded}Authorization: Basic ${credentials}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
}
