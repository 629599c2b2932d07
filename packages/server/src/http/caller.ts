/** The caller's address and whether it used TLS: from the socket, or from headers of trusted proxies only. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'
import { plainAddress, isWithin } from '@grantor/resource/addresses'

export interface ConnectionFacts {
  /** The address of the socket's peer. */
  readonly peer: string | null
  readonly headers: IncomingHttpHeaders
  /** Whether the socket itself is TLS. */
  readonly encrypted: boolean
}

export interface Caller {
  readonly ip: string | null
  /** Whether the request came over TLS, as far as this server can know. */
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

export function callerOf({ peer, headers, encrypted }: ConnectionFacts, trust: ProxyTrust | null): Caller {
  const near = peer === null ? null : plainAddress(peer)
  if (trust === null || near === null || !isWithin(trust.trusted, near)) return { ip: near, secure: encrypted }
  const hops = trust.header === 'forwarded' ? forwarded(headers.forwarded) : xForwarded(headers)
  const { address, proto } = outermostHop(hops, trust.trusted)
  return { ip: address ?? near, secure: proto === 'https' }
}

/** The same, cached for each connection while its forwarding headers stay the same. */
export function callerResolver(encrypted: boolean, trust: ProxyTrust | null): (request: IncomingMessage) => Caller {
  const cache = new WeakMap<Socket, CachedCaller>()
  return ({ socket, headers }) => {
    const { forwarded, 'x-forwarded-for': from, 'x-forwarded-proto': proto } = headers
    const cached = cache.get(socket)
    if (cached !== undefined && cached.forwarded === forwarded && cached.from === from && cached.proto === proto)
      return cached.caller
    const caller = callerOf({ peer: socket.remoteAddress ?? null, headers, encrypted }, trust)
    cache.set(socket, { forwarded, from, proto, caller })
    return caller
  }
}

/** The headers that the cached caller was derived from. */
interface CachedCaller {
  readonly forwarded: string | undefined
  readonly from: string | string[] | undefined
  readonly proto: string | string[] | undefined
  readonly caller: Caller
}

/**
 * The nearest proxy appends last, and each names its own peer and protocol. Reading leftwards stops at the first
 * address that is not one of our proxies, as entries beyond it come from untrusted parties.
 */
function outermostHop(hops: readonly Hop[], trusted: BlockList): Hop {
  let outermost: Hop = { address: null, proto: null }
  for (const hop of hops.toReversed()) {
    outermost = { address: hop.address ?? outermost.address, proto: hop.proto ?? outermost.proto }
    if (hop.address === null || !isWithin(trusted, hop.address)) return outermost
  }
  return outermost
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
    const parameter = (name: string): string | null =>
      pairs.find((pair) => pair?.[1]?.toLowerCase() === name)?.[2] ?? null
    return { address: addressOf(parameter('for') ?? ''), proto: parameter('proto')?.toLowerCase() ?? null }
  })
}

function commaList(header: string | readonly string[] | undefined): readonly string[] {
  const text = String(header ?? '')
  if (text === '') return []
  // There is nearly always only one item.
  return text.includes(',') ? text.split(',').map((part) => part.trim()) : [text.trim()]
}

/** `192.0.2.43`, `192.0.2.43:47011`, `2001:db8::1`, `[2001:db8::1]:47011`; anything else (`unknown`, `_hidden`) is null. */
function addressOf(word: string): string | null {
  if (isIP(word) === 4) return word
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(word)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(word)?.[1] ?? word
  const address = plainAddress(bare)
  return isIP(address) === 0 ? null : address
}
