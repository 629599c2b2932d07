/** The text of an API key: a prefix, 256 random bits and a checksum, in letters and digits only (docs/api-keys.md). */
import { secretPrefix } from '../oauth/token-shape.ts'
import type { Secret } from '../types.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = BigInt(digits.length)
const randomLength = 32
/** The number of digits of the largest 36-byte number, so that every key has the same length. */
const length = 49
const tooLarge = 1n << BigInt(8 * (randomLength + 4))

/** The pattern for secret scanners. The first digit is small, because 36 bytes do not fill all 49 digits. */
export const apiKeyPattern = /^gk_[0-4][0-9A-Za-z]{48}$/

/** The key of 32 random bytes; the same bytes give the same key. */
export function apiKeyOf(random: Uint8Array): Secret {
  if (random.length !== randomLength) throw new RangeError(`an API key is made of ${randomLength} bytes`)
  let rest = (numberOf(random) << 32n) | BigInt(crc32(random))
  let text = ''
  for (let n = 0; n < length; n++) {
    text = `${digits[Number(rest % base)]}${text}`
    rest /= base
  }
  return `${secretPrefix.apiKey}${text}` as Secret
}

/** Whether a text can be a key at all, so that a mistyped one is refused without a lookup. */
export function isApiKey(text: string): boolean {
  if (!apiKeyPattern.test(text)) return false
  let number = 0n
  for (const digit of text.slice(secretPrefix.apiKey.length)) number = number * base + BigInt(digits.indexOf(digit))
  return number < tooLarge && BigInt(crc32(bytesOf(number >> 32n))) === (number & 0xffff_ffffn)
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

const bytesOf = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: randomLength }, (_, n) => Number((number >> BigInt(8 * (randomLength - 1 - n))) & 0xffn))

/** CRC-32 as in ISO 3309 and zip: it detects typing errors, not forgeries. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}
