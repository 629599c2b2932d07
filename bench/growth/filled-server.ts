/** A server with a large database, all of which it could have written itself. */
import { type Database, temporaryDatabase } from '../../interop/database.ts'
import { type Environment, type Folder, runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { codesByAuthorizing, granted, refreshTokens } from '../codes.ts'
import { type Contestant, proxied, seed as serviceSeed } from '../contestants/contestant.ts'
import { refreshing, seed as webSeed } from '../contestants/web-client.ts'
import { applyLoad } from '../load.ts'
import { fillPostgres, fillSqlite, settlePostgres, type Size, writeEvents } from './fill.ts'
import { adminCallers, adminScope, adminSecret, type FilledServer, grantsInTurn } from './operations.ts'

const seed = {
  resources: webSeed.resources,
  scopes: webSeed.scopes,
  users: webSeed.users,
  clients: [
    ...webSeed.clients,
    ...serviceSeed.clients,
    ...adminCallers.map((client_id) => ({
      client_id,
      client_secret: adminSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: adminScope,
    })),
  ],
}

interface Place {
  readonly folder: Folder
  readonly env: Environment
  readonly database: Database | null
}

async function start({ folder, env, database }: Place): Promise<Contestant> {
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env: { ...proxied, ...env } }
  const server = await startServer(options)
  const stop = async (): Promise<void> => void (await server.stop())
  return { ...server, stop, ...(database === null ? {} : { databaseProcesses: database.backends }) }
}

/** Writes one person, grant, redeemed code and used refresh token: the rows that all others are copies of. */
async function writePatterns(place: Place): Promise<void> {
  const server = await start(place)
  try {
    const [token] = await refreshTokens(server, await (await codesByAuthorizing(server))(1))
    const request = refreshing(token as string)
    const answered = (status: number, body: string): void => void granted(status, body)
    await applyLoad({ port: server.port, connections: 1, requests: 1, request: () => request, answered })
  } finally {
    await server.stop()
  }
}

/** Verifies the whole log, including the copies. */
async function verifyLog({ folder, env }: Place): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['audit', 'verify'], { data: folder.path, env })
  if (code !== 0) throw new Error(`the log does not verify: ${stdout}${stderr}`)
}

/** Everything it opens is closed with the stack. */
export async function filledServer(on: string, size: Size, stack: AsyncDisposableStack): Promise<FilledServer> {
  const database = on === 'PostgreSQL' ? stack.use(await temporaryDatabase()) : null
  const env: Environment =
    database === null ? {} : { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789' }
  const place: Place = { folder: stack.use(temporaryFolder()), env, database }
  await writePatterns(place)
  if (database === null) fillSqlite(place.folder.path, size)
  else await fillPostgres(database.url, size)
  await writeEvents({ ...proxied, ...env }, place.folder.path, size)
  if (database !== null) await settlePostgres(database.url)
  await verifyLog(place)
  const contestant = stack.adopt(await start(place), (one) => one.stop())
  return {
    name: String(size.grants),
    contestant,
    size,
    codes: await codesByAuthorizing(contestant),
    nextGrant: grantsInTurn(size),
    accessTokens: [],
  }
}
