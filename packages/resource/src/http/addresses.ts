/** Published entry: the addresses of trusted proxies as settings write them: single ones, CIDR blocks, `loopback`. */
import { BlockList, isIP } from 'node:net'

export interface AddressBlock {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** `loopback` stands for both 127.0.0.0/8 and ::1; returned is only 127.0.0.0/8, and trustedList adds ::1. */
export function trustedBlock(word: string): AddressBlock | null {
  if (word === 'loopback') return { address: '127.0.0.0', prefix: 8, family: 'ipv4' }
  const [address = '', bits, ...rest] = word.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const most = version === 4 ? 32 : 128
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN
  return prefix >= 0 && prefix <= most ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : null
}

/** Why a word is not accepted as the address of a proxy; null where it is. */
export function proxyAddressProblem(word: string): string | null {
  const block = trustedBlock(word)
  if (block === null) return `${word} is not an address, a CIDR block or loopback`
  return block.prefix === 0 ? `${word} is everyone; name the proxy itself` : null
}

export function trustedList(words: readonly string[]): BlockList {
  const trusted = new BlockList()
  for (const word of words) {
    const block = trustedBlock(word)
    if (block) trusted.addSubnet(block.address, block.prefix, block.family)
    if (word === 'loopback') trusted.addAddress('::1', 'ipv6')
  }
  return trusted
}

/** An IPv4 address that arrived on an IPv6 socket is still an IPv4 address. */
export const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

/** Recent results: a check costs 2 µs, and the same proxy is checked with every request. */
const recentChecks = new WeakMap<BlockList, Map<string, boolean>>()
const mostRemembered = 1_000

export function isWithin(trusted: BlockList, address: string): boolean {
  let known = recentChecks.get(trusted)
  if (known === undefined) recentChecks.set(trusted, (known = new Map()))
  const before = known.get(address)
  if (before !== undefined) return before
  const version = isIP(address)
  const found = version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
  if (known.size >= mostRemembered) known.clear()
  known.set(address, found)
  return found
}
