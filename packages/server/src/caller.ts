/** Who calls, and whether over TLS: the socket's word, or a trusted proxy's. A forwarding header from anyone else is noise. */
import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { plainAddress, within } from './config/addresses.ts'

export interface Arrival {
  /** The other end of the socket. */
  readonly peer: string | null
  readonly headers: IncomingHttpHeaders
  /** Whether the socket itself is TLS. */
  readonly encrypted: boolean
}

export interface Caller {
  readonly ip: string | null
  /** Whether the request came over TLS all the way that we can know of. */
  readonly secure: boolean
}

export interface ProxyTrust {
  readonly trusted: BlockList
  readonly header: 'x-forwarded' | 'forwarded'
}

interface Hop {
  readonly address: string | null
  readonly proto: string | null
}

export function callerOf({ peer, headers, encrypted }: Arrival, trust: ProxyTrust | null): Caller {
  const near = peer === null ? null : plainAddress(peer)
  if (trust === null || near === null || !within(trust.trusted, near)) return { ip: near, secure: encrypted }
  let known = lately.get(trust)
  if (known === undefined) lately.set(trust, (known = new Map()))
  // No header holds a line break, so no two requests that differ share a key.
  const said =
    trust.header === 'forwarded'
      ? headers.forwarded
      : `${String(headers['x-forwarded-proto'])}\n${String(headers['x-forwarded-for'])}`
  const key = `${near}\n${said ?? ''}`
  const before = known.get(key)
  if (before !== undefined) return before
  const caller = behindProxy(near, headers, trust)
  if (known.size >= mostRemembered) known.clear()
  if (key.length <= longestRemembered) known.set(key, caller)
  return caller
}

/** What was found out lately: a proxy says the same of a caller with every request. */
const lately = new WeakMap<ProxyTrust, Map<string, Caller>>()
const mostRemembered = 1_000
const longestRemembered = 200

function behindProxy(near: string, headers: IncomingHttpHeaders, trust: ProxyTrust): Caller {
  const hops = trust.header === 'forwarded' ? forwarded(headers.forwarded) : xForwarded(headers)
  // The nearest proxy appends last, so its own words are the right-most; what lies further left it only passed on.
  const nearest = hops.at(-1)
  return { ip: rightmostUntrusted(hops, trust.trusted) ?? near, secure: nearest?.proto === 'https' }
}

/** Walking leftwards stops at the first address that is not one of our proxies: nobody we trust vouches beyond it. */
function rightmostUntrusted(hops: readonly Hop[], trusted: BlockList): string | null {
  let last: string | null = null
  for (let n = hops.length - 1; n >= 0; n--) {
    const address = hops[n]?.address ?? null
    if (address === null) return last
    last = address
    if (!within(trusted, address)) return last
  }
  return last
}

function xForwarded(headers: IncomingHttpHeaders): readonly Hop[] {
  const addresses = commaList(headers['x-forwarded-for'])
  const proto = commaList(headers['x-forwarded-proto']).at(-1)?.toLowerCase() ?? null
  if (addresses.length === 0) return [{ address: null, proto }]
  return addresses.map((address) => ({ address: addressOf(address), proto }))
}

/** RFC 7239 §4: `for="[2001:db8::1]:4711";proto=https, for=192.0.2.43`. */
function forwarded(header: string | undefined): readonly Hop[] {
  return commaList(header).map((element) => {
    const pairs = element.split(';').map((pair) => /^\s*(for|proto)\s*=\s*"?([^"]*)"?\s*$/i.exec(pair))
    const said = (name: string): string | null => pairs.find((pair) => pair?.[1]?.toLowerCase() === name)?.[2] ?? null
    return { address: addressOf(said('for') ?? ''), proto: said('proto')?.toLowerCase() ?? null }
  })
}

function commaList(header: string | readonly string[] | undefined): readonly string[] {
  const text = String(header ?? '')
  if (text === '') return []
  // Nearly always one word.
  return text.includes(',') ? text.split(',').map((part) => part.trim()) : [text.trim()]
}

/** `192.0.2.43`, `192.0.2.43:47011`, `2001:db8::1`, `[2001:db8::1]:47011`; anything else (`unknown`, `_hidden`) is null. */
function addressOf(word: string): string | null {
  if (isIP(word) === 4) return word
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(word)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(word)?.[1] ?? word
  const address = plainAddress(bare)
  return isIP(address) === 0 ? null : address
}
