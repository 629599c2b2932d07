/** Identifiers of resources and issuers compare by what they mean: RFC 3986 §6.2. Redirect URIs do not: redirect-uri.ts. */

import { textLimits } from './text-limits.ts'

/** RFC 3986 §6.2: one text for all spellings that mean the same place; null for what is no absolute URI without fragment. */
export function canonicalUri(text: string): string | null {
  // The URL parser drops tabs, line breaks and surrounding blanks, and mends backslashes: none of them is a URI.
  if (text.length > textLimits.uri || !/^[a-z][a-z0-9+.-]*:[!$&-;=?-Z_a-z~%[\]]+$/i.test(text)) return null
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return null
  // Scheme and host are lower case and the default port is gone by parsing; a bare origin got its slash there.
  return url.href
}

export const sameUri = (a: string, b: string): boolean => {
  const canonical = canonicalUri(a)
  return canonical !== null && canonical === canonicalUri(b)
}
