/** Who may be on the way at the same time: so many in all, so many to one host; the others wait in line. */

export interface ConcurrencyLimit {
  /** Waits for a turn. Null where the line is too long or the signal came first; else what gives the turn back. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | null>
}

interface Bounds {
  readonly inAll: number
  readonly perHost: number
  readonly waiting: number
}

interface Waiter {
  readonly host: string
  go(): void
}

export function createConcurrencyLimit({ inAll, perHost, waiting }: Bounds): ConcurrencyLimit {
  const queue = new Set<Waiter>()
  const underWay = new Map<string, number>()
  let total = 0

  const isFree = (host: string) => total < inAll && (underWay.get(host) ?? 0) < perHost

  function begin(host: string): () => void {
    total++
    underWay.set(host, (underWay.get(host) ?? 0) + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      total--
      const left = (underWay.get(host) ?? 1) - 1
      if (left === 0) underWay.delete(host)
      else underWay.set(host, left)
      next()
    }
  }

  /** The first in line whose host is free: a busy host does not hold up the others. */
  function next(): void {
    for (const waiter of queue) {
      if (total >= inAll) return
      if (!isFree(waiter.host)) continue
      queue.delete(waiter)
      waiter.go()
    }
  }

  return {
    acquire(host, signal) {
      if (signal.aborted) return Promise.resolve(null)
      if (isFree(host)) return Promise.resolve(begin(host))
      if (queue.size >= waiting) return Promise.resolve(null)
      return new Promise((resolve) => {
        const leave = () => {
          queue.delete(waiter)
          resolve(null)
        }
        const waiter: Waiter = {
          host,
          go() {
            signal.removeEventListener('abort', leave)
            resolve(begin(host))
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.add(waiter)
      })
    },
  }
}
