/** A YAML or JSON text as plain JSON, with the line of each field. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

export interface SourceProblem {
  readonly line: number
  /** A path such as `clients[0].redirect_uris[1]`; empty for the whole text. */
  readonly field: string
  readonly problem: string
}

export interface Source {
  readonly value: Json
  /** The line of a field, or of its nearest ancestor in the text. */
  readonly lineOf: (field: string) => number
}

/**
 * YAML aliases may repeat a part: these bounds keep a small file from expanding into a large one. They count only what
 * aliases repeat.
 */
const maxRepeated = 200_000
const maxDepth = 32
/** Limited, because each alias is resolved by walking the document. */
const maxAliases = 1_000

export function readSource(text: string): Result<Source, readonly SourceProblem[]> {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true, version: '1.2' })
  const lineAt = (offset: number): number => counter.linePos(offset).line || 1
  // The parser only warns of an unknown tag, but it would silently change the meaning of a value.
  const syntax = [...document.errors, ...document.warnings]
  if (syntax.length > 0)
    return err(syntax.map(({ pos, message }) => ({ line: lineAt(pos[0]), field: '', problem: inWords(message) })))
  const walk = new SourceWalk(document, lineAt)
  const value = walk.json(document.contents, '', 0)
  if (walk.problems.length > 0) return err(walk.problems)
  return ok({ value, lineOf: (field) => nearest(walk.lines, field) })
}

const inWords = (message: string): string =>
  message.startsWith('Source contains multiple documents') ? 'the file holds more than one document' : message

class SourceWalk {
  readonly lines = new Map<string, number>()
  readonly problems: SourceProblem[] = []
  #repeated = 0
  #repeating = 0
  #aliases = 0
  readonly #document: Document
  readonly #lineAt: (offset: number) => number

  constructor(document: Document, lineAt: (offset: number) => number) {
    this.#document = document
    this.#lineAt = lineAt
  }

  json(node: unknown, field: string, depth: number): Json {
    if (node === null || node === undefined) return null
    const it = node as Node
    if (!this.lines.has(field)) this.lines.set(field, this.#lineAt(it.range?.[0] ?? 0))
    if (this.#repeating > 0) this.#repeated += 1
    if (isAlias(it)) this.#aliases += 1
    if (this.#repeated > maxRepeated || this.#aliases > maxAliases || depth > maxDepth)
      return this.#refuse(field, 'is too large or nested too deeply')
    if (isAlias(it)) {
      const meant = it.resolve(this.#document)
      if (meant === undefined) return this.#refuse(field, `names an anchor that is not set: ${it.source}`)
      this.#repeating += 1
      const repeated = this.json(meant, field, depth + 1)
      this.#repeating -= 1
      return repeated
    }
    if (isMap(it)) return this.#map(it.items, field, depth)
    if (isSeq(it)) {
      const items: Json[] = []
      for (const [at, item] of it.items.entries()) {
        if (this.#repeated > maxRepeated) break
        items.push(this.json(item, `${field}[${at}]`, depth + 1))
      }
      return items
    }
    return isScalar(it) ? this.#scalar(it.value, field) : this.#refuse(field, 'is not a JSON value')
  }

  #map(pairs: readonly { readonly key: unknown; readonly value: unknown }[], field: string, depth: number): JsonObject {
    const entries: [string, Json][] = []
    for (const { key, value } of pairs) {
      if (this.#repeated > maxRepeated) break
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.#refuse(field, 'has a key that is not text')
        continue
      }
      const name = field === '' ? key.value : `${field}.${key.value}`
      // The line of the key, not of its value, because a reader looks for the field there.
      this.lines.set(name, this.#lineAt(key.range?.[0] ?? 0))
      entries.push([key.value, this.json(value, name, depth + 1)])
    }
    // fromEntries defines own properties, so that a key `__proto__` is only a key.
    return Object.fromEntries(entries)
  }

  #scalar(value: unknown, field: string): Json {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    return typeof value === 'number' && Number.isFinite(value) ? value : this.#refuse(field, 'is not a JSON value')
  }

  #refuse(field: string, problem: string): null {
    if (this.problems.length < 50) this.problems.push({ line: nearest(this.lines, field), field, problem })
    return null
  }
}

/** Shortens the path from its end until its line is known. */
function nearest(lines: ReadonlyMap<string, number>, field: string): number {
  let path = field
  while (path !== '' && !lines.has(path))
    path = path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')))
  return lines.get(path) ?? 1
}
