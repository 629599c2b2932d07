/** How each fault is caused in a deployment, and ended. */
import { setTimeout } from 'node:timers/promises'
import { promote } from '../failover/postgres-server.ts'
import type { CampaignDeployment, Wire } from './deployment.ts'
import type { CampaignNode } from './node.ts'
import type { FaultName, PlannedFault } from './plan.ts'
import { slowDisk, slowDiskProblem } from './slow-disk.ts'

/** Ends a fault. */
type Mend = () => Promise<void> | void

/** Begins a fault; a string says why it is impossible here. */
type Begin<T> = (target: T, fault: PlannedFault, on: CampaignDeployment) => Promise<Mend | string> | Mend | string

const stopProcesses = (pids: readonly number[]): Mend => {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // One of the processes has ended meanwhile.
      }
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

const pidsOf = ({ pid }: CampaignNode): readonly number[] => (pid === null ? [] : [pid])
const noStrace = slowDiskProblem()
const noClock = 'libfaketime is not here'

const onNodes: Partial<Record<FaultName, Begin<CampaignNode>>> = {
  async kill(node) {
    await node.kill()
    return () => node.start()
  },
  async terminate(node) {
    await node.stop()
    return () => node.start()
  },
  pause: (node) => stopProcesses(pidsOf(node)),
  'slow disk': (node, { amount }) => noStrace ?? slowDisk(pidsOf(node), amount),
  'full disk'(node, _, { disk }) {
    if (disk === null) return 'there is no small disk'
    disk.fill(node.pid ?? undefined)
    return () => disk.free(node.pid ?? undefined)
  },
  'clock jump'({ clock }, { amount }) {
    if (clock === null) return noClock
    clock.setAhead(amount)
    return () => clock.setAhead(0)
  },
  'clock drift'({ clock }, { amount, lasts }) {
    if (clock === null) return noClock
    const over = new AbortController()
    const drifting = drift(clock.setAhead, { amount, lasts, signal: over.signal })
    return async () => {
      over.abort()
      await drifting
      clock.setAhead(0)
    }
  },
  async 'another version'(node, _, { earlier }) {
    if (earlier === null) return 'the history of this clone has no earlier version'
    await node.stop()
    await node.start(earlier.command)
    return async () => {
      await node.stop()
      await node.start()
    }
  },
}

interface Drift {
  readonly amount: number
  readonly lasts: number
  readonly signal: AbortSignal
}

async function drift(setAhead: (seconds: number) => void, { amount, lasts, signal }: Drift): Promise<void> {
  const step = 0.25
  for (let after = step; after < lasts && !signal.aborted; after += step) {
    setAhead(Math.round(after * amount * 1000) / 1000)
    await setTimeout(step * 1000)
  }
}

const onWires: Partial<Record<FaultName, Begin<Wire>>> = {
  cut(wire) {
    wire.cut()
    return wire.mend
  },
  hold(wire) {
    wire.hold()
    return wire.release
  },
  delay(wire, { amount }) {
    wire.delay(amount)
    return () => wire.delay(0)
  },
}

type Pair = NonNullable<CampaignDeployment['pair']>

const promoted = new WeakSet<Pair>()

/** The server of the pair that accepts writes now. */
const primaryOf = (pair: Pair) => (promoted.has(pair) ? pair.standby : pair.primary)

const onDatabase: Partial<Record<FaultName, Begin<Pair>>> = {
  async failover(pair) {
    await pair.primary.kill()
    return async () => {
      await promote(pair.standby)
      promoted.add(pair)
      // The old primary starts again as a server that would accept writes.
      await pair.primary.start()
    }
  },
  async pause(pair) {
    return stopProcesses(await primaryOf(pair).processes())
  },
  async 'slow disk'(pair, { amount }) {
    if (noStrace !== null) return noStrace
    return slowDisk(await primaryOf(pair).processes(), amount)
  },
}

/** Begins the fault; a string says why it is impossible here. */
export async function beginFault(on: CampaignDeployment, fault: PlannedFault): Promise<Mend | string> {
  const [kind = '', number = '1'] = fault.target.split(' ')
  const index = Number(number) - 1
  const [node, wire] = [on.nodes[index], kind === 'feed' ? on.feed : on.wires[index]]
  const begun =
    kind === 'node' && node !== undefined
      ? onNodes[fault.fault]?.(node, fault, on)
      : kind === 'database' && on.pair !== null
        ? onDatabase[fault.fault]?.(on.pair, fault, on)
        : wire === undefined
          ? undefined
          : onWires[fault.fault]?.(wire, fault, on)
  if (begun === undefined) throw new Error(`nobody knows how to do ${fault.fault} to ${fault.target}`)
  return begun
}
