/** Attributes of people besides the claims of OIDC: a bounded object of plain values, for mapped claims. */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

/** They are put into tokens, which are sent in headers. */
export const attributeLimits = Object.freeze({ number: 50, nameLength: 64, size: 8192, listLength: 100 })

const attributeName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

export const isAttributeName = (name: string): boolean => attributeName.test(name)

const isPlain = (value: Json): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

/** The problem of attributes as written; null where they have none. */
export function attributesProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object'
  const entries = Object.entries(value satisfies JsonObject)
  if (entries.length > attributeLimits.number) return `must not have more than ${attributeLimits.number} members`
  for (const [name, it] of entries) {
    if (!isAttributeName(name))
      return 'must have names of at most 64 letters, digits, hyphens and underscores, beginning with a letter'
    const plain = isPlain(it) || (Array.isArray(it) && it.length <= attributeLimits.listLength && it.every(isPlain))
    if (!plain) return 'must have texts, numbers, truth values or short lists of them as values'
  }
  const tooLong = Buffer.byteLength(JSON.stringify(value)) > attributeLimits.size
  return tooLong ? `must not be longer than ${attributeLimits.size} bytes` : null
}
