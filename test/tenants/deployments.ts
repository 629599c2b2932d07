/** A server with two tenants and the default one, on SQLite and on PostgreSQL, for tests over HTTP. */
import { describe } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type CommandResult, runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { unlimited } from '../faults/service-client.ts'
import { issuer, masterKey } from '../fleet/fleet.ts'

export interface Deployment extends AsyncDisposable {
  readonly send: HttpClient['send']
  readonly port: number
  readonly ca: string
  run(args: readonly string[]): Promise<CommandResult>
}

export const databases = ['SQLite', 'PostgreSQL'] as const

export const onEach = (what: string, tests: (open: (seed: object) => Promise<Deployment>) => void): void => {
  for (const on of databases) describe(`${what}, on ${on}`, () => tests((seed) => deploy(on, seed)))
}

async function deploy(on: (typeof databases)[number], seed: object): Promise<Deployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const database = on === 'PostgreSQL' ? stack.use(await temporaryDatabase()) : null
  const env = {
    ...unlimited,
    GRANTOR_ISSUER: issuer,
    GRANTOR_MASTER_KEY: masterKey,
    ...(database === null ? {} : { ...database.settings }),
  }
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env }
  const server = stack.use(await startServer(options))
  const http = stack.use(httpClientOf(server))
  const owned = stack.move()
  return {
    send: http.send,
    port: server.port,
    ca: server.ca ?? '',
    run: (args) => runCommand(args, options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
