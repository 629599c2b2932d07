/** The mutants of a file: one small defect each, known by where it is and what it changes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Defect } from './defect.ts'
import { defectsAt } from './operators.ts'
import { nodesOf } from './syntax.ts'

export interface Mutant extends Defect {
  /** Relative to the root. */
  readonly file: string
  readonly line: number
  /** What stands there, and the whole line, without the space around it. */
  readonly was: string
  readonly text: string
}

export function mutantsOf(file: string, root: string): readonly Mutant[] {
  const source = readFileSync(join(root, file), 'utf8')
  const seen = new Set<string>()
  const mutants = nodesOf(source).flatMap((visited) => defectsAt(visited, source))
  return mutants
    .filter(({ start, end, becomes }) => {
      const key = `${start} ${end} ${becomes}`
      return source.slice(start, end) !== becomes && !seen.has(key) && seen.add(key)
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end || a.becomes.localeCompare(b.becomes))
    .map((defect) => ({ ...defect, file, ...placeOf(source, defect) }))
}

function placeOf(source: string, { start, end }: Defect) {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const to = source.indexOf('\n', start)
  return {
    line: source.slice(0, start).split('\n').length,
    was: source.slice(start, end),
    text: source.slice(from, to < 0 ? undefined : to).trim(),
  }
}

export const mutated = (source: string, { start, end, becomes }: Defect): string =>
  source.slice(0, start) + becomes + source.slice(end)

const brief = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 70)

export const describeMutant = ({ file, line, operator, was, becomes }: Mutant): string =>
  `${file}:${line} ${operator}: ${brief(was)} → ${brief(becomes) || 'nothing'}`
