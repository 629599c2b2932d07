/** Mutants that change nothing anybody could notice, each with its reason; a list that no longer fits is an error. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf } from './mutants.ts'

export interface Equivalent {
  readonly file: string
  /** The whole line, without the space around it. */
  readonly text: string
  /** What stands there and what it becomes; of several alike in a line, all. */
  readonly was: string
  readonly becomes: string
  readonly reason: string
}

export const equivalentsFile = 'scripts/mutation/equivalents.json'

/** Throws where an entry fits no mutant of its file any more: it would hide nothing, or soon something else. */
export function readEquivalents(root: string): (mutant: Mutant) => boolean {
  const list = JSON.parse(readFileSync(join(root, equivalentsFile), 'utf8')) as readonly Equivalent[]
  const files = new Map<string, readonly Mutant[]>()
  const unfit = list.filter((entry) => {
    const mutants = files.get(entry.file) ?? mutantsOf(entry.file, root)
    files.set(entry.file, mutants)
    return entry.reason === '' || !mutants.some((mutant) => isSame(entry, mutant))
  })
  if (unfit.length > 0) {
    const lines = unfit.map(({ file, text, was, becomes }) => `${file}: ${was} → ${becomes} in "${text}"`)
    throw new Error(`${equivalentsFile} names what is not there any more:\n${lines.join('\n')}`)
  }
  return (mutant) => list.some((entry) => isSame(entry, mutant))
}

const isSame = (entry: Equivalent, { file, text, was, becomes }: Mutant): boolean =>
  entry.file === file && entry.text === text && entry.was === was && entry.becomes === becomes
