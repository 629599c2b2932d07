/** A server of a campaign: it keeps its address, however often it is killed and started. */
import { setTimeout } from 'node:timers/promises'
import { type Server, type ServerOptions, startServer } from '../../interop/server.ts'
import { type HttpClient, type HttpRequest, type HttpResponse, httpClientOf } from '../attacks/http-client.ts'
import { wallClock, type WallClock } from '../clocks/faketime.ts'
import type { Folder } from '../../interop/server.ts'

/** Milliseconds after which a client gives up: longer than a node waits for its database. */
const patience = 8_000

/** Milliseconds in which a server has to start if everything that it needs is available. */
const startPatience = 90_000

/** Thrown if no answer came in time; the request may still be processed. */
export class GivenUp extends Error {}

export class CampaignNode implements AsyncDisposable, Pick<HttpClient, 'send'> {
  readonly number: number
  readonly port: number
  /** Null without libfaketime. */
  readonly clock: WallClock | null
  readonly #options: ServerOptions
  #server: Server | null = null
  #http: HttpClient | null = null
  #ended = false
  /** Called with the reason if a start fails. */
  onFailedStart: (why: string) => void = () => {}

  constructor(number: number, port: number, options: ServerOptions, clockFolder: Folder | null) {
    this.number = number
    this.port = port
    this.clock = clockFolder === null ? null : wallClock(clockFolder)
    const env = { ...options.env, ...this.clock?.env, GRANTOR_PORT: String(port) }
    this.#options = { ...options, env }
  }

  get pid(): number | null {
    return this.#server?.pid ?? null
  }

  get ca(): string {
    return this.#server?.ca ?? ''
  }

  /** Tries until the server runs: its database may be unavailable or its disk full for the moment. */
  async start(command?: string): Promise<void> {
    for (const deadline = performance.now() + startPatience; !this.#ended;) {
      try {
        this.#server = await startServer({ ...this.#options, ...(command === undefined ? {} : { command }) })
        this.#http ??= httpClientOf(this.#server)
        return
      } catch (error) {
        this.onFailedStart(String(error).slice(-500))
        if (performance.now() > deadline) throw error
        await setTimeout(200)
      }
    }
  }

  async kill(): Promise<void> {
    await this.#server?.kill()
    this.#server = null
  }

  /** Stops the server; null if it was not running. */
  async stop(): Promise<number | null> {
    const code = (await this.#server?.stop()) ?? null
    this.#server = null
    return code
  }

  /** The output of the server, for debugging. */
  output(): string {
    return this.#server?.output() ?? ''
  }

  /** Sends a request; rejects if no answer comes. */
  send = async (path: string, how: HttpRequest = {}): Promise<HttpResponse> => {
    if (this.#http === null) throw new Error('it never ran')
    const over = new AbortController()
    const tooLate = setTimeout(patience, null, { signal: over.signal }).then(() => {
      throw new GivenUp(`no answer to ${path}`)
    })
    try {
      return await Promise.race([this.#http.send(path, how), tooLate])
    } finally {
      over.abort()
      tooLate.catch(() => {})
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true
    this.#http?.[Symbol.dispose]()
    await this.kill()
  }
}
