/** The faults of a campaign and their times, drawn from a seed before anything starts, so that they can be repeated. */
import { randomFrom } from '../../scripts/random.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/**
 * `amount` depends on the fault: seconds that a clock jumps, its gain per second, or milliseconds by which a write or a
 * message is delayed.
 */
export interface PlannedFault {
  readonly fault: FaultName
  readonly target: string
  /** Seconds from the start. */
  readonly at: number
  /** Seconds until the fault ends. */
  readonly lasts: number
  readonly amount: number
}

export interface Plan {
  readonly seed: number
  readonly on: DatabaseKind
  readonly nodes: number
  readonly seconds: number
  readonly faults: readonly PlannedFault[]
}

/** Possible faults by target, and their possible amounts; a failover happens once. */
const onNodes = { kill: [0], terminate: [0], pause: [0] }
const onWires = { cut: [0], hold: [0], delay: [20, 100, 400] }
const chances = {
  sqlite: {
    node: {
      ...onNodes,
      'slow disk': [5, 30, 100],
      'full disk': [0],
      'clock jump': [-30, 30, 300, 3600, -3600],
      'clock drift': [-0.5, 0.5, 2],
    },
    feed: onWires,
  },
  postgres: {
    node: { ...onNodes, 'another version': [0], 'clock jump': [-30, 30, -300, 300], 'clock drift': [-0.5, 0.5, 2] },
    wire: onWires,
    feed: onWires,
    database: { failover: [0], pause: [0], 'slow disk': [5, 30] },
  },
} as const

export type FaultName =
  | keyof (typeof chances)['sqlite']['node']
  | keyof (typeof chances)['postgres']['node']
  | keyof typeof onWires
  | keyof (typeof chances)['postgres']['database']

/** Seconds: the longest fault, and the longest pause between faults of a target, which is longer with many targets. */
const longest = 6
const longestQuiet = { sqlite: 5, postgres: 12 }

export function drawPlan({ seed, on, nodes, seconds }: Omit<Plan, 'faults'>): Plan {
  const random = randomFrom(seed)
  const faults = targetsOf(on, nodes).flatMap(([target, kinds]) => {
    const drawn: PlannedFault[] = []
    for (let at = 1 + random() * longestQuiet[on]; at < seconds - 1;) {
      const [fault, amounts] = pick(Object.entries(kinds) as [FaultName, readonly number[]][], random)
      const lasts = rounded(0.5 + random() * (longest - 0.5))
      const amount = pick(amounts, random)
      if (fault !== 'failover' || drawn.every((it) => it.fault !== 'failover'))
        drawn.push({ fault, target, at: rounded(at), lasts, amount })
      at += lasts + 1 + random() * longestQuiet[on]
    }
    return drawn
  })
  return { seed, on, nodes, seconds, faults: faults.toSorted((a, b) => a.at - b.at) }
}

function targetsOf(on: DatabaseKind, nodes: number): readonly (readonly [target: string, kinds: object])[] {
  return Object.entries(chances[on]).flatMap(([name, kinds]) =>
    name === 'node' || name === 'wire'
      ? Array.from({ length: nodes }, (_, index) => [`${name} ${index + 1}`, kinds] as const)
      : [[name, kinds] as const],
  )
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T
const rounded = (seconds: number): number => Math.round(seconds * 10) / 10

export const describePlan = ({ seed, on, nodes, seconds, faults }: Plan): string =>
  [
    `seed ${seed} on ${on}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${seconds} s, ${faults.length} faults:`,
    ...faults.map(
      ({ at, lasts, target, fault, amount }) =>
        `  ${at.toFixed(1).padStart(6)} s  ${target.padEnd(9)} ${fault}${amount === 0 ? '' : ` ${amount}`} for ${lasts} s`,
    ),
  ].join('\n')
