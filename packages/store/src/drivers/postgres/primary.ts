/**
 * Finds the writable server of an address, and never returns to one that was replaced.
 *
 * All servers are asked at once; of those that qualify the one on the highest timeline is taken. PostgreSQL begins a
 * new timeline with every promotion, so a primary that died, was replaced and returns is on a lower one: it is not
 * chosen beside the new one, and a process that has seen the new one refuses it even if it is the only one that
 * answers. With a timeline memory, so does the next process.
 */
import pg from 'pg'
import { StoreUnavailable } from '../../contract/store.ts'
import type { TimelineMemory } from '../../contract/timeline-memory.ts'
import type { DatabaseAddress, DatabaseHost, ServerRequirement } from './address.ts'
import { isNoRoom, isOutage } from './outage.ts'

interface ServerState {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  /** Null where the server does not reveal it, as with some managed ones: there the provider must fence. */
  readonly timeline: number | null
  readonly system: string | null
}

interface Found {
  readonly host: DatabaseHost
  readonly state: ServerState
}

const stateText = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`
const fullStateText = `${stateText}, (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`

/** Milliseconds. A search that found nothing is not repeated sooner, however many callers ask. */
const searchAgainAfter = 250

export class PrimaryFinder {
  readonly #address: DatabaseAddress
  readonly #config: (host: DatabaseHost) => pg.ClientConfig
  readonly #patience: number
  readonly #memory: TimelineMemory | null
  readonly #watchers = new Set<() => void>()
  #found: Found | null = null
  /** Nothing went wrong since the server was found. */
  #trusted = false
  #search: Promise<DatabaseHost> | null = null
  #failed: { readonly at: number; readonly error: unknown } | null = null
  /** The highest timeline seen on any server. */
  #highest = 0
  #system: string | null = null

  constructor(
    address: DatabaseAddress,
    patience: number,
    config: (host: DatabaseHost) => pg.ClientConfig,
    memory: TimelineMemory | null = null,
  ) {
    this.#address = address
    this.#patience = patience
    this.#config = config
    this.#memory = memory
  }

  /** Whether there is anything to find: a single host is not checked unless the address requires it. */
  get isNeeded(): boolean {
    return this.#address.hosts.length > 1 || this.#address.requirement !== 'any'
  }

  /** Null: the server must be searched for. */
  get trusted(): DatabaseHost | null {
    if (!this.isNeeded) return this.#address.hosts[0] as DatabaseHost
    return this.#trusted ? (this.#found?.host ?? null) : null
  }

  /** Something went wrong with the server: before it is used again, all servers are asked. */
  doubt(): void {
    this.#trusted = false
  }

  /** The error of a connection, or of the attempt to open one. */
  noteFailure(error: unknown): void {
    if (isOutage(error) && !isNoRoom(error)) this.doubt()
  }

  /** Calls when another server takes over, under another name or the same. */
  watch(moved: () => void): void {
    this.#watchers.add(moved)
  }

  async find(): Promise<DatabaseHost> {
    return this.trusted ?? this.look()
  }

  /** Asks all servers, even without doubt. */
  look(): Promise<DatabaseHost> {
    if (!this.isNeeded) return this.find()
    if (this.#failed !== null && performance.now() < this.#failed.at + searchAgainAfter)
      return Promise.reject(this.#failed.error)
    this.#search ??= this.#lookOnce().finally(() => (this.#search = null))
    return this.#search
  }

  async #lookOnce(): Promise<DatabaseHost> {
    try {
      const found = await this.#askAll()
      const before = this.#found
      this.#found = found
      this.#trusted = true
      this.#failed = null
      if (before?.host !== found.host || isNewer(found.state, before.state)) for (const moved of this.#watchers) moved()
      return found.host
    } catch (error) {
      this.#trusted = false
      this.#failed = { at: performance.now(), error }
      throw error
    }
  }

  /**
   * Waits for all of them, within bounds: a server that answers later may be the newer one. One that is newer than all
   * seen before needs no comparison. Where none is found, the server in use stays if it merely had no free connection.
   */
  async #askAll(): Promise<Found> {
    const seenBefore = this.#highest
    const suitable: Found[] = []
    const full = new Set<DatabaseHost>()
    const problems: string[] = []
    const over = Promise.withResolvers<void>()
    const timers = [setTimeout(over.resolve, this.#patience)]
    const asked = this.#address.hosts.map(async (host) => {
      try {
        const state = await this.#ask(host)
        suitable.push({ host, state })
        if (seenBefore > 0 && (state.timeline ?? 0) > seenBefore) over.resolve()
        else timers.push(setTimeout(over.resolve, this.#patience / 3))
      } catch (error) {
        if (isNoRoom(error)) full.add(host)
        problems.push(`${host.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    })
    await Promise.race([over.promise, Promise.all(asked)])
    for (const timer of timers) clearTimeout(timer)
    const order = this.#address.hosts
    const [best] = suitable.toSorted(
      (a, b) => (b.state.timeline ?? 0) - (a.state.timeline ?? 0) || order.indexOf(a.host) - order.indexOf(b.host),
    )
    // While they were asked, a newer one may have answered after an older one.
    if (best !== undefined && (best.state.timeline ?? this.#highest) >= this.#highest) return best
    if (this.#found !== null && this.#trusted && full.has(this.#found.host)) return this.#found
    const silent = order.length - problems.length - suitable.length
    // Sorted, whoever answered first: otherwise the log would show a change where there is none.
    const why = [...problems.toSorted(), ...(silent > 0 ? [`${silent} did not answer in time`] : [])]
    throw new StoreUnavailable(`PostgreSQL: none of its servers can be written to: ${why.join('; ')}`)
  }

  async #ask(host: DatabaseHost): Promise<ServerState> {
    const client = new pg.Client(this.#config(host))
    client.on('error', () => {})
    try {
      await client.connect()
      return await this.check(client, host)
    } finally {
      // Not awaited: a silent server would not close the connection.
      client.end().catch(() => {})
    }
  }

  /** Checks that a new connection leads to a server that qualifies; throws if not. */
  async check(client: pg.ClientBase, host: DatabaseHost): Promise<ServerState> {
    const state = await stateOf(client)
    const problem = problemOf(state, this.#address.requirement) ?? this.#succession(state)
    // On a newer server than the one in use, the name now leads elsewhere, though not for every connection. A problem
    // of another host says nothing about the one in use.
    if (this.#found !== null && ((problem !== null && host === this.#found.host) || isNewer(state, this.#found.state)))
      this.doubt()
    if (problem === null) return state
    throw new Error(problem)
  }

  /** Remembers the newest timeline; a server on an older one was replaced. */
  #succession({ system, timeline }: ServerState): string | null {
    this.#system ??= system
    if (system !== null && system !== this.#system)
      return 'another cluster than the one this process began with; restart the process if that is meant'
    if (timeline === null) return null
    // The timelines of another cluster cannot be compared.
    const remembered = this.#highest > 0 ? null : (this.#memory?.read() ?? null)
    if (remembered !== null && remembered.system === system) this.#highest = remembered.timeline
    if (timeline < this.#highest) return this.#replaced(timeline)
    if (system !== null && timeline > this.#highest) this.#memory?.keep({ system, timeline })
    this.#highest = timeline
    return null
  }

  #replaced(timeline: number): string {
    const why = `an old primary: it is on timeline ${timeline}, and ${this.#highest} has begun elsewhere`
    return this.#memory === null ? why : `${why}, as ${this.#memory.place} says`
  }
}

/** A server does not change its timeline while it is writable, so this is another server. */
const isNewer = (one: ServerState, than: ServerState): boolean => (one.timeline ?? 0) > (than.timeline ?? Infinity)

function problemOf({ isStandby, isReadOnly }: ServerState, requirement: ServerRequirement): string | null {
  if (requirement === 'any') return null
  if (isStandby) return 'a standby'
  return isReadOnly && requirement === 'read-write' ? 'read-only' : null
}

interface StateRow {
  readonly standby: boolean
  readonly read_only: boolean
  readonly system?: string
  readonly timeline?: string | null
}

async function stateOf(client: pg.ClientBase): Promise<ServerState> {
  const ask = async (text: string): Promise<StateRow> => (await client.query<StateRow>(text)).rows[0] as StateRow
  const row = await ask(fullStateText).catch((error: unknown) => {
    if (isOutage(error)) throw error
    return ask(stateText)
  })
  return {
    isStandby: row.standby,
    isReadOnly: row.read_only,
    system: row.system ?? null,
    timeline: typeof row.timeline === 'string' ? Number.parseInt(row.timeline, 16) : null,
  }
}
