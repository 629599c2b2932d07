/** The addresses nobody may send us to: IANA's special-purpose registries of IPv4 and IPv6, and what is like them. */

type Rows = readonly (readonly [block: string, why: string])[]

const special4: Rows = [
  ['0.0.0.0/8', 'this network, RFC 791'],
  ['10.0.0.0/8', 'private use, RFC 1918'],
  ['100.64.0.0/10', 'shared address space, RFC 6598'],
  ['127.0.0.0/8', 'loopback, RFC 1122'],
  ['168.63.129.16/32', 'the metadata of a cloud, at an address that looks public'],
  ['169.254.0.0/16', 'link-local, RFC 3927; the metadata of most clouds'],
  ['172.16.0.0/12', 'private use, RFC 1918'],
  ['192.0.0.0/24', 'protocol assignments, RFC 6890'],
  ['192.0.2.0/24', 'documentation, RFC 5737'],
  ['192.31.196.0/24', 'AS112, RFC 7535'],
  ['192.52.193.0/24', 'multicast tunnels, RFC 7450'],
  ['192.88.99.0/24', '6to4 relays, RFC 7526'],
  ['192.168.0.0/16', 'private use, RFC 1918'],
  ['192.175.48.0/24', 'AS112, RFC 7534'],
  ['198.18.0.0/15', 'benchmarking, RFC 2544'],
  ['198.51.100.0/24', 'documentation, RFC 5737'],
  ['203.0.113.0/24', 'documentation, RFC 5737'],
  ['224.0.0.0/4', 'multicast, RFC 5771'],
  ['240.0.0.0/4', 'reserved, RFC 1112; broadcast'],
]

/** What is special inside 2000::/3; outside of it everything is. */
const special6: Rows = [
  ['2001::/23', 'protocol assignments, RFC 2928: Teredo, benchmarking, ORCHID, DRIP'],
  ['2001:db8::/32', 'documentation, RFC 3849'],
  ['2002::/16', '6to4, RFC 3056: an IPv4 address in disguise'],
  ['2620:4f:8000::/48', 'AS112, RFC 7534'],
  ['3ffe::/16', 'the 6bone that was, RFC 3701'],
  ['3fff::/20', 'documentation, RFC 9637'],
]

/** RFC 4291 §2.4: global unicast; loopback, mapped, translated (64:ff9b::), local and multicast lie outside of it. */
const global6 = blockOf('2000::/3')
const blocks4 = special4.map(([block]) => blockOf(block))
const blocks6 = special6.map(([block]) => blockOf(block))

/** Whether an address is one of the public network. Text that is no plain address is not. */
export function isPublicAddress(address: string): boolean {
  const four = number4(address)
  if (four !== null) return !blocks4.some((block) => isWithin(four, block))
  const six = number6(address)
  return six !== null && isWithin(six, global6) && !blocks6.some((block) => isWithin(six, block))
}

/** As a number, or null for what is no plain IPv4 or IPv6 address; a zone belongs to a link, not to the network. */
export function number4(text: string): bigint | null {
  const parts = /^\d{1,3}(\.\d{1,3}){3}$/.test(text) ? text.split('.') : []
  const plain = parts.length === 4 && parts.every((part) => Number(part) < 256 && String(Number(part)) === part)
  return plain ? parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) : null
}

export function number6(text: string): bigint | null {
  // The parser of URLs knows every form of RFC 4291 §2.2 and gives back one (RFC 5952).
  const address = `http://[${text}]/`
  const isWritten = /^[0-9a-f:.]{2,45}$/i.test(text) && URL.canParse(address)
  const host = isWritten ? new URL(address).hostname : undefined
  if (host === undefined) return null
  const [before = '', after] = host.slice(1, -1).split('::')
  const left = groups(before)
  const right = groups(after ?? '')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0n)
  return [...left, ...zeros, ...right].reduce((sum, group) => sum * 65_536n + group, 0n)
}

function groups(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`))
}

interface Block {
  readonly first: bigint
  /** Bits after the prefix. */
  readonly free: bigint
}

function blockOf(text: string): Block {
  const [address = '', prefix = ''] = text.split('/')
  const four = number4(address)
  return { first: four ?? number6(address) ?? 0n, free: BigInt((four === null ? 128 : 32) - Number(prefix)) }
}

const isWithin = (address: bigint, { first, free }: Block): boolean => address >> free === first >> free
