/** The user code: RFC 8628 §6.1. Eight letters that read alike in no font and spell no word, shown as XXXX-XXXX. */
import type { Brand } from '../types.ts'

/** In its one form: eight letters of the alphabet, nothing between them. */
export type UserCode = Brand<string, 'user code'>

/** No vowels, no digits: 20 letters, 20^8 = 2.56e10 codes, 34.6 bits. What is typed is guarded by limits, not by length. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** Bytes from here on would make some letters likelier than others: 240 is the last multiple of 20 below 256. */
const fair = 256 - (256 % alphabet.length)

/** Null where too few of the bytes could be used; of 32 random ones that happens once in 10^23. */
export function userCodeFrom(random: Uint8Array): UserCode | null {
  const letters = [...random].filter((byte) => byte < fair).map((byte) => alphabet[byte % alphabet.length])
  return letters.length < length ? null : (letters.slice(0, length).join('') as UserCode)
}

/** §6.1: case, and whatever people put between the letters, mean nothing. Null where it cannot be a code. */
export function parseUserCode(typed: string): UserCode | null {
  if (typed.length > 64) return null
  const letters = typed.toUpperCase().replaceAll(/[\s\p{Pd}._]/gu, '')
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? (letters as UserCode) : null
}

export const showUserCode = (code: UserCode): string => `${code.slice(0, 4)}-${code.slice(4)}`
