/**
 * Simulates the propagation of revocations as discrete events: commit in the database, reading by every node, frames to
 * the connected validators; nodes, regions and the database fail. The same seed gives the same numbers.
 */
import type { Calibration } from './calibration.ts'
import { type Chance, chanceOf, Histogram } from './chance.ts'
import { EventQueue } from './event-queue.ts'

export type Fault =
  | { readonly kind: 'node' | 'region'; readonly at: number }
  | { readonly kind: 'database'; readonly at: number; readonly for: number }

export interface Plan {
  readonly seed: number
  readonly regions: number
  readonly nodesPerRegion: number
  readonly validators: number
  /** Milliseconds one way between two regions, and within one. */
  readonly between: number
  readonly within: number
  readonly revocationsPerSecond: number
  readonly seconds: number
  readonly fault: Fault | null
}

export interface Outcome {
  readonly heard_ms: { readonly p50: number; readonly p99: number; readonly most: number }
  readonly revocations: number
  /** Validators whose state became too old, so that they refused everything for a while. */
  readonly closed: number
}

/** Intervals of the server and the toolkit, in milliseconds. */
const restBetweenReadings = 10
const heartbeat = 5_000
const silence = 15_000
const stale = 45_000
const backoff = 200
/** Round trips until a stream is open again: TCP, TLS and the request. */
const roundTrips = 3
/** Connections per node that are counted one by one. */
const sampled = 500

interface Node {
  readonly region: number
  alive: boolean
  /** The time until which the node reads or writes. */
  busyUntil: number
  /** How many revocations, in the order of their commits, the node has sent. */
  sent: number
  readonly validators: number[]
}

export function simulate(plan: Plan, calibration: Calibration): Outcome {
  const chance = chanceOf(plan.seed)
  const queue = new EventQueue()
  const heard = new Histogram()
  const nodes = nodesOf(plan)
  /** The commit time of each revocation. */
  const commits: number[] = []
  const closed = new Set<number>()
  const end = plan.seconds * 1000
  const away = plan.fault?.kind === 'database' ? { from: plan.fault.at, to: plan.fault.at + plan.fault.for } : null
  const whenThere = (at: number): number => (away !== null && at >= away.from && at < away.to ? away.to : at)
  const oneWay = (one: number, other: number): number => (one === other ? plan.within : plan.between)

  const read = (node: Node, at: number): void => {
    // While the node is busy, new revocations wait for its next reading, which takes them all.
    if (!node.alive || node.sent === commits.length || at < node.busyUntil) return
    const started = whenThere(at)
    const asked = chance.around(calibration.read, calibration.tail) + 2 * oneWay(0, node.region)
    const batch = commits.slice(node.sent)
    node.sent = commits.length
    const first = started + asked
    const { length } = node.validators
    // Connections are written one after the other, so each sampled one represents the ones between.
    const step = Math.ceil(length / sampled)
    for (let place = 0; place < length; place += step) {
      const arrives = first + place * calibration.eachConnection + oneWay(node.region, node.region)
      for (const committed of batch) heard.add(arrives - committed, Math.min(step, length - place))
    }
    node.busyUntil = Math.max(
      started + restBetweenReadings,
      first + node.validators.length * calibration.eachConnection,
    )
    queue.put(node.busyUntil, (then) => read(node, then))
  }

  const revoke = (at: number): void => {
    const region = Math.floor(chance.next() * plan.regions)
    const committed = whenThere(at + chance.around(calibration.commit, calibration.tail) + 2 * oneWay(region, 0))
    queue.put(committed, () => {
      commits.push(committed)
      for (const node of nodes) queue.put(committed + oneWay(0, node.region), (then) => read(node, then))
    })
    const next = at - (1000 / plan.revocationsPerSecond) * Math.log(1 - chance.next())
    if (next < end) queue.put(next, revoke)
  }

  queue.put(0, revoke)
  if (plan.fault !== null && plan.fault.kind !== 'database') {
    const { kind, at } = plan.fault
    queue.put(at, () => lose(kind))
  }
  queue.runUntil(end + 120_000)
  if (away !== null && away.to - away.from + heartbeat > stale)
    for (const { validators } of nodes) for (const one of validators) closed.add(one)
  const { most } = heard
  return {
    heard_ms: { p50: tidy(heard.percentile(0.5)), p99: tidy(heard.percentile(0.99)), most: tidy(most) },
    revocations: commits.length,
    closed: closed.size,
  }

  /** A node that dies resets its connections; a region that is cut off is noticed only by its silence. */
  function lose(kind: 'node' | 'region'): void {
    const [first] = nodes
    if (first === undefined || plan.fault === null) return
    for (const node of nodes) {
      if (kind === 'node' ? node !== first : node.region !== first.region) continue
      node.alive = false
      const knew = node.sent
      for (const validator of node.validators.splice(0)) {
        const noticed = kind === 'node' ? plan.within : silence
        queue.put(plan.fault.at + noticed + chance.next() * backoff, (at) => reconnect(validator, { at, knew, node }))
      }
    }
  }

  interface Lost {
    readonly at: number
    readonly knew: number
    readonly node: Node
  }

  function reconnect(validator: number, { at, knew, node: lost }: Lost): void {
    const alive = nodes.filter((node) => node.alive)
    const near = alive.filter((node) => node.region === lost.region)
    const node = pick(near.length > 0 ? near : alive, chance)
    if (node === undefined) return
    const distance = oneWay(lost.region, node.region)
    // A node opens the connections concurrently, at a cost for each.
    const arrives = Math.max(at, node.busyUntil) + roundTrips * 2 * distance + calibration.eachConnection
    node.busyUntil = Math.max(at, node.busyUntil) + calibration.eachConnection
    for (const committed of commits.slice(knew, node.sent)) heard.add(Math.max(0, arrives - committed))
    node.validators.push(validator)
    if (arrives - (plan.fault?.at ?? 0) + heartbeat > stale) closed.add(validator)
  }
}

function nodesOf({ regions, nodesPerRegion, validators }: Plan): readonly Node[] {
  const nodes = Array.from({ length: regions * nodesPerRegion }, (_, n): Node => ({
    region: Math.floor(n / nodesPerRegion),
    alive: true,
    busyUntil: 0,
    sent: 0,
    validators: [],
  }))
  for (let n = 0; n < validators; n += 1) nodes[n % nodes.length]?.validators.push(n)
  return nodes
}

const pick = <T>(of: readonly T[], chance: Chance): T | undefined => of[Math.floor(chance.next() * of.length)]
const tidy = (milliseconds: number): number => Math.round(milliseconds * 10) / 10
