/** A server to attack, on either database, and an HTTP client of it. */
import { temporaryDatabase } from '../../interop/database.ts'
import { type Environment, type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'
import { objects, unlimited } from './objects.ts'

export interface Deployment extends AsyncDisposable {
  readonly server: Server
  readonly http: HttpClient
  readonly data: string
}

export const databases = ['SQLite', 'PostgreSQL'] as const

export async function deploy(
  env: Environment = unlimited,
  seed: object = objects,
  on: (typeof databases)[number] = 'SQLite',
): Promise<Deployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const elsewhere = stack.use(temporaryFolder())
  const database = on === 'SQLite' ? null : stack.use(await temporaryDatabase())
  const kept =
    database === null
      ? {}
      : {
          ...database.settings,
          GRANTOR_MASTER_KEY: 'a-master-key-for-attacks-of-32-characters',
        }
  const options = { data: folder.path, seed: elsewhere.write('seed.json', seed), env: { ...env, ...kept } }
  const server = stack.use(await startServer(options))
  const http = stack.use(httpClientOf(server))
  const owned = stack.move()
  return { server, http, data: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
