/** User names compare by one normal form: RFC 8265 §3.3, with its compatibility mappings refused instead of applied. */

/**
 * Null for what is no user name. Full-width and other look-alike forms are refused rather than folded: two people
 * must not be able to spell one account, nor one spelling become another after it was checked.
 */
export function normaliseUsername(text: string): string | null {
  const composed = text.normalize('NFC')
  if (composed !== text.normalize('NFKC')) return null
  const name = composed.toLowerCase().normalize('NFC')
  if (name.length === 0 || name.length > 256) return null
  return /[\p{C}\p{Z}]/u.test(name) ? null : name
}
