/** Resolves names: by DNS those that strangers chose, by the operating system those of the operator. */
import { lookup, Resolver } from 'node:dns/promises'

/** All IPv4 and IPv6 addresses of a name; empty where there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Queries name servers directly. Not by `getaddrinfo`, which blocks a thread of the pool that also hashes passwords, so
 * that a slow name server of a stranger could occupy them all. `timeout` is in milliseconds, for each of two tries.
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

/**
 * Like every other program of this machine: with the hosts file, search domains, and the configuration of a container.
 */
export const resolveBySystem: Resolve = (name) =>
  lookup(name, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
