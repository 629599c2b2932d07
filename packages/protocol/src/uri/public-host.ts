/** Hosts and ports that can be recognised, without resolving names, as not being a public web server. */
import { isPublicAddress } from './special-addresses.ts'

export { isPublicAddress }

/** RFC 6761, RFC 6762, RFC 8375, RFC 7686, RFC 9476, ICANN's .internal, and common names of private networks. */
const privateNames = 'localhost localdomain local internal intranet private corp home lan home.arpa onion alt'.split(
  ' ',
)
/** RFC 2606, RFC 6761: names of no network. Documents and tests use them, and they lead nowhere. */
const reservedNames = ['test', 'invalid', 'example']

/** As in a URL's hostname. */
export type HostKind = 'public' | 'private' | 'reserved'

export function hostKind(hostname: string): HostKind {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isAddress(host)) return isPublicAddress(host) ? 'public' : 'private'
  // A name needs a dot inside; a trailing dot would give one host two names, and is not needed.
  if (!/^[^.]+(\.[^.]+)+$/.test(host) || host.length > 253 || isUnder(host, privateNames)) return 'private'
  return isUnder(host, reservedNames) ? 'reserved' : 'public'
}

/** The URL parser has normalised every spelling of an IPv4 address to four numbers. */
const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host)

const isUnder = (host: string, names: readonly string[]): boolean => names.some((name) => host.endsWith(`.${name}`))

/**
 * Ports of other servers than web servers: those that browsers block (the Fetch standard §2.9), and databases, queues
 * and control planes. Below 1024 every port except 443 belongs to another protocol.
 */
const otherProtocols: ReadonlySet<number> = new Set(
  [
    '1433 1434 1521 1719 1720 1723 1883 2049 2181 2375 2376 2379 2380 3268 3269 3306 3389 3659 4045 4190 4369 5060 5061',
    '5222 5269 5432 5433 5671 5672 5900 5901 5984 5985 5986 6000 6379 6380 6443 6566 6665 6666 6667 6668 6669 6679 6697',
    '8086 8125 8300 8301 8302 8500 8883 9042 9092 9093 9200 9300 10080 10250 10255 10256 11211 15672 25565 27017 27018',
    '27019 28017 50000 61613 61616',
  ].flatMap((line) => line.split(' ').map(Number)),
)

export const isOtherProtocolsPort = (port: number): boolean => (port < 1024 ? port !== 443 : otherProtocols.has(port))
