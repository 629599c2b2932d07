/**
 * Limits the requests under way, in all and to one host; the others wait in line. Requests to URLs that strangers named
 * get at most half of the places, so that servers which never answer leave the rest to URLs of administrators.
 */

export interface Turn {
  readonly host: string
  /** Whether the URL was named by a stranger, such as a client that registered itself. */
  readonly ofStranger: boolean
}

export interface ConcurrencyLimit {
  /**
   * Waits for a turn, and returns the function that releases it; null where the line is too long or the signal fired.
   */
  acquire(turn: Turn, signal: AbortSignal): Promise<(() => void) | null>
}

interface Bounds {
  readonly inAll: number
  readonly perHost: number
  readonly waiting: number
}

interface Waiter extends Turn {
  go(): void
}

export function createConcurrencyLimit({ inAll, perHost, waiting }: Bounds): ConcurrencyLimit {
  const queue = new Set<Waiter>()
  const underWay = new Map<string, number>()
  let total = 0
  let ofStrangers = 0
  let strangersWaiting = 0

  const isFree = ({ host, ofStranger }: Turn) =>
    total < inAll && (underWay.get(host) ?? 0) < perHost && !(ofStranger && ofStrangers >= inAll / 2)

  const isFull = ({ ofStranger }: Turn) => queue.size >= waiting || (ofStranger && strangersWaiting >= waiting / 2)

  function begin({ host, ofStranger }: Turn): () => void {
    total++
    if (ofStranger) ofStrangers++
    underWay.set(host, (underWay.get(host) ?? 0) + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      total--
      if (ofStranger) ofStrangers--
      const left = (underWay.get(host) ?? 1) - 1
      if (left === 0) underWay.delete(host)
      else underWay.set(host, left)
      next()
    }
  }

  function queueUp(waiter: Waiter): void {
    queue.add(waiter)
    if (waiter.ofStranger) strangersWaiting++
  }

  function leave(waiter: Waiter): void {
    if (queue.delete(waiter) && waiter.ofStranger) strangersWaiting--
  }

  /** Starts all in line who can have a turn, so that a busy host does not delay the others. */
  function next(): void {
    for (const waiter of queue) {
      if (total >= inAll) return
      if (!isFree(waiter)) continue
      leave(waiter)
      waiter.go()
    }
  }

  return {
    acquire(turn, signal) {
      if (signal.aborted) return Promise.resolve(null)
      if (isFree(turn)) return Promise.resolve(begin(turn))
      if (isFull(turn)) return Promise.resolve(null)
      return new Promise((resolve) => {
        const giveUp = () => {
          leave(waiter)
          resolve(null)
        }
        const waiter: Waiter = {
          ...turn,
          go() {
            signal.removeEventListener('abort', giveUp)
            resolve(begin(turn))
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        queueUp(waiter)
      })
    },
  }
}
