/** The addresses of a name: by DNS for names that strangers chose, by the machine's own means for those of the operator. */
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name, IPv4 and IPv6; none where there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks name servers itself. Not `getaddrinfo`: that blocks a thread of the pool that also hashes passwords, and whoever
 * owns a slow name server could hold them all. `timeout` is in milliseconds, for each of two tries.
 */
export const resolveByDns =
  (servers: readonly string[] | null = null, timeout = 1_000): Resolve =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout, tries: 2 })
    if (servers !== null) resolver.setServers(servers)
    const stop = () => resolver.cancel()
    signal.addEventListener('abort', stop)
    try {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

/** As every other program of this machine finds a name: the hosts file, search domains, what a container was given. */
export const resolveBySystem: Resolve = (name) =>
  lookup(name, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
