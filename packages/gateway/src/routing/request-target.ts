/** The target of a request in normal form, which is both checked and forwarded (RFC 3986 §6.2.2, RFC 9112 §3.2). */
import { err, ok, type Result } from '@grantor/protocol/result'

export interface RequestTarget {
  /** In normal form, as it is forwarded. */
  readonly path: string
  /** With its question mark; empty where there is no query. */
  readonly query: string
}

/** The characters of a path by RFC 3986 §3.3. */
const pathText = /^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/
const queryText = /^(?:\?[\x21\x22\x24-\x7E]*)?$/
/** A slash, a backslash or a control character, percent-encoded once or more: servers differ in when they decode it. */
const disguised = /%(?:25)*(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/i
const disguisedDot = /%25(?:25)*2e/i
const triplets = /%([0-9A-Fa-f]{2})?/g
const unreserved = /[A-Za-z0-9._~-]/

/**
 * A path that the API could take for another one is refused, not repaired, as no honest client sends it: dot segments,
 * also as `%2e` or with a parameter (`..;x`), empty segments, and encoded slashes.
 */
export function readTarget(target: string): Result<RequestTarget, string> {
  const at = target.indexOf('?')
  const raw = at < 0 ? target : target.slice(0, at)
  const query = at < 0 ? '' : target.slice(at)
  if (!pathText.test(raw) || !queryText.test(query)) return err('The address holds characters that no address has.')
  const path = raw.includes('%') ? normalTriplets(raw) : raw
  if (path === null) return err('The path holds a percent sign that encodes nothing.')
  // In normal form: `%25%32%66` becomes `%252f`.
  if (disguised.test(path) || disguisedDot.test(path))
    return err('The path holds an encoded slash, backslash or control character.')
  const segments = path.slice(1).split('/')
  for (const [index, segment] of segments.entries()) {
    if (segment === '' && index < segments.length - 1) return err('The path holds an empty segment.')
    const [name] = segment.split(';')
    if (name === '.' || name === '..') return err('The path holds a dot segment.')
  }
  return ok({ path, query })
}

/** `{name}`: stands for one segment, or a part of one. */
const parameter = /(\{[^{}/;]+\})/

/**
 * Brings a path as people write it into the normal form of requests: characters outside its parameters are encoded
 * where needed. Without that, the path would match no request.
 */
export function readTemplate(path: string): Result<string, string> {
  if (!path.isWellFormed()) return err('The path holds half a character.')
  const isParameter = (at: number): boolean => at % 2 === 1
  const written = path.split(parameter)
  const parts = written.map((part, at) => (isParameter(at) ? part : encodeURI(part).replaceAll('%25', '%')))
  const target = readTarget(parts.map((part, at) => (isParameter(at) ? 'x' : part)).join(''))
  if (target.kind === 'error') return target
  if (target.value.query !== '') return err('The path holds a question mark.')
  if (written.some((part, at) => !isParameter(at) && /[{}]/.test(part)))
    return err('The path holds a brace that is of no parameter.')
  return ok(parts.map((part, at) => (isParameter(at) ? part : (normalTriplets(part) ?? part))).join(''))
}

/** RFC 3986 §6.2.2.1 and §6.2.2.2: one spelling for each character; null where a percent sign encodes nothing. */
function normalTriplets(path: string): string | null {
  let broken = false
  const normal = path.replaceAll(triplets, (whole, digits: string | undefined) => {
    if (digits === undefined) broken = true
    const character = String.fromCharCode(parseInt(digits ?? '0', 16))
    return unreserved.test(character) ? character : whole.toUpperCase()
  })
  return broken ? null : normal
}

/**
 * The segments by which a path is looked up. Many servers take `/Admin`, `/admin/` and `/admin;x` for `/admin`, so all
 * these fall under the same route.
 */
export function matchedSegments(path: string): readonly string[] {
  const segments = path.slice(1).toLowerCase().split('/')
  if (segments.at(-1) === '') segments.pop()
  return path.includes(';') ? segments.map((segment) => segment.split(';', 1).join('')) : segments
}
