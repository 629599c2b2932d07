/** Decodes the secrets of authenticator apps in exports. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6 in upper or lower case, with or without padding; null if it is not base 32. */
export function base32Bytes(encoded: string): Uint8Array | null {
  const digits = encoded.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  if (digits === '' || !/^[A-Z2-7]+$/.test(digits)) return null
  const bits = Array.from(digits, (digit) => letters.indexOf(digit).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}
