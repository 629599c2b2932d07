/** The client's address: that of the connection, or as trusted proxies report it (as nginx's `real_ip_recursive`). */
import { isIP } from 'node:net'
import { isWithin, plainAddress, trustedList } from '@grantor/resource/addresses'

/** The facts that tell where a request comes from. */
export interface RequestOrigin {
  /** The other end of the connection. */
  readonly peer: string | null
  readonly lines: (name: string) => readonly string[]
}

/** null: not known. Limits by address then refuse the request. */
export type ClientAddressOf = (origin: RequestOrigin) => string | null

/**
 * Reads `X-Forwarded-For` from the right: each trusted proxy is believed about the hop before it; other hops are not.
 */
export function clientAddressBehind(trustProxy: readonly string[]): ClientAddressOf {
  const trusted = trustedList(trustProxy)
  return ({ peer, lines }) => {
    if (peer === null) return null
    let address = plainAddress(peer)
    if (trustProxy.length === 0 || !isWithin(trusted, address)) return address
    const hops = lines('x-forwarded-for').flatMap((line) => line.split(','))
    for (const hop of hops.toReversed()) {
      address = plainAddress(hop.trim())
      if (isIP(address) === 0) return null
      if (!isWithin(trusted, address)) return address
    }
    return address
  }
}
