/**
 * Identifiers of resources and issuers are compared in normalised form: RFC 3986 §6.2. Redirect URIs are not:
 * redirect-uri.ts.
 */

import { textLimits } from './text-limits.ts'

/**
 * RFC 3986 §6.2: the same text for all equivalent spellings; null for a text that is not an absolute URI without
 * fragment.
 */
export function canonicalUri(text: string): string | null {
  // The URL parser drops tabs, line breaks and surrounding blanks, and replaces backslashes: a text with any of them is
  // not a URI.
  if (text.length > textLimits.uri || !/^[a-z][a-z0-9+.-]*:[!$&-;=?-Z_a-z~%[\]]+$/i.test(text)) return null
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return null
  // The parser has lower-cased scheme and host, dropped the default port, and added the slash to a bare origin.
  return url.href
}

export const sameUri = (a: string, b: string): boolean => {
  const canonical = canonicalUri(a)
  return canonical !== null && canonical === canonicalUri(b)
}
