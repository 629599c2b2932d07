/**
 * The addresses that outbound calls must not reach: IANA's special-purpose registries of IPv4 and IPv6, and similar
 * ones.
 */
import { isWithin, knownBlock, number4, number6 } from './address-block.ts'

const special4: readonly string[] = [
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private use, RFC 1918
  '100.64.0.0/10', // shared address space, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // the metadata of a cloud, at an address that looks public
  '169.254.0.0/16', // link-local, RFC 3927; the metadata of most clouds
  '172.16.0.0/12', // private use, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // multicast tunnels, RFC 7450
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private use, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112; broadcast
]

/** The special blocks inside 2000::/3; everything outside of it is special. */
const special6: readonly string[] = [
  '2001::/23', // protocol assignments, RFC 2928: Teredo, benchmarking, ORCHID, DRIP
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056: an IPv4 address in disguise
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3ffe::/16', // the 6bone that was, RFC 3701
  '3fff::/20', // documentation, RFC 9637
]

/**
 * RFC 4291 §2.4: global unicast; loopback, mapped, translated (64:ff9b::), local and multicast addresses are outside of
 * it.
 */
const global6 = knownBlock('2000::/3')
const blocks4 = special4.map(knownBlock)
const blocks6 = special6.map(knownBlock)

/** Whether an address belongs to the public network. False for a text that is not a plain address. */
export function isPublicAddress(address: string): boolean {
  const four = number4(address)
  if (four !== null) return !blocks4.some((block) => isWithin(four, block))
  const six = number6(address)
  return six !== null && isWithin(six, global6) && !blocks6.some((block) => isWithin(six, block))
}
