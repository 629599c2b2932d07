/**
 * What a page says that its lines print, held against what they print. The block without a language that follows lines of
 * a shell is their whole output; a comment in them that begins with `{` or `[` is a document among it. `…` stands for
 * anything within a line, and for any lines where it is one; ids, times and the width of columns are the reader's own.
 */
import assert from 'node:assert/strict'
import type { Block } from './blocks.ts'

interface ShownOutput {
  /** Of the fence of the lines that print it. */
  readonly line: number
  readonly text: string
  readonly isWhole: boolean
}

export const shownOutputs = (blocks: readonly Block[]): readonly ShownOutput[] =>
  blocks.flatMap(({ language, fate, line, text }, index) => {
    if (language !== 'sh' || fate.kind !== 'runs') return []
    const next = blocks[index + 1]
    const follows = next?.language === '' && next.line === line + text.split('\n').length + 2
    const documents = [...text.matchAll(/^# ([{[].*)$/gm)].map(([, document = '']) => document)
    return [
      ...documents.map((document) => ({ line, text: document, isWhole: false })),
      ...(follows ? [{ line, text: next.text, isWhole: true }] : []),
    ]
  })

/** Whole, or as a page cuts them. */
const id = /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{4}…[0-9a-f]{4})\b/g
const time = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
const userCode = /\b[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}\b/g

const generalised = (text: string): readonly string[] =>
  text
    .replaceAll(id, 'an-id')
    .replaceAll(time, 'a-time')
    .replaceAll(userCode, 'a-code')
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, '  '))
    .filter((line) => line !== '')

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export function assertPrinted(where: string, { text, isWhole }: ShownOutput, printed: string): void {
  const pattern = generalised(text)
    .map((line) => (line === '…' ? '(?:.*\n)*' : `${line.split('…').map(escaped).join('.*')}${isWhole ? '\n' : ''}`))
    .join('')
  const actual = `${generalised(printed).join('\n')}\n`
  const expected = new RegExp(isWhole ? `^${pattern}$` : pattern)
  assert.match(actual, expected, `${where} prints something else than the page shows`)
}
