/** Reads grantor.yaml into setting names and raw values: nested keys become dotted names. */
import { LineCounter, parseDocument, type Scalar, visit } from 'yaml'
import type { RawValue } from './kinds.ts'

export interface FileEntry {
  readonly name: string
  readonly raw: RawValue | null
}

export function readSettingsFile(source: string): readonly FileEntry[] | { readonly problem: string } {
  const lines = new LineCounter()
  // A settings file has no use for aliases, and they are how small YAML becomes large.
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  // The parser only warns of an unknown tag, but it would silently change the meaning of a value.
  const error = document.errors[0] ?? document.warnings[0]
  if (error) return { problem: `line ${lines.linePos(error.pos[0]).line}: ${error.message}` }
  visit(document, { Scalar: (_key, scalar) => keepWritten(scalar) })
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 0 })
  } catch {
    return { problem: 'aliases are not allowed' }
  }
  if (content === null || content === undefined) return []
  if (typeof content !== 'object' || Array.isArray(content)) return { problem: 'must be a mapping of settings' }
  const values = [...flatten(content, '')]
  const names = values.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return { problem: `${twice} is given twice` }
  const mixed = values.find(([, value]) => Array.isArray(value) && !value.every(isPlain))
  if (mixed !== undefined) return { problem: `${mixed[0]} must be a list of texts` }
  return values.map(([name, value]) => ({ name, raw: rawOf(value) }))
}

/** Keeps the text of numbers that YAML would change: a password 0042 would be 42, and forty digits would be rounded. */
function keepWritten(scalar: Scalar): void {
  if (typeof scalar.value === 'number' && scalar.source !== undefined && String(scalar.value) !== scalar.source)
    scalar.value = scalar.source
}

/** An empty section counts as one key without a value. */
function* flatten(node: object, prefix: string): Generator<readonly [name: string, value: unknown]> {
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    const name = prefix + key
    const isSection = value !== null && typeof value === 'object' && !Array.isArray(value)
    if (isSection && Object.keys(value).length > 0) yield* flatten(value, `${name}.`)
    else yield [name, isSection ? null : value]
  }
}

/** Null, for a key without a value, counts as not given. */
function rawOf(value: unknown): RawValue | null {
  if (Array.isArray(value)) return value.map(String)
  return isPlain(value) ? value : null
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
