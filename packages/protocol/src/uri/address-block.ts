/** Blocks of IP addresses in the notation of RFC 4632 §3.1 and RFC 4291 §2.3, and whether an address belongs to one. */

export interface AddressBlock {
  readonly family: 4 | 6
  readonly first: bigint
  /** Bits after the prefix. */
  readonly free: bigint
}

/** A single address is a block of one. Null for anything else, also if bits after the prefix are set. */
export function addressBlock(text: string): AddressBlock | null {
  const [, address = '', prefix] = /^([^/]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const four = number4(address)
  const first = four ?? number6(address)
  const bits = four === null ? 128 : 32
  const free = bits - Number(prefix ?? bits)
  if (first === null || free < 0 || (first >> BigInt(free)) << BigInt(free) !== first) return null
  return { family: four === null ? 6 : 4, first, free: BigInt(free) }
}

/** For constants in the code. */
export function knownBlock(text: string): AddressBlock {
  const block = addressBlock(text)
  if (block === null) throw new Error(`${text} is no block of addresses`)
  return block
}

/** RFC 4291 §2.5.5.2: an IPv4 address on an IPv6 socket is treated as IPv4. */
const mapped = 0xffffn

export function isWithinBlocks(address: string, blocks: readonly AddressBlock[]): boolean {
  const four = number4(address)
  const six = four === null ? number6(address) : null
  if (six !== null && six >> 32n !== mapped) return isWithinFamily(6, six, blocks)
  const number = six === null ? four : six & 0xffff_ffffn
  return number !== null && isWithinFamily(4, number, blocks)
}

const isWithinFamily = (family: 4 | 6, address: bigint, blocks: readonly AddressBlock[]): boolean =>
  blocks.some((block) => block.family === family && isWithin(address, block))

export const isWithin = (address: bigint, { first, free }: AddressBlock): boolean => address >> free === first >> free

/** The number of an address, or null for a text that is not a plain IPv4 or IPv6 address; zones are not accepted. */
export function number4(text: string): bigint | null {
  const parts = /^\d{1,3}(\.\d{1,3}){3}$/.test(text) ? text.split('.') : []
  const plain = parts.length === 4 && parts.every((part) => Number(part) < 256 && String(Number(part)) === part)
  return plain ? parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) : null
}

export function number6(text: string): bigint | null {
  // The URL parser accepts every form of RFC 4291 §2.2 and returns a canonical one (RFC 5952).
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
