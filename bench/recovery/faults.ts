/** What is done to a deployment: its nodes, its database, and the pause that its clients notice. */
import { runCommand, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { makePostgres, promote, startPair } from '../../test/failover/postgres-server.ts'
import { seed, unlimited } from '../../test/faults/service-client.ts'
import { issuer, masterKey, type Node, nodeOver } from '../../test/fleet/fleet.ts'
import { askAll } from './clients.ts'

export interface Fault {
  readonly name: string
  readonly note: string
  /** Milliseconds. */
  measure(): Promise<number>
}

/** Nodes of one deployment that knows the client, with the settings that an operator gets. */
async function startNodes(count: number, env: ServerOptions['env'], stack: AsyncDisposableStack) {
  const folder = stack.use(temporaryFolder())
  const options: ServerOptions = { data: folder.path, env: { ...unlimited, GRANTOR_ISSUER: issuer, ...env } }
  const applied = await runCommand(['apply', folder.write('seed.json', seed)], options)
  if (applied.code !== 0) throw new Error(applied.stderr)
  const start = async (): Promise<Node> => stack.use(nodeOver(await startServer(options)))
  const nodes: [Node, ...Node[]] = [await start()]
  while (nodes.length < count) nodes.push(await start())
  return { nodes, start, clients: stack.use(askAll(nodes)) }
}

const over = (url: string) => ({ GRANTOR_DATABASE_URL: url, GRANTOR_MASTER_KEY: masterKey })

async function oneOfTwoEnds(end: (node: Node) => Promise<unknown>): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const { first } = stack.use(await makePostgres())
  await first.start()
  const { nodes, clients } = await startNodes(2, over(first.url), stack)
  return await clients.withoutAnswer(async () => void (await end(nodes[0])))
}

export const faults: readonly Fault[] = [
  {
    name: 'one of two nodes stops',
    note: 'SIGTERM: it drains',
    measure: () => oneOfTwoEnds(({ server }) => server.stop()),
  },
  {
    name: 'one of two nodes is killed',
    note: 'SIGKILL',
    measure: () => oneOfTwoEnds(({ server }) => server.kill()),
  },
  {
    name: 'the only node is killed',
    note: 'SQLite; restarted at once',
    async measure() {
      await using stack = new AsyncDisposableStack()
      const { nodes, start, clients } = await startNodes(1, {}, stack)
      return await clients.withoutAnswer(async () => {
        await nodes[0].server.kill()
        return [await start()]
      })
    },
  },
  {
    name: 'the database is killed',
    note: 'PostgreSQL; restarted at once',
    async measure() {
      await using stack = new AsyncDisposableStack()
      const { first } = stack.use(await makePostgres())
      await first.start()
      const { clients } = await startNodes(2, over(first.url), stack)
      return await clients.withoutAnswer(async () => {
        await first.kill()
        await first.start()
      })
    },
  },
  {
    name: 'the primary is killed',
    note: 'its standby is promoted at once',
    async measure() {
      await using stack = new AsyncDisposableStack()
      const pair = stack.use(await startPair())
      const { clients } = await startNodes(2, over(pair.url), stack)
      return await clients.withoutAnswer(async () => {
        await pair.primary.kill()
        await promote(pair.standby)
      })
    },
  },
]
