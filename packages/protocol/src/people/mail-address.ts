/** Mail addresses: a plain subset of RFC 5321 §4.1.2 and RFC 6531, without quoting, comments, routes or literals. */

/**
 * The characters allowed besides letters and digits; those that could end an address, or begin another one, are
 * excluded.
 */
const atom = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-][\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]*"
const local = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u')
const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** RFC 5321 §4.5.3.1: 64 octets before the @, 255 after, 256 for a path with its brackets. */
export function isMailAddress(text: string): boolean {
  if (new TextEncoder().encode(text).length > 254) return false
  const [name = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || new TextEncoder().encode(name).length > 64 || !local.test(name)) return false
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((it) => it.length <= 63 && label.test(it))
}

/** Spellings that people do not distinguish are treated as one address; mail is sent to the address as written. */
export const emailKey = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC')
