/** Receives the wake-ups of other nodes. Nothing depends on it: watchers also poll, only less often. */
import pg from 'pg'
import { openBackgroundLoop } from '../background-loop.ts'
import { abandon, clientConfig, type PostgresTarget } from './connection.ts'
import type { PrimaryFinder } from './primary.ts'

const reconnectEvery = 1_000

interface Hearing {
  readonly channel: string
  /** The announcement; null where announcements may have been missed. */
  readonly heard: (announced: string | null) => void
}

export class Listener {
  readonly #target: PostgresTarget
  readonly #finder: PrimaryFinder
  readonly #channel: string
  readonly #heard: Hearing['heard']
  readonly #loop = openBackgroundLoop(
    async () => this.#connect(),
    { every: reconnectEvery },
    () => {},
  )
  #client: pg.Client | null = null
  #checkAt = 0
  #closed = false

  constructor(target: PostgresTarget, finder: PrimaryFinder, { channel, heard }: Hearing) {
    this.#target = target
    this.#finder = finder
    this.#channel = channel
    this.#heard = heard
    // The old server's announcements no longer matter, and a dead one may stay silent for long.
    finder.watch(() => this.#client !== null && this.#lost(this.#client))
  }

  /** Begins with the first watcher; calling it again does nothing. */
  begin(): void {
    this.#loop.begin()
    this.#loop.wake()
  }

  async #connect(): Promise<void> {
    if (this.#client !== null) return this.#check(this.#client)
    const host = await this.#finder.find()
    if (this.#closed) return
    const client = new pg.Client(clientConfig(this.#target, host))
    this.#client = client
    client.on('notification', ({ payload }) => this.#heard(payload ?? null))
    client.on('error', (error) => this.#broken(client, error))
    client.on('end', () => this.#broken(client, new Error('it ended')))
    client
      .connect()
      .then(() => client.query(`listen ${this.#channel}`))
      // Announcements may have been missed while no connection listened.
      .then(() => this.#heard(null))
      .catch((error: unknown) => this.#broken(client, error))
  }

  /** A connection that only listens does not notice a dead server, so it is probed. */
  #check(client: pg.Client): void {
    if (performance.now() < this.#checkAt) return
    this.#checkAt = performance.now() + this.#target.patience
    client.query('select 1 as heard').catch((error: unknown) => this.#broken(client, error))
  }

  #broken(client: pg.Client, error: unknown): void {
    if (this.#client === client) this.#finder.noteFailure(error)
    this.#lost(client)
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    abandon(client)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#loop.close()
    const client = this.#client
    this.#client = null
    if (client !== null) abandon(client)
  }
}
