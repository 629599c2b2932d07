/**
 * The clock of the deployment. Nodes over one PostgreSQL go by its clock, measured every few seconds and carried on by
 * the monotonic one in between: what they write down about order is then comparable, however their own clocks stand.
 * Over SQLite there is one node, and the machine's clock is the only one.
 */
import { type Clock, clockOf } from '@grantor/authority'
import type { Instant } from '@grantor/protocol/types'
import { openBackgroundLoop, type Store } from '@grantor/store'

export interface DeploymentClock extends Clock {
  /** Milliseconds that this machine's clock is ahead of the database's; null where there is but one. */
  machineAhead(): number | null
  close(): Promise<void>
}

/** A machine further from the database's clock than this (milliseconds) is not ready. */
export const mostSkew = 60_000

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

export async function openDeploymentClock(store: Pick<Store, 'time'>): Promise<DeploymentClock> {
  const first = await read(store)
  if (first === null) {
    return { ...clockOf(() => Date.now() as Instant), machineAhead: () => null, close: () => Promise.resolve() }
  }
  let last = first
  const at = (heard: number): number => last.time + heard - last.heard
  const loop = openBackgroundLoop(
    async () => {
      const reading = await read(store)
      if (reading !== null) last = better(reading, at(reading.heard))
    },
    { every: measureEvery },
    // The monotonic clock goes on; readiness tells of a database that is away.
    () => {},
  )
  loop.begin()
  const now = () => Math.floor(at(performance.now())) as Instant
  return { ...clockOf(now, margin), machineAhead: () => Date.now() - now(), close: loop.close }
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
