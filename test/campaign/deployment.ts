/** The deployment of a campaign: nodes on SQLite or a pair of PostgreSQL servers, with proxies that can break. */
import assert from 'node:assert/strict'
import { freePort } from '../../interop/plain-browser.ts'
import { runCommand, type ServerOptions, temporaryFolder } from '../../interop/server.ts'
import { unlimited } from '../attacks/objects.ts'
import { ensureFaketime } from '../clocks/faketime.ts'
import { type PostgresPair, startPair } from '../failover/postgres-server.ts'
import { type SmallDisk, smallDisk } from '../faults/small-disk.ts'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts'
import { masterKey } from '../fleet/fleet.ts'
import { type EarlierVersion, unpackEarlierVersion } from '../upgrade/earlier-version.ts'
import { declared } from './clients.ts'
import { CampaignNode } from './node.ts'
import type { Plan } from './plan.ts'

export interface CampaignDeployment extends AsyncDisposable {
  /** The address that validators use: any node, through the proxy `feed`. */
  readonly issuer: string
  readonly nodes: readonly CampaignNode[]
  /** Options for commands, which reach the database directly, not through a wire that may be cut. */
  readonly options: ServerOptions
  /** The proxy between validators and nodes. */
  readonly feed: TcpProxy
  /** The proxies from each node to the database, in the order of the nodes. */
  readonly wires: readonly Wire[]
  readonly disk: SmallDisk | null
  readonly pair: PostgresPair | null
  /** Null if the Git history of this clone does not contain it. */
  readonly earlier: EarlierVersion | null
}

export type Wire = Pick<TcpProxy, 'cut' | 'mend' | 'hold' | 'release' | 'delay'>

export async function openDeployment({ on, nodes: count }: Plan): Promise<CampaignDeployment> {
  await using stack = new AsyncDisposableStack()
  const elsewhere = stack.use(temporaryFolder())
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  let turn = 0
  const feed = stack.use(await startTcpProxy('127.0.0.1', () => ports[turn++ % ports.length] ?? 0))
  const issuer = `https://localhost:${feed.port}`
  const env = { ...unlimited, GRANTOR_MASTER_KEY: masterKey, GRANTOR_ISSUER: issuer, GRANTOR_DATABASE_TIMEOUT: '5s' }
  const base =
    on === 'sqlite' ? overDisk(stack.use(smallDisk())) : await overPair(stack.use(await startPair()), stack, count)
  const options: ServerOptions = { data: base.disk?.path ?? elsewhere.path, env: { ...env, ...base.env } }
  const applied = await runCommand(['apply', elsewhere.write('declared.json', declared)], options)
  assert.equal(applied.code, 0, applied.stderr)
  const hasClock = ensureFaketime() === null
  const nodes = ports.map((port, index) => {
    const own = { ...options, env: { ...options.env, ...base.nodeEnv(index) } }
    return stack.use(new CampaignNode(index + 1, port, own, hasClock ? stack.use(temporaryFolder()) : null))
  })
  // One after the other, because the first creates the certificate that all nodes use.
  for (const node of nodes) await node.start()
  const earlier = on === 'postgres' ? unpacked() : null
  if (earlier !== null) stack.use(earlier)
  const owned = stack.move()
  const { wires, disk, pair } = base
  return { issuer, nodes, options, feed, wires, disk, pair, earlier, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface Base extends Pick<CampaignDeployment, 'wires' | 'disk' | 'pair'> {
  readonly env: Readonly<Record<string, string>>
  nodeEnv(index: number): Readonly<Record<string, string>>
}

const overDisk = (disk: SmallDisk): Base => ({ wires: [], disk, pair: null, env: {}, nodeEnv: () => ({}) })

/** Each node has its own wire to each server of the pair. */
async function overPair(pair: PostgresPair, stack: AsyncDisposableStack, count: number): Promise<Base> {
  const wires: (readonly TcpProxy[])[] = []
  while (wires.length < count) {
    const [one, other] = [pair.primary, pair.standby].map(({ port }) => startTcpProxy('127.0.0.1', port))
    wires.push([stack.use(await (one as Promise<TcpProxy>)), stack.use(await (other as Promise<TcpProxy>))])
  }
  const url = (hosts: readonly string[]): string =>
    `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`
  return {
    disk: null,
    pair,
    wires: wires.map(asOne),
    env: { GRANTOR_DATABASE_URL: pair.url },
    nodeEnv: (index) => ({
      GRANTOR_DATABASE_URL: url((wires[index] ?? []).map(({ port }) => `127.0.0.1:${port}`)),
    }),
  }
}

const asOne = (wires: readonly TcpProxy[]): Wire => ({
  cut: () => wires.forEach((wire) => wire.cut()),
  mend: () => wires.forEach((wire) => wire.mend()),
  hold: () => wires.forEach((wire) => wire.hold()),
  release: () => wires.forEach((wire) => wire.release()),
  delay: (milliseconds) => wires.forEach((wire) => wire.delay(milliseconds)),
})

function unpacked(): EarlierVersion | null {
  try {
    return unpackEarlierVersion('beside')
  } catch {
    return null
  }
}
