/** A server to attack, and the door to it. */
import { type Environment, type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { type Door, doorOf } from './knock.ts'
import { objects, unlimited } from './target.ts'

export interface Stage extends AsyncDisposable {
  readonly server: Server
  readonly door: Door
  readonly data: string
}

export async function setStage(env: Environment = unlimited, seed: object = objects): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const elsewhere = stack.use(temporaryFolder())
  const server = stack.use(await startServer({ data: folder.path, seed: elsewhere.write('seed.json', seed), env }))
  const door = stack.use(doorOf(server))
  const owned = stack.move()
  return { server, door, data: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
