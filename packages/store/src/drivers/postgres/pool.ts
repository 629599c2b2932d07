/**
 * The connections of a node: a pool to the writable server, replaced by another pool when another server takes over.
 */
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { openBackgroundLoop } from '../background-loop.ts'
import type { DatabaseHost } from './address.ts'
import { Places } from './changes/places.ts'
import { Unconfirmed } from './changes/unconfirmed.ts'
import { clientConfig, type PostgresTarget, type Queryable, silenceFor, streamOf, UnnamedClient } from './connection.ts'
import { isOutage } from './outage.ts'
import type { PrimaryFinder } from './primary.ts'
import { patientSilence, silentAfter } from './silence.ts'

interface HostPool {
  readonly host: DatabaseHost
  readonly pool: pg.Pool
  /** All of its connections, including those in use. */
  readonly clients: Set<pg.PoolClient>
}

/** Milliseconds. By then a new primary is noticed beside an old one that still answers without errors. */
const lookEvery = 5_000

/**
 * Changes may wait for a standby or a lock, and must not hold all connections of the pool: a fifth is kept for reads.
 */
const mostChanging = (poolSize: number): number => Math.max(1, poolSize - Math.ceil(poolSize / 5))

export class ConnectionPool {
  readonly #target: PostgresTarget
  readonly #finder: PrimaryFinder
  readonly #watch = openBackgroundLoop(
    async () => void (await this.#finder.look()),
    { every: lookEvery },
    // Callers get the error.
    () => {},
  )
  /** The connections that changes may use at once; the others are kept for reads. */
  readonly #places: Places
  readonly #leave = new WeakMap<pg.PoolClient, () => void>()
  readonly #unconfirmed = new Unconfirmed(this)
  #current: HostPool | null = null
  #closed = false

  constructor(target: PostgresTarget, finder: PrimaryFinder) {
    this.#target = target
    this.#finder = finder
    this.#places = new Places(mostChanging(target.poolSize), target.patience)
    if (!finder.isNeeded) return
    finder.watch(() => this.#drop())
    this.#watch.begin()
  }

  query<R extends pg.QueryResultRow>(config: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult<R>> {
    return this.#finder.isNeeded ? this.#noticed((pool) => pool.query<R>(config)) : this.#plain.query<R>(config)
  }

  /** Runs changes of one statement. */
  readonly changes: Queryable = {
    query: async <R extends pg.QueryResultRow>(config: pg.QueryConfig<unknown[]>) => {
      const leave = await this.#place()
      try {
        return await this.query<R>(config)
      } finally {
        leave()
      }
    },
  }

  async #place(): Promise<() => void> {
    await this.#unconfirmed.check()
    return this.#places.take()
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#finder.isNeeded ? this.#noticed((pool) => pool.connect()) : this.#plain.connect()
  }

  /** A connection in the transaction that `text` begins, for changes. */
  async begin(text: string): Promise<pg.PoolClient> {
    const leave = await this.#place()
    try {
      const client = await this.#opened(text)
      this.#leave.set(client, leave)
      return client
    } catch (error) {
      leave()
      throw error
    }
  }

  /** A connection in a transaction whose reads all see one state. */
  beginSnapshot(): Promise<pg.PoolClient> {
    return this.#opened('begin isolation level repeatable read read only')
  }

  /**
   * A connection in the transaction that `text` begins. One that does not answer even this is given up for another, if
   * time is left: nothing else was asked of it yet.
   */
  async #opened(text: string): Promise<pg.PoolClient> {
    const within = silentAfter(this.#target.patience)
    const since = performance.now()
    return this.#begun(text, within).catch((error: unknown) => {
      if (!isOutage(error) || performance.now() - since > 2 * within) throw error
      return this.#begun(text, silenceFor(this.#target.patience))
    })
  }

  /**
   * A transaction for work that grows with the database: its statements have no time limit. Waiting for a lock is
   * limited as elsewhere, so that of many such transactions none holds a connection for the length of another.
   */
  async beginPatiently(): Promise<pg.PoolClient> {
    const client = await this.begin(
      `begin; set local statement_timeout = 0; set local lock_timeout = ${this.#target.patience}`,
    )
    allowSilence(client, patientSilence)
    return client
  }

  async #begun(text: string, within: number): Promise<pg.PoolClient> {
    const client = await this.#connect()
    const heard = (): void => {}
    client.on('error', heard)
    try {
      allowSilence(client, within)
      await client.query(text)
      allowSilence(client, silenceFor(this.#target.patience))
      return client
    } catch (error) {
      client.release(error instanceof Error ? error : true)
      throw error
    } finally {
      client.off('error', heard)
    }
  }

  get #plain(): pg.Pool {
    return this.#poolTo(this.#finder.trusted as DatabaseHost)
  }

  async #noticed<T>(use: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const host = this.#finder.trusted ?? (await this.#finder.find())
    try {
      return await use(this.#poolTo(host))
    } catch (error) {
      this.#finder.noteFailure(error)
      throw error
    }
  }

  #poolTo(host: DatabaseHost): pg.Pool {
    if (this.#closed) throw new Error('the store is closed')
    if (this.#current?.host === host) return this.#current.pool
    this.#drop()
    this.#current = this.#open(host)
    return this.#current.pool
  }

  #open(host: DatabaseHost): HostPool {
    const finder = this.#finder
    const clients = new Set<pg.PoolClient>()
    const mostSilence = silenceFor(this.#target.patience)
    const pool = new pg.Pool({
      ...clientConfig(this.#target, host),
      // Silence is limited per connection instead: pg's timeout per statement would keep a request's data alive after
      // its end, and the garbage collection that this causes made up most of the slowest response times.
      query_timeout: 0,
      max: this.#target.poolSize,
      idleTimeoutMillis: 30_000,
      ...(this.#target.preparedStatements ? {} : { Client: UnnamedClient }),
      onConnect: async (client) => {
        streamOf(client).on('timeout', () => {
          this.#unconfirmed.add(processIdOf(client))
          fail(client, 'it did not answer in time')
        })
        allowSilence(client, mostSilence)
        if (finder.isNeeded) await finder.check(client, host)
      },
    })
    pool.on('acquire', (client) => allowSilence(client, mostSilence))
    pool.on('connect', (client) => {
      clients.add(client)
      client.on('notice', (notice) => {
        if (notice.routine === 'SyncRepWaitForLSN') fail(client, notice.message ?? '')
      })
    })
    pool.on('remove', (client) => clients.delete(client))
    // An idle connection that dies is simply replaced; but the server may have died with it.
    pool.on('error', () => finder.doubt())
    pool.on('release', (error: Error | undefined, client) => {
      allowSilence(client, 0)
      this.#leave.get(client)?.()
      this.#leave.delete(client)
      if (error instanceof Error) finder.noteFailure(error)
    })
    return { host, pool, clients }
  }

  /**
   * Fails whatever is under way on the old connections: commits of a server that was replaced must not be acknowledged.
   */
  #drop(): void {
    const old = this.#current
    this.#current = null
    if (old === null) return
    this.#unconfirmed.forget()
    for (const client of old.clients) fail(client, 'another server is the primary now')
    old.pool.end().catch(() => {})
  }

  async end(): Promise<void> {
    this.#closed = true
    await this.#watch.close()
    await this.#current?.pool.end()
  }
}

/**
 * Fails the pending statement and the connection. For example, a cancelled wait for synchronous replication is answered
 * with success and a mere warning, though the standby may lack the commit.
 */
function fail(client: pg.ClientBase, why: string): void {
  const { connection } = client as unknown as { readonly connection: EventEmitter }
  connection.emit('error', new Error(why))
  streamOf(client).destroy()
}

const processIdOf = (client: pg.ClientBase): number => (client as unknown as { readonly processID: number }).processID

/** Milliseconds in which nothing may come from a connection in use; 0: for ever. Longer, and it fails. */
export const allowSilence = (client: pg.ClientBase, milliseconds: number): void =>
  void streamOf(client).setTimeout(milliseconds)
