/** The comparison form of a proof's `htu`: RFC 9449 §4.3, normalised according to RFC 3986 §6.2.2 and §6.2.3. */

/**
 * Scheme, host, port and path in normalised spelling, without query and fragment; null for an address of no request.
 */
export function normalisedTarget(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  return url.origin + url.pathname.replaceAll(/%[\da-f]{2}/gi, normalisedOctet)
}

/** RFC 3986 §6.2.2.2: an unreserved character is decoded, every other octet is written in upper case. */
function normalisedOctet(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
}
