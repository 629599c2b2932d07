/** The key of an IP address for limits per address. */

/**
 * For IPv6 the first half of the address: whoever has one address has 2^64 of them, and could use a new one for each
 * try.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  const whole = [...groups, ...zeros, ...after].slice(0, 4)
  return `${whole.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}/64`
}
