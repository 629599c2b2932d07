/** Work that a node does again and again in the background: every so often and when woken, never twice at once. */

export interface LoopTimes {
  /** Milliseconds from one run to the next, if nothing wakes it before. */
  readonly every: number
  /** Calls back when there may be something to do; what it returns ends that. */
  readonly watch?: (wake: () => void) => () => void
  /** Milliseconds in which all calls of `watch` but the first cause one run together. */
  readonly rest?: number
}

export interface BackgroundLoop {
  /** From now on it runs by itself. */
  begin(): void
  /** A run that began after this call: whoever calls while one is under way shares the next. */
  run(): Promise<void>
  /** A run that nobody waits for; `failed` hears of its failure. */
  wake(): void
  /** Nothing begins any more; waits for what is under way. */
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
    // One that is over, and behind which the next is about to begin, is not running any more.
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
      // What is under way when its time comes is on time.
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
      // Whoever began it hears what went wrong.
      await running?.catch(() => {})
    },
  }
}

/** At once, and then once for all calls within the rest. */
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
