/** Secrets of authenticator apps as exports hold them. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, in either case, with or without padding; null for what is none. */
export function base32Bytes(encoded: string): Uint8Array | null {
  const digits = encoded.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  if (digits === '' || !/^[A-Z2-7]+$/.test(digits)) return null
  const bits = Array.from(digits, (digit) => letters.indexOf(digit).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}
