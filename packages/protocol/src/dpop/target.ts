/** What `htu` of a proof is compared by: RFC 9449 §4.3, normalised as RFC 3986 §6.2.2 and §6.2.3 say. */

/** Scheme, host, port and path in one spelling, without query and fragment; null for what no request can be sent to. */
export function normalisedTarget(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  return url.origin + url.pathname.replaceAll(/%[\da-f]{2}/gi, normalisedOctet)
}

/** RFC 3986 §6.2.2.2: an unreserved character is written as itself, every other octet in upper case. */
function normalisedOctet(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
}
