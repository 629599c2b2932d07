/** Recovery codes: long random codes for a person who lost their factors; each works once. */

/** Crockford's base32: five bits per letter, without letters that are confused when copied from paper. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits cannot be guessed, so a plain hash is stored. */
const length = 16

/** How many codes a person gets at a time. */
export const recoveryCodeCount = 10

/** `random` has a byte for each letter. */
export function recoveryCode(random: Uint8Array): string {
  if (random.length < length) throw new Error('too little randomness for a recovery code')
  const text = [...random.subarray(0, length)].map((byte) => letters[byte % letters.length]).join('')
  return text.match(/.{4}/g)?.join('-') ?? text
}

/** The canonical spelling, which is compared; null for a text that cannot be a code. */
export function normalRecoveryCode(typed: string): string | null {
  if (typed.length > 64) return null
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(text) ? text : null
}
