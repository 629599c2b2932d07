/** application/x-www-form-urlencoded, strictly: RFC 6749 §3.1, §3.2 and appendix B; bodies and query strings alike. */
import type { Refusal } from './refusal.ts'
import { err, ok, type Result } from '../result.ts'

/** A parsed form or query: every parameter at most once, except those that may repeat. */
export interface Form {
  get(name: string): string | undefined
  all(name: string): readonly string[]
}

/** All other parameters are refused if they come twice. */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience'])

export const formLimits = Object.freeze({ parameters: 100, name: 128, value: 16_384, samlResponse: 60_000 })

const empty: readonly string[] = Object.freeze([])
const nothingToDecode = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/
const control = /\p{Cc}/u

/**
 * Raw non-ASCII is refused instead of guessed: appendix B requires percent-encoding, and a lenient decoder upstream
 * must not change what we read. A raw space is accepted, because people write `scope=a b` by hand.
 */
export function parseForm(text: string): Result<Form, Refusal> {
  const values = new Map<string, readonly string[]>()
  let count = 0
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('&', start)
    const end = next === -1 ? text.length : next
    if (end > start) {
      if (++count > formLimits.parameters) return err({ reason: 'form_malformed' })
      const refused = readPair(text.slice(start, end), values)
      if (refused !== null) return err(refused)
    }
    start = end + 1
  }
  return ok(new ParsedForm(values))
}

/** A form made of pairs that are already decoded. */
export const formOf = (pairs: Iterable<readonly [string, string]>): Form => {
  const values = new Map<string, readonly string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? empty), value])
  return new ParsedForm(values)
}

function readPair(pair: string, values: Map<string, readonly string[]>): Refusal | null {
  const equals = pair.indexOf('=')
  const name = decode(equals === -1 ? pair : pair.slice(0, equals), formLimits.name)
  if (name === null || name === '') return { reason: 'form_malformed' }
  const value = equals === -1 ? '' : decodeValue(name, pair.slice(equals + 1))
  if (value === null) return { reason: 'parameter_malformed', name }
  const earlier = values.get(name)
  // A parameter that comes twice is refused even if one of them is empty, so that it is never ambiguous which one
  // counts.
  if (earlier !== undefined && !repeatable.has(name)) return { reason: 'parameter_repeated', name }
  values.set(name, earlier === undefined ? [value] : [...earlier, value])
  return null
}

/** SAML Bindings §3.5.4: a whole document in base64, which some senders break into lines (RFC 2045 §6.8). */
const decodeValue = (name: string, raw: string): string | null =>
  name === 'SAMLResponse'
    ? decode(raw.replaceAll(/%0[AD]/gi, ''), formLimits.samlResponse)
    : decode(raw, formLimits.value)

/** Whether a text is valid as the value of a parameter, for texts that came in another way. */
export const isFormValue = (text: string): boolean => text.length <= formLimits.value && !control.test(text)

/** Null where the encoding is invalid, the bytes are not UTF-8, it contains a control character, or it is too long. */
function decode(raw: string, limit: number): string | null {
  if (raw.length > limit * 3) return null
  const text = decodeComponent(raw)
  return text === null || text.length > limit ? null : text
}

/** One percent-encoded component, with `+` as space; also used for HTTP Basic credentials (RFC 6749 §2.3.1). */
export function decodeComponent(raw: string): string | null {
  if (nothingToDecode.test(raw)) return raw
  if (/[^\x20-\x7e]/.test(raw)) return null
  try {
    // decodeURIComponent decodes UTF-8 strictly: overlong forms, surrogates and truncated sequences throw.
    const text = decodeURIComponent(raw.replaceAll('+', ' '))
    return control.test(text) ? null : text
  } catch {
    return null
  }
}

/** RFC 6749 §3.1: a parameter sent without a value is treated as if it were omitted. */
class ParsedForm implements Form {
  readonly #values: ReadonlyMap<string, readonly string[]>
  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }
  get(name: string): string | undefined {
    const value = this.#values.get(name)?.[0]
    return value === '' ? undefined : value
  }
  all(name: string): readonly string[] {
    return this.#values.get(name)?.filter((value) => value !== '') ?? empty
  }
}
