/** JSON as it comes from strangers: RFC 8259, with the bounds of RFC 7493 (no repeated names) and ours. */
import { err, ok, type Result } from '../result.ts'
import type { Json } from '../types.ts'

export interface JsonFault {
  readonly pointer: string
  readonly code: 'malformed_json' | 'too_deep' | 'repeated_member' | 'forbidden_member' | 'broken_text'
  readonly detail: string
}

/** Names that turn into prototypes in careless code further on. No field of an API is called so. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

export function readJson(text: string, maxDepth = 32): Result<Json, JsonFault> {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return err({ pointer: '#', code: 'malformed_json', detail: 'The body is not JSON.' })
  }
  const fault = inspect(text, maxDepth)
  return fault === null ? ok(value) : err(fault)
}

/** One pass over text that is known to be JSON: what JSON.parse drops silently (repeated names) is still visible here. */
function inspect(text: string, maxDepth: number): JsonFault | null {
  // One entry per open bracket: the names of an object so far, or null for an array.
  const open: (Set<string> | null)[] = []
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g
  for (const [found, colon] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(found === '{' ? new Set() : null) > maxDepth) {
        return { pointer: '#', code: 'too_deep', detail: `The body is nested deeper than ${maxDepth} levels.` }
      }
    } else if (found === '}' || found === ']') open.pop()
    else if (hasLoneSurrogate(found, colon)) {
      // RFC 7493 §2.1: half a character has no UTF-8, so no two systems would store it alike.
      return { pointer: '#', code: 'broken_text', detail: 'A text holds half of a surrogate pair.' }
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

/** Raw text is well formed, since it came as UTF-8; only an escape can hold a half. */
function hasLoneSurrogate(token: string, colon: string | undefined): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(token)) return false
  return !(JSON.parse(colon === undefined ? token : token.slice(0, -colon.length)) as string).isWellFormed()
}

/** RFC 6901 §6: a pointer as a URI fragment. */
export function pointerTo(path: readonly string[]): string {
  return `#${path.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`
}
