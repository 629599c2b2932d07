/** A background loop of a node: runs its work periodically and when woken, never twice at once. */

export interface LoopTimes {
  /** Milliseconds from one run to the next, if nothing wakes it before. */
  readonly every: number
  /** Subscribes to a signal that there may be work; the returned function unsubscribes. */
  readonly watch?: (wake: () => void) => () => void
  /** Milliseconds in which further calls of `watch` cause one run together. */
  readonly rest?: number
}

export interface BackgroundLoop {
  /** Starts the periodic runs. */
  begin(): void
  /** Resolves after a run that began after this call; callers during a run share the next one. */
  run(): Promise<void>
  /** Starts a run that nobody waits for; `failed` receives its failure. */
  wake(): void
  /** Begins no more runs, and waits for the one under way. */
  close(): Promise<void>
}

export function openBackgroundLoop(
  work: () => Promise<void>,
  { every, watch, rest = 0 }: LoopTimes,
  failed: (cause: unknown) => void,
): BackgroundLoop {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let closed = false
  const stops: (() => void)[] = []

  async function start(): Promise<void> {
    if (closed) return
    running = work().finally(() => (running = null))
    return running
  }

  function run(): Promise<void> {
    // A run that has ended, and after which the next is about to begin, no longer counts as running.
    if (next !== null) return next
    if (running === null) return start()
    const after = (): Promise<void> => ((next = null), start())
    next = running.then(after, after)
    return next
  }

  const wake = (): void => void run().catch(failed)

  return {
    begin() {
      if (closed || stops.length > 0) return
      // A run that is under way when the next is due replaces it.
      const timer = setInterval(() => running ?? wake(), every).unref()
      stops.push(() => clearInterval(timer))
      if (watch === undefined) return
      const woken = throttled(wake, rest)
      stops.push(watch(woken.call), woken.stop)
    },
    run,
    wake,
    async close() {
      closed = true
      for (const stop of stops) stop()
      // The caller that began the run gets its error.
      await running?.catch(() => {})
    },
  }
}

/** Calls at once, and then once for all calls within `rest`. */
export function throttled(act: () => void, rest: number): { call(): void; stop(): void } {
  let resting: NodeJS.Timeout | undefined
  let again = false
  function call(): void {
    again = resting !== undefined
    if (again) return
    resting = setTimeout(() => {
      resting = undefined
      if (again) call()
    }, rest).unref()
    act()
  }
  return { call, stop: () => clearTimeout(resting) }
}
