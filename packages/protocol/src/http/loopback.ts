/** Loopback hosts: RFC 8252 §7.3, RFC 6761 §6.3. */

/**
 * As in a URL's hostname. Compared literally: URL parsers normalise 127.1, 0x7f000001 and many others to the same
 * address.
 */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export const isLoopbackHost = (hostname: string): boolean => loopbackHosts.includes(hostname)
