/** Parses JSON from strangers: RFC 8259, with the restrictions of RFC 7493 (no duplicate names) and our own bounds. */
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

export interface JsonFault {
  readonly pointer: string
  readonly code: 'malformed_json' | 'too_deep' | 'repeated_member' | 'forbidden_member' | 'broken_text'
  readonly detail: string
}

/** Names that become prototypes in careless code. No field of an API has such a name. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const nothing: ReadonlySet<string> = new Set()
const maxDepth = 32

/**
 * Null for a text that is not a JSON object, or has a duplicate member: RFC 7515 §4, RFC 7519 §4, RFC 8725 §2.4 leave
 * the choice to the reader, and two readers must not interpret one text differently. Canonically written JSON costs one
 * comparison; only other spellings are scanned.
 */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return null
    const plain = !text.includes(String.raw`\u`) && JSON.stringify(value) === text
    return plain || inspect(text, { maxDepth, forbidden: nothing, nul: 'refused' }) === null ? value : null
  } catch {
    return null
  }
}

/** `nul` 'kept' is for callers that pass texts on, or have a schema that restricts them. */
export function readJson(text: string, depth = maxDepth, nul: JsonBounds['nul'] = 'refused'): Result<Json, JsonFault> {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return err({ pointer: '#', code: 'malformed_json', detail: 'The body is not JSON.' })
  }
  const fault = inspect(text, { maxDepth: depth, forbidden, nul })
  return fault === null ? ok(value) : err(fault)
}

interface JsonBounds {
  readonly maxDepth: number
  readonly forbidden: ReadonlySet<string>
  readonly nul: 'refused' | 'kept'
}

/** One pass over valid JSON text: duplicate names, which JSON.parse drops silently, are still visible here. */
function inspect(text: string, { maxDepth, forbidden, nul }: JsonBounds): JsonFault | null {
  // One entry per open bracket: the names of an object so far, or null for an array.
  const open: (Set<string> | null)[] = []
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g
  for (const [found, colon] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(found === '{' ? new Set() : null) > maxDepth) {
        return { pointer: '#', code: 'too_deep', detail: `The body is nested deeper than ${maxDepth} levels.` }
      }
    } else if (found === '}' || found === ']') open.pop()
    else if (unstorable.test(found)) {
      const held = JSON.parse(colon === undefined ? found : found.slice(0, -colon.length)) as string
      // RFC 7493 §2.1: a lone surrogate has no UTF-8 encoding, so no two systems would store it alike.
      if (!held.isWellFormed()) return brokenText('half of a surrogate pair')
      // PostgreSQL cannot store it in text, and other systems take it for the end of a text.
      if (nul === 'refused' && held.includes('\0')) return brokenText('the character U+0000')
    }
    if (colon !== undefined) {
      const name = JSON.parse(found.slice(0, found.length - colon.length)) as string
      const names = open.at(-1)
      if (forbidden.has(name)) {
        return { pointer: `#/${name}`, code: 'forbidden_member', detail: 'This member name is not accepted.' }
      }
      if (names?.has(name) === true) {
        return {
          pointer: pointerTo([name]),
          code: 'repeated_member',
          detail: 'A member name occurs twice in an object.',
        }
      }
      names?.add(name)
    }
  }
  return null
}

/** Raw text is well-formed, since it was UTF-8, and JSON has no raw U+0000: only an escape can produce either. */
const unstorable = /\\u(?:[dD][89a-fA-F]|0000)/

const brokenText = (what: string): JsonFault => ({
  pointer: '#',
  code: 'broken_text',
  detail: `A text holds ${what}.`,
})

/** RFC 6901 §6: a pointer as a URI fragment. */
export function pointerTo(path: readonly string[]): string {
  return `#${path.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`
}
