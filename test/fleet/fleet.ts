/** Several real servers over one PostgreSQL database, as one deployment: one issuer, one master key, one set of objects. */
import { type ChildProcess, spawn } from 'node:child_process'
import { compose, type Deployment, loadSettings } from '@grantor/server'
import { temporaryDatabase } from '../../interop/database.ts'
import {
  type CommandResult,
  type Environment,
  grantorCommand,
  runCommand,
  type Server,
  type ServerOptions,
  startServer,
  temporaryFolder,
} from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { unlimited } from '../faults/service-client.ts'

export const issuer = 'https://localhost:8443'
export const masterKey = 'a-master-key-for-tests-of-a-fleet-0123456789'

/** A server, and a client that talks to it alone. */
export interface Node extends AsyncDisposable {
  readonly server: Server
  readonly send: HttpClient['send']
}

export interface Fleet extends AsyncDisposable {
  readonly databaseUrl: string
  /** For whoever starts servers and commands of it by themselves. */
  readonly options: ServerOptions
  start(env?: Environment): Promise<Node>
  /** Another node without HTTP, in this process. */
  compose(): Promise<Deployment & AsyncDisposable>
  /** Runs `grantor …` over the same database. */
  run(args: readonly string[], env?: Environment): Promise<CommandResult>
  /** The same, as a process that can be killed. */
  spawn(args: readonly string[]): ChildProcess
}

export async function openFleet(seed: object, env: Environment = {}): Promise<Fleet> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const database = stack.use(await temporaryDatabase())
  const shared = {
    ...unlimited,
    ...database.settings,
    GRANTOR_MASTER_KEY: masterKey,
    GRANTOR_ISSUER: issuer,
    ...env,
  }
  const file = folder.write('seed.json', seed)
  const settled = await runCommand(['apply', file], { data: folder.path, env: shared })
  if (settled.code !== 0) throw new Error(settled.stderr)
  const owned = stack.move()
  return {
    databaseUrl: database.url,
    options: { data: folder.path, env: shared },
    async start(more = {}) {
      const server = await startServer({ data: folder.path, env: { ...shared, ...more } })
      return nodeOver(server)
    },
    async compose() {
      const loaded = loadSettings({ flags: {}, env: { GRANTOR_DATA: folder.path, ...shared }, cwd: folder.path })
      if (loaded.kind === 'error') throw new Error(loaded.error.join())
      const deployment = await compose(loaded.value.settings)
      return { ...deployment, [Symbol.asyncDispose]: () => deployment.close() }
    },
    run: (args, more = {}) => runCommand(args, { data: folder.path, env: { ...shared, ...more } }),
    spawn: (args) =>
      spawn(process.execPath, [grantorCommand, ...args], {
        cwd: folder.path,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], GRANTOR_DATA: folder.path, ...shared },
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export function nodeOver(server: Server): Node {
  const http = httpClientOf(server)
  return {
    server,
    send: http.send,
    async [Symbol.asyncDispose]() {
      http[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
