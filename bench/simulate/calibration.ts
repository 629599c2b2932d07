/** Reads the measurements that the simulation needs from `propagation.json`, which `propagation.ts` writes. */

interface Measured {
  readonly validators: number
  readonly from_asking_ms: Times
  readonly from_answer_ms: Times
  readonly until_all_refuse_ms: Times
}
interface Times {
  readonly p50: number
  readonly p99: number
}
export interface PropagationReport {
  readonly results: readonly Measured[]
}

/** Measured durations in milliseconds, and `tail`, a ratio. */
export interface Calibration {
  /** From the request to the answer: the commit. */
  readonly commit: number
  /** From the commit to the frame on the wire, for the first connection. */
  readonly read: number
  /** The ratio of the slowest of a hundred to the median. */
  readonly tail: number
  /** Added for every further connection; the machine of the measurement also ran the validators. */
  readonly eachConnection: number
}

export function calibrationOf({ results }: PropagationReport): Calibration {
  const [fewest, most] = [results[0], results.at(-1)]
  if (fewest === undefined || most === undefined || fewest === most) throw new Error('measure with several numbers')
  const slope = (most.until_all_refuse_ms.p50 - fewest.until_all_refuse_ms.p50) / (most.validators - fewest.validators)
  return {
    commit: fewest.from_asking_ms.p50 - fewest.from_answer_ms.p50,
    read: fewest.from_answer_ms.p50,
    tail: most.from_answer_ms.p99 / most.from_answer_ms.p50,
    eachConnection: Math.max(0.005, slope),
  }
}
