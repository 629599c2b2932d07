/** Hears the wake-ups of other nodes. Nothing depends on it: watchers poll as well, only less often. */
import pg from 'pg'
import { openBackgroundLoop } from '../background-loop.ts'
import { clientConfig, type PostgresTarget } from './connection.ts'

const reconnectEvery = 1_000

export class Listener {
  readonly #target: PostgresTarget
  readonly #channel: string
  readonly #heard: () => void
  readonly #loop = openBackgroundLoop(
    async () => this.#connect(),
    { every: reconnectEvery },
    () => {},
  )
  #client: pg.Client | null = null

  constructor(target: PostgresTarget, channel: string, heard: () => void) {
    this.#target = target
    this.#channel = channel
    this.#heard = heard
  }

  /** Begins with the first watcher; calling it again does nothing. */
  begin(): void {
    this.#loop.begin()
    this.#loop.wake()
  }

  #connect(): void {
    if (this.#client !== null) return
    const client = new pg.Client(clientConfig(this.#target))
    this.#client = client
    client.on('notification', () => this.#heard())
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client
      .connect()
      .then(() => client.query(`listen ${this.#channel}`))
      // What was announced while nobody listened is looked up.
      .then(() => this.#heard())
      .catch(() => this.#lost(client))
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    client.end().catch(() => {})
  }

  async close(): Promise<void> {
    await this.#loop.close()
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }
}
