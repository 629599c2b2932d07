/** The user code: RFC 8628 §6.1. Eight letters that are not easily confused and spell no word, shown as XXXX-XXXX. */
import type { Brand } from '../types.ts'

/** In canonical form: eight letters of the alphabet without separators. */
export type UserCode = Brand<string, 'user code'>

/**
 * No vowels, no digits: 20 letters, 20^8 = 2.56e10 codes, 34.6 bits. Limits protect against guessing, not the length.
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/**
 * Bytes from here on are skipped, since they would make some letters more likely: 240 is the last multiple of 20 below
 * 256.
 */
const fair = 256 - (256 % alphabet.length)

/** Null where too few of the bytes were usable; with 32 random bytes that happens once in 10^23. */
export function userCodeFrom(random: Uint8Array): UserCode | null {
  const letters = [...random].filter((byte) => byte < fair).map((byte) => alphabet[byte % alphabet.length])
  return letters.length < length ? null : (letters.slice(0, length).join('') as UserCode)
}

/** §6.1: case and separators are ignored. Null where it cannot be a code. */
export function parseUserCode(typed: string): UserCode | null {
  if (typed.length > 64) return null
  const letters = typed.toUpperCase().replaceAll(/[\s\p{Pd}._]/gu, '')
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? (letters as UserCode) : null
}

export const showUserCode = (code: UserCode): string => `${code.slice(0, 4)}-${code.slice(4)}`
