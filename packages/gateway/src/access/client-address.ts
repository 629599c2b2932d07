/** The address of the client: that of the connection, or what the proxies that are trusted say (as nginx's `real_ip_recursive`). */
import { isIP } from 'node:net'
import { isWithin, plainAddress, trustedList } from '@grantor/resource/addresses'

/** What is known of where a request comes from. */
export interface RequestOrigin {
  /** The other end of the connection. */
  readonly peer: string | null
  readonly lines: (name: string) => readonly string[]
}

/** null: not known. Whoever limits by address refuses then. */
export type ClientAddressOf = (origin: RequestOrigin) => string | null

/** From the right: each proxy that is trusted is believed about who was before it, and nobody else. */
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
