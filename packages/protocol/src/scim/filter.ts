/** The filter language: RFC 7644 §3.4.2.2, parsed by recursive descent within bounds. */
import { err, ok, type Result } from '../result.ts'
import { badRequest, type ScimError } from './error.ts'
import { type AttributePath, parseAttributePath } from './path.ts'

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]

export type FilterValue = string | number | boolean | null

export type Filter =
  | {
      readonly kind: 'compare'
      readonly path: AttributePath
      readonly op: Comparison
      readonly value: FilterValue
    }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  /** One value of a multi-valued attribute fulfils the whole inner filter: `emails[type eq "work"]`. */
  | { readonly kind: 'values'; readonly path: AttributePath; readonly where: Filter }

/** Limits that no legitimate filter exceeds. */
export const filterBounds = Object.freeze({ length: 2048, depth: 8, terms: 50 })

interface Token {
  readonly kind: 'word' | 'text' | 'mark' | 'end'
  readonly text: string
}

/** Words are names, operators and literals; quoted strings are those of JSON (§3.4.2.2: compValue). */
const lexeme = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y

class Fault {
  readonly error: ScimError
  constructor(error: ScimError) {
    this.error = error
  }
}

const invalid = (detail: string): Fault => new Fault(badRequest('invalidFilter', detail).error)

class Reader {
  readonly #text: string
  #at = 0
  #next: Token
  #depth = 0
  #terms = 0

  constructor(text: string) {
    this.#text = text
    this.#next = this.#read()
  }

  get next(): Token {
    return this.#next
  }

  take(): Token {
    const taken = this.#next
    this.#next = this.#read()
    return taken
  }

  /** Consumes the next word or mark if it is the given one. */
  takeIf(text: string): boolean {
    if (this.#next.kind === 'text' || this.#next.text.toLowerCase() !== text) return false
    this.take()
    return true
  }

  isAt(mark: string): boolean {
    return this.#next.kind === 'mark' && this.#next.text === mark
  }

  expect(mark: string): void {
    if (!this.takeIf(mark)) throw invalid(`The filter lacks a ${mark}.`)
  }

  countTerm(): void {
    if (++this.#terms > filterBounds.terms)
      throw new Fault(badRequest('tooMany', `A filter has at most ${filterBounds.terms} terms.`).error)
  }

  nested<T>(read: () => T): T {
    if (++this.#depth > filterBounds.depth)
      throw invalid(`A filter is nested at most ${filterBounds.depth} levels deep.`)
    const it = read()
    this.#depth--
    return it
  }

  #read(): Token {
    lexeme.lastIndex = this.#at
    const found = lexeme.exec(this.#text)
    if (found === null) {
      if (this.#text.slice(this.#at).trim() !== '') throw invalid('The filter holds a text without an end.')
      return { kind: 'end', text: '' }
    }
    this.#at = lexeme.lastIndex
    const [, quoted, mark, word = ''] = found
    if (quoted !== undefined) return { kind: 'text', text: unquoted(quoted) }
    return mark === undefined ? { kind: 'word', text: word } : { kind: 'mark', text: mark }
  }
}

function unquoted(quoted: string): string {
  try {
    const text = JSON.parse(quoted) as string
    if (text.isWellFormed()) return text
  } catch {}
  throw invalid('The filter holds a text that is not written as in JSON.')
}

export function parseFilter(text: string): Result<Filter, ScimError> {
  return reading(text, (reader) => {
    const filter = either(reader)
    if (reader.next.kind !== 'end') throw invalid('The filter goes on after its end.')
    return filter
  })
}

/**
 * The path of a PATCH operation (RFC 7644 §3.5.2): an attribute, optionally with a value filter and a sub-attribute.
 */
export interface ValuePath {
  readonly path: AttributePath
  readonly where: Filter | null
}

export function parseValuePath(text: string): Result<ValuePath, ScimError> {
  const read = reading(text, (reader) => {
    const path = attributePath(reader.take())
    const where = reader.isAt('[') ? bracketed(reader) : null
    const sub = where === null ? path.sub : (subAttribute(reader) ?? path.sub)
    if (reader.next.kind !== 'end') throw invalid('The path goes on after its end.')
    return { path: { ...path, sub }, where }
  })
  return read.kind === 'ok' ? read : badRequest('invalidPath', read.error.detail.replace('filter', 'path'))
}

function reading<T>(text: string, read: (reader: Reader) => T): Result<T, ScimError> {
  if (text.length > filterBounds.length)
    return badRequest('invalidFilter', `A filter has at most ${filterBounds.length} characters.`)
  try {
    return ok(read(new Reader(text)))
  } catch (fault) {
    if (fault instanceof Fault) return err(fault.error)
    throw fault
  }
}

/** `or` has the lowest precedence, then `and`, then `not`. */
const either = (reader: Reader): Filter => chain(reader, 'or', (it) => chain(it, 'and', term))

function chain(reader: Reader, kind: 'and' | 'or', read: (reader: Reader) => Filter): Filter {
  const first = read(reader)
  if (reader.next.kind !== 'word' || reader.next.text.toLowerCase() !== kind) return first
  const terms = [first]
  while (reader.next.kind === 'word' && reader.takeIf(kind)) terms.push(read(reader))
  return { kind, terms }
}

function term(reader: Reader): Filter {
  reader.countTerm()
  if (reader.takeIf('(')) return inBrackets(reader, ')')
  const word = reader.take()
  if (word.kind === 'word' && word.text.toLowerCase() === 'not') {
    reader.expect('(')
    return { kind: 'not', term: inBrackets(reader, ')') }
  }
  const path = attributePath(word)
  if (!reader.isAt('[')) return comparison(path, reader)
  const where = bracketed(reader)
  const sub = subAttribute(reader)
  if (sub === null) return { kind: 'values', path, where }
  // `emails[type eq "work"].value eq "a@b"`: not in the RFC's grammar, but sent by clients; one value must fulfil both.
  const more = comparison({ schema: null, attribute: sub, sub: null }, reader)
  return { kind: 'values', path, where: { kind: 'and', terms: [where, more] } }
}

const inBrackets = (reader: Reader, close: string): Filter =>
  reader.nested(() => {
    const filter = either(reader)
    reader.expect(close)
    return filter
  })

function bracketed(reader: Reader): Filter {
  reader.expect('[')
  return inBrackets(reader, ']')
}

/** The sub-attribute after a bracket: `.value`. */
function subAttribute(reader: Reader): string | null {
  if (reader.next.kind !== 'word' || !reader.next.text.startsWith('.')) return null
  const { attribute, sub } = attributePath({ kind: 'word', text: reader.take().text.slice(1) })
  if (sub !== null) throw invalid('The filter names a part of a part.')
  return attribute
}

function attributePath({ kind, text }: Token): AttributePath {
  const path = kind === 'word' ? parseAttributePath(text) : null
  if (path === null) throw invalid('The filter lacks the name of an attribute.')
  return path
}

function comparison(path: AttributePath, reader: Reader): Filter {
  const { kind, text } = reader.take()
  const word = kind === 'word' ? text.toLowerCase() : ''
  if (word === 'pr') return { kind: 'present', path }
  const op = comparisons.find((it) => it === word)
  if (op === undefined) throw invalid('The filter lacks an operator that is known here.')
  return { kind: 'compare', path, op, value: literal(reader.take()) }
}

function literal({ kind, text }: Token): FilterValue {
  if (kind === 'text') return text
  const word = kind === 'word' ? text.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'null') return null
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(word)) return Number(word)
  throw invalid('The filter lacks a value: a text in double quotes, a number, true, false or null.')
}
