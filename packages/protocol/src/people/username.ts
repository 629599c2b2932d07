/**
 * User names are compared in one normal form: RFC 8265 §3.3, with its compatibility mappings refused instead of
 * applied.
 */

/**
 * Null for an invalid user name. Full-width and other compatibility forms are refused instead of folded: two spellings
 * must not name one account, nor a spelling become another after it was checked.
 */
export function normaliseUsername(text: string): string | null {
  const composed = text.normalize('NFC')
  if (composed !== text.normalize('NFKC')) return null
  const name = composed.toLowerCase().normalize('NFC')
  if (name.length === 0 || name.length > 256) return null
  return /[\p{C}\p{Z}]/u.test(name) ? null : name
}
