/**
 * The clock of the deployment. Nodes on one PostgreSQL use its clock, read every few seconds and continued by the
 * monotonic clock in between: so their timestamps are comparable, whatever their own clocks show. With SQLite there is
 * one node, which uses the machine's clock.
 *
 * Either way time never goes back. If the clock is a little behind the last time given out, time goes on at half the
 * speed until the clock catches up; a clock that was set back is accepted once all that depended on later times is
 * settled.
 */
import { type Clock, clockOf } from '@grantor/authority'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import { openBackgroundLoop, type Store } from '@grantor/store'

export interface DeploymentClock extends Clock {
  /** Milliseconds that this machine's clock is ahead of the database's; null with SQLite. */
  machineAhead(): number | null
  /** Calls `watcher` with the milliseconds of each set-back, including one found at the start. */
  watchSetBacks(watcher: (milliseconds: number) => void): void
  close(): Promise<void>
}

export interface ClockDependencies {
  readonly store: Pick<Store, 'time'> & { readonly events: Pick<Store['events'], 'latest'> }
  /**
   * Settles what was issued at times after `at`; returns how many milliseconds later, null where there was nothing.
   * Null in a command, which goes on from the times of the log and leaves a set-back to the server.
   */
  readonly settle: ((at: Instant) => Promise<number | null>) | null
}

const measureEvery = 5_000
/** Milliseconds by which the clocks of two nodes may differ: a round trip, and the drift between two readings. */
const margin = 250
/** Milliseconds: a greater difference is not drift, but the database's clock was set. */
const step = 1_000
/** Milliseconds of a small difference that one reading corrects, so that the time does not jump. */
const correction = 10

/** A time of the database's clock, and when it arrived by the monotonic clock: it was read no later than that. */
interface Reading {
  readonly time: number
  readonly heard: number
}

export async function openDeploymentClock(deps: ClockDependencies): Promise<DeploymentClock> {
  const first = await read(deps.store)
  if (first === null) {
    const time = await monotonicTime(() => Date.now(), deps)
    return { ...clockOf(time.now), ...time, machineAhead: () => null, close: () => Promise.resolve() }
  }
  let last = first
  const at = (heard: number): number => last.time + heard - last.heard
  const loop = openBackgroundLoop(
    async () => {
      const reading = await read(deps.store)
      if (reading !== null) last = better(reading, at(reading.heard))
    },
    { every: measureEvery },
    // The monotonic clock goes on without readings; readiness reports a database that is away.
    () => {},
  )
  const time = await monotonicTime(() => at(performance.now()), deps)
  loop.begin()
  return {
    ...clockOf(time.now, margin),
    ...time,
    machineAhead: () => Date.now() - at(performance.now()),
    close: loop.close,
  }
}

async function read(store: Pick<Store, 'time'>): Promise<Reading | null> {
  const time = await store.time()
  return time === null ? null : { time, heard: performance.now() }
}

/** Every reading is late by its transit, so of two that nearly agree the later time is more accurate. */
function better(reading: Reading, expected: number): Reading {
  const behind = expected - reading.time
  return behind <= 0 || behind > step ? reading : { ...reading, time: Math.max(reading.time, expected - correction) }
}

/** `source` may jump either way; the time returned only goes forward, except after a settled set-back. */
async function monotonicTime(
  source: () => number,
  { store, settle }: ClockDependencies,
): Promise<Pick<Clock, 'now'> & Pick<DeploymentClock, 'watchSetBacks'>> {
  const found: number[] = []
  let tell = (milliseconds: number): unknown => found.push(milliseconds)
  let settling: Promise<void> | null = null
  let latest = { time: Math.max(source(), (await store.events.latest()) ?? 0), heard: performance.now() }

  async function settleAt(time: number): Promise<void> {
    const milliseconds = (await settle?.(Math.floor(time) as Instant)) ?? null
    latest = { time: source(), heard: performance.now() }
    if (milliseconds !== null) tell(milliseconds)
  }

  function now(): Instant {
    const [time, heard] = [source(), performance.now()]
    if (time < latest.time - mostSkew && settle !== null && settling === null) {
      // If the store is away, the next call tries again.
      settling = settleAt(time)
        .catch(() => {})
        .finally(() => (settling = null))
    }
    latest = { time: Math.max(time, latest.time + (heard - latest.heard) / 2), heard }
    return Math.floor(latest.time) as Instant
  }

  // Nothing is served before a set-back found at the start is settled.
  if (settle !== null && latest.time - source() > mostSkew) await settleAt(source())
  return {
    now,
    watchSetBacks(watcher) {
      tell = watcher
      for (const milliseconds of found.splice(0)) watcher(milliseconds)
    },
  }
}
