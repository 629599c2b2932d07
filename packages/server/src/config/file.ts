/** Reads grantor.yaml into setting names and raw values: nested keys become dotted names. */
import { LineCounter, parseDocument } from 'yaml'
import type { RawValue } from './kinds.ts'

export interface FileEntry {
  readonly name: string
  readonly raw: RawValue | null
}

export function readSettingsFile(source: string): readonly FileEntry[] | { readonly problem: string } {
  const lines = new LineCounter()
  // A settings file has no use for aliases, and they are how small YAML becomes large.
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const error = document.errors[0]
  if (error) return { problem: `line ${lines.linePos(error.pos[0]).line}: ${error.message}` }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 0 })
  } catch {
    return { problem: 'aliases are not allowed' }
  }
  if (content === null || content === undefined) return []
  if (typeof content !== 'object' || Array.isArray(content)) return { problem: 'must be a mapping of settings' }
  return [...flatten(content, '')]
}

function* flatten(node: object, prefix: string): Generator<FileEntry> {
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    const name = prefix + key
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) yield* flatten(value, `${name}.`)
    else yield { name, raw: rawOf(value) }
  }
}

/** Null is a key without a value: as if it were not there. */
function rawOf(value: unknown): RawValue | null {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
