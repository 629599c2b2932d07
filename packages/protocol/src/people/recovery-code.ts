/** Recovery codes: long random words for the day a phone is lost; each works once. */

/** Crockford's base 32: five bits a letter, and none that is mistaken for another when copied from paper. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits: nobody guesses them, so a plain hash is enough at rest. */
const length = 16

/** How many a person gets at a time. */
export const recoveryCodeCount = 10

/** `random` brings a byte for each letter. */
export function recoveryCode(random: Uint8Array): string {
  if (random.length < length) throw new Error('too little randomness for a recovery code')
  const text = [...random.subarray(0, length)].map((byte) => letters[byte % letters.length]).join('')
  return text.match(/.{4}/g)?.join('-') ?? text
}

/** The one spelling that is compared; null for what cannot be one. */
export function normalRecoveryCode(typed: string): string | null {
  if (typed.length > 64) return null
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(text) ? text : null
}
