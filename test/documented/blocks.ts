/**
 * The blocks of code of a page, and what becomes of each. Lines of a shell without a mark are run; a program is the text
 * of the file that its fence names (`ts file=…`). A comment on the line before the fence says otherwise:
 * `<!-- run by: FILE -->` where another test runs it, and `<!-- not run: REASON -->` where nothing here can.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

export interface Block {
  readonly page: string
  /** Of the fence. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** Whose text it is, as its fence says. */
  readonly file: string | null
  readonly fate: Fate
}

export type Fate =
  | { readonly kind: 'runs' }
  | { readonly kind: 'run by'; readonly file: string }
  | { readonly kind: 'not run'; readonly reason: string }

const fence = /^(?:<!-- (run by|not run): (.+) -->\n)?```(\w*)(?: file=(\S+))?[^\n]*\n([\s\S]*?)^```$/gm

export function blocksOf(page: string): readonly Block[] {
  const whole = readFileSync(join(root, page), 'utf8')
  return [...whole.matchAll(fence)].map(([, mark, said = '', language = '', file, text = ''], index, all) => ({
    page,
    line: whole.slice(0, all[index]?.index ?? 0).split('\n').length + (mark === undefined ? 0 : 1),
    language,
    text,
    file: file ?? null,
    fate: fateOf(mark, said),
  }))
}

function fateOf(mark: string | undefined, said: string): Fate {
  if (mark === undefined) return { kind: 'runs' }
  return mark === 'run by' ? { kind: 'run by', file: said } : { kind: 'not run', reason: said }
}
