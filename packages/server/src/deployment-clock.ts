/**
 * The clock of the deployment. Nodes over one PostgreSQL go by its clock, measured every few seconds and carried on by
 * the monotonic one in between: what they write down about order is then comparable, however their own clocks stand.
 * Over SQLite there is one node, and the machine's clock is the only one.
 *
 * Either way time does not go back here. A clock that is a little behind what was said last is waited for, at half the
 * speed; one that was set back is believed when everything was settled that rested on the times before.
 */
import { type Clock, clockOf } from '@grantor/authority'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import { openBackgroundLoop, type Store } from '@grantor/store'

export interface DeploymentClock extends Clock {
  /** Milliseconds that this machine's clock is ahead of the database's; null where there is but one. */
  machineAhead(): number | null
  /** Is told by how many milliseconds the clock was set back, each time, and of what was found at the start. */
  watchSetBacks(watcher: (milliseconds: number) => void): void
  close(): Promise<void>
}

export interface ClockDependencies {
  readonly store: Pick<Store, 'time'> & { readonly events: Pick<Store['events'], 'latest'> }
  /**
   * Settles what was given out at times after `at`; how many milliseconds that was, null where there was nothing. A
   * command has none: it goes on from the times of the log, and leaves it to the server to say what time it is.
   */
  readonly settle: ((at: Instant) => Promise<number | null>) | null
}

const measureEvery = 5_000
/** Milliseconds that the readings of two nodes may differ by: a round trip, and what clocks drift between two readings. */
const margin = 250
/** A difference beyond this is no drift: the database's clock was set. */
const step = 1_000
/** How much of a small difference is taken back at once, so that the time does not jump. */
const correction = 10

/** What the database's clock said, and when that was heard by the monotonic one: it was not later than that. */
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
    // The monotonic clock goes on; readiness tells of a database that is away.
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

/** Every reading is late by its way here, so of two that nearly agree the later time is the truer one. */
function better(reading: Reading, expected: number): Reading {
  const behind = expected - reading.time
  return behind <= 0 || behind > step ? reading : { ...reading, time: Math.max(reading.time, expected - correction) }
}

/** `source` may jump either way; what is said here goes forward, but for what was settled. */
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
      // A store that is away is asked again by whoever asks for the time next.
      settling = settleAt(time)
        .catch(() => {})
        .finally(() => (settling = null))
    }
    latest = { time: Math.max(time, latest.time + (heard - latest.heard) / 2), heard }
    return Math.floor(latest.time) as Instant
  }

  // Nothing is served before what was found at the start is settled.
  if (settle !== null && latest.time - source() > mostSkew) await settleAt(source())
  return {
    now,
    watchSetBacks(watcher) {
      tell = watcher
      for (const milliseconds of found.splice(0)) watcher(milliseconds)
    },
  }
}
