/**
 * The blocks of code of a page, and what becomes of each block of a shell. Without a mark it is run. A comment on the
 * line before its fence says otherwise: `<!-- run by: FILE -->` where another test or script runs it, and
 * `<!-- not run: REASON -->` where nothing here can.
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
  readonly fate: Fate
}

export type Fate =
  | { readonly kind: 'runs' }
  | { readonly kind: 'run by'; readonly file: string }
  | { readonly kind: 'not run'; readonly reason: string }

const fence = /^(?:<!-- (run by|not run): (.+) -->\n)?```(\w*)[^\n]*\n([\s\S]*?)^```$/gm

export function blocksOf(page: string): readonly Block[] {
  const whole = readFileSync(join(root, page), 'utf8')
  return [...whole.matchAll(fence)].map(([, mark, said = '', language = '', text = ''], index, all) => ({
    page,
    line: whole.slice(0, all[index]?.index ?? 0).split('\n').length + (mark === undefined ? 0 : 1),
    language,
    text,
    fate: fateOf(mark, said),
  }))
}

function fateOf(mark: string | undefined, said: string): Fate {
  if (mark === undefined) return { kind: 'runs' }
  return mark === 'run by' ? { kind: 'run by', file: said } : { kind: 'not run', reason: said }
}
